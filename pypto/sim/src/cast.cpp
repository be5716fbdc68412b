// TCVT: every pair of element types. A float becomes an integer by the mode, saturating, NaN as 0; an integer becomes a
// narrower one by its low bits; everything else is rounded to nearest even.
#include <algorithm>
#include <type_traits>

#include "convert.hpp"
#include "drive.hpp"
#include "error.hpp"

namespace pto {

namespace {

inline float round_half_away(float x) {
    float whole = __builtin_truncf(x);
    float rest = x - whole;  // exact
    return whole + (rest >= 0.5f ? 1.0f : 0.0f) - (rest <= -0.5f ? 1.0f : 0.0f);
}

inline float round_to_odd(float x) {
    float whole = __builtin_truncf(x);
    float half = whole * 0.5f;
    bool is_even = __builtin_truncf(half) == half;
    float away = x > 0 ? 1.0f : -1.0f;
    return whole != x && is_even ? whole + away : whole;
}

template <class Round>
void round_run(float* values, int64_t n, Round round) {
    for (int64_t i = 0; i < n; ++i) values[i] = round(values[i]);
}

void round_run(float* values, int64_t n, CastMode mode) {
    switch (mode) {
        case RINT: return round_run(values, n, [](float x) { return __builtin_nearbyintf(x); });
        case ROUND: return round_run(values, n, round_half_away);
        case FLOOR: return round_run(values, n, [](float x) { return __builtin_floorf(x); });
        case CEIL: return round_run(values, n, [](float x) { return __builtin_ceilf(x); });
        case ODD: return round_run(values, n, round_to_odd);
        default: return round_run(values, n, [](float x) { return __builtin_truncf(x); });
    }
}

template <class I>
void float_to_int(I* to, const float* from, int64_t n) {
    for (int64_t i = 0; i < n; ++i) to[i] = saturate<I>(from[i]);
}

// Integers to a float that a second rounding follows: inexact values stay marked as such.
template <class I>
void int_to_float(float* to, const I* from, int64_t n, bool rounds_again) {
    for (int64_t i = 0; i < n; ++i) {
        if constexpr (sizeof(I) < 4) {
            to[i] = static_cast<float>(from[i]);
        } else if constexpr (std::is_same_v<I, uint64_t>) {
            to[i] = static_cast<float>(from[i]);
        } else {
            to[i] = rounds_again ? to_odd(static_cast<int64_t>(from[i])) : static_cast<float>(from[i]);
        }
    }
}

template <class D, class S>
void int_to_int(void* to, const S* from, int64_t n) {
    D* out = static_cast<D*>(to);
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<D>(from[i]);
}

// The low bits are the same whether the destination is signed or not.
template <class S>
void int_to_int(void* to, int size, const S* from, int64_t n) {
    switch (size) {
        case 1: return int_to_int<uint8_t>(to, from, n);
        case 2: return int_to_int<uint16_t>(to, from, n);
        case 4: return int_to_int<uint32_t>(to, from, n);
        default: return int_to_int<uint64_t>(to, from, n);
    }
}

// Calls use(a null pointer of the C++ type of an integer dtype); false when the dtype is none.
template <class Use>
bool with_integer(int32_t dtype, Use use) {
    switch (dtype) {
        case INT8: use(static_cast<int8_t*>(nullptr)); return true;
        case INT16: use(static_cast<int16_t*>(nullptr)); return true;
        case INT32: use(static_cast<int32_t*>(nullptr)); return true;
        case INT64: case INDEX: use(static_cast<int64_t*>(nullptr)); return true;
        case BOOL: case UINT8: use(static_cast<uint8_t*>(nullptr)); return true;
        case UINT16: use(static_cast<uint16_t*>(nullptr)); return true;
        case UINT32: use(static_cast<uint32_t*>(nullptr)); return true;
        case UINT64: use(static_cast<uint64_t*>(nullptr)); return true;
        default: return false;
    }
}

void convert_run(void* to, int32_t to_dtype, const void* from, int32_t from_dtype, int64_t n, CastMode mode) {
    float wide[CHUNK];
    if (is_float(from_dtype)) {
        widen_run(wide, from, 1, from_dtype, n);
        if (is_float(to_dtype)) return narrow_run(to, 1, wide, to_dtype, n);
        round_run(wide, n, mode);
        with_integer(to_dtype, [&](auto* type) { float_to_int(static_cast<decltype(type)>(to), wide, n); });
        return;
    }
    with_integer(from_dtype, [&](auto* source) {
        auto* in = static_cast<std::add_const_t<std::remove_pointer_t<decltype(source)>>*>(from);
        if (is_float(to_dtype)) {
            int_to_float(wide, in, n, to_dtype != FP32);
            narrow_run(to, 1, wide, to_dtype, n);
        } else {
            int_to_int(to, size_of(to_dtype), in, n);
        }
    });
}

}  // namespace

void TCVT(const Tile& dst, const Tile& src, CastMode mode) {
    View out = open("TCVT", "the result", dst);
    View in = open_operand("TCVT", "the operand", src, out.rows, out.cols);
    alignas(64) char before[CHUNK * 8], after[CHUNK * 8];
    if (out.cols == 1) {
        std::swap(out.rows, out.cols);
        std::swap(out.row_stride, out.col_stride);
        std::swap(in.row_stride, in.col_stride);
    }
    for (int64_t row = 0; row < out.rows; ++row)
        for (int64_t col = 0; col < out.cols; col += CHUNK) {
            int64_t n = std::min(out.cols - col, CHUNK);
            gather_run(before, in.at(row, col), in.col_stride, n, in.size);
            convert_run(after, dst.dtype, before, src.dtype, n, mode);
            scatter_run(out.at(row, col), out.col_stride, after, n, out.size);
        }
    poison_outside(dst, open("TCVT", "the result", dst));
}

}  // namespace pto
