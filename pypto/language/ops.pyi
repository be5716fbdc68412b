"""Typed signatures of every operation, for editors. Written by `python -m pypto.ops.generate`; do not edit."""

# ruff: noqa: E501
# fmt: off
from collections.abc import Sequence
from typing import TypeAlias, TypeVar

from pypto.frontend.annotations import Scalar, Tensor, Tile
from pypto.ops.dtypes import DataType
from pypto.ops.enums import AtomicType, CastMode, MemorySpace, PadValue, TensorLayout, TileLayout

ValueT = TypeVar("ValueT", Tensor, Tile)
ScalarLike: TypeAlias = Scalar | int | float | bool

def abs(x: ValueT) -> ValueT:
    """The absolute value; the least integer stays as it is."""

def add(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """The sum; integers wrap."""

def addc(a: Tile, b: Tile, c: Tile) -> Tile:
    """a + b + c, rounded after each addition."""

def adds(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """The sum; integers wrap."""

def addsc(a: Tile, scalar: ScalarLike, c: Tile) -> Tile:
    """a + scalar + c, rounded after each addition."""

def and_(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """Bitwise and."""

def ands(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """Bitwise and."""

def assemble(target: ValueT, source: ValueT, offset: Sequence[ScalarLike], atomic: AtomicType = AtomicType.None_) -> ValueT:
    """target with the valid region of source written at offset; target itself is gone. The valid region of a tile grows to cover both."""

def cast(x: ValueT, target_type: DataType, mode: CastMode = CastMode.round) -> ValueT:
    """x as another dtype. A float becomes an integer as mode says and saturates, NaN gives 0; anything else rounds to nearest even or, between integers, wraps."""

def col_expand(target: ValueT, col_vec: ValueT) -> ValueT:
    """col_vec repeated to the shape of target; the values of target are not read."""

def col_expand_add(x: ValueT, col_vec: ValueT) -> ValueT:
    """x + v. v is the number of the column."""

def col_expand_div(x: ValueT, col_vec: ValueT) -> ValueT:
    """x / v. v is the number of the column."""

def col_expand_expdif(x: ValueT, col_vec: ValueT) -> ValueT:
    """exp(x - v). v is the number of the column."""

def col_expand_max(x: ValueT, col_vec: ValueT) -> ValueT:
    """The larger of x and v. v is the number of the column."""

def col_expand_min(x: ValueT, col_vec: ValueT) -> ValueT:
    """The smaller of x and v. v is the number of the column."""

def col_expand_mul(x: ValueT, col_vec: ValueT) -> ValueT:
    """x * v. v is the number of the column."""

def col_expand_sub(x: ValueT, col_vec: ValueT) -> ValueT:
    """x - v. v is the number of the column."""

def col_max(x: ValueT, tmp: Tile | None = None) -> ValueT:
    """The largest value of each column."""

def col_min(x: ValueT, tmp: Tile | None = None) -> ValueT:
    """The least value of each column."""

def col_prod(x: ValueT, tmp: Tile | None = None) -> ValueT:
    """The product of each column."""

def col_sum(x: ValueT, tmp: Tile | None = None) -> ValueT:
    """The sum of each column."""

def concat(src0: ValueT, src1: ValueT) -> ValueT:
    """The columns of src0 followed by those of src1."""

def cos(x: ValueT) -> ValueT:
    """The cosine of x in radians."""

def create_tensor(shape: Sequence[ScalarLike], dtype: DataType, layout: TensorLayout = TensorLayout.ND, manual_dep: bool = False, init_value: int | float | None = None) -> Tensor:
    """A new tensor: global memory in an orchestration, an on-chip value in a core's code. Undefined without init_value."""

def create_tile(shape: Sequence[ScalarLike], dtype: DataType, target_memory: MemorySpace = MemorySpace.Vec, transpose: bool | None = None, flat_layout: bool | None = None) -> Tile:
    """An uninitialised tile."""

def dim(x: Tensor, axis: int) -> Scalar:
    """The size of a dimension as an INT64 scalar."""

def div(lhs: ValueT, rhs: ValueT | ScalarLike, high_precision: bool = False) -> ValueT:
    """The quotient; integers truncate toward zero."""

def divs(lhs: ValueT, rhs: ValueT | ScalarLike, high_precision: bool = False) -> ValueT:
    """The quotient; integers truncate toward zero."""

def exp(x: ValueT) -> ValueT:
    """e to the power of x."""

def expands(target: ValueT, value: ScalarLike) -> ValueT:
    """A scalar repeated to the shape of target; the values of target are not read."""

def fillpad(x: ValueT, pad_value: PadValue = PadValue.zero) -> ValueT:
    """x with every cell outside its valid region filled; fully valid. max and min are infinities for floats."""

def fillpad_expand(x: ValueT, shape: Sequence[ScalarLike], pad_value: PadValue = PadValue.zero) -> ValueT:
    """A larger value with the valid region of x in its first rows and columns and the pad everywhere else; fully valid."""

def fmod(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """The remainder with the sign of the dividend."""

def fmods(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """The remainder with the sign of the dividend."""

def full(shape: Sequence[ScalarLike], dtype: DataType, value: ScalarLike) -> Tensor:
    """A tensor-level value with one number in every cell."""

def get_block_idx() -> Scalar:
    """The index of this block in a launch on many blocks; 0 in a plain task."""

def get_block_num() -> Scalar:
    """How many blocks the launch has."""

def load(src: Tensor, offsets: Sequence[ScalarLike], shapes: Sequence[ScalarLike], valid_shape: Sequence[ScalarLike] | None = None, target_memory: MemorySpace = MemorySpace.Vec, clamp: bool = False) -> Tile:
    """A tile with the window of a tensor at offsets; what lies outside the valid region is undefined."""

def log(x: ValueT, high_precision: bool = False) -> ValueT:
    """The natural logarithm; NaN below zero."""

def lrelu(x: ValueT, slope: ScalarLike) -> ValueT:
    """x where it is positive, else slope * x."""

def matmul(lhs: ValueT, rhs: ValueT, out_dtype: DataType | None = None, a_trans: bool = False, b_trans: bool = False, c_matrix_nz: bool = False) -> ValueT:
    """The matrix product. A tile gives FP32 or INT32, a tensor the operands' dtype unless out_dtype says otherwise."""

def matmul_acc(acc: ValueT, lhs: ValueT, rhs: ValueT, a_trans: bool = False, b_trans: bool = False, init_cond: ScalarLike | None = None) -> ValueT:
    """acc + lhs @ rhs, in the place of acc. Where init_cond is true the old acc does not count."""

def matmul_bias(lhs: Tile, rhs: Tile, bias: Tile) -> Tile:
    """lhs @ rhs + bias, with bias [1, N] added to every row."""

def maximum(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """The larger of the two."""

def maximums(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """The larger of the two."""

def minimum(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """The smaller of the two."""

def minimums(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """The smaller of the two."""

def move(tile: Tile, target_memory: MemorySpace, blayout: TileLayout | None = None, slayout: TileLayout | None = None) -> Tile:
    """A copy of a tile in another memory space; the only way into Left, Right and Bias."""

def mul(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """The product; integers wrap."""

def muls(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """The product; integers wrap."""

def neg(x: ValueT) -> ValueT:
    """The negative; integers wrap."""

def not_(x: ValueT) -> ValueT:
    """The complement of every bit."""

def or_(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """Bitwise or."""

def ors(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """Bitwise or."""

def prelu(x: Tile, slope: Tile, tmp: Tile | None = None) -> Tile:
    """x where it is positive, else slope * x, with a slope per cell."""

def read(src: ValueT, indices: Sequence[ScalarLike]) -> Scalar:
    """One element."""

def recip(x: ValueT, high_precision: bool = False) -> ValueT:
    """1 / x."""

def relu(x: ValueT) -> ValueT:
    """0 where x is negative, else x; NaN stays."""

def rem(lhs: ValueT, rhs: ValueT | ScalarLike, tmp: Tile | None = None) -> ValueT:
    """The remainder with the sign of the divisor, as Python's %."""

def rems(lhs: ValueT, rhs: ValueT | ScalarLike, tmp: Tile | None = None) -> ValueT:
    """The remainder with the sign of the divisor, as Python's %."""

def reshape(x: ValueT, shape: Sequence[ScalarLike]) -> ValueT:
    """The elements in row-major order under another shape of the same size: a view, nothing moves."""

def row_expand(target: ValueT, row_vec: ValueT) -> ValueT:
    """row_vec repeated to the shape of target; the values of target are not read."""

def row_expand_add(x: ValueT, row_vec: ValueT) -> ValueT:
    """x + v. v is the number of the row."""

def row_expand_div(x: ValueT, row_vec: ValueT) -> ValueT:
    """x / v. v is the number of the row."""

def row_expand_expdif(x: ValueT, row_vec: ValueT) -> ValueT:
    """exp(x - v). v is the number of the row."""

def row_expand_max(x: ValueT, row_vec: ValueT) -> ValueT:
    """The larger of x and v. v is the number of the row."""

def row_expand_min(x: ValueT, row_vec: ValueT) -> ValueT:
    """The smaller of x and v. v is the number of the row."""

def row_expand_mul(x: ValueT, row_vec: ValueT) -> ValueT:
    """x * v. v is the number of the row."""

def row_expand_sub(x: ValueT, row_vec: ValueT) -> ValueT:
    """x - v. v is the number of the row."""

def row_max(x: ValueT, tmp: Tile | None = None) -> ValueT:
    """The largest value of each row."""

def row_min(x: ValueT, tmp: Tile | None = None) -> ValueT:
    """The least value of each row."""

def row_prod(x: ValueT, tmp: Tile | None = None) -> ValueT:
    """The product of each row."""

def row_sum(x: ValueT, tmp: Tile | None = None) -> ValueT:
    """The sum of each row."""

def rsqrt(x: ValueT, high_precision: bool = False, tmp: Tile | None = None) -> ValueT:
    """1 / sqrt(x)."""

def set_validshape(x: ValueT, valid_rows: ScalarLike, valid_cols: ScalarLike) -> ValueT:
    """x with another valid region; nothing moves."""

def shl(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """Shift left; the result has the dtype of lhs."""

def shls(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """Shift left; the result has the dtype of lhs."""

def shr(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """Shift right, with the sign for signed integers and with zeros for unsigned."""

def shrs(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """Shift right, with the sign for signed integers and with zeros for unsigned."""

def sin(x: ValueT) -> ValueT:
    """The sine of x in radians."""

def slice(x: ValueT, shape: Sequence[ScalarLike], offset: Sequence[ScalarLike], valid_shape: Sequence[ScalarLike] | None = None, drop_dims: Sequence[ScalarLike] | None = None, pad_value: PadValue | None = None, clamp: bool = False) -> ValueT:
    """A window of a tensor or tile: a view, nothing moves. drop_dims names unit axes to leave out."""

def sqrt(x: ValueT) -> ValueT:
    """The square root; NaN below zero."""

def store(tile: Tile, offsets: Sequence[ScalarLike], dst: Tensor, shapes: Sequence[ScalarLike] | None = None, atomic: AtomicType = AtomicType.None_) -> Tensor:
    """Write the valid region of a tile into a tensor at offsets; the result is that tensor."""

def sub(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """The difference; integers wrap."""

def subc(a: Tile, b: Tile, c: Tile) -> Tile:
    """a - b + c, rounded after each step."""

def subs(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
    """The difference; integers wrap."""

def subsc(a: Tile, scalar: ScalarLike, c: Tile) -> Tile:
    """a - scalar + c, rounded after each step."""

def transpose(x: ValueT, axis1: int, axis2: int) -> ValueT:
    """x with two axes exchanged; a tile moves its data, a tensor in global memory becomes a strided view."""

def write(dst: ValueT, indices: Sequence[ScalarLike], value: ScalarLike) -> None:
    """Write one element in place."""

def xor(lhs: ValueT, rhs: ValueT | ScalarLike, tmp: Tile | None = None) -> ValueT:
    """Bitwise exclusive or."""

def xors(lhs: ValueT, rhs: ValueT | ScalarLike, tmp: Tile | None = None) -> ValueT:
    """Bitwise exclusive or."""

class tensor:
    """What is spelled pl.tensor.name."""

    @staticmethod
    def abs(x: ValueT) -> ValueT:
        """The absolute value; the least integer stays as it is."""

    @staticmethod
    def add(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The sum; integers wrap."""

    @staticmethod
    def adds(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The sum; integers wrap."""

    @staticmethod
    def and_(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """Bitwise and."""

    @staticmethod
    def ands(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """Bitwise and."""

    @staticmethod
    def assemble(target: ValueT, source: ValueT, offset: Sequence[ScalarLike], atomic: AtomicType = AtomicType.None_) -> ValueT:
        """target with the valid region of source written at offset; target itself is gone. The valid region of a tile grows to cover both."""

    @staticmethod
    def cast(x: ValueT, target_type: DataType, mode: CastMode = CastMode.round) -> ValueT:
        """x as another dtype. A float becomes an integer as mode says and saturates, NaN gives 0; anything else rounds to nearest even or, between integers, wraps."""

    @staticmethod
    def col_expand(target: ValueT, col_vec: ValueT) -> ValueT:
        """col_vec repeated to the shape of target; the values of target are not read."""

    @staticmethod
    def col_expand_add(x: ValueT, col_vec: ValueT) -> ValueT:
        """x + v. v is the number of the column."""

    @staticmethod
    def col_expand_div(x: ValueT, col_vec: ValueT) -> ValueT:
        """x / v. v is the number of the column."""

    @staticmethod
    def col_expand_expdif(x: ValueT, col_vec: ValueT) -> ValueT:
        """exp(x - v). v is the number of the column."""

    @staticmethod
    def col_expand_max(x: ValueT, col_vec: ValueT) -> ValueT:
        """The larger of x and v. v is the number of the column."""

    @staticmethod
    def col_expand_min(x: ValueT, col_vec: ValueT) -> ValueT:
        """The smaller of x and v. v is the number of the column."""

    @staticmethod
    def col_expand_mul(x: ValueT, col_vec: ValueT) -> ValueT:
        """x * v. v is the number of the column."""

    @staticmethod
    def col_expand_sub(x: ValueT, col_vec: ValueT) -> ValueT:
        """x - v. v is the number of the column."""

    @staticmethod
    def col_max(x: ValueT, tmp: Tile | None = None) -> ValueT:
        """The largest value of each column."""

    @staticmethod
    def col_min(x: ValueT, tmp: Tile | None = None) -> ValueT:
        """The least value of each column."""

    @staticmethod
    def col_prod(x: ValueT, tmp: Tile | None = None) -> ValueT:
        """The product of each column."""

    @staticmethod
    def col_sum(x: ValueT, tmp: Tile | None = None) -> ValueT:
        """The sum of each column."""

    @staticmethod
    def concat(src0: ValueT, src1: ValueT) -> ValueT:
        """The columns of src0 followed by those of src1."""

    @staticmethod
    def cos(x: ValueT) -> ValueT:
        """The cosine of x in radians."""

    @staticmethod
    def create(shape: Sequence[ScalarLike], dtype: DataType, layout: TensorLayout = TensorLayout.ND, manual_dep: bool = False, init_value: int | float | None = None) -> Tensor:
        """A new tensor: global memory in an orchestration, an on-chip value in a core's code. Undefined without init_value."""

    @staticmethod
    def create_tensor(shape: Sequence[ScalarLike], dtype: DataType, layout: TensorLayout = TensorLayout.ND, manual_dep: bool = False, init_value: int | float | None = None) -> Tensor:
        """A new tensor: global memory in an orchestration, an on-chip value in a core's code. Undefined without init_value."""

    @staticmethod
    def dim(x: Tensor, axis: int) -> Scalar:
        """The size of a dimension as an INT64 scalar."""

    @staticmethod
    def div(lhs: ValueT, rhs: ValueT | ScalarLike, high_precision: bool = False) -> ValueT:
        """The quotient; integers truncate toward zero."""

    @staticmethod
    def divs(lhs: ValueT, rhs: ValueT | ScalarLike, high_precision: bool = False) -> ValueT:
        """The quotient; integers truncate toward zero."""

    @staticmethod
    def exp(x: ValueT) -> ValueT:
        """e to the power of x."""

    @staticmethod
    def expands(target: ValueT, value: ScalarLike) -> ValueT:
        """A scalar repeated to the shape of target; the values of target are not read."""

    @staticmethod
    def fillpad(x: ValueT, pad_value: PadValue = PadValue.zero) -> ValueT:
        """x with every cell outside its valid region filled; fully valid. max and min are infinities for floats."""

    @staticmethod
    def fillpad_expand(x: ValueT, shape: Sequence[ScalarLike], pad_value: PadValue = PadValue.zero) -> ValueT:
        """A larger value with the valid region of x in its first rows and columns and the pad everywhere else; fully valid."""

    @staticmethod
    def fmod(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The remainder with the sign of the dividend."""

    @staticmethod
    def fmods(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The remainder with the sign of the dividend."""

    @staticmethod
    def full(shape: Sequence[ScalarLike], dtype: DataType, value: ScalarLike) -> Tensor:
        """A tensor-level value with one number in every cell."""

    @staticmethod
    def get_block_idx() -> Scalar:
        """The index of this block in a launch on many blocks; 0 in a plain task."""

    @staticmethod
    def get_block_num() -> Scalar:
        """How many blocks the launch has."""

    @staticmethod
    def log(x: ValueT, high_precision: bool = False) -> ValueT:
        """The natural logarithm; NaN below zero."""

    @staticmethod
    def lrelu(x: ValueT, slope: ScalarLike) -> ValueT:
        """x where it is positive, else slope * x."""

    @staticmethod
    def matmul(lhs: ValueT, rhs: ValueT, out_dtype: DataType | None = None, a_trans: bool = False, b_trans: bool = False, c_matrix_nz: bool = False) -> ValueT:
        """The matrix product. A tile gives FP32 or INT32, a tensor the operands' dtype unless out_dtype says otherwise."""

    @staticmethod
    def matmul_acc(acc: ValueT, lhs: ValueT, rhs: ValueT, a_trans: bool = False, b_trans: bool = False, init_cond: ScalarLike | None = None) -> ValueT:
        """acc + lhs @ rhs, in the place of acc. Where init_cond is true the old acc does not count."""

    @staticmethod
    def maximum(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The larger of the two."""

    @staticmethod
    def maximums(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The larger of the two."""

    @staticmethod
    def minimum(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The smaller of the two."""

    @staticmethod
    def minimums(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The smaller of the two."""

    @staticmethod
    def mul(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The product; integers wrap."""

    @staticmethod
    def muls(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The product; integers wrap."""

    @staticmethod
    def neg(x: ValueT) -> ValueT:
        """The negative; integers wrap."""

    @staticmethod
    def not_(x: ValueT) -> ValueT:
        """The complement of every bit."""

    @staticmethod
    def or_(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """Bitwise or."""

    @staticmethod
    def ors(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """Bitwise or."""

    @staticmethod
    def read(src: ValueT, indices: Sequence[ScalarLike]) -> Scalar:
        """One element."""

    @staticmethod
    def recip(x: ValueT, high_precision: bool = False) -> ValueT:
        """1 / x."""

    @staticmethod
    def relu(x: ValueT) -> ValueT:
        """0 where x is negative, else x; NaN stays."""

    @staticmethod
    def rem(lhs: ValueT, rhs: ValueT | ScalarLike, tmp: Tile | None = None) -> ValueT:
        """The remainder with the sign of the divisor, as Python's %."""

    @staticmethod
    def rems(lhs: ValueT, rhs: ValueT | ScalarLike, tmp: Tile | None = None) -> ValueT:
        """The remainder with the sign of the divisor, as Python's %."""

    @staticmethod
    def reshape(x: ValueT, shape: Sequence[ScalarLike]) -> ValueT:
        """The elements in row-major order under another shape of the same size: a view, nothing moves."""

    @staticmethod
    def row_expand(target: ValueT, row_vec: ValueT) -> ValueT:
        """row_vec repeated to the shape of target; the values of target are not read."""

    @staticmethod
    def row_expand_add(x: ValueT, row_vec: ValueT) -> ValueT:
        """x + v. v is the number of the row."""

    @staticmethod
    def row_expand_div(x: ValueT, row_vec: ValueT) -> ValueT:
        """x / v. v is the number of the row."""

    @staticmethod
    def row_expand_expdif(x: ValueT, row_vec: ValueT) -> ValueT:
        """exp(x - v). v is the number of the row."""

    @staticmethod
    def row_expand_max(x: ValueT, row_vec: ValueT) -> ValueT:
        """The larger of x and v. v is the number of the row."""

    @staticmethod
    def row_expand_min(x: ValueT, row_vec: ValueT) -> ValueT:
        """The smaller of x and v. v is the number of the row."""

    @staticmethod
    def row_expand_mul(x: ValueT, row_vec: ValueT) -> ValueT:
        """x * v. v is the number of the row."""

    @staticmethod
    def row_expand_sub(x: ValueT, row_vec: ValueT) -> ValueT:
        """x - v. v is the number of the row."""

    @staticmethod
    def row_max(x: ValueT, tmp: Tile | None = None) -> ValueT:
        """The largest value of each row."""

    @staticmethod
    def row_min(x: ValueT, tmp: Tile | None = None) -> ValueT:
        """The least value of each row."""

    @staticmethod
    def row_prod(x: ValueT, tmp: Tile | None = None) -> ValueT:
        """The product of each row."""

    @staticmethod
    def row_sum(x: ValueT, tmp: Tile | None = None) -> ValueT:
        """The sum of each row."""

    @staticmethod
    def rsqrt(x: ValueT, high_precision: bool = False, tmp: Tile | None = None) -> ValueT:
        """1 / sqrt(x)."""

    @staticmethod
    def set_validshape(x: ValueT, valid_rows: ScalarLike, valid_cols: ScalarLike) -> ValueT:
        """x with another valid region; nothing moves."""

    @staticmethod
    def shl(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """Shift left; the result has the dtype of lhs."""

    @staticmethod
    def shls(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """Shift left; the result has the dtype of lhs."""

    @staticmethod
    def shr(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """Shift right, with the sign for signed integers and with zeros for unsigned."""

    @staticmethod
    def shrs(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """Shift right, with the sign for signed integers and with zeros for unsigned."""

    @staticmethod
    def sin(x: ValueT) -> ValueT:
        """The sine of x in radians."""

    @staticmethod
    def slice(x: ValueT, shape: Sequence[ScalarLike], offset: Sequence[ScalarLike], valid_shape: Sequence[ScalarLike] | None = None, drop_dims: Sequence[ScalarLike] | None = None, pad_value: PadValue | None = None, clamp: bool = False) -> ValueT:
        """A window of a tensor or tile: a view, nothing moves. drop_dims names unit axes to leave out."""

    @staticmethod
    def sqrt(x: ValueT) -> ValueT:
        """The square root; NaN below zero."""

    @staticmethod
    def sub(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The difference; integers wrap."""

    @staticmethod
    def subs(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The difference; integers wrap."""

    @staticmethod
    def transpose(x: ValueT, axis1: int, axis2: int) -> ValueT:
        """x with two axes exchanged; a tile moves its data, a tensor in global memory becomes a strided view."""

    @staticmethod
    def write(dst: ValueT, indices: Sequence[ScalarLike], value: ScalarLike) -> None:
        """Write one element in place."""

    @staticmethod
    def xor(lhs: ValueT, rhs: ValueT | ScalarLike, tmp: Tile | None = None) -> ValueT:
        """Bitwise exclusive or."""

    @staticmethod
    def xors(lhs: ValueT, rhs: ValueT | ScalarLike, tmp: Tile | None = None) -> ValueT:
        """Bitwise exclusive or."""

class tile:
    """What is spelled pl.tile.name."""

    @staticmethod
    def abs(x: ValueT) -> ValueT:
        """The absolute value; the least integer stays as it is."""

    @staticmethod
    def add(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The sum; integers wrap."""

    @staticmethod
    def addc(a: Tile, b: Tile, c: Tile) -> Tile:
        """a + b + c, rounded after each addition."""

    @staticmethod
    def adds(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The sum; integers wrap."""

    @staticmethod
    def addsc(a: Tile, scalar: ScalarLike, c: Tile) -> Tile:
        """a + scalar + c, rounded after each addition."""

    @staticmethod
    def and_(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """Bitwise and."""

    @staticmethod
    def ands(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """Bitwise and."""

    @staticmethod
    def assemble(target: ValueT, source: ValueT, offset: Sequence[ScalarLike], atomic: AtomicType = AtomicType.None_) -> ValueT:
        """target with the valid region of source written at offset; target itself is gone. The valid region of a tile grows to cover both."""

    @staticmethod
    def cast(x: ValueT, target_type: DataType, mode: CastMode = CastMode.round) -> ValueT:
        """x as another dtype. A float becomes an integer as mode says and saturates, NaN gives 0; anything else rounds to nearest even or, between integers, wraps."""

    @staticmethod
    def col_expand(target: ValueT, col_vec: ValueT) -> ValueT:
        """col_vec repeated to the shape of target; the values of target are not read."""

    @staticmethod
    def col_expand_add(x: ValueT, col_vec: ValueT) -> ValueT:
        """x + v. v is the number of the column."""

    @staticmethod
    def col_expand_div(x: ValueT, col_vec: ValueT) -> ValueT:
        """x / v. v is the number of the column."""

    @staticmethod
    def col_expand_expdif(x: ValueT, col_vec: ValueT) -> ValueT:
        """exp(x - v). v is the number of the column."""

    @staticmethod
    def col_expand_max(x: ValueT, col_vec: ValueT) -> ValueT:
        """The larger of x and v. v is the number of the column."""

    @staticmethod
    def col_expand_min(x: ValueT, col_vec: ValueT) -> ValueT:
        """The smaller of x and v. v is the number of the column."""

    @staticmethod
    def col_expand_mul(x: ValueT, col_vec: ValueT) -> ValueT:
        """x * v. v is the number of the column."""

    @staticmethod
    def col_expand_sub(x: ValueT, col_vec: ValueT) -> ValueT:
        """x - v. v is the number of the column."""

    @staticmethod
    def col_max(x: ValueT, tmp: Tile | None = None) -> ValueT:
        """The largest value of each column."""

    @staticmethod
    def col_min(x: ValueT, tmp: Tile | None = None) -> ValueT:
        """The least value of each column."""

    @staticmethod
    def col_prod(x: ValueT, tmp: Tile | None = None) -> ValueT:
        """The product of each column."""

    @staticmethod
    def col_sum(x: ValueT, tmp: Tile | None = None) -> ValueT:
        """The sum of each column."""

    @staticmethod
    def concat(src0: ValueT, src1: ValueT) -> ValueT:
        """The columns of src0 followed by those of src1."""

    @staticmethod
    def cos(x: ValueT) -> ValueT:
        """The cosine of x in radians."""

    @staticmethod
    def create(shape: Sequence[ScalarLike], dtype: DataType, target_memory: MemorySpace = MemorySpace.Vec, transpose: bool | None = None, flat_layout: bool | None = None) -> Tile:
        """An uninitialised tile."""

    @staticmethod
    def create_tile(shape: Sequence[ScalarLike], dtype: DataType, target_memory: MemorySpace = MemorySpace.Vec, transpose: bool | None = None, flat_layout: bool | None = None) -> Tile:
        """An uninitialised tile."""

    @staticmethod
    def div(lhs: ValueT, rhs: ValueT | ScalarLike, high_precision: bool = False) -> ValueT:
        """The quotient; integers truncate toward zero."""

    @staticmethod
    def divs(lhs: ValueT, rhs: ValueT | ScalarLike, high_precision: bool = False) -> ValueT:
        """The quotient; integers truncate toward zero."""

    @staticmethod
    def exp(x: ValueT) -> ValueT:
        """e to the power of x."""

    @staticmethod
    def expands(target: ValueT, value: ScalarLike) -> ValueT:
        """A scalar repeated to the shape of target; the values of target are not read."""

    @staticmethod
    def fillpad(x: ValueT, pad_value: PadValue = PadValue.zero) -> ValueT:
        """x with every cell outside its valid region filled; fully valid. max and min are infinities for floats."""

    @staticmethod
    def fillpad_expand(x: ValueT, shape: Sequence[ScalarLike], pad_value: PadValue = PadValue.zero) -> ValueT:
        """A larger value with the valid region of x in its first rows and columns and the pad everywhere else; fully valid."""

    @staticmethod
    def fillpad_inplace(tile: Tile, pad_value: PadValue = PadValue.zero) -> Tile:
        """As fillpad, in the buffer of the tile, which is gone."""

    @staticmethod
    def fmod(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The remainder with the sign of the dividend."""

    @staticmethod
    def fmods(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The remainder with the sign of the dividend."""

    @staticmethod
    def full(shape: Sequence[ScalarLike], dtype: DataType, value: ScalarLike) -> Tile:
        """A tile with one number in every cell."""

    @staticmethod
    def get_block_idx() -> Scalar:
        """The index of this block in a launch on many blocks; 0 in a plain task."""

    @staticmethod
    def get_block_num() -> Scalar:
        """How many blocks the launch has."""

    @staticmethod
    def load(src: Tensor, offsets: Sequence[ScalarLike], shapes: Sequence[ScalarLike], valid_shape: Sequence[ScalarLike] | None = None, target_memory: MemorySpace = MemorySpace.Vec, clamp: bool = False) -> Tile:
        """A tile with the window of a tensor at offsets; what lies outside the valid region is undefined."""

    @staticmethod
    def log(x: ValueT, high_precision: bool = False) -> ValueT:
        """The natural logarithm; NaN below zero."""

    @staticmethod
    def lrelu(x: ValueT, slope: ScalarLike) -> ValueT:
        """x where it is positive, else slope * x."""

    @staticmethod
    def matmul(lhs: ValueT, rhs: ValueT, out_dtype: DataType | None = None, a_trans: bool = False, b_trans: bool = False, c_matrix_nz: bool = False) -> ValueT:
        """The matrix product. A tile gives FP32 or INT32, a tensor the operands' dtype unless out_dtype says otherwise."""

    @staticmethod
    def matmul_acc(acc: ValueT, lhs: ValueT, rhs: ValueT, a_trans: bool = False, b_trans: bool = False, init_cond: ScalarLike | None = None) -> ValueT:
        """acc + lhs @ rhs, in the place of acc. Where init_cond is true the old acc does not count."""

    @staticmethod
    def matmul_bias(lhs: Tile, rhs: Tile, bias: Tile) -> Tile:
        """lhs @ rhs + bias, with bias [1, N] added to every row."""

    @staticmethod
    def maximum(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The larger of the two."""

    @staticmethod
    def maximums(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The larger of the two."""

    @staticmethod
    def minimum(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The smaller of the two."""

    @staticmethod
    def minimums(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The smaller of the two."""

    @staticmethod
    def move(tile: Tile, target_memory: MemorySpace, blayout: TileLayout | None = None, slayout: TileLayout | None = None) -> Tile:
        """A copy of a tile in another memory space; the only way into Left, Right and Bias."""

    @staticmethod
    def mul(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The product; integers wrap."""

    @staticmethod
    def muls(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The product; integers wrap."""

    @staticmethod
    def neg(x: ValueT) -> ValueT:
        """The negative; integers wrap."""

    @staticmethod
    def not_(x: ValueT) -> ValueT:
        """The complement of every bit."""

    @staticmethod
    def or_(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """Bitwise or."""

    @staticmethod
    def ors(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """Bitwise or."""

    @staticmethod
    def prelu(x: Tile, slope: Tile, tmp: Tile | None = None) -> Tile:
        """x where it is positive, else slope * x, with a slope per cell."""

    @staticmethod
    def read(src: ValueT, indices: Sequence[ScalarLike]) -> Scalar:
        """One element."""

    @staticmethod
    def recip(x: ValueT, high_precision: bool = False) -> ValueT:
        """1 / x."""

    @staticmethod
    def relu(x: ValueT) -> ValueT:
        """0 where x is negative, else x; NaN stays."""

    @staticmethod
    def rem(lhs: ValueT, rhs: ValueT | ScalarLike, tmp: Tile | None = None) -> ValueT:
        """The remainder with the sign of the divisor, as Python's %."""

    @staticmethod
    def rems(lhs: ValueT, rhs: ValueT | ScalarLike, tmp: Tile | None = None) -> ValueT:
        """The remainder with the sign of the divisor, as Python's %."""

    @staticmethod
    def reshape(x: ValueT, shape: Sequence[ScalarLike]) -> ValueT:
        """The elements in row-major order under another shape of the same size: a view, nothing moves."""

    @staticmethod
    def row_expand(target: ValueT, row_vec: ValueT) -> ValueT:
        """row_vec repeated to the shape of target; the values of target are not read."""

    @staticmethod
    def row_expand_add(x: ValueT, row_vec: ValueT) -> ValueT:
        """x + v. v is the number of the row."""

    @staticmethod
    def row_expand_div(x: ValueT, row_vec: ValueT) -> ValueT:
        """x / v. v is the number of the row."""

    @staticmethod
    def row_expand_expdif(x: ValueT, row_vec: ValueT) -> ValueT:
        """exp(x - v). v is the number of the row."""

    @staticmethod
    def row_expand_max(x: ValueT, row_vec: ValueT) -> ValueT:
        """The larger of x and v. v is the number of the row."""

    @staticmethod
    def row_expand_min(x: ValueT, row_vec: ValueT) -> ValueT:
        """The smaller of x and v. v is the number of the row."""

    @staticmethod
    def row_expand_mul(x: ValueT, row_vec: ValueT) -> ValueT:
        """x * v. v is the number of the row."""

    @staticmethod
    def row_expand_sub(x: ValueT, row_vec: ValueT) -> ValueT:
        """x - v. v is the number of the row."""

    @staticmethod
    def row_max(x: ValueT, tmp: Tile | None = None) -> ValueT:
        """The largest value of each row."""

    @staticmethod
    def row_min(x: ValueT, tmp: Tile | None = None) -> ValueT:
        """The least value of each row."""

    @staticmethod
    def row_prod(x: ValueT, tmp: Tile | None = None) -> ValueT:
        """The product of each row."""

    @staticmethod
    def row_sum(x: ValueT, tmp: Tile | None = None) -> ValueT:
        """The sum of each row."""

    @staticmethod
    def rsqrt(x: ValueT, high_precision: bool = False, tmp: Tile | None = None) -> ValueT:
        """1 / sqrt(x)."""

    @staticmethod
    def set_validshape(x: ValueT, valid_rows: ScalarLike, valid_cols: ScalarLike) -> ValueT:
        """x with another valid region; nothing moves."""

    @staticmethod
    def shl(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """Shift left; the result has the dtype of lhs."""

    @staticmethod
    def shls(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """Shift left; the result has the dtype of lhs."""

    @staticmethod
    def shr(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """Shift right, with the sign for signed integers and with zeros for unsigned."""

    @staticmethod
    def shrs(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """Shift right, with the sign for signed integers and with zeros for unsigned."""

    @staticmethod
    def sin(x: ValueT) -> ValueT:
        """The sine of x in radians."""

    @staticmethod
    def slice(x: ValueT, shape: Sequence[ScalarLike], offset: Sequence[ScalarLike], valid_shape: Sequence[ScalarLike] | None = None, drop_dims: Sequence[ScalarLike] | None = None, pad_value: PadValue | None = None, clamp: bool = False) -> ValueT:
        """A window of a tensor or tile: a view, nothing moves. drop_dims names unit axes to leave out."""

    @staticmethod
    def sqrt(x: ValueT) -> ValueT:
        """The square root; NaN below zero."""

    @staticmethod
    def store(tile: Tile, offsets: Sequence[ScalarLike], dst: Tensor, shapes: Sequence[ScalarLike] | None = None, atomic: AtomicType = AtomicType.None_) -> Tensor:
        """Write the valid region of a tile into a tensor at offsets; the result is that tensor."""

    @staticmethod
    def sub(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The difference; integers wrap."""

    @staticmethod
    def subc(a: Tile, b: Tile, c: Tile) -> Tile:
        """a - b + c, rounded after each step."""

    @staticmethod
    def subs(lhs: ValueT, rhs: ValueT | ScalarLike) -> ValueT:
        """The difference; integers wrap."""

    @staticmethod
    def subsc(a: Tile, scalar: ScalarLike, c: Tile) -> Tile:
        """a - scalar + c, rounded after each step."""

    @staticmethod
    def transpose(x: ValueT, axis1: int, axis2: int) -> ValueT:
        """x with two axes exchanged; a tile moves its data, a tensor in global memory becomes a strided view."""

    @staticmethod
    def transpose_view(tile: Tile) -> Tile:
        """A tile with its last two axes exchanged: a view, nothing moves."""

    @staticmethod
    def write(dst: ValueT, indices: Sequence[ScalarLike], value: ScalarLike) -> None:
        """Write one element in place."""

    @staticmethod
    def xor(lhs: ValueT, rhs: ValueT | ScalarLike, tmp: Tile | None = None) -> ValueT:
        """Bitwise exclusive or."""

    @staticmethod
    def xors(lhs: ValueT, rhs: ValueT | ScalarLike, tmp: Tile | None = None) -> ValueT:
        """Bitwise exclusive or."""
