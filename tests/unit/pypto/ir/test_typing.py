"""The type of each kind of call, and what its rule refuses, with the words of the message."""

from __future__ import annotations

from typing import Any

import pytest

from pypto.errors import OpTypeError, OpValueError
from pypto.ir.build import call
from pypto.ir.nodes import Binary, BinaryKind, Call, Const, Span, Var
from pypto.ir.types import Dim, ScalarType, TensorType, TileType
from pypto.ir.typing import RULES, check_tile
from pypto.ops import TABLE
from pypto.ops.dtypes import BF16, BOOL, FP16, FP32, INDEX, INT8, INT16, INT32, INT64, UINT32, DataType
from pypto.ops.enums import MemorySpace, PadValue


def tensor(*shape: Dim, dtype: DataType = FP32, valid: tuple[Dim, ...] | None = None) -> Var:
    return Var(TensorType((), dtype).fresh(shape, valid=valid), "t")


def tile(*shape: int, dtype: DataType = FP32, valid: tuple[Dim, ...] | None = None) -> Var:
    return Var(TileType((), dtype).fresh(shape, valid=valid), "x")


def scalar(dtype: DataType, name: str = "s") -> Var:
    return Var(ScalarType(dtype), name)


N = scalar(INDEX, "n")


def shape_of(node: Call) -> tuple[Dim, ...]:
    return node.type.shape  # type: ignore[attr-defined]


def valid_of(node: Call) -> tuple[Dim, ...]:
    return node.type.valid_shape  # type: ignore[attr-defined]


def dtype_of(node: Call) -> DataType:
    return node.type.dtype  # type: ignore[attr-defined]


def refused(error: type[Exception], *parts: str, op: str, args: tuple[Any, ...], **kwargs: Any) -> None:
    with pytest.raises(error) as found:
        call(op, *args, **kwargs)
    for part in (f"{op}:", *parts):
        assert part in str(found.value)


# Element-wise


def test_tile_keeps_shape_dtype_and_valid_region_of_the_left_operand() -> None:
    node = call("add", tile(16, 64, valid=(10, 64)), tile(16, 64))
    assert (shape_of(node), valid_of(node), dtype_of(node)) == ((16, 64), (10, 64), FP32)
    assert isinstance(node.type, TileType) and node.type.space is None


@pytest.mark.parametrize(
    ("left", "right", "result"),
    [
        ((64, 32), (64, 1), (64, 32)),
        ((64, 32), (1, 32), (64, 32)),
        ((64, 32), (32,), (64, 32)),
        ((1, 32), (64, 32), (64, 32)),
        ((64, 1), (64, 32), (64, 32)),
        ((4, 8, 32), (4, 8, 1), (4, 8, 32)),
    ],
)
def test_tensors_broadcast_rows_and_columns(left: Any, right: Any, result: Any) -> None:
    assert shape_of(call("sub", tensor(*left), tensor(*right))) == result


def test_shapes_that_do_not_broadcast_are_refused() -> None:
    refused(
        OpValueError, "[64, 32]", "[32, 64]", "expected equal shapes", op="add", args=(tensor(64, 32), tensor(32, 64))
    )
    refused(OpValueError, "expected equal shapes", op="fmod", args=(tensor(64, 32), tensor(64, 1)))
    refused(OpValueError, "pl.row_expand_add", op="add", args=(tile(64, 32), tile(64, 1)))


def test_tensors_promote_and_tiles_must_agree() -> None:
    assert dtype_of(call("mul", tensor(8, 8, dtype=FP16), tensor(8, 8))) is FP32
    assert dtype_of(call("mul", tensor(8, 8, dtype=INT32), tensor(8, 8, dtype=FP16))) is FP16
    assert dtype_of(call("add", tensor(8, 8, dtype=INT32), tensor(8, 8, dtype=UINT32))) is INT32
    refused(OpTypeError, "FP16", "FP32", "pl.cast(rhs, pl.FP16)", op="mul", args=(tile(8, 16, dtype=FP16), tile(8, 16)))


