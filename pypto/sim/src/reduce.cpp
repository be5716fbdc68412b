// Reductions: one running value per row or column, in index order, over the valid cells.
#include "convert.hpp"
#include "drive.hpp"
#include "error.hpp"

namespace pto {

namespace {

struct Reduction {
    View out, in;
    int kind, work_size;  // work_size: bytes of an element where the loops work
    bool converts;

    // Packed elements of a run of cells, converted to what the loops work on.
    void fetch(void* to, const char* from, int64_t stride, int64_t n) const {
        if (converts) {
            widen_run(static_cast<float*>(to), from, stride, in.dtype, n);
        } else {
            gather_run(to, from, stride, n, in.size);
        }
    }

    void put(char* to, int64_t stride, const void* from, int64_t n) const {
        if (converts) {
            narrow_run(to, stride, static_cast<const float*>(from), out.dtype, n);
        } else {
            scatter_run(to, stride, from, n, out.size);
        }
    }
};

Reduction begin(const char* op, const Tile& dst, const Tile& x, bool to_column) {
    Reduction self;
    self.out = open(op, "the result", dst);
    self.in = open(op, "the operand", x);
    self.kind = kind_of(x.dtype);
    if (self.kind == KINDS) fail("%s: dtype %s is not supported", op, name_of(x.dtype));
    if (dst.dtype != x.dtype) fail("%s: the result has dtype %s, the operand %s", op, name_of(dst.dtype), name_of(x.dtype));
    int64_t along = to_column ? self.in.rows : self.in.cols, results = to_column ? self.out.rows : self.out.cols;
    int64_t across = to_column ? self.out.cols : self.out.rows;
    if (results > along || across > 1)
        fail("%s: the result %s does not fit the operand %s", op, describe(dst).c_str(), describe(x).c_str());
    self.converts = computes_in_float(x.dtype);
    self.work_size = self.converts ? 4 : self.in.size;
    return self;
}

}  // namespace

void fold_rows(const char* op, const Loops& loops, const Tile& dst, const Tile& x, bool wide) {
    Reduction self = begin(op, dst, x, true);
    Fold fold = loops.fold[wide && self.converts ? KIND_F32 : self.kind];
    if (!fold) fail("%s: dtype %s is not supported", op, name_of(x.dtype));
    if (self.in.cols == 0) return poison_all(dst, self.out);  // nothing to reduce: the result is undefined
    alignas(64) char buffer[FOLD_ROWS * CHUNK * sizeof(float)];
    bool direct = self.in.col_stride == 1 && !self.converts;
    for (int64_t row = 0; row < self.out.rows; row += FOLD_ROWS) {
        int64_t rows = self.out.rows - row < FOLD_ROWS ? self.out.rows - row : FOLD_ROWS;
        alignas(8) char running[FOLD_ROWS * sizeof(float)];
        self.fetch(running, self.in.at(row, 0), self.in.row_stride, rows);
        for (int64_t col = 1; col < self.in.cols; col += CHUNK) {
            int64_t n = self.in.cols - col < CHUNK ? self.in.cols - col : CHUNK;
            const void* cells = self.in.at(row, col);
            int64_t stride = self.in.row_stride;
            if (!direct) {
                for (int64_t r = 0; r < rows; ++r)
                    self.fetch(buffer + r * CHUNK * self.work_size, self.in.at(row + r, col), self.in.col_stride, n);
                cells = buffer;
                stride = CHUNK;
            }
            fold(running, cells, rows, stride, n);
        }
        self.put(self.out.at(row, 0), self.out.row_stride, running, rows);
    }
    poison_outside(dst, self.out);
}

void fold_columns(const char* op, const Loops& loops, const Tile& dst, const Tile& x, bool wide) {
    Reduction self = begin(op, dst, x, false);
    Loop loop = loops.loop[self.kind];
    if (!loop) fail("%s: dtype %s is not supported", op, name_of(x.dtype));
    if (self.in.rows == 0) return poison_all(dst, self.out);
    alignas(64) char running[CHUNK * sizeof(float)], buffer[CHUNK * sizeof(float)], rounded[CHUNK * sizeof(uint16_t)];
    bool direct = self.in.col_stride == 1 && !self.converts;
    for (int64_t col = 0; col < self.out.cols; col += CHUNK) {
        int64_t n = self.out.cols - col < CHUNK ? self.out.cols - col : CHUNK;
        self.fetch(running, self.in.at(0, col), self.in.col_stride, n);
        for (int64_t row = 1; row < self.in.rows; ++row) {
            if (!direct) self.fetch(buffer, self.in.at(row, col), self.in.col_stride, n);
            const void* operands[] = {running, direct ? static_cast<const void*>(self.in.at(row, col)) : buffer};
            loop(running, operands, n);
            if (self.converts && !wide) {
                narrow_run(rounded, 1, reinterpret_cast<const float*>(running), x.dtype, n);
                widen_run(reinterpret_cast<float*>(running), rounded, 1, x.dtype, n);
            }
        }
        self.put(self.out.at(0, col), self.out.col_stride, running, n);
    }
    poison_outside(dst, self.out);
}

}  // namespace pto
