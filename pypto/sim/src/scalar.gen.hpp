// The loop bodies of the op table. Written by `python -m pypto.sim.generate` from the op table; do not edit.
#pragma once
#include "loops.hpp"

namespace pto {

template <class E>
struct Body0 {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(a + b); }
};

template <class E>
struct Body1 {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(a - b); }
};

template <class E>
struct Body2 {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(a * b); }
};

template <class E>
struct Body3 {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(divide(a, b)); }
};

template <class E>
struct Body4 {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(b > a || b != b ? b : a); }
};

template <class E>
struct Body5 {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(b < a || b != b ? b : a); }
};

template <class E>
struct Body6 {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(modulo(a, b)); }
};

template <class E>
struct Body7 {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(remainder(a, b)); }
};

template <class E>
struct Body8 {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(a & b); }
};

template <class E>
struct Body9 {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(a | b); }
};

template <class E>
struct Body10 {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(a ^ b); }
};

template <class E>
struct Body11 {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(b >= 0 && b < 32 ? a << b : 0); }
};

template <class E>
struct Body12 {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(b >= 0 && b < 32 ? a >> b : a < 0 ? -1 : 0); }
};

template <class E>
struct Body13 {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(exp(a)); }
};

template <class E>
struct Body14 {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(log(a)); }
};

template <class E>
struct Body15 {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(sqrt(a)); }
};

template <class E>
struct Body16 {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(rsqrt(a)); }
};

template <class E>
struct Body17 {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(1 / a); }
};

template <class E>
struct Body18 {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(sin(a)); }
};

template <class E>
struct Body19 {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(cos(a)); }
};

template <class E>
struct Body20 {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(-a); }
};

template <class E>
struct Body21 {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(a > 0 ? a : 0 - a); }
};

template <class E>
struct Body22 {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(a < 0 ? 0 : a); }
};

template <class E>
struct Body23 {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T s) { return static_cast<T>(a > 0 ? a : a * s); }
};

template <class E>
struct Body24 {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(~a); }
};

template <class E>
struct Body25 {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(exp(Element<E>::narrow(a - b))); }
};

template <class E>
struct Body26 {
    using T = typename Element<E>::Value;
    static inline T apply(T b) { return static_cast<T>(b); }
};

template <class E>
struct Body27 {
    using T = typename Element<E>::Value;
    static inline T apply(T s) { return static_cast<T>(s); }
};

}  // namespace pto

#define PTO_FLOAT_LOOPS(LOOP) \
    LOOP(loop1<Body13, float>) \
    LOOP(loop1<Body14, float>) \
    LOOP(loop1<Body15, float>) \
    LOOP(loop1<Body16, float>) \
    LOOP(loop1<Body17, float>) \
    LOOP(loop1<Body18, float>) \
    LOOP(loop1<Body19, float>) \
    LOOP(loop1<Body20, float>) \
    LOOP(loop1<Body21, float>) \
    LOOP(loop1<Body22, float>) \
    LOOP(loop1<Body26, float>) \
    LOOP(loop1<Body27, float>) \
    LOOP(loop2<Body0, float>) \
    LOOP(loop2<Body1, float>) \
    LOOP(loop2<Body2, float>) \
    LOOP(loop2<Body23, float>) \
    LOOP(loop2<Body25, Brain>) \
    LOOP(loop2<Body25, Half>) \
    LOOP(loop2<Body25, float>) \
    LOOP(loop2<Body3, float>) \
    LOOP(loop2<Body4, float>) \
    LOOP(loop2<Body5, float>) \
    LOOP(loop2<Body6, float>) \
    LOOP(loop2<Body7, float>)
#define PTO_FLOAT_FOLDS(FOLD) \
    FOLD(fold<Body0, Brain>) \
    FOLD(fold<Body0, Half>) \
    FOLD(fold<Body0, float>) \
    FOLD(fold<Body2, Brain>) \
    FOLD(fold<Body2, Half>) \
    FOLD(fold<Body2, float>) \
    FOLD(fold<Body4, Brain>) \
    FOLD(fold<Body4, Half>) \
    FOLD(fold<Body4, float>) \
    FOLD(fold<Body5, Brain>) \
    FOLD(fold<Body5, Half>) \
    FOLD(fold<Body5, float>)