def test_literals_take_the_dtype_of_the_value() -> None:
    for kind in (tile, tensor):
        assert dtype_of(call("add", kind(8, 16, dtype=FP16), 1)) is FP16  # type: ignore[operator]
        assert dtype_of(call("add", kind(8, 16, dtype=FP16), 0.1)) is FP16  # type: ignore[operator]
        assert dtype_of(call("add", kind(8, 16, dtype=INT16), 3)) is INT16  # type: ignore[operator]
    assert dtype_of(call("add", tensor(8, 16, dtype=INT32), 1.5)) is FP32
    refused(OpTypeError, "is a float", "INT32", "cast the tile", op="add", args=(tile(8, 16, dtype=INT32), 1.5))


def test_run_time_scalars_promote_tensors_and_leave_tiles() -> None:
    assert dtype_of(call("mul", tile(8, 16, dtype=FP16), scalar(FP32))) is FP16
    assert dtype_of(call("mul", tensor(8, 16, dtype=FP16), scalar(FP32))) is FP32
    refused(OpTypeError, "INDEX", "pl.cast(rhs, pl.INT32)", op="add", args=(tile(8, 16), N))
    refused(OpTypeError, "BOOL", op="add", args=(tile(8, 16), scalar(BOOL)))


def test_constant_divisors_and_shift_counts_are_checked() -> None:
    call("div", tile(8, 16), 0)
    call("shl", tile(8, 16, dtype=INT16), 15)
    assert dtype_of(call("shr", tensor(8, 16, dtype=INT16), scalar(INT32))) is INT16
    refused(OpValueError, "constant zero", op="rem", args=(tile(8, 16, dtype=INT32), 0))
    refused(OpValueError, "a count of 16, expected 0 to 15", op="shl", args=(tile(8, 16, dtype=INT16), 16))
    refused(OpValueError, "a count of -1", op="shr", args=(tile(8, 16, dtype=INT32), -1))


def test_operations_on_three_tiles_want_them_alike() -> None:
    assert valid_of(call("addc", tile(8, 16, valid=(3, 16)), tile(8, 16), tile(8, 16))) == (3, 16)
    assert dtype_of(call("subsc", tile(8, 16, dtype=FP16), 0.5, tile(8, 16, dtype=FP16))) is FP16
    refused(
        OpValueError, "'c' has shape [8, 32], expected [8, 16]", op="addc", args=(tile(8, 16), tile(8, 16), tile(8, 32))
    )
    refused(OpTypeError, "FP16", op="addc", args=(tile(8, 16), tile(8, 16), tile(8, 16, dtype=FP16)))
    refused(OpTypeError, "INDEX", op="addsc", args=(tile(8, 16), N, tile(8, 16)))


def test_kinds_do_not_mix() -> None:
    refused(
        OpTypeError,
        "a tile [8, 16]",
        "a tensor [8, 16]",
        "both of one kind",
        op="add",
        args=(tile(8, 16), tensor(8, 16)),
    )
    refused(OpTypeError, "'lhs' must be a tensor or tile", op="add", args=(1.0, tile(8, 16)))


def test_float_functions_take_integer_tensors_as_fp32_and_refuse_integer_tiles() -> None:
    assert dtype_of(call("exp", tensor(8, 16, dtype=INT32))) is FP32
    refused(OpTypeError, "INT32", "FP32", "cast it first", op="exp", args=(tile(8, 16, dtype=INT32),))
    assert dtype_of(call("neg", tile(8, 16, dtype=INT32))) is INT32


def test_cast() -> None:
    assert dtype_of(call("cast", tile(8, 16, valid=(3, 5)), FP16)) is FP16
    assert valid_of(call("cast", tile(8, 16, valid=(3, 5)), FP16)) == (3, 5)
    refused(OpValueError, "FP32 already", op="cast", args=(tile(8, 16), FP32))
    refused(OpTypeError, "no cast to BOOL", op="cast", args=(tile(8, 16), BOOL))
    refused(OpTypeError, "'mode' must be a CastMode", op="cast", args=(tile(8, 16), FP16, "nearest"))


def test_scratch_is_for_tiles_and_large_enough() -> None:
    call("row_sum", tile(8, 16), tile(8, 16))
    refused(OpTypeError, "'tmp' is for tiles", op="row_sum", args=(tensor(8, 16), tile(8, 16)))
    refused(OpValueError, "expected [8, 16]", op="row_sum", args=(tile(8, 16), tile(4, 16)))
    refused(OpTypeError, "a tile [8, 16] of FP16", op="row_sum", args=(tile(8, 16), tile(8, 16, dtype=FP16)))


