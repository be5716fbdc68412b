// A hand-written vector kernel: out = 2 * x, row by row, straight on global memory.
#include "pto/sim.hpp"

extern "C" void kernel_entry(int64_t* args) {
    const pto::Tensor& x = pto::tensor_arg(args, 0);
    const pto::Tensor& out = pto::tensor_arg(args, 1);
    for (int64_t row = 0; row < x.shape[0]; ++row) {
        const float* source = static_cast<const float*>(x.data) + row * x.stride[0];
        float* target = static_cast<float*>(out.data) + row * out.stride[0];
        for (int64_t col = 0; col < x.shape[1]; ++col) target[col] = 2.0f * source[col];
    }
}
