#include "element.hpp"

#include "error.hpp"

namespace pto {

namespace {

struct Info {
    int32_t code;
    int size;
    bool is_float;
    const char* name;
};

constexpr Info INFOS[] = {
    {BOOL, 1, false, "BOOL"},     {INT8, 1, false, "INT8"},         {INT16, 2, false, "INT16"},
    {INT32, 4, false, "INT32"},   {INT64, 8, false, "INT64"},       {INDEX, 8, false, "INDEX"},
    {UINT8, 1, false, "UINT8"},   {UINT16, 2, false, "UINT16"},     {UINT32, 4, false, "UINT32"},
    {UINT64, 8, false, "UINT64"}, {FP8E4M3FN, 1, true, "FP8E4M3FN"}, {FP8E5M2, 1, true, "FP8E5M2"},
    {FP16, 2, true, "FP16"},      {FP32, 4, true, "FP32"},          {BF16, 2, true, "BF16"},
};

const Info* find(int32_t dtype) {
    for (const Info& info : INFOS)
        if (info.code == dtype) return &info;
    return nullptr;
}

}  // namespace

int size_of(int32_t dtype) {
    const Info* info = find(dtype);
    if (!info) fail("dtype code 0x%02x is unknown to the simulator", unsigned(dtype));
    return info->size;
}

const char* name_of(int32_t dtype) {
    const Info* info = find(dtype);
    return info ? info->name : "an unknown dtype";
}

bool is_float(int32_t dtype) {
    const Info* info = find(dtype);
    return info && info->is_float;
}

const char* name_of(Space space) {
    constexpr const char* names[] = {"DDR", "Vec", "Mat", "Left", "Right", "Acc", "Bias"};
    return space >= DDR && space <= BIAS ? names[space] : "an unknown space";
}

}  // namespace pto