def test_high_precision_is_for_tensors_of_floats() -> None:
    call("rsqrt", tensor(8, 16), high_precision=True)
    refused(OpTypeError, "high_precision", op="rsqrt", args=(tile(8, 16), True))
    refused(OpTypeError, "high_precision", op="div", args=(tensor(8, 16), 2.0, True))


# Reductions and expands


def test_reductions_keep_the_axis_with_extent_and_valid_one() -> None:
    rows, columns = call("row_sum", tile(16, 64, valid=(10, 37))), call("col_max", tensor(2, 16, 64))
    assert (shape_of(rows), valid_of(rows)) == ((16, 1), (10, 1))
    assert shape_of(columns) == (2, 1, 64)
    refused(OpValueError, "a tensor [64]", "rank 2", op="row_sum", args=(tensor(64),))


def test_expands_check_their_vector() -> None:
    assert shape_of(call("row_expand_mul", tile(16, 64), tile(16, 1))) == (16, 64)
    assert valid_of(call("col_expand", tile(16, 64, valid=(5, 64)), tile(1, 64))) == (5, 64)
    refused(
        OpValueError,
        "[1, 64]",
        "expected [16, 1]",
        "pl.col_expand_mul",
        op="row_expand_mul",
        args=(tile(16, 64), tile(1, 64)),
    )
    refused(
        OpValueError,
        "[16, 1]",
        "expected [1, 64]",
        "pl.row_expand_sub",
        op="col_expand_sub",
        args=(tile(16, 64), tile(16, 1)),
    )
    refused(OpValueError, "expected [16, 1]", op="row_expand", args=(tile(16, 64), tile(8, 1)))


# Movement


def test_load_gives_a_tile_in_the_wanted_space() -> None:
    node = call("load", tensor(64, 128), [0, 0], [16, 128], target_memory=MemorySpace.Mat)
    assert node.type == TileType((16, 128), FP32, None, MemorySpace.Mat)
    refused(
        OpValueError, "Left", "Vec or Mat", op="load", args=(tensor(64, 128), [0, 0], [16, 128]), target_memory="Left"
    )


def test_load_clips_the_valid_region_of_its_source() -> None:
    source = tensor(64, 128, valid=(40, 128))
    assert valid_of(call("load", source, [32, 0], [16, 128])) == (8, 128)
    assert valid_of(call("load", source, [32, 0], [16, 128], [4, 100])) == (4, 100)
    assert valid_of(call("load", source, [48, 0], [16, 128])) == (0, 128)
    assert valid_of(call("load", tensor(64, 128), [56, 0], [16, 128], clamp=True)) == (8, 128)


def test_load_keeps_run_time_extents_symbolic() -> None:
    assert valid_of(call("load", tensor(64, 128), [0, 0], [16, 128], [N, 128])) == (N, 128)
    rows, _ = valid_of(call("load", tensor(64, 128, valid=(N, 128)), [0, 0], [16, 128]))
    assert isinstance(rows, Binary) and rows.kind is BinaryKind.Min and rows.left is N
    rows, _ = valid_of(call("load", tensor(64, 128, valid=(N, 128)), [16, 0], [16, 128]))
    assert isinstance(rows, Binary) and rows.kind is BinaryKind.Max
    assert isinstance(rows.right, Const) and rows.right.value == 0
    assert valid_of(call("load", tensor(64, 128), [N, 0], [16, 128])) == (16, 128)


@pytest.mark.parametrize(
    ("args", "part"),
    [
        (([56, 0], [16, 128]), "56 + 16 on axis 0"),
        (([-1, 0], [16, 128]), "offset -1 on axis 0 is negative"),
        (([0], [16, 128]), "'offset' has 1 entries, expected 2"),
        (([0, 0], [16]), "'shape' has 1 entries"),
        (([0, 0], [N, 128]), "'shapes' must be constant"),
        (([0, 0], [0, 128]), "'shapes' must be positive"),
        (([0, 0], [16, 128], [17, 128]), "0 + 17 on axis 0"),
        (([0, 0], [16, 3]), "12 bytes, expected a multiple of 32"),
    ],
)
def test_load_refuses(args: tuple[Any, ...], part: str) -> None:
    refused(OpValueError, part, op="load", args=(tensor(64, 128), *args))


