// Matrix products: operands are packed into panels of float or int32, and a block of the result stays in registers while
// K runs from first to last, so every element is summed in index order.
#include <algorithm>
#include <vector>

#ifdef __FMA__
#include <immintrin.h>
#endif

#include "convert.hpp"
#include "core.hpp"
#include "error.hpp"

namespace pto {

namespace {

#if defined(__AVX512F__)
constexpr int LANES = 16, BLOCK_ROWS = 12;
#elif defined(__AVX__)
constexpr int LANES = 8, BLOCK_ROWS = 6;
#else
constexpr int LANES = 4, BLOCK_ROWS = 6;
#endif
constexpr int VECTORS = 2, BLOCK_COLS = LANES * VECTORS;

template <class T>
struct Lanes {
    typedef T Vector __attribute__((vector_size(LANES * sizeof(T))));
};

template <class V>
inline V multiply_add(V a, V b, V sum) {
    return a * b + sum;
}
#if defined(__AVX512F__)
template <>
inline Lanes<float>::Vector multiply_add(Lanes<float>::Vector a, Lanes<float>::Vector b, Lanes<float>::Vector sum) {
    return _mm512_fmadd_ps(a, b, sum);
}
#elif defined(__FMA__)
template <>
inline Lanes<float>::Vector multiply_add(Lanes<float>::Vector a, Lanes<float>::Vector b, Lanes<float>::Vector sum) {
    return _mm256_fmadd_ps(a, b, sum);
}
#endif

// block[r][c] += sum over k of a[k][r] * b[k][c]
template <class T>
void multiply_block(T* block, const T* a, const T* b, int64_t k_count) {
    using V = typename Lanes<T>::Vector;
    V sum[BLOCK_ROWS][VECTORS];
    for (int r = 0; r < BLOCK_ROWS; ++r)
        for (int v = 0; v < VECTORS; ++v) std::memcpy(&sum[r][v], block + r * BLOCK_COLS + v * LANES, sizeof(V));
    for (int64_t k = 0; k < k_count; ++k) {
        V right[VECTORS];
        for (int v = 0; v < VECTORS; ++v) std::memcpy(&right[v], b + k * BLOCK_COLS + v * LANES, sizeof(V));
#pragma GCC unroll 12
        for (int r = 0; r < BLOCK_ROWS; ++r) {
            V left = a[k * BLOCK_ROWS + r] - V{};
#pragma GCC unroll 2
            for (int v = 0; v < VECTORS; ++v) sum[r][v] = multiply_add(left, right[v], sum[r][v]);
        }
    }
    for (int r = 0; r < BLOCK_ROWS; ++r)
        for (int v = 0; v < VECTORS; ++v) std::memcpy(block + r * BLOCK_COLS + v * LANES, &sum[r][v], sizeof(V));
}

void fetch_run(float* to, const char* from, int64_t stride, int32_t dtype, int64_t n) {
    widen_run(to, from, stride, dtype, n);
}

void fetch_run(int32_t* to, const char* from, int64_t stride, int32_t, int64_t n) {
    const int8_t* in = reinterpret_cast<const int8_t*>(from);
    for (int64_t i = 0; i < n; ++i) to[i] = in[i * stride];
}

// Rows of A, K after K, in blocks of BLOCK_ROWS; what is missing in the last block is zero.
template <class T>
void pack_rows(std::vector<T>& panel, std::vector<T>& line, const View& a) {
    int64_t blocks = (a.rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    panel.assign(static_cast<size_t>(blocks * BLOCK_ROWS * a.cols), T(0));
    line.resize(static_cast<size_t>(a.cols));
    for (int64_t row = 0; row < a.rows; ++row) {
        fetch_run(line.data(), a.at(row, 0), a.col_stride, a.dtype, a.cols);
        T* to = panel.data() + row / BLOCK_ROWS * BLOCK_ROWS * a.cols + row % BLOCK_ROWS;
        for (int64_t k = 0; k < a.cols; ++k) to[k * BLOCK_ROWS] = line[static_cast<size_t>(k)];
    }
}

template <class T>
void pack_columns(std::vector<T>& panel, const View& b) {
    int64_t blocks = (b.cols + BLOCK_COLS - 1) / BLOCK_COLS;
    panel.assign(static_cast<size_t>(blocks * BLOCK_COLS * b.rows), T(0));
    for (int64_t k = 0; k < b.rows; ++k)
        for (int64_t block = 0; block < blocks; ++block) {
            int64_t n = std::min<int64_t>(BLOCK_COLS, b.cols - block * BLOCK_COLS);
            T* to = panel.data() + (block * b.rows + k) * BLOCK_COLS;
            fetch_run(to, b.at(k, block * BLOCK_COLS), b.col_stride, b.dtype, n);
        }
}

template <class T>
void multiply(const View& out, const View& a, const View& b, bool accumulates, const View* bias) {
    static thread_local std::vector<T> rows, columns, line;
    pack_rows(rows, line, a);
    pack_columns(columns, b);
    for (int64_t col = 0; col < out.cols; col += BLOCK_COLS)
        for (int64_t row = 0; row < out.rows; row += BLOCK_ROWS) {
            int64_t height = std::min<int64_t>(BLOCK_ROWS, out.rows - row), width = std::min<int64_t>(BLOCK_COLS, out.cols - col);
            alignas(64) T block[BLOCK_ROWS * BLOCK_COLS] = {};
            if (accumulates)
                for (int64_t r = 0; r < height; ++r)
                    gather_run(block + r * BLOCK_COLS, out.at(row + r, col), out.col_stride, width, sizeof(T));
            multiply_block(block, rows.data() + row * a.cols, columns.data() + col * b.rows, a.cols);
            for (int64_t r = 0; r < height; ++r) {
                if (bias)
                    for (int64_t c = 0; c < width; ++c)
                        block[r * BLOCK_COLS + c] += *reinterpret_cast<const T*>(bias->at(0, col + c));
                scatter_run(out.at(row + r, col), out.col_stride, block + r * BLOCK_COLS, width, sizeof(T));
            }
        }
}

void matmul(const char* op, const Tile& dst, const Tile& a, const Tile& b, bool accumulates, const Tile* bias) {
    View out = open(op, "the result", dst);
    View left = open(op, "the left operand", a);
    View right = open(op, "the right operand", b);
    if (left.dtype != right.dtype)
        fail("%s: the operands have dtypes %s and %s; cast one of them", op, name_of(left.dtype), name_of(right.dtype));
    bool integers = left.dtype == INT8;
    if (!integers && !is_float(left.dtype)) fail("%s: operands of dtype %s are not supported", op, name_of(left.dtype));
    if (out.dtype != (integers ? INT32 : FP32))
        fail("%s: operands of dtype %s accumulate in %s, the result is %s", op, name_of(left.dtype),
             integers ? "INT32" : "FP32", name_of(out.dtype));
    if (left.cols > right.rows || out.rows > left.rows || out.cols > right.cols)
        fail("%s: %s = %s @ %s: the valid shapes do not fit", op, describe(dst).c_str(), describe(a).c_str(), describe(b).c_str());
    left.rows = out.rows;
    right.rows = left.cols;
    right.cols = out.cols;
    View addend = {};
    if (bias) {
        addend = open_operand(op, "the bias", *bias, 1, out.cols);
        if (addend.dtype != out.dtype)
            fail("%s: the bias has dtype %s, the result %s", op, name_of(addend.dtype), name_of(out.dtype));
    }
    if (integers) {
        multiply<int32_t>(out, left, right, accumulates, bias ? &addend : nullptr);
    } else {
        multiply<float>(out, left, right, accumulates, bias ? &addend : nullptr);
    }
    poison_outside(dst, out);
}

}  // namespace

void TMATMUL(const Tile& dst, const Tile& a, const Tile& b) { matmul("TMATMUL", dst, a, b, false, nullptr); }
void TMATMUL_ACC(const Tile& dst, const Tile& a, const Tile& b) { matmul("TMATMUL_ACC", dst, a, b, true, nullptr); }
void TMATMUL_BIAS(const Tile& dst, const Tile& a, const Tile& b, const Tile& bias) {
    matmul("TMATMUL_BIAS", dst, a, b, false, &bias);
}

}  // namespace pto