#define PTO_SIGNED_LOOPS(LOOP) \
    LOOP(loop1<Body20, int16_t>) \
    LOOP(loop1<Body20, int32_t>) \
    LOOP(loop1<Body20, int8_t>) \
    LOOP(loop1<Body21, int16_t>) \
    LOOP(loop1<Body21, int32_t>) \
    LOOP(loop1<Body21, int8_t>) \
    LOOP(loop1<Body22, int16_t>) \
    LOOP(loop1<Body22, int32_t>) \
    LOOP(loop1<Body22, int8_t>) \
    LOOP(loop1<Body24, int16_t>) \
    LOOP(loop1<Body24, int32_t>) \
    LOOP(loop1<Body24, int8_t>) \
    LOOP(loop1<Body26, int16_t>) \
    LOOP(loop1<Body26, int32_t>) \
    LOOP(loop1<Body26, int8_t>) \
    LOOP(loop1<Body27, int16_t>) \
    LOOP(loop1<Body27, int32_t>) \
    LOOP(loop1<Body27, int8_t>) \
    LOOP(loop2<Body0, int16_t>) \
    LOOP(loop2<Body0, int32_t>) \
    LOOP(loop2<Body0, int8_t>) \
    LOOP(loop2<Body1, int16_t>) \
    LOOP(loop2<Body1, int32_t>) \
    LOOP(loop2<Body1, int8_t>) \
    LOOP(loop2<Body10, int16_t>) \
    LOOP(loop2<Body10, int32_t>) \
    LOOP(loop2<Body10, int8_t>) \
    LOOP(loop2<Body11, int16_t>) \
    LOOP(loop2<Body11, int32_t>) \
    LOOP(loop2<Body11, int8_t>) \
    LOOP(loop2<Body12, int16_t>) \
    LOOP(loop2<Body12, int32_t>) \
    LOOP(loop2<Body12, int8_t>) \
    LOOP(loop2<Body2, int16_t>) \
    LOOP(loop2<Body2, int32_t>) \
    LOOP(loop2<Body2, int8_t>) \
    LOOP(loop2<Body3, int16_t>) \
    LOOP(loop2<Body3, int32_t>) \
    LOOP(loop2<Body3, int8_t>) \
    LOOP(loop2<Body4, int16_t>) \
    LOOP(loop2<Body4, int32_t>) \
    LOOP(loop2<Body4, int8_t>) \
    LOOP(loop2<Body5, int16_t>) \
    LOOP(loop2<Body5, int32_t>) \
    LOOP(loop2<Body5, int8_t>) \
    LOOP(loop2<Body6, int16_t>) \
    LOOP(loop2<Body6, int32_t>) \
    LOOP(loop2<Body6, int8_t>) \
    LOOP(loop2<Body7, int16_t>) \
    LOOP(loop2<Body7, int32_t>) \
    LOOP(loop2<Body7, int8_t>) \
    LOOP(loop2<Body8, int16_t>) \
    LOOP(loop2<Body8, int32_t>) \
    LOOP(loop2<Body8, int8_t>) \
    LOOP(loop2<Body9, int16_t>) \
    LOOP(loop2<Body9, int32_t>) \
    LOOP(loop2<Body9, int8_t>)
#define PTO_SIGNED_FOLDS(FOLD) \
    FOLD(fold<Body0, int16_t>) \
    FOLD(fold<Body0, int32_t>) \
    FOLD(fold<Body0, int8_t>) \
    FOLD(fold<Body2, int16_t>) \
    FOLD(fold<Body2, int32_t>) \
    FOLD(fold<Body2, int8_t>) \
    FOLD(fold<Body4, int16_t>) \
    FOLD(fold<Body4, int32_t>) \
    FOLD(fold<Body4, int8_t>) \
    FOLD(fold<Body5, int16_t>) \
    FOLD(fold<Body5, int32_t>) \
    FOLD(fold<Body5, int8_t>)
