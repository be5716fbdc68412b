"""From a program that went through all passes to C++ source files."""

from pypto.codegen.program import GeneratedProgram, generate

__all__ = ["GeneratedProgram", "generate"]
