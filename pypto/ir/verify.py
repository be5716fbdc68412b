"""Checking that a program is legal at its point of the pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pypto.errors import VerificationError
from pypto.ir.nodes import Program
from pypto.ir.rules import RULES, Property

BASIC = frozenset({Property.UseAfterDef, Property.TypeChecked})  # hold from the parser to code generation


def violations(program: Program, properties: Iterable[Property] = BASIC) -> Iterator[VerificationError]:
    """What ``program`` breaks of the rules of ``properties``, each as the error that ``verify`` would raise."""
    wanted = set(properties)
    for function in program.functions:
        for rule in RULES:
            if rule.about in wanted:
                for found in rule.check(function, program):
                    message = f"{function.name}: {found.message} (rule {rule.name})"
                    yield VerificationError(message, found.span, found.hint, code=f"V{rule.code:03d}")


def verify(program: Program, properties: Iterable[Property] = BASIC) -> Program:
    """``program`` itself; VerificationError with the rule's code and the place when it breaks one.

    Rules belong to properties because not each holds everywhere: names are bound many times before ``convert_to_ssa``.
    """
    for error in violations(program, properties):
        raise error
    return program
