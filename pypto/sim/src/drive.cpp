#include "drive.hpp"

#include <utility>

#include "convert.hpp"
#include "error.hpp"

namespace pto {

namespace {

// An operand resolved to memory; a stride of zero repeats.
struct Source {
    const char* data;
    int64_t row_stride, col_stride;
};

template <class T>
int64_t find_bad_divisor(const void* a, const void* b, int64_t n, bool overflows) {
    const T *x = static_cast<const T*>(a), *y = static_cast<const T*>(b);
    for (int64_t i = 0; i < n; ++i)
        if (y[i] == 0 || (overflows && T(-1) < T(0) && y[i] == T(-1) && x[i] == std::numeric_limits<T>::min())) return i;
    return -1;
}

void check_divisors(const char* op, const void* a, const void* b, int64_t n, int kind, Divides divides) {
    using Finder = int64_t (*)(const void*, const void*, int64_t, bool);
    constexpr Finder finders[KINDS] = {nullptr, nullptr, nullptr, find_bad_divisor<int8_t>, find_bad_divisor<int16_t>,
                                       find_bad_divisor<int32_t>, find_bad_divisor<uint8_t>,
                                       find_bad_divisor<uint16_t>, find_bad_divisor<uint32_t>};
    constexpr int sizes[KINDS] = {4, 2, 2, 1, 2, 4, 1, 2, 4};
    if (!finders[kind]) return;
    int64_t at = finders[kind](a, b, n, divides == DIVIDES);
    if (at < 0) return;
    const char* divisor = static_cast<const char*>(b) + at * sizes[kind];
    constexpr char zero[4] = {};
    if (std::memcmp(divisor, zero, static_cast<size_t>(sizes[kind])) == 0)
        fail("%s: integer division by zero; guard the divisor, or compute in a float dtype", op);
    fail("%s: the least integer divided by -1 overflows", op);
}

bool is_flat(int64_t row_stride, int64_t col_stride, int64_t cols) {
    return (row_stride == 0 && col_stride == 0) || (col_stride == 1 && row_stride == cols);
}

// One call of drive: operands, and buffers for those that a loop cannot read in place.
struct Run {
    const char* op;
    Loop loop;
    Divides divides;
    int32_t dtype;
    int kind, size, count;
    bool converts;
    Source source[MAX_OPERANDS];
    alignas(64) char buffer[MAX_OPERANDS + 1][CHUNK * sizeof(float)];

    const void* fetch(int index, const char* from, int64_t n) {
        int64_t stride = source[index].col_stride;
        if (converts) {
            widen_run(reinterpret_cast<float*>(buffer[index]), from, stride, dtype, n);
        } else if (stride == 1) {
            return from;
        } else {
            gather_run(buffer[index], from, stride, n, size);
        }
        return buffer[index];
    }

    void row(char* to, int64_t to_stride, int64_t row_index, int64_t cols) {
        const void* operand[MAX_OPERANDS] = {};
        bool direct = to_stride == 1 && !converts;
        bool whole = direct;  // no buffer: the row can run in one piece
        for (int index = 0; index < count; ++index) whole = whole && source[index].col_stride == 1;
        int64_t chunk = whole ? cols : CHUNK;
        for (int64_t col = 0; col < cols; col += chunk) {
            int64_t n = cols - col < chunk ? cols - col : chunk;
            for (int index = 0; index < count; ++index) {
                const Source& from = source[index];
                bool kept = from.col_stride == 0 && (col > 0 || (from.row_stride == 0 && row_index > 0));
                if (kept) continue;  // the buffer still holds the repeated value
                int64_t elements = from.col_stride == 0 ? (cols < CHUNK ? cols : CHUNK) : n;
                operand[index] = fetch(index, from.data + (row_index * from.row_stride + col * from.col_stride) * size, elements);
            }
            for (int index = 0; index < count; ++index)
                if (!operand[index]) operand[index] = buffer[index];
            if (divides != NO && !is_float(dtype)) check_divisors(op, operand[0], operand[1], n, kind, divides);
            char* out = to + col * to_stride * size;
            void* result = direct ? static_cast<void*>(out) : buffer[MAX_OPERANDS];
            loop(result, operand, n);
            if (converts) {
                narrow_run(out, to_stride, static_cast<const float*>(result), dtype, n);
            } else if (!direct) {
                scatter_run(out, to_stride, result, n, size);
            }
        }
    }
};

Source resolve(const char* op, int index, const Operand& operand, const Tile& dst, const View& out, char* value) {
    if (operand.shape == Operand::VALUE) {
        operand.number.store(value, dst.dtype);
        return Source{value, 0, 0};
    }
    constexpr const char* roles[] = {"the first operand", "the second operand", "the third operand"};
    bool empty = out.rows == 0 || out.cols == 0;
    int64_t rows = empty ? 0 : operand.shape == Operand::ROW ? 1 : out.rows;
    int64_t cols = empty ? 0 : operand.shape == Operand::COLUMN ? 1 : out.cols;
    View view = open_operand(op, roles[index], *operand.tile, rows, cols);
    if (view.dtype != dst.dtype)
        fail("%s: %s has dtype %s, the result %s; cast one of them", op, roles[index], name_of(view.dtype), name_of(dst.dtype));
    return Source{view.data, operand.shape == Operand::ROW ? 0 : view.row_stride,
                  operand.shape == Operand::COLUMN ? 0 : view.col_stride};
}

}  // namespace

void drive(const char* op, const Loops& loops, const Tile& dst, const Operand* operands, int count) {
    View out = open(op, "the result", dst);
    Run run;
    run.kind = kind_of(dst.dtype);
    run.loop = run.kind < KINDS ? loops.loop[run.kind] : nullptr;
    if (!run.loop) fail("%s: dtype %s is not supported", op, name_of(dst.dtype));
    run.op = op;
    run.divides = loops.divides;
    run.dtype = dst.dtype;
    run.size = out.size;
    run.count = count;
    run.converts = computes_in_float(dst.dtype);
    alignas(8) char value[MAX_OPERANDS][8];
    for (int index = 0; index < count; ++index)
        run.source[index] = resolve(op, index, operands[index], dst, out, value[index]);

    int64_t rows = out.rows, cols = out.cols, row_stride = out.row_stride, col_stride = out.col_stride;
    bool flat = is_flat(row_stride, col_stride, cols);
    for (int index = 0; index < count; ++index)
        flat = flat && is_flat(run.source[index].row_stride, run.source[index].col_stride, cols);
    if (flat) {
        cols *= rows;
        rows = 1;
    } else if (cols == 1) {  // a column: walk along it
        std::swap(rows, cols);
        std::swap(row_stride, col_stride);
        for (int index = 0; index < count; ++index) std::swap(run.source[index].row_stride, run.source[index].col_stride);
    }
    for (int64_t row = 0; row < rows; ++row) run.row(out.data + row * row_stride * out.size, col_stride, row, cols);
    poison_outside(dst, out);
}

}  // namespace pto
