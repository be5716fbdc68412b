// The C interface that Python calls: what it hands over for one run, and what it gets back.
#pragma once
#include <cstdint>

#include "core.hpp"

namespace pto {

using OrchestrationEntry = void (*)(Runtime& runtime, const int64_t* args);

// One task as it ran. Times are nanoseconds since the run began.
struct TaskRecord {
    int32_t func_id;
    int32_t core;
    int64_t blocks;
    int64_t start, duration;
};

struct RunRequest {
    const KernelEntry* kernels;
    OrchestrationEntry orchestration;
    const int64_t* args;
    int64_t kernel_count;
    int64_t capacity[SPACES];  // bytes per memory space of a core
    TaskRecord* tasks;         // room for the log; null when nobody asks
    int64_t task_capacity;     // its length
    int64_t task_count;        // out: tasks submitted, also beyond the room
    char* message;             // out: what went wrong, cut to fit
    int64_t message_size;
};

}  // namespace pto

extern "C" {
// 0, or 1 with a message.
__attribute__((visibility("default"))) int32_t pto_run(pto::RunRequest* request);
// Fills memory with the pattern of fresh on-chip memory.
__attribute__((visibility("default"))) void pto_poison(void* data, int64_t bytes);
// Sizes and offsets of the structures that Python builds, for a test: {sizeof, offsets of the fields in order}, ended by -1.
__attribute__((visibility("default"))) const int64_t* pto_layout(const char* structure);
}
