"""The rules of legality, each a code, a property it belongs to, and a function that yields what breaks it."""

from pypto.ir.rules import control_flow, memory, names, types
from pypto.ir.rules.rule import Finding, Property, Rule

RULES: tuple[Rule, ...] = (*names.RULES, *control_flow.RULES, *types.RULES, *memory.RULES)

__all__ = ["RULES", "Finding", "Property", "Rule"]
