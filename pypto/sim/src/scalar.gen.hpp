// The loop bodies of the op table. Written by `python -m pypto.sim.generate` from the op table; do not edit.
#pragma once
#include "loops.hpp"

namespace pto {

template <class E>
struct AddBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(a + b); }
};

template <class E>
struct SubBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(a - b); }
};

template <class E>
struct MulBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(a * b); }
};

template <class E>
struct DivBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(divide(a, b)); }
};

template <class E>
struct MaximumBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(b > a || b != b ? b : a); }
};

template <class E>
struct MinimumBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(b < a || b != b ? b : a); }
};

template <class E>
struct FmodBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(modulo(a, b)); }
};

template <class E>
struct RemBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(remainder(a, b)); }
};

template <class E>
struct AddcBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b, T c) { return static_cast<T>(Element<E>::narrow(a + b) + c); }
};

template <class E>
struct SubcBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b, T c) { return static_cast<T>(Element<E>::narrow(a - b) + c); }
};

template <class E>
struct AddscBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b, T s) { return static_cast<T>(Element<E>::narrow(a + s) + b); }
};

template <class E>
struct SubscBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b, T s) { return static_cast<T>(Element<E>::narrow(a - s) + b); }
};

template <class E>
struct PreluBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(a > 0 ? a : a * b); }
};

template <class E>
struct AndBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(a & b); }
};

template <class E>
struct OrBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(a | b); }
};

template <class E>
struct XorBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(a ^ b); }
};

template <class E>
struct ShlBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(b >= 0 && b < 32 ? a << b : 0); }
};

template <class E>
struct ShrBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(b >= 0 && b < 32 ? a >> b : a < 0 ? -1 : 0); }
};

template <class E>
struct ExpBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(exp(a)); }
};

template <class E>
struct LogBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(log(a)); }
};

template <class E>
struct SqrtBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(sqrt(a)); }
};

template <class E>
struct RsqrtBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(rsqrt(a)); }
};

template <class E>
struct RecipBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(1 / a); }
};

template <class E>
struct SinBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(sin(a)); }
};

template <class E>
struct CosBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(cos(a)); }
};

template <class E>
struct NegBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(-a); }
};

template <class E>
struct AbsBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(a > 0 ? a : 0 - a); }
};

template <class E>
struct ReluBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(a < 0 ? 0 : a); }
};

template <class E>
struct LreluBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T s) { return static_cast<T>(a > 0 ? a : a * s); }
};

template <class E>
struct NotBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a) { return static_cast<T>(~a); }
};

template <class E>
struct RowExpandExpdifBody {
    using T = typename Element<E>::Value;
    static inline T apply(T a, T b) { return static_cast<T>(exp(Element<E>::narrow(a - b))); }
};

template <class E>
struct RowExpandBody {
    using T = typename Element<E>::Value;
    static inline T apply(T b) { return static_cast<T>(b); }
};

template <class E>
struct ExpandsBody {
    using T = typename Element<E>::Value;
    static inline T apply(T s) { return static_cast<T>(s); }
};

}  // namespace pto

