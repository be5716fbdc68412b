"""The errors of pypto.

PyptoError
├── ParserError                    E000  the source of a kernel is wrong; carries code, place, excerpt and hint
│   ├── ParserSyntaxError          E001  a construct is malformed
│   ├── ParserTypeError            E101  (TypeError) an annotation, a rebinding or an operand has the wrong type
│   ├── UndefinedVariableError     E200  a name is unknown
│   ├── SSAViolationError          E201  a name is assigned twice under strict SSA, or used outside its scope
│   ├── UnsupportedFeatureError    E301  Python outside the language
│   └── InvalidOperationError      E302  an operation refused its arguments; also what the operation raised
├── OpTypeError (TypeError)        an operation got an argument of the wrong kind
├── OpValueError (ValueError)      an operation got arguments that its rule refuses
├── VerificationError              the IR breaks a rule; carries the code of the rule
├── LoweringError                  a valid program that this backend or planner cannot place or express
│   └── CapacityError              tiles need more on-chip memory than a core has
├── ToolchainError                 the C++ compiler is missing or failed
│   └── CompilerMissing            there is none that could be started
└── SimulatorError                 a kernel did something that hardware would not survive
"""

from __future__ import annotations

import linecache
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from pypto.ir.nodes import Span


class PyptoError(Exception):
    """The base of all errors: a message, the place in the kernel source, and the next step for its author."""

    code: ClassVar[str] = ""

    def __init__(self, message: str, span: Span | None = None, hint: str = "", code: str = "") -> None:
        self.message = message
        self.span = span if span is not None and span.line else None
        self.hint = hint
        self.error_code = code or type(self).code
        super().__init__(message)

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors cross process borders with their place."""
        return _rebuild, (type(self), self.message, self.span, self.hint, self.error_code)

    def __str__(self) -> str:
        text = f"[{self.error_code}] {self.message}" if self.error_code else self.message
        if self.span is not None:
            text += f"\n  --> {self.span.file}:{self.span.line}:{self.span.column + 1}{self._excerpt()}"
        return f"{text}\n  hint: {self.hint}" if self.hint else text

    def _excerpt(self) -> str:
        """The source line with a caret under the expression, empty when the source cannot be read."""
        span = self.span
        line = linecache.getline(span.file, span.line).rstrip("\n") if span else ""
        if span is None or not line:
            return ""
        end = span.end_column if span.end_line == span.line else len(line)
        return f"\n   |  {line}\n   |  {' ' * span.column}{'^' * max(1, end - span.column)}"


def _rebuild(kind: type[PyptoError], message: str, span: Span | None, hint: str, code: str) -> PyptoError:
    return kind(message, span, hint, code)


class ParserError(PyptoError):
    """The source of a kernel is wrong."""

    code = "E000"


class ParserSyntaxError(ParserError):
    """A construct is malformed."""

    code = "E001"


class ParserTypeError(ParserError, TypeError):
    """An annotation, a rebinding or an operand has the wrong type."""

    code = "E101"


class UndefinedVariableError(ParserError):
    """A name is unknown."""

    code = "E200"


class SSAViolationError(ParserError):
    """A name is assigned twice under strict SSA, or used outside its scope."""

    code = "E201"


class UnsupportedFeatureError(ParserError):
    """Python outside the language."""

    code = "E301"


class InvalidOperationError(ParserError):
    """An operation refused its arguments."""

    code = "E302"

    @staticmethod
    def of(error: PyptoError, span: Span) -> InvalidOperationError:
        """``error`` of an operation as a parser error at ``span``, still caught as TypeError or ValueError."""
        kind = InvalidOperationError
        if isinstance(error, TypeError):
            kind = InvalidOperandError
        elif isinstance(error, ValueError):
            kind = InvalidArgumentError
        return kind(error.message, error.span or span, error.hint)


class InvalidOperandError(InvalidOperationError, TypeError):
    """An operation got an argument of the wrong kind, inside a kernel."""


class InvalidArgumentError(InvalidOperationError, ValueError):
    """An operation got arguments that its rule refuses, inside a kernel."""


class OpTypeError(PyptoError, TypeError):
    """An operation got an argument of the wrong kind."""


class OpValueError(PyptoError, ValueError):
    """An operation got arguments that its rule refuses."""


class OutParamWriteDropped(UserWarning):
    """An ``Out`` parameter was rebound by plain assignment, which writes nothing to the caller's tensor."""


class VerificationError(PyptoError):
    """The IR breaks a rule."""


class LoweringError(PyptoError):
    """A valid program that this backend or planner cannot place or express."""


class CapacityError(LoweringError):
    """Tiles need more on-chip memory than a core has."""


class ToolchainError(PyptoError):
    """The C++ compiler is missing or failed."""


class CompilerMissing(ToolchainError):
    """There is no C++ compiler that could be started."""


class SimulatorError(PyptoError):
    """A kernel did something that hardware would not survive."""