#define PTO_UNSIGNED_LOOPS(LOOP) \
    LOOP(loop1<Body20, uint16_t>) \
    LOOP(loop1<Body20, uint32_t>) \
    LOOP(loop1<Body20, uint8_t>) \
    LOOP(loop1<Body21, uint16_t>) \
    LOOP(loop1<Body21, uint32_t>) \
    LOOP(loop1<Body21, uint8_t>) \
    LOOP(loop1<Body22, uint16_t>) \
    LOOP(loop1<Body22, uint32_t>) \
    LOOP(loop1<Body22, uint8_t>) \
    LOOP(loop1<Body24, uint16_t>) \
    LOOP(loop1<Body24, uint32_t>) \
    LOOP(loop1<Body24, uint8_t>) \
    LOOP(loop1<Body26, uint16_t>) \
    LOOP(loop1<Body26, uint32_t>) \
    LOOP(loop1<Body26, uint8_t>) \
    LOOP(loop1<Body27, uint16_t>) \
    LOOP(loop1<Body27, uint32_t>) \
    LOOP(loop1<Body27, uint8_t>) \
    LOOP(loop2<Body0, uint16_t>) \
    LOOP(loop2<Body0, uint32_t>) \
    LOOP(loop2<Body0, uint8_t>) \
    LOOP(loop2<Body1, uint16_t>) \
    LOOP(loop2<Body1, uint32_t>) \
    LOOP(loop2<Body1, uint8_t>) \
    LOOP(loop2<Body10, uint16_t>) \
    LOOP(loop2<Body10, uint32_t>) \
    LOOP(loop2<Body10, uint8_t>) \
    LOOP(loop2<Body11, uint16_t>) \
    LOOP(loop2<Body11, uint32_t>) \
    LOOP(loop2<Body11, uint8_t>) \
    LOOP(loop2<Body12, uint16_t>) \
    LOOP(loop2<Body12, uint32_t>) \
    LOOP(loop2<Body12, uint8_t>) \
    LOOP(loop2<Body2, uint16_t>) \
    LOOP(loop2<Body2, uint32_t>) \
    LOOP(loop2<Body2, uint8_t>) \
    LOOP(loop2<Body3, uint16_t>) \
    LOOP(loop2<Body3, uint32_t>) \
    LOOP(loop2<Body3, uint8_t>) \
    LOOP(loop2<Body4, uint16_t>) \
    LOOP(loop2<Body4, uint32_t>) \
    LOOP(loop2<Body4, uint8_t>) \
    LOOP(loop2<Body5, uint16_t>) \
    LOOP(loop2<Body5, uint32_t>) \
    LOOP(loop2<Body5, uint8_t>) \
    LOOP(loop2<Body6, uint16_t>) \
    LOOP(loop2<Body6, uint32_t>) \
    LOOP(loop2<Body6, uint8_t>) \
    LOOP(loop2<Body7, uint16_t>) \
    LOOP(loop2<Body7, uint32_t>) \
    LOOP(loop2<Body7, uint8_t>) \
    LOOP(loop2<Body8, uint16_t>) \
    LOOP(loop2<Body8, uint32_t>) \
    LOOP(loop2<Body8, uint8_t>) \
    LOOP(loop2<Body9, uint16_t>) \
    LOOP(loop2<Body9, uint32_t>) \
    LOOP(loop2<Body9, uint8_t>)
#define PTO_UNSIGNED_FOLDS(FOLD) \
    FOLD(fold<Body0, uint16_t>) \
    FOLD(fold<Body0, uint32_t>) \
    FOLD(fold<Body0, uint8_t>) \
    FOLD(fold<Body2, uint16_t>) \
    FOLD(fold<Body2, uint32_t>) \
    FOLD(fold<Body2, uint8_t>) \
    FOLD(fold<Body4, uint16_t>) \
    FOLD(fold<Body4, uint32_t>) \
    FOLD(fold<Body4, uint8_t>) \
    FOLD(fold<Body5, uint16_t>) \
    FOLD(fold<Body5, uint32_t>) \
    FOLD(fold<Body5, uint8_t>)
