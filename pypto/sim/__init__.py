"""The CPU simulator: C++ sources, and the generator of those that follow from the op table."""
