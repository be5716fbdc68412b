#include "convert.hpp"

namespace pto {

template <class T>
static void widen_typed(float* to, const void* from, int64_t stride, int64_t n) {
    const T* in = static_cast<const T*>(from);
    if (stride == 0) {
        float value = widen(*in);
        for (int64_t i = 0; i < n; ++i) to[i] = value;
    } else if (stride == 1) {
        for (int64_t i = 0; i < n; ++i) to[i] = widen(in[i]);
    } else {
        for (int64_t i = 0; i < n; ++i) to[i] = widen(in[i * stride]);
    }
}

void widen_run(float* to, const void* from, int64_t stride, int32_t dtype, int64_t n) {
    switch (dtype) {
        case FP16: return widen_typed<Half>(to, from, stride, n);
        case BF16: return widen_typed<Brain>(to, from, stride, n);
        case FP8E4M3FN: return widen_typed<E4M3>(to, from, stride, n);
        case FP8E5M2: return widen_typed<E5M2>(to, from, stride, n);
        default: return widen_typed<float>(to, from, stride, n);
    }
}

template <class T>
static void narrow_typed(void* to, int64_t stride, const float* from, int64_t n) {
    T* out = static_cast<T*>(to);
    if (stride == 1) {
        for (int64_t i = 0; i < n; ++i) out[i] = narrow<T>(from[i]);
    } else {
        for (int64_t i = 0; i < n; ++i) out[i * stride] = narrow<T>(from[i]);
    }
}

void narrow_run(void* to, int64_t stride, const float* from, int32_t dtype, int64_t n) {
    switch (dtype) {
        case FP16: return narrow_typed<Half>(to, stride, from, n);
        case BF16: return narrow_typed<Brain>(to, stride, from, n);
        case FP8E4M3FN: return narrow_typed<E4M3>(to, stride, from, n);
        case FP8E5M2: return narrow_typed<E5M2>(to, stride, from, n);
        default: return narrow_typed<float>(to, stride, from, n);
    }
}

template <class T>
static void gather_typed(void* to, const void* from, int64_t stride, int64_t n) {
    T* out = static_cast<T*>(to);
    const T* in = static_cast<const T*>(from);
    if (stride == 0) {
        T value = *in;
        for (int64_t i = 0; i < n; ++i) out[i] = value;
    } else {
        for (int64_t i = 0; i < n; ++i) out[i] = in[i * stride];
    }
}

void gather_run(void* to, const void* from, int64_t stride, int64_t n, int size) {
    switch (size) {
        case 1: return gather_typed<uint8_t>(to, from, stride, n);
        case 2: return gather_typed<uint16_t>(to, from, stride, n);
        case 4: return gather_typed<uint32_t>(to, from, stride, n);
        default: return gather_typed<uint64_t>(to, from, stride, n);
    }
}

template <class T>
static void scatter_typed(void* to, int64_t stride, const void* from, int64_t n) {
    T* out = static_cast<T*>(to);
    const T* in = static_cast<const T*>(from);
    for (int64_t i = 0; i < n; ++i) out[i * stride] = in[i];
}

void scatter_run(void* to, int64_t stride, const void* from, int64_t n, int size) {
    switch (size) {
        case 1: return scatter_typed<uint8_t>(to, stride, from, n);
        case 2: return scatter_typed<uint16_t>(to, stride, from, n);
        case 4: return scatter_typed<uint32_t>(to, stride, from, n);
        default: return scatter_typed<uint64_t>(to, stride, from, n);
    }
}

}  // namespace pto
