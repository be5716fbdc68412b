// Between tiles: copies, transposition, fills, padding.
#include "convert.hpp"
#include "drive.hpp"
#include "error.hpp"

namespace pto {

namespace {

void check_dtype(const char* op, const Tile& dst, const Tile& src) {
    if (dst.dtype != src.dtype)
        fail("%s: the result has dtype %s, the operand %s", op, name_of(dst.dtype), name_of(src.dtype));
}

void convert_floats(const View& to, const View& from) {
    float buffer[CHUNK];
    for (int64_t row = 0; row < to.rows; ++row)
        for (int64_t col = 0; col < to.cols; col += CHUNK) {
            int64_t n = std::min(to.cols - col, CHUNK);
            widen_run(buffer, from.at(row, col), from.col_stride, from.dtype, n);
            narrow_run(to.at(row, col), to.col_stride, buffer, to.dtype, n);
        }
}

void fill(const Tile& dst, const Number& number) {
    View out = open("TFILL", "the result", dst);
    alignas(8) char value[8];
    number.store(value, dst.dtype);
    copy_cells(out, View{value, out.rows, out.cols, 0, 0, out.dtype, out.size});
    poison_outside(dst, out);
}

double limit_of(int32_t dtype, bool largest, int64_t& integer) {
    int bits = size_of(dtype) * 8;
    bool is_unsigned = dtype == UINT8 || dtype == UINT16 || dtype == UINT32 || dtype == UINT64 || dtype == BOOL;
    uint64_t top = is_unsigned ? ~uint64_t(0) >> (64 - bits) : ~uint64_t(0) >> (65 - bits);
    integer = static_cast<int64_t>(largest ? top : is_unsigned ? 0 : ~top);
    return largest ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}

}  // namespace

void TMOV(const Tile& dst, const Tile& src) {
    View out = open("TMOV", "the result", dst);
    View in = open_operand("TMOV", "the operand", src, out.rows, out.cols);
    bool widens_bias = dst.space == BIAS && dst.dtype == FP32 && src.dtype == FP16;
    if (!widens_bias) check_dtype("TMOV", dst, src);
    widens_bias ? convert_floats(out, in) : copy_cells(out, in);
    poison_outside(dst, out);
}

void TMOV_CAST(const Tile& dst, const Tile& src) {
    View out = open("TMOV_CAST", "the result", dst);
    View in = open_operand("TMOV_CAST", "the operand", src, out.rows, out.cols);
    bool floats = src.dtype == FP32 && is_float(dst.dtype);
    if (dst.dtype != src.dtype && !floats)
        fail("TMOV_CAST: %s does not become %s on its way out of the accumulator", name_of(src.dtype), name_of(dst.dtype));
    floats ? convert_floats(out, in) : copy_cells(out, in);
    poison_outside(dst, out);
}

void TASSEMBLE(const Tile& dst, const Tile& src, int64_t row, int64_t col) {
    View out = open("TASSEMBLE", "the target", dst);
    View in = open("TASSEMBLE", "the source", src);
    check_dtype("TASSEMBLE", dst, src);
    if (row < 0 || col < 0 || row + in.rows > dst.rows || col + in.cols > dst.cols)
        fail("TASSEMBLE: [%lld, %lld] cells at [%lld, %lld] leave the target %s", (long long)in.rows, (long long)in.cols,
             (long long)row, (long long)col, describe(dst).c_str());
    copy_cells(View{out.at(row, col), in.rows, in.cols, out.row_stride, out.col_stride, out.dtype, out.size}, in);
}

void TTRANS(const Tile& dst, const Tile& src) {
    View out = open("TTRANS", "the result", dst);
    View in = open_operand("TTRANS", "the operand", src, out.cols, out.rows);
    check_dtype("TTRANS", dst, src);
    copy_cells(out, View{in.data, out.rows, out.cols, in.col_stride, in.row_stride, in.dtype, in.size});
    poison_outside(dst, out);
}

void TFILL(const Tile& dst, double value) { fill(dst, value); }
void TFILL(const Tile& dst, int64_t value) { fill(dst, value); }

void TFILLPAD(const Tile& dst, const Tile& src, Pad pad) {
    View out = open("TFILLPAD", "the result", dst);
    View in = open("TFILLPAD", "the operand", src);
    check_dtype("TFILLPAD", dst, src);
    if (in.rows > out.rows || in.cols > out.cols)
        fail("TFILLPAD: the valid region of the operand %s is larger than the result %s", describe(src).c_str(),
             describe(dst).c_str());
    int64_t integer = 0;
    double real = pad == PAD_ZERO ? 0.0 : limit_of(dst.dtype, pad == PAD_MAX, integer);
    alignas(8) char value[8];
    (is_float(dst.dtype) ? Number(real) : Number(integer)).store(value, dst.dtype);
    auto part = [&](int64_t row, int64_t col, int64_t rows, int64_t cols) {
        copy_cells(View{out.at(row, col), rows, cols, out.row_stride, out.col_stride, out.dtype, out.size},
                   View{value, rows, cols, 0, 0, out.dtype, out.size});
    };
    copy_cells(View{out.data, in.rows, in.cols, out.row_stride, out.col_stride, out.dtype, out.size}, in);
    part(0, in.cols, in.rows, out.cols - in.cols);
    part(in.rows, 0, out.rows - in.rows, out.cols);
    poison_outside(dst, out);
}

void TPOISON(const Tile& dst) { poison_all(dst, open("TPOISON", "the result", dst)); }

}  // namespace pto
