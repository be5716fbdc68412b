"""pypto: a tile-kernel language with its own compiler and a CPU simulator of two accelerator generations."""
