// What emitted kernels and orchestrations see of the simulator. Kept free of standard headers beyond <stdint.h>: the
// build time of a kernel is the time to read this file.
#pragma once
#include <stdint.h>

namespace pto {

enum Space : int32_t { DDR = 0, VEC = 1, MAT = 2, LEFT = 3, RIGHT = 4, ACC = 5, BIAS = 6 };

enum DType : int32_t {
    BOOL = 0x00, INT8 = 0x11, INT16 = 0x12, INT32 = 0x13, INT64 = 0x14, INDEX = 0x15,
    UINT8 = 0x21, UINT16 = 0x22, UINT32 = 0x23, UINT64 = 0x24,
    FP8E4M3FN = 0x31, FP8E5M2 = 0x32, FP16 = 0x33, FP32 = 0x34, BF16 = 0x40,
};

enum CastMode : int32_t { NONE = 0, RINT = 1, ROUND = 2, FLOOR = 3, CEIL = 4, TRUNC = 5, ODD = 6 };
enum CompareMode : int32_t { EQ = 0, NE = 1, LT = 2, LE = 3, GT = 4, GE = 5 };
enum Pad : int32_t { PAD_ZERO = 1, PAD_MAX = 2, PAD_MIN = 3 };

constexpr int MAX_RANK = 5;

// Offsets, shapes or extents, one number per dimension of a tensor.
struct Index {
    int64_t at[MAX_RANK];
};

// A tensor in global memory; strides count elements. `name` is the parameter's, for messages.
struct Tensor {
    void* data;
    int32_t dtype;
    int32_t rank;
    int64_t shape[MAX_RANK];
    int64_t stride[MAX_RANK];
    const char* name;
};

// A tile at its planned byte address in a memory space of this core; strides count elements.
struct Tile {
    Space space;
    DType dtype;
    int64_t address;
    int32_t rows, cols;
    int64_t valid_rows, valid_cols;
    int32_t row_stride, col_stride;
};

// What a kernel library exports, by func id: `extern "C" pto::KernelEntry pto_kernels[]` and `int pto_kernel_count`.
using KernelEntry = void (*)(int64_t* args);

// ---- kernels ------------------------------------------------------------------------------------------------------
// Argument slots of a kernel: tensors (address of the descriptor), then scalars, then block index and block number.
inline const Tensor& tensor_arg(const int64_t* args, int slot) { return *reinterpret_cast<const Tensor*>(args[slot]); }
inline int64_t int_arg(const int64_t* args, int slot) { return args[slot]; }
float float_arg(const int64_t* args, int slot);

inline int64_t scalar_wide(int64_t value) { return value; }
inline int64_t scalar_wide(int32_t value) { return value; }
inline int64_t scalar_wide(int16_t value) { return value; }
inline int64_t scalar_wide(int8_t value) { return value; }
inline int64_t scalar_wide(uint32_t value) { return value; }
inline int64_t scalar_wide(uint16_t value) { return value; }
inline int64_t scalar_wide(uint8_t value) { return value; }
inline double scalar_wide(float value) { return value; }

// Scalar arithmetic with Python's meaning; a zero divisor is a diagnosed failure.
int64_t floor_div(int64_t a, int64_t b);
int64_t floor_mod(int64_t a, int64_t b);
double floor_div(double a, double b);
double floor_mod(double a, double b);
template <class T>
T floor_div(T a, T b) {
    return static_cast<T>(floor_div(scalar_wide(a), scalar_wide(b)));
}
template <class T>
T floor_mod(T a, T b) {
    return static_cast<T>(floor_mod(scalar_wide(a), scalar_wide(b)));
}
template <class T>
T min(T a, T b) {
    return a < b ? a : b;
}
template <class T>
T max(T a, T b) {
    return a > b ? a : b;
}
// Shift counts outside 0..width-1 give 0, or the sign for an arithmetic right shift.
template <class T>
T shift_left(T a, T count) {
    return count < 0 || count >= T(8 * sizeof(T)) ? T(0) : static_cast<T>(static_cast<uint64_t>(a) << count);
}
template <class T>
T shift_right(T a, T count) {
    return count < 0 || count >= T(8 * sizeof(T)) ? static_cast<T>(a < 0 ? -1 : 0) : static_cast<T>(a >> count);
}
int64_t nonzero_step(int64_t step);   // a zero step is a diagnosed failure
int64_t round_scalar(double value);   // nearest, ties away from zero, saturating; NaN gives 0

// A packed tile at an address; without valid extents all of it is valid.
inline Tile tile(Space space, DType dtype, int64_t address, int32_t rows, int32_t cols, int64_t valid_rows,
                 int64_t valid_cols) {
    return Tile{space, dtype, address, rows, cols, valid_rows, valid_cols, cols, 1};
}
inline Tile tile(Space space, DType dtype, int64_t address, int32_t rows, int32_t cols) {
    return tile(space, dtype, address, rows, cols, rows, cols);
}
// Views of a tile: nothing moves. Leaving the tile, or a valid extent outside it, is a diagnosed failure.
Tile subtile(const Tile& source, int64_t row, int64_t col, int32_t rows, int32_t cols, int64_t valid_rows,
             int64_t valid_cols);
Tile reshaped(const Tile& source, int32_t rows, int32_t cols, int64_t valid_rows, int64_t valid_cols);
Tile transposed(const Tile& source);
Tile with_valid(const Tile& source, int64_t valid_rows, int64_t valid_cols);

// Elements of tensors and tiles.
int64_t read_int(const Tensor& source, Index at);
double read_float(const Tensor& source, Index at);
int64_t read_int(const Tile& source, int64_t row, int64_t col);
double read_float(const Tile& source, int64_t row, int64_t col);
void write_element(const Tensor& target, Index at, int64_t value);
void write_element(const Tensor& target, Index at, double value);
void write_element(const Tile& target, int64_t row, int64_t col, int64_t value);
void write_element(const Tile& target, int64_t row, int64_t col, double value);

// Data movement. The short forms move a window as large as the tile; the long forms name the window over all dimensions
// of a tensor of higher rank, whose leading dimensions the tile holds flattened into rows, and the valid part of it.
void TLOAD(const Tile& dst, const Tensor& src, Index offset);
void TLOAD(const Tile& dst, const Tensor& src, Index offset, Index window, Index valid);
void TSTORE(const Tensor& dst, Index offset, const Tile& src);
void TSTORE(const Tensor& dst, Index offset, const Tile& src, Index window, Index valid);
void TSTORE_ADD(const Tensor& dst, Index offset, const Tile& src);
void TSTORE_ADD(const Tensor& dst, Index offset, const Tile& src, Index window, Index valid);
void TMOV(const Tile& dst, const Tile& src);
void TMOV_CAST(const Tile& dst, const Tile& src);  // accumulator write-out that also converts
void TASSEMBLE(const Tile& dst, const Tile& src, int64_t row, int64_t col);
void TTRANS(const Tile& dst, const Tile& src);
void TFILL(const Tile& dst, double value);
void TFILL(const Tile& dst, int64_t value);
void TFILLPAD(const Tile& dst, const Tile& src, Pad pad);
void TPOISON(const Tile& dst);  // an uninitialised tile

// Everything that follows a row of the op table with a loop body is declared in ops.gen.hpp: TADD, TADDS, TEXP, …
// (dst, a), (dst, a, b), (dst, a, double|int64_t s), TROWSUM(dst, a), TCOLSUM(dst, a), TROWEXPANDADD(dst, a, row), …
#include "pto/ops.gen.hpp"

void TCVT(const Tile& dst, const Tile& src, CastMode mode);
void TMATMUL(const Tile& dst, const Tile& a, const Tile& b);
void TMATMUL_ACC(const Tile& dst, const Tile& a, const Tile& b);           // dst += a @ b
void TMATMUL_BIAS(const Tile& dst, const Tile& a, const Tile& b, const Tile& bias);

// Called first in a kernel: bytes in use per space, poisoned before the kernel starts.
void kernel_begin(const char* name, int64_t vec, int64_t mat, int64_t left, int64_t right, int64_t acc, int64_t bias);

// ---- orchestration ------------------------------------------------------------------------------------------------
enum Core : int32_t { AIC = 0, AIV = 1, MIX = 2 };
enum Direction : int32_t { INPUT = 0, OUTPUT = 1, INOUT = 2, OUTPUT_EXISTING = 3, NO_DEP = 4 };

constexpr int MAX_ARGS = 64;

// The arguments of one task: tensors with directions first, then scalars.
struct TaskArgs {
    int32_t tensors = 0, scalars = 0;
    Tensor tensor[MAX_ARGS];
    Direction direction[MAX_ARGS];
    int64_t scalar[MAX_ARGS];
};

struct Runtime;
void add_tensor(TaskArgs& args, const Tensor& tensor, Direction direction);
inline void add_input(TaskArgs& args, const Tensor& tensor) { add_tensor(args, tensor, INPUT); }
inline void add_output(TaskArgs& args, const Tensor& tensor) { add_tensor(args, tensor, OUTPUT_EXISTING); }
inline void add_inout(TaskArgs& args, const Tensor& tensor) { add_tensor(args, tensor, INOUT); }
void add_scalar(TaskArgs& args, int64_t value);
void add_scalar(TaskArgs& args, double value);  // travels as the bits of a float

// A buffer in global memory that lives until the orchestration ends; poisoned.
Tensor create(Runtime& runtime, const char* name, DType dtype, int32_t rank, Index shape);
// A window of a tensor: a view, nothing moves. Bit i of `kept` says whether dimension i stays in the result.
Tensor window(const Tensor& tensor, Index offset, Index shape, uint32_t kept = ~0u);
// The same elements under another shape; the tensor must be packed.
Tensor reshape(const Tensor& tensor, int32_t rank, Index shape);
void submit(Runtime& runtime, int32_t func_id, Core core, TaskArgs& args, int64_t blocks = 1);

}  // namespace pto
