// Scalars in kernels: arguments, integer arithmetic with Python's meaning, single elements of tensors and tiles.
#include "convert.hpp"
#include "drive.hpp"
#include "error.hpp"
#include "window.hpp"

namespace pto {

float float_arg(const int64_t* args, int slot) { return float_of(static_cast<uint32_t>(args[slot])); }

int64_t floor_div(int64_t a, int64_t b) {
    if (b == 0) fail("integer division by zero: %lld // 0", (long long)a);
    if (b == -1) return static_cast<int64_t>(0 - static_cast<uint64_t>(a));
    int64_t quotient = a / b;
    return a % b != 0 && (a % b < 0) != (b < 0) ? quotient - 1 : quotient;
}

int64_t floor_mod(int64_t a, int64_t b) {
    if (b == 0) fail("integer remainder of a division by zero: %lld %% 0", (long long)a);
    if (b == -1) return 0;
    int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double floor_div(double a, double b) {
    if (b == 0) fail("float division by zero: %g // 0", a);
    return std::floor((a - floor_mod(a, b)) / b + 0.25);  // a whole number but for rounding
}

double floor_mod(double a, double b) {
    if (b == 0) fail("remainder of a float division by zero: %g %% 0", a);
    double rest = std::fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

int64_t nonzero_step(int64_t step) {
    if (step == 0) fail("a loop has the step 0, and would never end");
    return step;
}

int64_t round_scalar(double value) { return saturate<int64_t>(std::round(value)); }

namespace {

int64_t int_at(const void* cell, int32_t dtype) {
    switch (dtype) {
        case BOOL: case UINT8: return *static_cast<const uint8_t*>(cell);
        case INT8: return *static_cast<const int8_t*>(cell);
        case INT16: return *static_cast<const int16_t*>(cell);
        case UINT16: return *static_cast<const uint16_t*>(cell);
        case INT32: return *static_cast<const int32_t*>(cell);
        case UINT32: return *static_cast<const uint32_t*>(cell);
        case INT64: case INDEX: case UINT64: return *static_cast<const int64_t*>(cell);
        default: fail("read: an element of dtype %s is no integer", name_of(dtype));
    }
}

double float_at(const void* cell, int32_t dtype) {
    if (!is_float(dtype)) return static_cast<double>(int_at(cell, dtype));
    float value;
    widen_run(&value, cell, 1, dtype, 1);
    return value;
}

void* element(const char* op, const Tensor& tensor, const Index& at) {
    char* cell = static_cast<char*>(tensor.data);
    for (int32_t axis = 0; axis < tensor.rank; ++axis) {
        if (at.at[axis] < 0 || at.at[axis] >= tensor.shape[axis])
            fail("%s: index %lld of dimension %d is outside tensor %s, which has %lld there", op, (long long)at.at[axis], axis,
                 name_of(tensor), (long long)tensor.shape[axis]);
        cell += at.at[axis] * tensor.stride[axis] * size_of(tensor.dtype);
    }
    return cell;
}

void* element(const char* op, const Tile& tile, int64_t row, int64_t col, bool reads) {
    View view = open(op, "the tile", tile);
    int64_t rows = reads ? view.rows : tile.rows, cols = reads ? view.cols : tile.cols;
    if (row < 0 || col < 0 || row >= rows || col >= cols)
        fail("%s: element [%lld, %lld] is outside the %s", op, (long long)row, (long long)col, describe(tile).c_str());
    return view.at(row, col);
}

}  // namespace

int64_t read_int(const Tensor& source, Index at) { return int_at(element("read", source, at), source.dtype); }
double read_float(const Tensor& source, Index at) { return float_at(element("read", source, at), source.dtype); }
int64_t read_int(const Tile& source, int64_t row, int64_t col) {
    return int_at(element("read", source, row, col, true), source.dtype);
}
double read_float(const Tile& source, int64_t row, int64_t col) {
    return float_at(element("read", source, row, col, true), source.dtype);
}
void write_element(const Tensor& target, Index at, int64_t value) {
    Number(value).store(element("write", target, at), target.dtype);
}
void write_element(const Tensor& target, Index at, double value) {
    Number(value).store(element("write", target, at), target.dtype);
}
void write_element(const Tile& target, int64_t row, int64_t col, int64_t value) {
    Number(value).store(element("write", target, row, col, false), target.dtype);
}
void write_element(const Tile& target, int64_t row, int64_t col, double value) {
    Number(value).store(element("write", target, row, col, false), target.dtype);
}

}  // namespace pto
