// The orchestration runtime. A task runs where it is submitted, in order, block by block; everything a task needs is in
// its TaskArgs and the CoreState of the thread, so that tasks may later be handed to threads.
#include "run.hpp"

#include <chrono>
#include <exception>
#include <vector>

#include "drive.hpp"
#include "error.hpp"
#include "window.hpp"

namespace pto {

struct Runtime {
    RunRequest& request;
    std::chrono::steady_clock::time_point begin;
    std::vector<std::unique_ptr<char[]>> buffers;  // what create() handed out

    int64_t now() const {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin).count();
    }
};

void add_tensor(TaskArgs& args, const Tensor& tensor, Direction direction) {
    if (args.tensors == MAX_ARGS) fail("a task takes at most %d tensors", MAX_ARGS);
    args.direction[args.tensors] = direction;
    args.tensor[args.tensors++] = tensor;
}

void add_scalar(TaskArgs& args, int64_t value) {
    if (args.scalars == MAX_ARGS) fail("a task takes at most %d scalars", MAX_ARGS);
    args.scalar[args.scalars++] = value;
}

void add_scalar(TaskArgs& args, double value) { add_scalar(args, static_cast<int64_t>(bits_of(static_cast<float>(value)))); }

static int64_t count_of(const char* op, const char* name, int32_t rank, const Index& shape) {
    if (rank < 1 || rank > MAX_RANK) fail("%s: tensor %s has rank %d; the simulator takes 1 to %d", op, name, rank, MAX_RANK);
    int64_t count = 1;
    for (int32_t axis = 0; axis < rank; ++axis) {
        if (shape.at[axis] < 0) fail("%s: tensor %s has the negative extent %lld", op, name, (long long)shape.at[axis]);
        if (__builtin_mul_overflow(count, shape.at[axis], &count)) fail("%s: tensor %s is too large", op, name);
    }
    return count;
}

static void pack(Tensor& tensor, int32_t rank, const Index& shape) {
    tensor.rank = rank;
    int64_t stride = 1;
    for (int32_t axis = rank - 1; axis >= 0; --axis) {
        tensor.shape[axis] = shape.at[axis];
        tensor.stride[axis] = stride;
        stride *= shape.at[axis];
    }
}

Tensor create(Runtime& runtime, const char* name, DType dtype, int32_t rank, Index shape) {
    int64_t bytes;
    if (__builtin_mul_overflow(count_of("create", name, rank, shape), int64_t(size_of(dtype)), &bytes))
        fail("create: tensor %s is too large", name);
    runtime.buffers.emplace_back(new char[static_cast<size_t>(bytes)]);
    Tensor tensor = {};
    tensor.data = runtime.buffers.back().get();
    tensor.dtype = dtype;
    tensor.name = name;
    pack(tensor, rank, shape);
    poison(tensor.data, bytes);
    return tensor;
}

Tensor window(const Tensor& tensor, Index offset, Index shape, uint32_t kept) {
    Tensor result = tensor;
    result.rank = 0;
    char* data = static_cast<char*>(tensor.data);
    for (int32_t axis = 0; axis < tensor.rank; ++axis) {
        int64_t begin = offset.at[axis], end = begin + shape.at[axis];
        if (begin < 0 || shape.at[axis] < 0 || end > tensor.shape[axis])
            fail("window of tensor %s: dimension %d goes from %lld to %lld and the tensor has %lld", name_of(tensor), axis,
                 (long long)begin, (long long)end, (long long)tensor.shape[axis]);
        data += begin * tensor.stride[axis] * size_of(tensor.dtype);
        if (!(kept >> axis & 1)) continue;
        result.shape[result.rank] = shape.at[axis];
        result.stride[result.rank++] = tensor.stride[axis];
    }
    result.data = data;
    return result;
}

Tensor reshape(const Tensor& tensor, int32_t rank, Index shape) {
    int64_t count = count_of("reshape", name_of(tensor), rank, shape), stride = 1;
    for (int32_t axis = tensor.rank - 1; axis >= 0; --axis) {
        if (tensor.shape[axis] != 1 && tensor.stride[axis] != stride)
            fail("reshape of tensor %s: its elements do not lie one after another; copy it first", name_of(tensor));
        stride *= tensor.shape[axis];
    }
    if (count != stride)
        fail("reshape of tensor %s: %lld elements become %lld", name_of(tensor), (long long)stride, (long long)count);
    Tensor result = tensor;
    pack(result, rank, shape);
    return result;
}

static void run_task(KernelEntry kernel, const TaskArgs& args, int64_t blocks) {
    CoreState& self = core();
    int64_t slots[2 * MAX_ARGS + 2];
    int count = 0;
    for (int32_t i = 0; i < args.tensors; ++i) slots[count++] = reinterpret_cast<int64_t>(&args.tensor[i]);
    for (int32_t i = 0; i < args.scalars; ++i) slots[count++] = args.scalar[i];
    self.blocks = blocks;
    for (self.block = 0; self.block < blocks; ++self.block) {
        slots[count] = self.block;
        slots[count + 1] = blocks;
        self.start_task();
        kernel(slots);
    }
    self.kernel = nullptr;
}

void submit(Runtime& runtime, int32_t func_id, Core core, TaskArgs& args, int64_t blocks) {
    RunRequest& request = runtime.request;
    if (func_id < 0 || func_id >= request.kernel_count)
        fail("submit: func id %d is unknown; the program has %lld kernels", func_id, (long long)request.kernel_count);
    if (blocks < 1) fail("submit: func id %d with %lld blocks; a task has at least one", func_id, (long long)blocks);
    int64_t start = runtime.now();
    run_task(request.kernels[func_id], args, blocks);
    int64_t index = request.task_count++;
    if (request.tasks && index < request.task_capacity)
        request.tasks[index] = TaskRecord{func_id, core, blocks, start, runtime.now() - start};
}

static void report(RunRequest& request, const std::string& message) {
    std::string whole = core().place() + ": " + message;
    core().kernel = nullptr;
    if (request.message_size <= 0) return;
    size_t room = static_cast<size_t>(request.message_size) - 1, length = std::min(whole.size(), room);
    std::memcpy(request.message, whole.data(), length);
    request.message[length] = '\0';
}

}  // namespace pto

int32_t pto_run(pto::RunRequest* request) {
    using namespace pto;
    request->task_count = 0;
    try {
        core().kernel = nullptr;
        core().set_capacity(request->capacity);
        Runtime runtime{*request, std::chrono::steady_clock::now(), {}};
        request->orchestration(runtime, request->args);
        return 0;
    } catch (const SimError& error) {
        report(*request, error.message);
    } catch (const std::exception& error) {
        report(*request, error.what());
    }
    return 1;
}

void pto_poison(void* data, int64_t bytes) { pto::poison(data, bytes); }