#define PTO_FLOAT_LOOPS(LOOP) \
    LOOP(loop1<AbsBody, float>) \
    LOOP(loop1<CosBody, float>) \
    LOOP(loop1<ExpBody, float>) \
    LOOP(loop1<ExpandsBody, float>) \
    LOOP(loop1<LogBody, float>) \
    LOOP(loop1<NegBody, float>) \
    LOOP(loop1<RecipBody, float>) \
    LOOP(loop1<ReluBody, float>) \
    LOOP(loop1<RowExpandBody, float>) \
    LOOP(loop1<RsqrtBody, float>) \
    LOOP(loop1<SinBody, float>) \
    LOOP(loop1<SqrtBody, float>) \
    LOOP(loop2<AddBody, float>) \
    LOOP(loop2<DivBody, float>) \
    LOOP(loop2<FmodBody, float>) \
    LOOP(loop2<LreluBody, float>) \
    LOOP(loop2<MaximumBody, float>) \
    LOOP(loop2<MinimumBody, float>) \
    LOOP(loop2<MulBody, float>) \
    LOOP(loop2<PreluBody, float>) \
    LOOP(loop2<RemBody, float>) \
    LOOP(loop2<RowExpandExpdifBody, Brain>) \
    LOOP(loop2<RowExpandExpdifBody, Half>) \
    LOOP(loop2<RowExpandExpdifBody, float>) \
    LOOP(loop2<SubBody, float>) \
    LOOP(loop3<AddcBody, Brain>) \
    LOOP(loop3<AddcBody, Half>) \
    LOOP(loop3<AddcBody, float>) \
    LOOP(loop3<AddscBody, Brain>) \
    LOOP(loop3<AddscBody, Half>) \
    LOOP(loop3<AddscBody, float>) \
    LOOP(loop3<SubcBody, Brain>) \
    LOOP(loop3<SubcBody, Half>) \
    LOOP(loop3<SubcBody, float>) \
    LOOP(loop3<SubscBody, Brain>) \
    LOOP(loop3<SubscBody, Half>) \
    LOOP(loop3<SubscBody, float>)
#define PTO_FLOAT_FOLDS(FOLD) \
    FOLD(fold<AddBody, Brain>) \
    FOLD(fold<AddBody, Half>) \
    FOLD(fold<AddBody, float>) \
    FOLD(fold<MaximumBody, Brain>) \
    FOLD(fold<MaximumBody, Half>) \
    FOLD(fold<MaximumBody, float>) \
    FOLD(fold<MinimumBody, Brain>) \
    FOLD(fold<MinimumBody, Half>) \
    FOLD(fold<MinimumBody, float>) \
    FOLD(fold<MulBody, Brain>) \
    FOLD(fold<MulBody, Half>) \
    FOLD(fold<MulBody, float>)
#define PTO_SIGNED_LOOPS(LOOP) \
    LOOP(loop1<AbsBody, int16_t>) \
    LOOP(loop1<AbsBody, int32_t>) \
    LOOP(loop1<AbsBody, int8_t>) \
    LOOP(loop1<ExpandsBody, int16_t>) \
    LOOP(loop1<ExpandsBody, int32_t>) \
    LOOP(loop1<ExpandsBody, int8_t>) \
    LOOP(loop1<NegBody, int16_t>) \
    LOOP(loop1<NegBody, int32_t>) \
    LOOP(loop1<NegBody, int8_t>) \
    LOOP(loop1<NotBody, int16_t>) \
    LOOP(loop1<NotBody, int32_t>) \
    LOOP(loop1<NotBody, int8_t>) \
    LOOP(loop1<ReluBody, int16_t>) \
    LOOP(loop1<ReluBody, int32_t>) \
    LOOP(loop1<ReluBody, int8_t>) \
    LOOP(loop1<RowExpandBody, int16_t>) \
    LOOP(loop1<RowExpandBody, int32_t>) \
    LOOP(loop1<RowExpandBody, int8_t>) \
    LOOP(loop2<AddBody, int16_t>) \
    LOOP(loop2<AddBody, int32_t>) \
    LOOP(loop2<AddBody, int8_t>) \
    LOOP(loop2<AndBody, int16_t>) \
    LOOP(loop2<AndBody, int32_t>) \
    LOOP(loop2<AndBody, int8_t>) \
    LOOP(loop2<DivBody, int16_t>) \
    LOOP(loop2<DivBody, int32_t>) \
    LOOP(loop2<DivBody, int8_t>) \
    LOOP(loop2<FmodBody, int16_t>) \
    LOOP(loop2<FmodBody, int32_t>) \
    LOOP(loop2<FmodBody, int8_t>) \
    LOOP(loop2<MaximumBody, int16_t>) \
    LOOP(loop2<MaximumBody, int32_t>) \
    LOOP(loop2<MaximumBody, int8_t>) \
    LOOP(loop2<MinimumBody, int16_t>) \
    LOOP(loop2<MinimumBody, int32_t>) \
    LOOP(loop2<MinimumBody, int8_t>) \
    LOOP(loop2<MulBody, int16_t>) \
    LOOP(loop2<MulBody, int32_t>) \
    LOOP(loop2<MulBody, int8_t>) \
    LOOP(loop2<OrBody, int16_t>) \
    LOOP(loop2<OrBody, int32_t>) \
    LOOP(loop2<OrBody, int8_t>) \
    LOOP(loop2<RemBody, int16_t>) \
    LOOP(loop2<RemBody, int32_t>) \
    LOOP(loop2<RemBody, int8_t>) \
    LOOP(loop2<ShlBody, int16_t>) \
    LOOP(loop2<ShlBody, int32_t>) \
    LOOP(loop2<ShlBody, int8_t>) \
    LOOP(loop2<ShrBody, int16_t>) \
    LOOP(loop2<ShrBody, int32_t>) \
    LOOP(loop2<ShrBody, int8_t>) \
    LOOP(loop2<SubBody, int16_t>) \
    LOOP(loop2<SubBody, int32_t>) \
    LOOP(loop2<SubBody, int8_t>) \
    LOOP(loop2<XorBody, int16_t>) \
    LOOP(loop2<XorBody, int32_t>) \
    LOOP(loop2<XorBody, int8_t>) \
    LOOP(loop3<AddcBody, int16_t>) \
    LOOP(loop3<AddcBody, int32_t>) \
    LOOP(loop3<AddcBody, int8_t>) \
    LOOP(loop3<AddscBody, int16_t>) \
    LOOP(loop3<AddscBody, int32_t>) \
    LOOP(loop3<AddscBody, int8_t>) \
    LOOP(loop3<SubcBody, int16_t>) \
    LOOP(loop3<SubcBody, int32_t>) \
    LOOP(loop3<SubcBody, int8_t>) \
    LOOP(loop3<SubscBody, int16_t>) \
    LOOP(loop3<SubscBody, int32_t>) \
    LOOP(loop3<SubscBody, int8_t>)
