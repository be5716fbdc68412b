"""The enumerations of the language, each value with the number that existing tools give it."""

from __future__ import annotations

from enum import Enum, IntEnum


class MemorySpace(IntEnum):
    """Where a buffer lives: global memory (DDR) or one of the on-chip spaces of a core."""

    DDR = 0
    Vec = 1
    Mat = 2
    Left = 3
    Right = 4
    Acc = 5
    Bias = 6
    ScalarLocal = 7
    LeftScale = 8
    RightScale = 9


class FunctionType(IntEnum):
    """What a function is: which statements its body may hold and where it runs."""

    Opaque = 0
    Orchestration = 1
    InCore = 2
    AIC = 3
    AIV = 4
    Group = 5
    Spmd = 6
    Inline = 7
    Graph = 8


class Level(IntEnum):
    """A level of the machine hierarchy, from one core to all hosts."""

    AIV = 0
    AIC = 1
    CORE_GROUP = 2
    CHIP_DIE = 3
    L2CACHE = 3
    CHIP = 4
    PROCESSOR = 4
    HOST = 5
    CLUSTER_0 = 6
    CLUSTER_1 = 7
    CLUSTER_2 = 8
    GLOBAL = 9


class Role(IntEnum):
    """What a function does at its level."""

    Orchestrator = 0
    SubWorker = 1


class ParamDirection(Enum):
    """How a function uses a parameter."""

    In = "In"
    Out = "Out"
    InOut = "InOut"


class ArgDirection(IntEnum):
    """How one argument of one task launch takes part in dependencies."""

    Input = 0
    Output = 1
    InOut = 2
    OutputExisting = 3
    NoDep = 4
    Scalar = 5


class ForKind(Enum):
    """How the iterations of a loop may be scheduled."""

    Sequential = "range"
    Parallel = "parallel"
    Unroll = "unroll"
    Pipeline = "pipeline"


class PadValue(Enum):
    """What ``fillpad`` writes outside the valid region; 0, inf and -inf are other spellings of zero, max and min."""

    null = "null"
    zero = "zero"
    max = "max"
    min = "min"

    @classmethod
    def _missing_(cls, value: object) -> PadValue | None:
        spellings = {0: cls.zero, float("inf"): cls.max, float("-inf"): cls.min}
        return spellings.get(value) if isinstance(value, int | float) else None


class CastMode(IntEnum):
    """How ``cast`` rounds a float to an integer."""

    none = 0
    rint = 1
    round = 2
    floor = 3
    ceil = 4
    trunc = 5
    odd = 6


class CompareMode(IntEnum):
    """What ``cmp`` asks."""

    eq = 0
    ne = 1
    lt = 2
    le = 3
    gt = 4
    ge = 5


class TileLayout(Enum):
    """Order of the blocks of a tile, or of the elements in a block."""

    none_box = "none_box"
    row_major = "row_major"
    col_major = "col_major"


class TensorLayout(Enum):
    """Order of a tensor's elements in global memory."""

    ND = "ND"
    DN = "DN"
    NZ = "NZ"
    MX_A_ZZ = "MX_A_ZZ"
    MX_B_NN = "MX_B_NN"


class AtomicType(IntEnum):
    """How a store combines with what memory holds."""

    None_ = 0
    Add = 1
