// Element types: their sizes, names, and exact conversions between the narrow floats and float. Branch-free, so that
// loops over them vectorise without special instructions.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

// The library hides its symbols, except what kernels call.
#pragma GCC visibility push(default)
#include "pto/sim.hpp"
#pragma GCC visibility pop

namespace pto {

struct Half {
    uint16_t bits;
};
struct Brain {
    uint16_t bits;
};
struct E4M3 {
    uint8_t bits;
};
struct E5M2 {
    uint8_t bits;
};

#ifdef __has_builtin
#if __has_builtin(__builtin_bit_cast)
#define PTO_BIT_CAST 1
#endif
#endif

// The same bits as another type. The built-in form leads to loops twice as fast as a copy; compilers before 2021 lack it.
template <class To, class From>
inline To bit_cast(From value) {
#ifdef PTO_BIT_CAST
    return __builtin_bit_cast(To, value);
#else
    To result;
    std::memcpy(&result, &value, sizeof result);
    return result;
#endif
}

inline uint32_t bits_of(float value) { return bit_cast<uint32_t>(value); }
inline float float_of(uint32_t bits) { return bit_cast<float>(bits); }

inline float widen(float value) { return value; }

inline float widen(Half value) {
    uint32_t magnitude = uint32_t(value.bits & 0x7FFF) << 13;
    uint32_t scaled = bits_of(float_of(magnitude) * 0x1p112f);  // exact, subnormals included
    uint32_t special = magnitude | 0x7F800000;                  // inf and NaN keep their payload
    uint32_t sign = uint32_t(value.bits & 0x8000) << 16;
    return float_of(sign | (magnitude >= 0x0F800000 ? special : scaled));
}

inline float widen(Brain value) { return float_of(uint32_t(value.bits) << 16); }

inline float widen(E5M2 value) { return widen(Half{uint16_t(value.bits << 8)}); }

inline float widen(E4M3 value) {
    uint32_t magnitude = uint32_t(value.bits & 0x7F) << 20;
    uint32_t scaled = bits_of(float_of(magnitude) * 0x1p120f);
    uint32_t sign = uint32_t(value.bits & 0x80) << 24;
    return float_of(sign | (magnitude == 0x07F00000 ? 0x7FC00000 : scaled));
}

// Nearest, ties to even, from the bits of a float to a format with `MANTISSA` bits below the point and exponent bias
// `BIAS`; the caller treats what is too large. Returns the bits without sign.
template <int MANTISSA, int BIAS>
inline uint32_t round_magnitude(uint32_t magnitude) {
    constexpr int drop = 23 - MANTISSA;
    constexpr uint32_t smallest = uint32_t(127 - BIAS + 1) << 23;  // smallest normal number of the format
    constexpr uint32_t magic = uint32_t(127 - BIAS + 1 + drop) << 23;
    uint32_t normal = (magnitude - (uint32_t(127 - BIAS) << 23) + ((1u << (drop - 1)) - 1) + ((magnitude >> drop) & 1)) >> drop;
    uint32_t subnormal = bits_of(float_of(magnitude) + float_of(magic)) - magic;
    return magnitude < smallest ? subnormal : normal;
}

template <class T>
inline T narrow(float value);

template <>
inline float narrow<float>(float value) {
    return value;
}

template <>
inline Half narrow<Half>(float value) {
    uint32_t bits = bits_of(value), magnitude = bits & 0x7FFFFFFF;
    uint32_t finite = round_magnitude<10, 15>(magnitude);
    uint32_t nan = 0x7E00 | ((magnitude >> 13) & 0x3FF);
    uint32_t result = magnitude > 0x7F800000 ? nan : magnitude >= 0x47800000 ? 0x7C00 : finite;
    return Half{uint16_t(result | ((bits >> 16) & 0x8000))};
}

template <>
inline Brain narrow<Brain>(float value) {
    uint32_t bits = bits_of(value);
    uint32_t rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
    uint32_t nan = (bits >> 16) | 0x40;
    return Brain{uint16_t((bits & 0x7FFFFFFF) > 0x7F800000 ? nan : rounded)};
}

template <>
inline E5M2 narrow<E5M2>(float value) {
    uint32_t bits = bits_of(value), magnitude = bits & 0x7FFFFFFF;
    uint32_t finite = round_magnitude<2, 15>(magnitude);
    uint32_t result = magnitude > 0x7F800000 ? 0x7F : magnitude >= 0x47800000 ? 0x7C : finite;
    return E5M2{uint8_t(result | ((bits >> 24) & 0x80))};
}

// The format has no infinity: what rounds beyond 448 is 448, as in torch.
template <>
inline E4M3 narrow<E4M3>(float value) {
    uint32_t bits = bits_of(value), magnitude = bits & 0x7FFFFFFF;
    uint32_t finite = round_magnitude<3, 7>(magnitude);
    uint32_t result = magnitude > 0x7F800000 ? 0x7F : magnitude >= 0x43E00000 ? 0x7E : finite;
    return E4M3{uint8_t(result | ((bits >> 24) & 0x80))};
}

// The float on the side of `value` whose last bit says "inexact": rounding it once more to a narrower format gives the
// same as rounding `value` itself.
inline float to_odd(double value) {
    float near = static_cast<float>(value);
    uint32_t bits = bits_of(near);
    bool too_large = std::fabs(static_cast<double>(near)) > std::fabs(value);
    bool exact = static_cast<double>(near) == value || value != value;
    return exact ? near : float_of((bits - too_large) | 1);
}

inline float to_odd(int64_t value) {
    uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    int excess = magnitude >> 53 ? 11 : 0;  // keep what a double holds, with a sticky bit for the rest
    uint64_t sticky = (magnitude & ((uint64_t(1) << excess) - 1)) != 0;
    double scaled = static_cast<double>((magnitude >> excess) | sticky) * static_cast<double>(uint64_t(1) << excess);
    return to_odd(value < 0 ? -scaled : scaled);
}

// Saturates; NaN gives 0.
template <class I, class F>
inline I saturate(F value) {
    constexpr F low = static_cast<F>(std::numeric_limits<I>::min());
    constexpr F high = static_cast<F>(std::numeric_limits<I>::max());  // may round up to the first value outside
    I inside = static_cast<I>(value >= low && value < high ? value : F(0));
    return value >= high ? std::numeric_limits<I>::max() : value < low ? std::numeric_limits<I>::min() : inside;
}

int size_of(int32_t dtype);          // bytes; fails on an unknown code
const char* name_of(int32_t dtype);  // "FP32"; "dtype 0x99" when unknown
bool is_float(int32_t dtype);
const char* name_of(Space space);

}  // namespace pto