def test_store_gives_the_tensor_and_checks_dtype_and_place() -> None:
    out = tensor(64, 64)
    assert call("store", tile(16, 64), [N, 0], out).type is out.type
    refused(
        OpTypeError, "FP16", "FP32", "pl.cast(tile, pl.FP32)", op="store", args=(tile(16, 64, dtype=FP16), [0, 0], out)
    )
    refused(OpValueError, "60 + 16 on axis 0", op="store", args=(tile(16, 64), [60, 0], out))
    call("store", tile(16, 64, valid=(4, 64)), [60, 0], out)
    refused(
        OpTypeError,
        "atomic Add on UINT32",
        op="store",
        args=(tile(16, 64, dtype=UINT32), [0, 0], tensor(64, 64, dtype=UINT32), None, "Add"),
    )


def test_an_accumulator_converts_when_stored() -> None:
    product = call("matmul", tile(16, 16, dtype=FP16), tile(16, 16, dtype=FP16))
    assert product.type == TileType((16, 16), FP32, None, MemorySpace.Acc)
    call("store", product, [0, 0], tensor(16, 16, dtype=BF16))
    refused(OpTypeError, "INT32", op="store", args=(product, [0, 0], tensor(16, 16, dtype=INT32)))


def test_slice_shifts_the_valid_region_and_drops_axes() -> None:
    window = call("slice", tile(16, 64, valid=(10, 64)), [8, 64], [8, 0])
    assert (shape_of(window), valid_of(window)) == ((8, 64), (2, 64))
    assert shape_of(call("slice", tensor(4, 16, 64), [1, 16, 64], [2, 0, 0], None, [0])) == (16, 64)
    assert call("slice", tile(16, 64), [8, 64], [8, 0], pad_value=PadValue.max).type.pad is PadValue.max  # type: ignore[attr-defined]
    moved = call("move", tile(16, 64), MemorySpace.Left)
    assert call("slice", moved, [16, 16], [0, 16]).type.space is MemorySpace.Left  # type: ignore[attr-defined]
    refused(OpValueError, "12 + 8 on axis 0", op="slice", args=(tile(16, 64), [8, 64], [12, 0]))
    refused(OpValueError, "no unit axis", op="slice", args=(tensor(4, 16, 64), [2, 16, 64], [2, 0, 0], None, [0]))
    refused(OpValueError, "less than 2 dimensions", op="slice", args=(tile(16, 64), [1, 64], [0, 0], None, [0]))
    refused(OpTypeError, "clamp is for tensors", op="slice", args=(tile(16, 64), [8, 64], [8, 0]), clamp=True)


def test_assemble_grows_the_valid_region_of_a_tile_and_checks_the_place() -> None:
    target = tile(16, 64, valid=(4, 64))
    assert valid_of(call("assemble", target, tile(8, 64), [4, 0])) == (12, 64)
    assert valid_of(call("assemble", target, tile(8, 64), [8, 0])) == (16, 64)
    whole = tensor(64, 64)
    assert call("assemble", whole, tensor(64), [3, 0]).type is whole.type
    refused(OpValueError, "60 + 16 on axis 0", op="assemble", args=(whole, tensor(16, 64), [60, 0]))
    refused(OpTypeError, "expected the same", op="assemble", args=(whole, tensor(16, 64, dtype=FP16), [0, 0]))
    refused(OpTypeError, "both of one kind", op="assemble", args=(whole, tile(16, 64), [0, 0]))


def test_create_and_full() -> None:
    assert call("create_tile", [16, 64], FP16).type == TileType((16, 64), FP16, None, MemorySpace.Vec)
    assert call("create_tensor", [N, 64], FP16).type == TensorType((N, 64), FP16)
    assert call("tile.full", [16, 64], FP32, 0).type == TileType((16, 64), FP32, None, MemorySpace.Vec)
    assert call("full", [16, 64], INT32, -1).type == TensorType((16, 64), INT32)
    refused(OpValueError, "must be constant", op="create_tile", args=([N, 64], FP32))
    refused(OpTypeError, "'value' is a float", op="full", args=([16, 64], INT32, 0.5))
    refused(OpValueError, "positive", op="create_tensor", args=([0, 4], FP32))
    refused(OpValueError, "pl.create_tensor", op="create_tile", args=([16, 64], FP32, MemorySpace.DDR))


