// Runs the loop of a body over tiles: picks the element type, hands over whole rows where memory allows, and repeats
// rows, columns and scalars through strides of zero.
#pragma once
#include "core.hpp"
#include "loops.hpp"

namespace pto {

// A scalar operand, before it is rounded to the dtype of the tile.
struct Number {
    double real = 0;
    int64_t integer = 0;
    bool is_integer = false;

    Number(double value) : real(value) {}
    Number(int64_t value) : integer(value), is_integer(true) {}
    void store(void* to, int32_t dtype) const;
};

// What an operand of a loop reads: cells, a column or a row repeated, or one value.
struct Operand {
    enum Shape { CELLS, COLUMN, ROW, VALUE };
    Shape shape = CELLS;
    const Tile* tile = nullptr;
    Number number = 0.0;

    Operand(const Tile& cells) : tile(&cells) {}
    Operand(Shape repeated, const Tile& cells) : shape(repeated), tile(&cells) {}
    Operand(double value) : shape(VALUE), number(value) {}
    Operand(int64_t value) : shape(VALUE), number(value) {}
};

constexpr int MAX_OPERANDS = 3;
constexpr int64_t CHUNK = 1024;  // elements converted or repeated at a time

void drive(const char* op, const Loops& loops, const Tile& dst, const Operand* operands, int count);

inline void drive(const char* op, const Loops& loops, const Tile& dst, Operand a) { drive(op, loops, dst, &a, 1); }
inline void drive(const char* op, const Loops& loops, const Tile& dst, Operand a, Operand b) {
    const Operand operands[] = {a, b};
    drive(op, loops, dst, operands, 2);
}
inline void drive(const char* op, const Loops& loops, const Tile& dst, Operand a, Operand b, Operand c) {
    const Operand operands[] = {a, b, c};
    drive(op, loops, dst, operands, 3);
}

// Reductions in index order. With `wide`, FP16 and BF16 accumulate in float and are rounded once.
void fold_rows(const char* op, const Loops& loops, const Tile& dst, const Tile& x, bool wide);
void fold_columns(const char* op, const Loops& loops, const Tile& dst, const Tile& x, bool wide);

}  // namespace pto
