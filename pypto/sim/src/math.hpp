// Functions of one float, computed in double without branches, so that loops over them vectorise and the one rounding
// to float is right in all but about one case in a million.
#pragma once
#include "element.hpp"

namespace pto {

namespace math {

inline int64_t bits64(double value) { return bit_cast<int64_t>(value); }
inline double double_of(int64_t bits) { return bit_cast<double>(bits); }

constexpr double MAGIC = 0x1.8p52;  // adding it leaves the nearest integer in the low bits

// exp over the doubles that matter to float: below -200 the result is 0 and above 200 infinite either way.
inline double exp_wide(double x) {
    double bounded = x > 200.0 ? 200.0 : x;
    bounded = bounded < -200.0 ? -200.0 : bounded;
    double shifted = bounded * 0x1.71547652b82fep0 + MAGIC;
    double n = shifted - MAGIC;
    double r = (bounded - n * 0x1.62e42fefa0000p-1) - n * 0x1.cf79abc9e3b39p-40;
    double p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    return p * double_of((bits64(shifted) << 52) + 0x3FF0000000000000);
}

// log of a float, which is a normal double.
inline double log_wide(double x) {
    int64_t bits = bits64(x);
    // The exponent that leaves m in [sqrt(1/2), sqrt(2)), still biased and thus positive: there is no wide signed shift.
    uint64_t over = static_cast<uint64_t>(bits) - 0x3FE6A09E667F3BCD + 0x3FF0000000000000;
    double m = double_of(bits - static_cast<int64_t>((over & 0xFFF0000000000000) - 0x3FF0000000000000));
    double e = double_of(static_cast<int64_t>(over >> 52) + bits64(MAGIC)) - (MAGIC + 1023.0);
    double s = (m - 1.0) / (m + 1.0), z = s * s;
    double p = 2.0 / 21.0;
    p = p * z + 2.0 / 19.0;
    p = p * z + 2.0 / 17.0;
    p = p * z + 2.0 / 15.0;
    p = p * z + 2.0 / 13.0;
    p = p * z + 2.0 / 11.0;
    p = p * z + 2.0 / 9.0;
    p = p * z + 2.0 / 7.0;
    p = p * z + 2.0 / 5.0;
    p = p * z + 2.0 / 3.0;
    double result = e * 0x1.62e42fefa39efp-1 + (s * 2.0 + s * z * p);
    result = x == 0.0 ? -std::numeric_limits<double>::infinity() : result;
    result = x < 0.0 ? std::numeric_limits<double>::quiet_NaN() : result;
    return x < std::numeric_limits<double>::infinity() ? result : x;  // inf stays, NaN stays
}

// 2/pi times each power of two, without whole multiples of 4, in three parts. The first two have 28 bits, so their product
// with the 24 bits of a float's significand is exact: an argument of any size is reduced without a loss.
struct Reduction {
    double high[256], middle[256], low[256];
};
extern const Reduction REDUCTION;

// sin (QUARTERS = 0) or cos (QUARTERS = 1): x is n quarter turns and a rest within an eighth on either side.
template <int QUARTERS>
inline double turn_wide(float x) {
    uint32_t bits = bits_of(x) & 0x7FFFFFFF;
    uint32_t field = bits >> 23;
    uint32_t significand = (bits & 0x7FFFFF) | (field ? 0x800000 : 0);
    uint32_t exponent = field ? field : 1;
    double m = static_cast<double>(static_cast<int32_t>(significand));
    double t = m * REDUCTION.high[exponent];
    double shifted = t + MAGIC;
    double f = (t - (shifted - MAGIC)) + m * REDUCTION.middle[exponent] + m * REDUCTION.low[exponent];
    // Adding the smaller parts can carry the rest past an eighth of a turn; the polynomials have room for that.
    double r = f * 0x1.921fb54442d18p0, z = r * r;
    double s = -1.0 / 1307674368000.0;
    s = s * z + 1.0 / 6227020800.0;
    s = s * z - 1.0 / 39916800.0;
    s = s * z + 1.0 / 362880.0;
    s = s * z - 1.0 / 5040.0;
    s = s * z + 1.0 / 120.0;
    s = s * z - 1.0 / 6.0;
    s = r + r * z * s;
    double c = 1.0 / 20922789888000.0;
    c = c * z - 1.0 / 87178291200.0;
    c = c * z + 1.0 / 479001600.0;
    c = c * z - 1.0 / 3628800.0;
    c = c * z + 1.0 / 40320.0;
    c = c * z - 1.0 / 720.0;
    c = c * z + 1.0 / 24.0;
    c = c * z - 0.5;
    c = c * z + 1.0;
    int64_t quarter = bits64(shifted) + QUARTERS;
    double result = quarter & 1 ? c : s;
    int64_t flip = (quarter & 2) << 62;
    if (QUARTERS == 0) flip ^= static_cast<int64_t>(bits_of(x) & 0x80000000) << 32;
    result = double_of(bits64(result) ^ flip);
    return bits < 0x7F800000 ? result : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace math

inline float sin(float x) { return static_cast<float>(math::turn_wide<0>(x)); }
inline float cos(float x) { return static_cast<float>(math::turn_wide<1>(x)); }
inline float exp(float x) { return static_cast<float>(math::exp_wide(x)); }
inline float log(float x) { return static_cast<float>(math::log_wide(x)); }
inline float sqrt(float x) { return __builtin_sqrtf(x); }
inline float rsqrt(float x) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x))); }

}  // namespace pto