def test_elements() -> None:
    assert call("read", tensor(4, 4, dtype=INT16), [1, N]).type == ScalarType(INT16)
    assert call("dim", tensor(4, N), -1).type == ScalarType(INT64)
    call("write", tensor(4, 4), [0, 0], 1.5)
    call("write", tensor(4, 4, dtype=FP16), [0, 0], 0)
    refused(OpValueError, "index 4 is outside axis 0", op="read", args=(tensor(4, 4), [4, 0]))
    refused(OpTypeError, "FP16", "FP32", op="write", args=(tensor(4, 4), [0, 0], scalar(FP16)))
    refused(OpValueError, "axis 2", op="dim", args=(tensor(4, 4), 2))


def test_fillpad_and_set_validshape() -> None:
    assert valid_of(call("fillpad", tile(16, 64, valid=(3, 5)))) == (16, 64)
    assert valid_of(call("set_validshape", tile(16, 64), 5, N)) == (5, N)
    assert call("fillpad", tile(16, 64), float("-inf")).kwargs == {"pad_value": PadValue.min}
    refused(OpValueError, "null", op="fillpad", args=(tile(16, 64), PadValue.null))
    refused(OpTypeError, "'pad_value'", op="fillpad", args=(tile(16, 64), 3))
    refused(OpValueError, "valid_rows 17", op="set_validshape", args=(tile(16, 64), 17, 64))
    refused(OpTypeError, "FP32", op="set_validshape", args=(tile(16, 64), scalar(FP32), 64))


def test_fillpad_expand_wants_a_larger_shape() -> None:
    grown = call("fillpad_expand", tile(16, 64, valid=(3, 5)), [32, 64], "min")
    assert (shape_of(grown), valid_of(grown)) == ((32, 64), (32, 64))
    refused(OpValueError, "[8, 64]", "at least [16, 64]", op="fillpad_expand", args=(tile(16, 64), [8, 64]))
    refused(OpValueError, "null", op="fillpad_expand", args=(tile(16, 64), [16, 64], PadValue.null))


# Shape


def test_concat_leaves_no_gap() -> None:
    joined = call("concat", tile(16, 64), tile(16, 32, valid=(16, 7)))
    assert (shape_of(joined), valid_of(joined)) == ((16, 96), (16, 71))
    assert shape_of(call("concat", tensor(16, N), tensor(16, 32)))[0] == 16
    refused(OpValueError, "equal rows", op="concat", args=(tile(16, 64), tile(8, 64)))
    refused(OpValueError, "leave a gap", op="concat", args=(tile(16, 64, valid=(16, 7)), tile(16, 64)))
    refused(OpTypeError, "FP16", op="concat", args=(tile(16, 64), tile(16, 64, dtype=FP16)))


@pytest.mark.parametrize(
    ("old", "valid", "new", "expected"),
    [
        ((16, 64), (16, 64), (8, 128), (8, 128)),
        ((16, 1), (10, 1), (1, 16), (1, 10)),
        ((1, 16, 64), (1, 10, 37), (16, 64), (10, 37)),
        ((4, 8, 16), (2, 8, 16), (32, 16), (16, 16)),
        ((4, 8, 16), (2, 8, 5), (32, 16), (16, 5)),
        ((4, 8, 16), (N, 8, 16), (4, 128), (N, 128)),
        ((32, 16), (16, 16), (4, 8, 16), (2, 8, 16)),
        ((16, 64), (10, 64), (1, 1024), (1, 640)),
    ],
)
def test_reshape_maps_the_valid_region(old: Any, valid: Any, new: Any, expected: Any) -> None:
    assert valid_of(call("reshape", tile(*old, valid=valid), list(new))) == expected


def test_reshape_refuses() -> None:
    refused(OpValueError, "1024 elements", "512", op="reshape", args=(tile(16, 64), [8, 64]))
    refused(OpValueError, "no box", "fillpad first", op="reshape", args=(tile(16, 64, valid=(16, 3)), [8, 128]))
    refused(OpValueError, "no box", op="reshape", args=(tile(32, 16, valid=(9, 16)), [4, 8, 16]))


def test_transposes_exchange_shape_and_valid_region() -> None:
    turned = call("transpose", tile(16, 64, valid=(3, 5)), 0, -1)
    assert (shape_of(turned), valid_of(turned)) == ((64, 16), (5, 3))
    moved = call("move", tile(16, 64), MemorySpace.Mat)
    viewed = call("transpose_view", moved)
    assert viewed.type == TileType((64, 16), FP32, None, MemorySpace.Mat)
    refused(OpValueError, "axis 2", op="transpose", args=(tile(16, 64), 0, 2))
    refused(OpValueError, "both 1", op="transpose", args=(tile(16, 64), 1, -1))


