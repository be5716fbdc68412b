// Ends its process by SIGABRT, as a failed assertion does.
#include <stdio.h>
#include <stdlib.h>

#include "pto/sim.hpp"

extern "C" void kernel_entry(int64_t*) {
    fprintf(stderr, "kernel.cpp:7: assertion 'rows > 0' failed\n");
    abort();
}