#define PTO_SIGNED_FOLDS(FOLD) \
    FOLD(fold<AddBody, int16_t>) \
    FOLD(fold<AddBody, int32_t>) \
    FOLD(fold<AddBody, int8_t>) \
    FOLD(fold<MaximumBody, int16_t>) \
    FOLD(fold<MaximumBody, int32_t>) \
    FOLD(fold<MaximumBody, int8_t>) \
    FOLD(fold<MinimumBody, int16_t>) \
    FOLD(fold<MinimumBody, int32_t>) \
    FOLD(fold<MinimumBody, int8_t>) \
    FOLD(fold<MulBody, int16_t>) \
    FOLD(fold<MulBody, int32_t>) \
    FOLD(fold<MulBody, int8_t>)
#define PTO_UNSIGNED_LOOPS(LOOP) \
    LOOP(loop1<AbsBody, uint16_t>) \
    LOOP(loop1<AbsBody, uint32_t>) \
    LOOP(loop1<AbsBody, uint8_t>) \
    LOOP(loop1<ExpandsBody, uint16_t>) \
    LOOP(loop1<ExpandsBody, uint32_t>) \
    LOOP(loop1<ExpandsBody, uint8_t>) \
    LOOP(loop1<NegBody, uint16_t>) \
    LOOP(loop1<NegBody, uint32_t>) \
    LOOP(loop1<NegBody, uint8_t>) \
    LOOP(loop1<NotBody, uint16_t>) \
    LOOP(loop1<NotBody, uint32_t>) \
    LOOP(loop1<NotBody, uint8_t>) \
    LOOP(loop1<ReluBody, uint16_t>) \
    LOOP(loop1<ReluBody, uint32_t>) \
    LOOP(loop1<ReluBody, uint8_t>) \
    LOOP(loop1<RowExpandBody, uint16_t>) \
    LOOP(loop1<RowExpandBody, uint32_t>) \
    LOOP(loop1<RowExpandBody, uint8_t>) \
    LOOP(loop2<AddBody, uint16_t>) \
    LOOP(loop2<AddBody, uint32_t>) \
    LOOP(loop2<AddBody, uint8_t>) \
    LOOP(loop2<AndBody, uint16_t>) \
    LOOP(loop2<AndBody, uint32_t>) \
    LOOP(loop2<AndBody, uint8_t>) \
    LOOP(loop2<DivBody, uint16_t>) \
    LOOP(loop2<DivBody, uint32_t>) \
    LOOP(loop2<DivBody, uint8_t>) \
    LOOP(loop2<FmodBody, uint16_t>) \
    LOOP(loop2<FmodBody, uint32_t>) \
    LOOP(loop2<FmodBody, uint8_t>) \
    LOOP(loop2<MaximumBody, uint16_t>) \
    LOOP(loop2<MaximumBody, uint32_t>) \
    LOOP(loop2<MaximumBody, uint8_t>) \
    LOOP(loop2<MinimumBody, uint16_t>) \
    LOOP(loop2<MinimumBody, uint32_t>) \
    LOOP(loop2<MinimumBody, uint8_t>) \
    LOOP(loop2<MulBody, uint16_t>) \
    LOOP(loop2<MulBody, uint32_t>) \
    LOOP(loop2<MulBody, uint8_t>) \
    LOOP(loop2<OrBody, uint16_t>) \
    LOOP(loop2<OrBody, uint32_t>) \
    LOOP(loop2<OrBody, uint8_t>) \
    LOOP(loop2<RemBody, uint16_t>) \
    LOOP(loop2<RemBody, uint32_t>) \
    LOOP(loop2<RemBody, uint8_t>) \
    LOOP(loop2<ShlBody, uint16_t>) \
    LOOP(loop2<ShlBody, uint32_t>) \
    LOOP(loop2<ShlBody, uint8_t>) \
    LOOP(loop2<ShrBody, uint16_t>) \
    LOOP(loop2<ShrBody, uint32_t>) \
    LOOP(loop2<ShrBody, uint8_t>) \
    LOOP(loop2<SubBody, uint16_t>) \
    LOOP(loop2<SubBody, uint32_t>) \
    LOOP(loop2<SubBody, uint8_t>) \
    LOOP(loop2<XorBody, uint16_t>) \
    LOOP(loop2<XorBody, uint32_t>) \
    LOOP(loop2<XorBody, uint8_t>) \
    LOOP(loop3<AddcBody, uint16_t>) \
    LOOP(loop3<AddcBody, uint32_t>) \
    LOOP(loop3<AddcBody, uint8_t>) \
    LOOP(loop3<AddscBody, uint16_t>) \
    LOOP(loop3<AddscBody, uint32_t>) \
    LOOP(loop3<AddscBody, uint8_t>) \
    LOOP(loop3<SubcBody, uint16_t>) \
    LOOP(loop3<SubcBody, uint32_t>) \
    LOOP(loop3<SubcBody, uint8_t>) \
    LOOP(loop3<SubscBody, uint16_t>) \
    LOOP(loop3<SubscBody, uint32_t>) \
    LOOP(loop3<SubscBody, uint8_t>)
#define PTO_UNSIGNED_FOLDS(FOLD) \
    FOLD(fold<AddBody, uint16_t>) \
    FOLD(fold<AddBody, uint32_t>) \
    FOLD(fold<AddBody, uint8_t>) \
    FOLD(fold<MaximumBody, uint16_t>) \
    FOLD(fold<MaximumBody, uint32_t>) \
    FOLD(fold<MaximumBody, uint8_t>) \
    FOLD(fold<MinimumBody, uint16_t>) \
    FOLD(fold<MinimumBody, uint32_t>) \
    FOLD(fold<MinimumBody, uint8_t>) \
    FOLD(fold<MulBody, uint16_t>) \
    FOLD(fold<MulBody, uint32_t>) \
    FOLD(fold<MulBody, uint8_t>)
