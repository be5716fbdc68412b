// Sizes and offsets of the structures that Python builds; a test holds them against its own.
#include <cstddef>
#include <cstring>

#include "run.hpp"

using namespace pto;

#define AT(structure, field) static_cast<int64_t>(offsetof(structure, field))

const int64_t* pto_layout(const char* structure) {
    static const int64_t tensor[] = {sizeof(Tensor), AT(Tensor, data), AT(Tensor, dtype), AT(Tensor, rank),
                                     AT(Tensor, shape), AT(Tensor, stride), AT(Tensor, name), -1};
    static const int64_t task[] = {sizeof(TaskRecord), AT(TaskRecord, func_id), AT(TaskRecord, core),
                                   AT(TaskRecord, blocks), AT(TaskRecord, start), AT(TaskRecord, duration), -1};
    static const int64_t request[] = {
        sizeof(RunRequest), AT(RunRequest, kernels), AT(RunRequest, orchestration), AT(RunRequest, args),
        AT(RunRequest, kernel_count), AT(RunRequest, capacity), AT(RunRequest, tasks), AT(RunRequest, task_capacity),
        AT(RunRequest, task_count), AT(RunRequest, message), AT(RunRequest, message_size), -1};
    if (!std::strcmp(structure, "Tensor")) return tensor;
    if (!std::strcmp(structure, "TaskRecord")) return task;
    if (!std::strcmp(structure, "RunRequest")) return request;
    return nullptr;
}
