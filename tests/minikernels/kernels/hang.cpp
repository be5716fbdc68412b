// Never comes back.
#include "pto/sim.hpp"

extern "C" void kernel_entry(int64_t* args) {
    for (volatile int64_t* turns = args;;) (void)*turns;
}
