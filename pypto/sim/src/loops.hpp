// The loops over elements that the bodies of the op table become, one per body and element type.
#pragma once
#include "math.hpp"

namespace pto {

// d[i] = body(p[0][i], p[1][i], ...). FP16 and BF16 arrive and leave as float, and are rounded outside, once.
using Loop = void (*)(void* d, const void* const* p, int64_t n);
// acc[r] = body(acc[r], x[r * stride + i]) for all i in order; FP16 and BF16 as float, rounded at every step.
using Fold = void (*)(void* acc, const void* x, int64_t rows, int64_t stride, int64_t n);

constexpr int FOLD_ROWS = 8;  // rows that fold together: their sums are independent, so the additions overlap

enum Kind { KIND_F32, KIND_F16, KIND_BF16, KIND_I8, KIND_I16, KIND_I32, KIND_U8, KIND_U16, KIND_U32, KINDS };

inline int kind_of(int32_t dtype) {
    switch (dtype) {
        case FP32: return KIND_F32;
        case FP16: return KIND_F16;
        case BF16: return KIND_BF16;
        case INT8: return KIND_I8;
        case INT16: return KIND_I16;
        case INT32: return KIND_I32;
        case UINT8: return KIND_U8;
        case UINT16: return KIND_U16;
        case UINT32: return KIND_U32;
        default: return KINDS;
    }
}

enum Divides { NO, REMAINS, DIVIDES };  // integers: a zero divisor fails; minimum / -1 fails too

// What the simulator knows of a loop body; null where the element type is not supported.
struct Loops {
    Loop loop[KINDS];
    Fold fold[KINDS];
    Divides divides;
};

// What the arithmetic of an element type is done in, and how a value in the middle of a body is rounded to the type.
template <class E>
struct Element {
    using Value = E;
    static Value narrow(Value value) { return value; }
};
template <>
struct Element<Half> {
    using Value = float;
    static float narrow(float value) { return widen(pto::narrow<Half>(value)); }
};
template <>
struct Element<Brain> {
    using Value = float;
    static float narrow(float value) { return widen(pto::narrow<Brain>(value)); }
};

// The same index is read and written, so a result may overwrite its operand: ivdep says that this is no hazard.
template <template <class> class Body, class E>
void loop1(void* d, const void* const* p, int64_t n) {
    using T = typename Element<E>::Value;
    T* out = static_cast<T*>(d);
    const T* x = static_cast<const T*>(p[0]);
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(Body<E>::apply(x[i]));
}

template <template <class> class Body, class E>
void loop2(void* d, const void* const* p, int64_t n) {
    using T = typename Element<E>::Value;
    T* out = static_cast<T*>(d);
    const T *x = static_cast<const T*>(p[0]), *y = static_cast<const T*>(p[1]);
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(Body<E>::apply(x[i], y[i]));
}

template <template <class> class Body, class E>
void loop3(void* d, const void* const* p, int64_t n) {
    using T = typename Element<E>::Value;
    T* out = static_cast<T*>(d);
    const T *x = static_cast<const T*>(p[0]), *y = static_cast<const T*>(p[1]), *z = static_cast<const T*>(p[2]);
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(Body<E>::apply(x[i], y[i], z[i]));
}

template <template <class> class Body, class E>
void fold(void* acc, const void* x, int64_t rows, int64_t stride, int64_t n) {
    using T = typename Element<E>::Value;
    T* running = static_cast<T*>(acc);
    const T* in = static_cast<const T*>(x);
    if (rows == FOLD_ROWS) {
        T local[FOLD_ROWS];
        for (int r = 0; r < FOLD_ROWS; ++r) local[r] = running[r];
        for (int64_t i = 0; i < n; ++i) {
#pragma GCC unroll 8
            for (int r = 0; r < FOLD_ROWS; ++r)
                local[r] = Element<E>::narrow(static_cast<T>(Body<E>::apply(local[r], in[r * stride + i])));
        }
        for (int r = 0; r < FOLD_ROWS; ++r) running[r] = local[r];
        return;
    }
    for (int64_t r = 0; r < rows; ++r)
        for (int64_t i = 0; i < n; ++i)
            running[r] = Element<E>::narrow(static_cast<T>(Body<E>::apply(running[r], in[r * stride + i])));
}

// Integers and floats divide through these. Divisors were checked before the loop.
template <class T>
inline T divide(T a, T b) {
    return static_cast<T>(a / b);
}
template <class T>
inline T modulo(T a, T b) {
    return std::numeric_limits<T>::is_signed && b == T(-1) ? T(0) : static_cast<T>(a % b);
}
template <>
inline float modulo(float a, float b) {
    return __builtin_fmodf(a, b);
}
template <class T>
inline T remainder(T a, T b) {
    T rest = modulo(a, b);
    bool differs = rest != 0 && (b < 0) != (rest < 0);
    return static_cast<T>(differs ? rest + b : rest);
}

}  // namespace pto
