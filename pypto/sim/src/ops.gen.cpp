// The operations of the op table that have a loop body. Written by `python -m pypto.sim.generate` from the op table; do not edit.
#include "drive.hpp"
#include "scalar.gen.hpp"

namespace pto {

#define DECLARE_LOOP(...) extern template void __VA_ARGS__(void*, const void* const*, int64_t);
#define DECLARE_FOLD(...) extern template void __VA_ARGS__(void*, const void*, int64_t, int64_t, int64_t);
PTO_FLOAT_LOOPS(DECLARE_LOOP)
PTO_FLOAT_FOLDS(DECLARE_FOLD)
PTO_SIGNED_LOOPS(DECLARE_LOOP)
PTO_SIGNED_FOLDS(DECLARE_FOLD)
PTO_UNSIGNED_LOOPS(DECLARE_LOOP)
PTO_UNSIGNED_FOLDS(DECLARE_FOLD)

// a + b
static constexpr Loops LOOPS_AddBody = {{loop2<AddBody, float>, loop2<AddBody, float>, loop2<AddBody, float>, loop2<AddBody, int8_t>, loop2<AddBody, int16_t>, loop2<AddBody, int32_t>, loop2<AddBody, uint8_t>, loop2<AddBody, uint16_t>, loop2<AddBody, uint32_t>}, {fold<AddBody, float>, fold<AddBody, Half>, fold<AddBody, Brain>, fold<AddBody, int8_t>, fold<AddBody, int16_t>, fold<AddBody, int32_t>, fold<AddBody, uint8_t>, fold<AddBody, uint16_t>, fold<AddBody, uint32_t>}, NO};

// a - b
static constexpr Loops LOOPS_SubBody = {{loop2<SubBody, float>, loop2<SubBody, float>, loop2<SubBody, float>, loop2<SubBody, int8_t>, loop2<SubBody, int16_t>, loop2<SubBody, int32_t>, loop2<SubBody, uint8_t>, loop2<SubBody, uint16_t>, loop2<SubBody, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// a * b
static constexpr Loops LOOPS_MulBody = {{loop2<MulBody, float>, loop2<MulBody, float>, loop2<MulBody, float>, loop2<MulBody, int8_t>, loop2<MulBody, int16_t>, loop2<MulBody, int32_t>, loop2<MulBody, uint8_t>, loop2<MulBody, uint16_t>, loop2<MulBody, uint32_t>}, {fold<MulBody, float>, fold<MulBody, Half>, fold<MulBody, Brain>, fold<MulBody, int8_t>, fold<MulBody, int16_t>, fold<MulBody, int32_t>, fold<MulBody, uint8_t>, fold<MulBody, uint16_t>, fold<MulBody, uint32_t>}, NO};

// divide(a, b)
static constexpr Loops LOOPS_DivBody = {{loop2<DivBody, float>, loop2<DivBody, float>, loop2<DivBody, float>, loop2<DivBody, int8_t>, loop2<DivBody, int16_t>, loop2<DivBody, int32_t>, loop2<DivBody, uint8_t>, loop2<DivBody, uint16_t>, loop2<DivBody, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, DIVIDES};

// b > a || b != b ? b : a
static constexpr Loops LOOPS_MaximumBody = {{loop2<MaximumBody, float>, loop2<MaximumBody, float>, loop2<MaximumBody, float>, loop2<MaximumBody, int8_t>, loop2<MaximumBody, int16_t>, loop2<MaximumBody, int32_t>, loop2<MaximumBody, uint8_t>, loop2<MaximumBody, uint16_t>, loop2<MaximumBody, uint32_t>}, {fold<MaximumBody, float>, fold<MaximumBody, Half>, fold<MaximumBody, Brain>, fold<MaximumBody, int8_t>, fold<MaximumBody, int16_t>, fold<MaximumBody, int32_t>, fold<MaximumBody, uint8_t>, fold<MaximumBody, uint16_t>, fold<MaximumBody, uint32_t>}, NO};

// b < a || b != b ? b : a
static constexpr Loops LOOPS_MinimumBody = {{loop2<MinimumBody, float>, loop2<MinimumBody, float>, loop2<MinimumBody, float>, loop2<MinimumBody, int8_t>, loop2<MinimumBody, int16_t>, loop2<MinimumBody, int32_t>, loop2<MinimumBody, uint8_t>, loop2<MinimumBody, uint16_t>, loop2<MinimumBody, uint32_t>}, {fold<MinimumBody, float>, fold<MinimumBody, Half>, fold<MinimumBody, Brain>, fold<MinimumBody, int8_t>, fold<MinimumBody, int16_t>, fold<MinimumBody, int32_t>, fold<MinimumBody, uint8_t>, fold<MinimumBody, uint16_t>, fold<MinimumBody, uint32_t>}, NO};

// modulo(a, b)
static constexpr Loops LOOPS_FmodBody = {{loop2<FmodBody, float>, loop2<FmodBody, float>, loop2<FmodBody, float>, loop2<FmodBody, int8_t>, loop2<FmodBody, int16_t>, loop2<FmodBody, int32_t>, loop2<FmodBody, uint8_t>, loop2<FmodBody, uint16_t>, loop2<FmodBody, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, REMAINS};

// remainder(a, b)
static constexpr Loops LOOPS_RemBody = {{loop2<RemBody, float>, loop2<RemBody, float>, loop2<RemBody, float>, loop2<RemBody, int8_t>, loop2<RemBody, int16_t>, loop2<RemBody, int32_t>, loop2<RemBody, uint8_t>, loop2<RemBody, uint16_t>, loop2<RemBody, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, REMAINS};

// narrow(a + b) + c
static constexpr Loops LOOPS_AddcBody = {{loop3<AddcBody, float>, loop3<AddcBody, Half>, loop3<AddcBody, Brain>, loop3<AddcBody, int8_t>, loop3<AddcBody, int16_t>, loop3<AddcBody, int32_t>, loop3<AddcBody, uint8_t>, loop3<AddcBody, uint16_t>, loop3<AddcBody, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// narrow(a - b) + c
static constexpr Loops LOOPS_SubcBody = {{loop3<SubcBody, float>, loop3<SubcBody, Half>, loop3<SubcBody, Brain>, loop3<SubcBody, int8_t>, loop3<SubcBody, int16_t>, loop3<SubcBody, int32_t>, loop3<SubcBody, uint8_t>, loop3<SubcBody, uint16_t>, loop3<SubcBody, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// narrow(a + s) + b
static constexpr Loops LOOPS_AddscBody = {{loop3<AddscBody, float>, loop3<AddscBody, Half>, loop3<AddscBody, Brain>, loop3<AddscBody, int8_t>, loop3<AddscBody, int16_t>, loop3<AddscBody, int32_t>, loop3<AddscBody, uint8_t>, loop3<AddscBody, uint16_t>, loop3<AddscBody, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// narrow(a - s) + b
static constexpr Loops LOOPS_SubscBody = {{loop3<SubscBody, float>, loop3<SubscBody, Half>, loop3<SubscBody, Brain>, loop3<SubscBody, int8_t>, loop3<SubscBody, int16_t>, loop3<SubscBody, int32_t>, loop3<SubscBody, uint8_t>, loop3<SubscBody, uint16_t>, loop3<SubscBody, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// a > 0 ? a : a * b
static constexpr Loops LOOPS_PreluBody = {{loop2<PreluBody, float>, loop2<PreluBody, float>, loop2<PreluBody, float>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// a & b
static constexpr Loops LOOPS_AndBody = {{nullptr, nullptr, nullptr, loop2<AndBody, int8_t>, loop2<AndBody, int16_t>, loop2<AndBody, int32_t>, loop2<AndBody, uint8_t>, loop2<AndBody, uint16_t>, loop2<AndBody, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// a | b
static constexpr Loops LOOPS_OrBody = {{nullptr, nullptr, nullptr, loop2<OrBody, int8_t>, loop2<OrBody, int16_t>, loop2<OrBody, int32_t>, loop2<OrBody, uint8_t>, loop2<OrBody, uint16_t>, loop2<OrBody, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// a ^ b
static constexpr Loops LOOPS_XorBody = {{nullptr, nullptr, nullptr, loop2<XorBody, int8_t>, loop2<XorBody, int16_t>, loop2<XorBody, int32_t>, loop2<XorBody, uint8_t>, loop2<XorBody, uint16_t>, loop2<XorBody, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// b >= 0 && b < 32 ? a << b : 0
static constexpr Loops LOOPS_ShlBody = {{nullptr, nullptr, nullptr, loop2<ShlBody, int8_t>, loop2<ShlBody, int16_t>, loop2<ShlBody, int32_t>, loop2<ShlBody, uint8_t>, loop2<ShlBody, uint16_t>, loop2<ShlBody, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// b >= 0 && b < 32 ? a >> b : a < 0 ? -1 : 0
static constexpr Loops LOOPS_ShrBody = {{nullptr, nullptr, nullptr, loop2<ShrBody, int8_t>, loop2<ShrBody, int16_t>, loop2<ShrBody, int32_t>, loop2<ShrBody, uint8_t>, loop2<ShrBody, uint16_t>, loop2<ShrBody, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// exp(a)
static constexpr Loops LOOPS_ExpBody = {{loop1<ExpBody, float>, loop1<ExpBody, float>, loop1<ExpBody, float>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// log(a)
static constexpr Loops LOOPS_LogBody = {{loop1<LogBody, float>, loop1<LogBody, float>, loop1<LogBody, float>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// sqrt(a)
static constexpr Loops LOOPS_SqrtBody = {{loop1<SqrtBody, float>, loop1<SqrtBody, float>, loop1<SqrtBody, float>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// rsqrt(a)
static constexpr Loops LOOPS_RsqrtBody = {{loop1<RsqrtBody, float>, loop1<RsqrtBody, float>, loop1<RsqrtBody, float>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// 1 / a
static constexpr Loops LOOPS_RecipBody = {{loop1<RecipBody, float>, loop1<RecipBody, float>, loop1<RecipBody, float>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// sin(a)
static constexpr Loops LOOPS_SinBody = {{loop1<SinBody, float>, loop1<SinBody, float>, loop1<SinBody, float>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// cos(a)
static constexpr Loops LOOPS_CosBody = {{loop1<CosBody, float>, loop1<CosBody, float>, loop1<CosBody, float>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// -a
static constexpr Loops LOOPS_NegBody = {{loop1<NegBody, float>, loop1<NegBody, float>, loop1<NegBody, float>, loop1<NegBody, int8_t>, loop1<NegBody, int16_t>, loop1<NegBody, int32_t>, loop1<NegBody, uint8_t>, loop1<NegBody, uint16_t>, loop1<NegBody, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// a > 0 ? a : 0 - a
static constexpr Loops LOOPS_AbsBody = {{loop1<AbsBody, float>, loop1<AbsBody, float>, loop1<AbsBody, float>, loop1<AbsBody, int8_t>, loop1<AbsBody, int16_t>, loop1<AbsBody, int32_t>, loop1<AbsBody, uint8_t>, loop1<AbsBody, uint16_t>, loop1<AbsBody, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// a < 0 ? 0 : a
static constexpr Loops LOOPS_ReluBody = {{loop1<ReluBody, float>, loop1<ReluBody, float>, loop1<ReluBody, float>, loop1<ReluBody, int8_t>, loop1<ReluBody, int16_t>, loop1<ReluBody, int32_t>, loop1<ReluBody, uint8_t>, loop1<ReluBody, uint16_t>, loop1<ReluBody, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// a > 0 ? a : a * s
static constexpr Loops LOOPS_LreluBody = {{loop2<LreluBody, float>, loop2<LreluBody, float>, loop2<LreluBody, float>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// ~a
static constexpr Loops LOOPS_NotBody = {{nullptr, nullptr, nullptr, loop1<NotBody, int8_t>, loop1<NotBody, int16_t>, loop1<NotBody, int32_t>, loop1<NotBody, uint8_t>, loop1<NotBody, uint16_t>, loop1<NotBody, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// exp(narrow(a - b))
static constexpr Loops LOOPS_RowExpandExpdifBody = {{loop2<RowExpandExpdifBody, float>, loop2<RowExpandExpdifBody, Half>, loop2<RowExpandExpdifBody, Brain>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// b
static constexpr Loops LOOPS_RowExpandBody = {{loop1<RowExpandBody, float>, loop1<RowExpandBody, float>, loop1<RowExpandBody, float>, loop1<RowExpandBody, int8_t>, loop1<RowExpandBody, int16_t>, loop1<RowExpandBody, int32_t>, loop1<RowExpandBody, uint8_t>, loop1<RowExpandBody, uint16_t>, loop1<RowExpandBody, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// s
static constexpr Loops LOOPS_ExpandsBody = {{loop1<ExpandsBody, float>, loop1<ExpandsBody, float>, loop1<ExpandsBody, float>, loop1<ExpandsBody, int8_t>, loop1<ExpandsBody, int16_t>, loop1<ExpandsBody, int32_t>, loop1<ExpandsBody, uint8_t>, loop1<ExpandsBody, uint16_t>, loop1<ExpandsBody, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

void TADD(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TADD", LOOPS_AddBody, dst, lhs, rhs); }
void TADDS(const Tile& dst, const Tile& lhs, double rhs) { drive("TADDS", LOOPS_AddBody, dst, lhs, rhs); }
void TADDS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TADDS", LOOPS_AddBody, dst, lhs, rhs); }
void TSUB(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TSUB", LOOPS_SubBody, dst, lhs, rhs); }
void TSUBS(const Tile& dst, const Tile& lhs, double rhs) { drive("TSUBS", LOOPS_SubBody, dst, lhs, rhs); }
void TSUBS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TSUBS", LOOPS_SubBody, dst, lhs, rhs); }
void TMUL(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TMUL", LOOPS_MulBody, dst, lhs, rhs); }
void TMULS(const Tile& dst, const Tile& lhs, double rhs) { drive("TMULS", LOOPS_MulBody, dst, lhs, rhs); }
void TMULS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TMULS", LOOPS_MulBody, dst, lhs, rhs); }
void TDIV(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TDIV", LOOPS_DivBody, dst, lhs, rhs); }
void TDIVS(const Tile& dst, const Tile& lhs, double rhs) { drive("TDIVS", LOOPS_DivBody, dst, lhs, rhs); }
void TDIVS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TDIVS", LOOPS_DivBody, dst, lhs, rhs); }
void TMAX(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TMAX", LOOPS_MaximumBody, dst, lhs, rhs); }
void TMAXS(const Tile& dst, const Tile& lhs, double rhs) { drive("TMAXS", LOOPS_MaximumBody, dst, lhs, rhs); }
void TMAXS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TMAXS", LOOPS_MaximumBody, dst, lhs, rhs); }
void TMIN(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TMIN", LOOPS_MinimumBody, dst, lhs, rhs); }
void TMINS(const Tile& dst, const Tile& lhs, double rhs) { drive("TMINS", LOOPS_MinimumBody, dst, lhs, rhs); }
void TMINS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TMINS", LOOPS_MinimumBody, dst, lhs, rhs); }
void TFMOD(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TFMOD", LOOPS_FmodBody, dst, lhs, rhs); }
void TFMODS(const Tile& dst, const Tile& lhs, double rhs) { drive("TFMODS", LOOPS_FmodBody, dst, lhs, rhs); }
void TFMODS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TFMODS", LOOPS_FmodBody, dst, lhs, rhs); }
void TREM(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TREM", LOOPS_RemBody, dst, lhs, rhs); }
void TREMS(const Tile& dst, const Tile& lhs, double rhs) { drive("TREMS", LOOPS_RemBody, dst, lhs, rhs); }
void TREMS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TREMS", LOOPS_RemBody, dst, lhs, rhs); }
void TADDC(const Tile& dst, const Tile& a, const Tile& b, const Tile& c) { drive("TADDC", LOOPS_AddcBody, dst, a, b, c); }
void TSUBC(const Tile& dst, const Tile& a, const Tile& b, const Tile& c) { drive("TSUBC", LOOPS_SubcBody, dst, a, b, c); }
void TADDSC(const Tile& dst, const Tile& a, double scalar, const Tile& c) { drive("TADDSC", LOOPS_AddscBody, dst, a, c, scalar); }
void TADDSC(const Tile& dst, const Tile& a, int64_t scalar, const Tile& c) { drive("TADDSC", LOOPS_AddscBody, dst, a, c, scalar); }
void TSUBSC(const Tile& dst, const Tile& a, double scalar, const Tile& c) { drive("TSUBSC", LOOPS_SubscBody, dst, a, c, scalar); }
void TSUBSC(const Tile& dst, const Tile& a, int64_t scalar, const Tile& c) { drive("TSUBSC", LOOPS_SubscBody, dst, a, c, scalar); }
void TPRELU(const Tile& dst, const Tile& x, const Tile& slope) { drive("TPRELU", LOOPS_PreluBody, dst, x, slope); }
void TAND(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TAND", LOOPS_AndBody, dst, lhs, rhs); }
void TANDS(const Tile& dst, const Tile& lhs, double rhs) { drive("TANDS", LOOPS_AndBody, dst, lhs, rhs); }
void TANDS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TANDS", LOOPS_AndBody, dst, lhs, rhs); }
void TOR(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TOR", LOOPS_OrBody, dst, lhs, rhs); }
void TORS(const Tile& dst, const Tile& lhs, double rhs) { drive("TORS", LOOPS_OrBody, dst, lhs, rhs); }
void TORS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TORS", LOOPS_OrBody, dst, lhs, rhs); }
void TXOR(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TXOR", LOOPS_XorBody, dst, lhs, rhs); }
void TXORS(const Tile& dst, const Tile& lhs, double rhs) { drive("TXORS", LOOPS_XorBody, dst, lhs, rhs); }
void TXORS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TXORS", LOOPS_XorBody, dst, lhs, rhs); }
void TSHL(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TSHL", LOOPS_ShlBody, dst, lhs, rhs); }
void TSHLS(const Tile& dst, const Tile& lhs, double rhs) { drive("TSHLS", LOOPS_ShlBody, dst, lhs, rhs); }
void TSHLS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TSHLS", LOOPS_ShlBody, dst, lhs, rhs); }
void TSHR(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TSHR", LOOPS_ShrBody, dst, lhs, rhs); }
void TSHRS(const Tile& dst, const Tile& lhs, double rhs) { drive("TSHRS", LOOPS_ShrBody, dst, lhs, rhs); }
void TSHRS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TSHRS", LOOPS_ShrBody, dst, lhs, rhs); }
void TEXP(const Tile& dst, const Tile& x) { drive("TEXP", LOOPS_ExpBody, dst, x); }
void TLOG(const Tile& dst, const Tile& x) { drive("TLOG", LOOPS_LogBody, dst, x); }
void TSQRT(const Tile& dst, const Tile& x) { drive("TSQRT", LOOPS_SqrtBody, dst, x); }
void TRSQRT(const Tile& dst, const Tile& x) { drive("TRSQRT", LOOPS_RsqrtBody, dst, x); }
void TRECIP(const Tile& dst, const Tile& x) { drive("TRECIP", LOOPS_RecipBody, dst, x); }
void TSIN(const Tile& dst, const Tile& x) { drive("TSIN", LOOPS_SinBody, dst, x); }
void TCOS(const Tile& dst, const Tile& x) { drive("TCOS", LOOPS_CosBody, dst, x); }
void TNEG(const Tile& dst, const Tile& x) { drive("TNEG", LOOPS_NegBody, dst, x); }
void TABS(const Tile& dst, const Tile& x) { drive("TABS", LOOPS_AbsBody, dst, x); }
void TRELU(const Tile& dst, const Tile& x) { drive("TRELU", LOOPS_ReluBody, dst, x); }
void TLRELU(const Tile& dst, const Tile& x, double slope) { drive("TLRELU", LOOPS_LreluBody, dst, x, slope); }
void TLRELU(const Tile& dst, const Tile& x, int64_t slope) { drive("TLRELU", LOOPS_LreluBody, dst, x, slope); }
void TNOT(const Tile& dst, const Tile& x) { drive("TNOT", LOOPS_NotBody, dst, x); }
void TROWEXPANDADD(const Tile& dst, const Tile& x, const Tile& row_vec) { drive("TROWEXPANDADD", LOOPS_AddBody, dst, x, Operand(Operand::COLUMN, row_vec)); }
void TCOLEXPANDADD(const Tile& dst, const Tile& x, const Tile& col_vec) { drive("TCOLEXPANDADD", LOOPS_AddBody, dst, x, Operand(Operand::ROW, col_vec)); }
void TROWEXPANDSUB(const Tile& dst, const Tile& x, const Tile& row_vec) { drive("TROWEXPANDSUB", LOOPS_SubBody, dst, x, Operand(Operand::COLUMN, row_vec)); }
void TCOLEXPANDSUB(const Tile& dst, const Tile& x, const Tile& col_vec) { drive("TCOLEXPANDSUB", LOOPS_SubBody, dst, x, Operand(Operand::ROW, col_vec)); }
void TROWEXPANDMUL(const Tile& dst, const Tile& x, const Tile& row_vec) { drive("TROWEXPANDMUL", LOOPS_MulBody, dst, x, Operand(Operand::COLUMN, row_vec)); }
void TCOLEXPANDMUL(const Tile& dst, const Tile& x, const Tile& col_vec) { drive("TCOLEXPANDMUL", LOOPS_MulBody, dst, x, Operand(Operand::ROW, col_vec)); }
void TROWEXPANDDIV(const Tile& dst, const Tile& x, const Tile& row_vec) { drive("TROWEXPANDDIV", LOOPS_DivBody, dst, x, Operand(Operand::COLUMN, row_vec)); }
void TCOLEXPANDDIV(const Tile& dst, const Tile& x, const Tile& col_vec) { drive("TCOLEXPANDDIV", LOOPS_DivBody, dst, x, Operand(Operand::ROW, col_vec)); }
void TROWEXPANDMAX(const Tile& dst, const Tile& x, const Tile& row_vec) { drive("TROWEXPANDMAX", LOOPS_MaximumBody, dst, x, Operand(Operand::COLUMN, row_vec)); }
void TCOLEXPANDMAX(const Tile& dst, const Tile& x, const Tile& col_vec) { drive("TCOLEXPANDMAX", LOOPS_MaximumBody, dst, x, Operand(Operand::ROW, col_vec)); }
void TROWEXPANDMIN(const Tile& dst, const Tile& x, const Tile& row_vec) { drive("TROWEXPANDMIN", LOOPS_MinimumBody, dst, x, Operand(Operand::COLUMN, row_vec)); }
void TCOLEXPANDMIN(const Tile& dst, const Tile& x, const Tile& col_vec) { drive("TCOLEXPANDMIN", LOOPS_MinimumBody, dst, x, Operand(Operand::ROW, col_vec)); }
void TROWEXPANDEXPDIF(const Tile& dst, const Tile& x, const Tile& row_vec) { drive("TROWEXPANDEXPDIF", LOOPS_RowExpandExpdifBody, dst, x, Operand(Operand::COLUMN, row_vec)); }
void TCOLEXPANDEXPDIF(const Tile& dst, const Tile& x, const Tile& col_vec) { drive("TCOLEXPANDEXPDIF", LOOPS_RowExpandExpdifBody, dst, x, Operand(Operand::ROW, col_vec)); }
void TROWEXPAND(const Tile& dst, const Tile& row_vec) { drive("TROWEXPAND", LOOPS_RowExpandBody, dst, Operand(Operand::COLUMN, row_vec)); }
void TCOLEXPAND(const Tile& dst, const Tile& col_vec) { drive("TCOLEXPAND", LOOPS_RowExpandBody, dst, Operand(Operand::ROW, col_vec)); }
void TEXPANDS(const Tile& dst, double value) { drive("TEXPANDS", LOOPS_ExpandsBody, dst, value); }
void TEXPANDS(const Tile& dst, int64_t value) { drive("TEXPANDS", LOOPS_ExpandsBody, dst, value); }
void TROWSUM(const Tile& dst, const Tile& x) { fold_rows("TROWSUM", LOOPS_AddBody, dst, x, true); }
void TROWMAX(const Tile& dst, const Tile& x) { fold_rows("TROWMAX", LOOPS_MaximumBody, dst, x, false); }
void TROWMIN(const Tile& dst, const Tile& x) { fold_rows("TROWMIN", LOOPS_MinimumBody, dst, x, false); }
void TROWPROD(const Tile& dst, const Tile& x) { fold_rows("TROWPROD", LOOPS_MulBody, dst, x, false); }
void TCOLSUM(const Tile& dst, const Tile& x) { fold_columns("TCOLSUM", LOOPS_AddBody, dst, x, false); }
void TCOLMAX(const Tile& dst, const Tile& x) { fold_columns("TCOLMAX", LOOPS_MaximumBody, dst, x, false); }
void TCOLMIN(const Tile& dst, const Tile& x) { fold_columns("TCOLMIN", LOOPS_MinimumBody, dst, x, false); }
void TCOLPROD(const Tile& dst, const Tile& x) { fold_columns("TCOLPROD", LOOPS_MulBody, dst, x, false); }

}  // namespace pto
