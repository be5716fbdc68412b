// Runs of elements between memory and the buffers that loops work on.
#pragma once
#include "element.hpp"

namespace pto {

inline bool computes_in_float(int32_t dtype) { return dtype == FP16 || dtype == BF16; }

// Floats of any width to FP32 and back; strides count elements, and a source stride of zero repeats one element.
void widen_run(float* to, const void* from, int64_t stride, int32_t dtype, int64_t n);
void narrow_run(void* to, int64_t stride, const float* from, int32_t dtype, int64_t n);

// Elements of `size` bytes from strided memory to packed memory and back.
void gather_run(void* to, const void* from, int64_t stride, int64_t n, int size);
void scatter_run(void* to, int64_t stride, const void* from, int64_t n, int size);

}  // namespace pto