# Matrix products


def test_matmul_of_tensors_keeps_the_operand_dtype() -> None:
    node = call("matmul", tensor(64, 32, dtype=FP16), tensor(32, 48, dtype=FP16))
    assert (shape_of(node), dtype_of(node)) == ((64, 48), FP16)
    assert dtype_of(call("matmul", tensor(64, 32, dtype=FP16), tensor(32, 48, dtype=FP16), out_dtype=FP32)) is FP32
    assert shape_of(call("matmul", tensor(32, 64), tensor(48, 32), a_trans=True, b_trans=True)) == (64, 48)
    assert shape_of(call("matmul", tensor(4, 64, 32), tensor(32, 48))) == (4, 64, 48)


def test_matmul_of_tiles_accumulates() -> None:
    product = call("matmul", tile(16, 32, dtype=INT8, valid=(10, 32)), tile(32, 48, dtype=INT8, valid=(32, 40)))
    assert (dtype_of(product), valid_of(product)) == (INT32, (10, 40))
    again = call("matmul_acc", product, tile(16, 32, dtype=INT8), tile(32, 48, dtype=INT8), init_cond=scalar(BOOL))
    assert again.type.space is MemorySpace.Acc  # type: ignore[attr-defined]
    refused(OpTypeError, "a_trans is for tensors", op="matmul", args=(tile(16, 32), tile(32, 16)), a_trans=True)
    refused(OpValueError, "[16, 32]", "[16, 32]", op="matmul", args=(tile(16, 32), tile(16, 32)))
    refused(OpTypeError, "INT16", op="matmul", args=(tile(16, 32, dtype=INT16), tile(32, 16, dtype=INT16)))
    refused(
        OpTypeError,
        "'acc' has dtype FP32, expected INT32",
        op="matmul_acc",
        args=(tile(16, 48), tile(16, 32, dtype=INT8), tile(32, 48, dtype=INT8)),
    )
    refused(
        OpTypeError,
        "'init_cond' is a scalar of INDEX",
        op="matmul_acc",
        args=(product, tile(16, 32, dtype=INT8), tile(32, 48, dtype=INT8)),
        init_cond=N,
    )
    refused(OpValueError, "only 20 rows of 'rhs'", op="matmul", args=(tile(16, 32), tile(32, 16, valid=(20, 16))))


def test_bias_is_one_row_of_the_accumulator_dtype() -> None:
    assert shape_of(call("matmul_bias", tile(16, 32), tile(32, 48), tile(1, 48))) == (16, 48)
    refused(OpValueError, "expected [1, 48]", op="matmul_bias", args=(tile(16, 32), tile(32, 48), tile(1, 16)))
    refused(OpTypeError, "expected FP32", op="matmul_bias", args=(tile(16, 32), tile(32, 48), tile(1, 48, dtype=FP16)))


# Tiles as such


@pytest.mark.parametrize(
    ("shape", "dtype"), [((16, 8), FP32), ((8, 1), FP32), ((3, 16), FP16), ((1, 32), INT8), ((2, 4, 8), FP32)]
)
def test_check_tile_accepts_whole_blocks(shape: tuple[int, ...], dtype: DataType) -> None:
    made = TileType(shape, dtype)
    assert check_tile(made) is made


@pytest.mark.parametrize(
    ("shape", "dtype", "hint"), [((16, 9), FP32, "here 16"), ((9, 1), FP32, "here 16"), ((3, 8), FP16, "here 16")]
)
def test_check_tile_refuses_parts_of_blocks(shape: tuple[int, ...], dtype: DataType, hint: str) -> None:
    with pytest.raises(OpValueError, match="multiple of 32") as found:
        check_tile(TileType(shape, dtype))
    assert hint in str(found.value)
    check_tile(TileType(shape, dtype, None, MemorySpace.Left))


def test_a_refusal_carries_the_span_of_the_operand_or_the_call() -> None:
    place = Span("kernel.py", 7, 4, 7, 9)
    with pytest.raises(OpValueError) as found:
        call("reshape", tile(16, 64), [8, 64], span=place)
    assert "kernel.py:7:5" in str(found.value)


def test_every_rule_is_used() -> None:
    assert {op.typing for op in TABLE.values()} == set(RULES)
