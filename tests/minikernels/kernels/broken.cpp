// Is no C++.
#include "pto/sim.hpp"

extern "C" void kernel_entry(int64_t* args) { this is no statement; }
