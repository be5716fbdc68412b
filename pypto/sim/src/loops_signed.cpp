#include "scalar.gen.hpp"

namespace pto {

#define DEFINE_LOOP(...) template void __VA_ARGS__(void*, const void* const*, int64_t);
#define DEFINE_FOLD(...) template void __VA_ARGS__(void*, const void*, int64_t, int64_t, int64_t);
PTO_SIGNED_LOOPS(DEFINE_LOOP)
PTO_SIGNED_FOLDS(DEFINE_FOLD)

}  // namespace pto
