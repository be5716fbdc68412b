// One simulated core: its on-chip memories, and what it is running. Each thread that runs tasks has its own.
#pragma once
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "element.hpp"

namespace pto {

constexpr int SPACES = BIAS + 1;
constexpr uint16_t POISON = 0x7FC1;  // NaN in FP16, BF16 and, twice, in FP32

struct CoreState {
    std::unique_ptr<char[]> arena[SPACES];
    int64_t allocated[SPACES] = {};
    int64_t capacity[SPACES] = {};
    int64_t used[SPACES] = {};    // what kernel_begin asked for; accesses beyond it are failures
    const char* kernel = nullptr;  // null between tasks
    int64_t block = 0, blocks = 1;

    void set_capacity(const int64_t* bytes);
    void start_task();
    std::string place() const;  // "kernel add, block 2 of 8" or "orchestration"
};

CoreState& core();

// The cells of a tile that an operation may touch: valid extents, strides in elements.
struct View {
    char* data;
    int64_t rows, cols;
    int64_t row_stride, col_stride;
    DType dtype;
    int size;

    char* at(int64_t row, int64_t col) const { return data + (row * row_stride + col * col_stride) * size; }
};

std::string describe(const Tile& tile);

// The valid cells of a tile; fails when the tile leaves its memory or its figures make no sense.
View open(const char* op, const char* role, const Tile& tile);
// The cells of an operand that a result of `rows` x `cols` reads; fails when not all of them are valid.
View open_operand(const char* op, const char* role, const Tile& tile, int64_t rows, int64_t cols);

void poison(void* data, int64_t bytes);
void poison_outside(const Tile& tile, const View& view);  // cells of the tile beyond its valid region
void poison_all(const Tile& tile, const View& view);

// Copies cells of equal size; both sides may be strided. Regions that overlap are copied as if through a buffer.
void copy_cells(const View& dst, const View& src);

}  // namespace pto
