// The program of test_transfer.py.
#include "pto/sim.hpp"
using namespace pto;

static Tile vec(const Tensor& like, int32_t rows, int32_t cols) { return tile(VEC, DType(like.dtype), 0, rows, cols); }

// copy(a, b): a window of 8 by 16 goes from an offset in a to an offset in b, with a valid shape.
static void copy(int64_t* args) {
    kernel_begin("copy", 4096, 0, 0, 0, 0, 0);
    Tile t = with_valid(vec(tensor_arg(args, 0), 8, 16), args[6], args[7]);
    TLOAD(t, tensor_arg(args, 0), {args[2], args[3]});
    TSTORE(tensor_arg(args, 1), {args[4], args[5]}, t);
}
static void copy_rank3(int64_t* args) {
    kernel_begin("copy_rank3", 4096, 0, 0, 0, 0, 0);
    Tile t = vec(tensor_arg(args, 0), 12, 16);
    Index window{2, 6, 16}, valid{args[5], args[6], args[7]};
    TLOAD(t, tensor_arg(args, 0), {args[2], args[3], args[4]}, window, valid);
    TSTORE(tensor_arg(args, 1), {0, 0, 0}, t, window, window);
}
static void copy_rank1(int64_t* args) {
    kernel_begin("copy_rank1", 4096, 0, 0, 0, 0, 0);
    Tile row = vec(tensor_arg(args, 0), 1, 32), column = reshaped(row, 32, 1, 32, 1);
    TLOAD(row, tensor_arg(args, 0), {args[2]});
    TSTORE(tensor_arg(args, 1), {args[3]}, column);
}
static void add(int64_t* args) {
    kernel_begin("add", 4096, 0, 0, 0, 0, 0);
    Tile t = vec(tensor_arg(args, 0), 8, 16);
    TLOAD(t, tensor_arg(args, 0), {0, 0});
    TSTORE_ADD(tensor_arg(args, 1), {0, 0}, t);
    TSTORE_ADD(tensor_arg(args, 1), {0, 0}, t);
}
static void convert(int64_t* args) {
    kernel_begin("convert", 4096, 0, 0, 0, 4096, 0);
    Tile t = tile(args[2] ? ACC : VEC, FP32, 0, 8, 16);
    TFILL(t, 70000.25);
    TSTORE(tensor_arg(args, 1), {0, 0}, t);
}
static void blocks(int64_t* args) {
    kernel_begin("blocks", 4096, 0, 0, 0, 0, 0);
    write_element(tensor_arg(args, 1), {args[3], 0}, args[4]);
    if (args[2] == args[3]) read_int(tensor_arg(args, 0), {99, 0});
}
static void elements(int64_t* args) {
    kernel_begin("elements", 0, 0, 0, 0, 0, 0);
    write_element(tensor_arg(args, 1), {0, 1}, read_float(tensor_arg(args, 0), {args[2], args[3]}));
}

extern "C" {
KernelEntry pto_kernels[] = {copy, copy_rank3, copy_rank1, add, convert, blocks, elements};
int pto_kernel_count = 7;
int64_t aicpu_orchestration_config() { return -1; }
// (func id or a negative number for a case below, scalars, block count, tensor a, tensor b, scalars...)
void aicpu_orchestration_entry(Runtime& runtime, const int64_t* args) {
    const Tensor &a = tensor_arg(args, 3), &b = tensor_arg(args, 4);
    int64_t what = args[0];
    if (what >= 0) {
        TaskArgs task;
        add_input(task, a);
        add_output(task, b);
        for (int64_t i = 0; i < args[1]; ++i) add_scalar(task, args[5 + i]);
        submit(runtime, int32_t(what), AIV, task, args[2]);
        return;
    }
    auto run = [&](const Tensor& from, const Tensor& to, int64_t rows) {
        TaskArgs task;
        add_input(task, from);
        add_output(task, to);
        const int64_t scalars[] = {0, 0, 0, 0, rows, 16};
        for (int64_t scalar : scalars) add_scalar(task, scalar);
        submit(runtime, 0, AIV, task);
    };
    if (what == -1) {  // through a buffer of global memory, of which the last row stays as it was made
        Tensor buffer = create(runtime, "buffer", DType(a.dtype), 2, Index{8, 16});
        run(a, buffer, 7);
        run(buffer, b, 8);
    } else if (what == -2) {  // a window of each
        run(window(a, Index{4, 8}, Index{8, 16}), window(b, Index{1, 0}, Index{8, 16}), 8);
    } else if (what == -3) {  // one row of a tensor of rank 3, its first axis dropped, under another shape
        run(reshape(window(a, Index{args[5], 0, 0}, Index{1, 4, 32}, 6), 2, Index{8, 16}), b, 8);
    } else if (what == -4) {
        window(a, Index{args[5], 0}, Index{8, 16});
    } else {
        reshape(a, 2, Index{args[5], 16});
    }
}
}
