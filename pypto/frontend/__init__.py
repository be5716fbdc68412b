"""From Python source to a program of the IR: kernels are parsed, never executed."""
