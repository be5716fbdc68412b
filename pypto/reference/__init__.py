"""What a program means, on torch tensors. It takes the IR before, between and after passes, up to code generation."""

from pypto.reference.execute import execute

__all__ = ["execute"]
