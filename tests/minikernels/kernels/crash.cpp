// Writes through a null pointer: a real segmentation fault of the process that runs it.
#include "pto/sim.hpp"

extern "C" void kernel_entry(int64_t*) {
    volatile int* nowhere = nullptr;
    *nowhere = 1;
}
