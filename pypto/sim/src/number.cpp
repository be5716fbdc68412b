#include "drive.hpp"
#include "error.hpp"

namespace pto {

template <class I>
static void store_integer(void* to, const Number& number) {
    int64_t value = number.is_integer ? number.integer : saturate<int64_t>(number.real);
    I element = static_cast<I>(value);
    std::memcpy(to, &element, sizeof element);
}

template <class F>
static void store_real(void* to, const Number& number) {
    F element = narrow<F>(number.is_integer ? to_odd(number.integer) : to_odd(number.real));
    std::memcpy(to, &element, sizeof element);
}

void Number::store(void* to, int32_t dtype) const {
    float single = is_integer ? static_cast<float>(integer) : static_cast<float>(real);
    switch (dtype) {
        case FP32: std::memcpy(to, &single, sizeof single); return;
        case FP16: store_real<Half>(to, *this); return;
        case BF16: store_real<Brain>(to, *this); return;
        case FP8E4M3FN: store_real<E4M3>(to, *this); return;
        case FP8E5M2: store_real<E5M2>(to, *this); return;
        case INT8: case UINT8: store_integer<uint8_t>(to, *this); return;
        case INT16: case UINT16: store_integer<uint16_t>(to, *this); return;
        case INT32: case UINT32: store_integer<uint32_t>(to, *this); return;
        case INT64: case INDEX: case UINT64: store_integer<uint64_t>(to, *this); return;
        case BOOL: *static_cast<char*>(to) = is_integer ? integer != 0 : real != 0; return;
        default: fail("%s cannot hold a scalar", name_of(dtype));
    }
}

}  // namespace pto
