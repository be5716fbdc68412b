"""Building and running compiled programs: the C++ toolchain, loading, and the call from Python."""
