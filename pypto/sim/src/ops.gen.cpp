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
static constexpr Loops LOOPS_Body0 = {{loop2<Body0, float>, loop2<Body0, float>, loop2<Body0, float>, loop2<Body0, int8_t>, loop2<Body0, int16_t>, loop2<Body0, int32_t>, loop2<Body0, uint8_t>, loop2<Body0, uint16_t>, loop2<Body0, uint32_t>}, {fold<Body0, float>, fold<Body0, Half>, fold<Body0, Brain>, fold<Body0, int8_t>, fold<Body0, int16_t>, fold<Body0, int32_t>, fold<Body0, uint8_t>, fold<Body0, uint16_t>, fold<Body0, uint32_t>}, NO};

// a - b
static constexpr Loops LOOPS_Body1 = {{loop2<Body1, float>, loop2<Body1, float>, loop2<Body1, float>, loop2<Body1, int8_t>, loop2<Body1, int16_t>, loop2<Body1, int32_t>, loop2<Body1, uint8_t>, loop2<Body1, uint16_t>, loop2<Body1, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// a * b
static constexpr Loops LOOPS_Body2 = {{loop2<Body2, float>, loop2<Body2, float>, loop2<Body2, float>, loop2<Body2, int8_t>, loop2<Body2, int16_t>, loop2<Body2, int32_t>, loop2<Body2, uint8_t>, loop2<Body2, uint16_t>, loop2<Body2, uint32_t>}, {fold<Body2, float>, fold<Body2, Half>, fold<Body2, Brain>, fold<Body2, int8_t>, fold<Body2, int16_t>, fold<Body2, int32_t>, fold<Body2, uint8_t>, fold<Body2, uint16_t>, fold<Body2, uint32_t>}, NO};

// divide(a, b)
static constexpr Loops LOOPS_Body3 = {{loop2<Body3, float>, loop2<Body3, float>, loop2<Body3, float>, loop2<Body3, int8_t>, loop2<Body3, int16_t>, loop2<Body3, int32_t>, loop2<Body3, uint8_t>, loop2<Body3, uint16_t>, loop2<Body3, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, DIVIDES};

// b > a || b != b ? b : a
static constexpr Loops LOOPS_Body4 = {{loop2<Body4, float>, loop2<Body4, float>, loop2<Body4, float>, loop2<Body4, int8_t>, loop2<Body4, int16_t>, loop2<Body4, int32_t>, loop2<Body4, uint8_t>, loop2<Body4, uint16_t>, loop2<Body4, uint32_t>}, {fold<Body4, float>, fold<Body4, Half>, fold<Body4, Brain>, fold<Body4, int8_t>, fold<Body4, int16_t>, fold<Body4, int32_t>, fold<Body4, uint8_t>, fold<Body4, uint16_t>, fold<Body4, uint32_t>}, NO};

// b < a || b != b ? b : a
static constexpr Loops LOOPS_Body5 = {{loop2<Body5, float>, loop2<Body5, float>, loop2<Body5, float>, loop2<Body5, int8_t>, loop2<Body5, int16_t>, loop2<Body5, int32_t>, loop2<Body5, uint8_t>, loop2<Body5, uint16_t>, loop2<Body5, uint32_t>}, {fold<Body5, float>, fold<Body5, Half>, fold<Body5, Brain>, fold<Body5, int8_t>, fold<Body5, int16_t>, fold<Body5, int32_t>, fold<Body5, uint8_t>, fold<Body5, uint16_t>, fold<Body5, uint32_t>}, NO};

// modulo(a, b)
static constexpr Loops LOOPS_Body6 = {{loop2<Body6, float>, loop2<Body6, float>, loop2<Body6, float>, loop2<Body6, int8_t>, loop2<Body6, int16_t>, loop2<Body6, int32_t>, loop2<Body6, uint8_t>, loop2<Body6, uint16_t>, loop2<Body6, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, REMAINS};

// remainder(a, b)
static constexpr Loops LOOPS_Body7 = {{loop2<Body7, float>, loop2<Body7, float>, loop2<Body7, float>, loop2<Body7, int8_t>, loop2<Body7, int16_t>, loop2<Body7, int32_t>, loop2<Body7, uint8_t>, loop2<Body7, uint16_t>, loop2<Body7, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, REMAINS};

// a & b
static constexpr Loops LOOPS_Body8 = {{nullptr, nullptr, nullptr, loop2<Body8, int8_t>, loop2<Body8, int16_t>, loop2<Body8, int32_t>, loop2<Body8, uint8_t>, loop2<Body8, uint16_t>, loop2<Body8, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// a | b
static constexpr Loops LOOPS_Body9 = {{nullptr, nullptr, nullptr, loop2<Body9, int8_t>, loop2<Body9, int16_t>, loop2<Body9, int32_t>, loop2<Body9, uint8_t>, loop2<Body9, uint16_t>, loop2<Body9, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// a ^ b
static constexpr Loops LOOPS_Body10 = {{nullptr, nullptr, nullptr, loop2<Body10, int8_t>, loop2<Body10, int16_t>, loop2<Body10, int32_t>, loop2<Body10, uint8_t>, loop2<Body10, uint16_t>, loop2<Body10, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// b >= 0 && b < 32 ? a << b : 0
static constexpr Loops LOOPS_Body11 = {{nullptr, nullptr, nullptr, loop2<Body11, int8_t>, loop2<Body11, int16_t>, loop2<Body11, int32_t>, loop2<Body11, uint8_t>, loop2<Body11, uint16_t>, loop2<Body11, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// b >= 0 && b < 32 ? a >> b : a < 0 ? -1 : 0
static constexpr Loops LOOPS_Body12 = {{nullptr, nullptr, nullptr, loop2<Body12, int8_t>, loop2<Body12, int16_t>, loop2<Body12, int32_t>, loop2<Body12, uint8_t>, loop2<Body12, uint16_t>, loop2<Body12, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// exp(a)
static constexpr Loops LOOPS_Body13 = {{loop1<Body13, float>, loop1<Body13, float>, loop1<Body13, float>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// log(a)
static constexpr Loops LOOPS_Body14 = {{loop1<Body14, float>, loop1<Body14, float>, loop1<Body14, float>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// sqrt(a)
static constexpr Loops LOOPS_Body15 = {{loop1<Body15, float>, loop1<Body15, float>, loop1<Body15, float>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// rsqrt(a)
static constexpr Loops LOOPS_Body16 = {{loop1<Body16, float>, loop1<Body16, float>, loop1<Body16, float>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// 1 / a
static constexpr Loops LOOPS_Body17 = {{loop1<Body17, float>, loop1<Body17, float>, loop1<Body17, float>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// sin(a)
static constexpr Loops LOOPS_Body18 = {{loop1<Body18, float>, loop1<Body18, float>, loop1<Body18, float>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// cos(a)
static constexpr Loops LOOPS_Body19 = {{loop1<Body19, float>, loop1<Body19, float>, loop1<Body19, float>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// -a
static constexpr Loops LOOPS_Body20 = {{loop1<Body20, float>, loop1<Body20, float>, loop1<Body20, float>, loop1<Body20, int8_t>, loop1<Body20, int16_t>, loop1<Body20, int32_t>, loop1<Body20, uint8_t>, loop1<Body20, uint16_t>, loop1<Body20, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// a > 0 ? a : 0 - a
static constexpr Loops LOOPS_Body21 = {{loop1<Body21, float>, loop1<Body21, float>, loop1<Body21, float>, loop1<Body21, int8_t>, loop1<Body21, int16_t>, loop1<Body21, int32_t>, loop1<Body21, uint8_t>, loop1<Body21, uint16_t>, loop1<Body21, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// a < 0 ? 0 : a
static constexpr Loops LOOPS_Body22 = {{loop1<Body22, float>, loop1<Body22, float>, loop1<Body22, float>, loop1<Body22, int8_t>, loop1<Body22, int16_t>, loop1<Body22, int32_t>, loop1<Body22, uint8_t>, loop1<Body22, uint16_t>, loop1<Body22, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// a > 0 ? a : a * s
static constexpr Loops LOOPS_Body23 = {{loop2<Body23, float>, loop2<Body23, float>, loop2<Body23, float>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// ~a
static constexpr Loops LOOPS_Body24 = {{nullptr, nullptr, nullptr, loop1<Body24, int8_t>, loop1<Body24, int16_t>, loop1<Body24, int32_t>, loop1<Body24, uint8_t>, loop1<Body24, uint16_t>, loop1<Body24, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// exp(narrow(a - b))
static constexpr Loops LOOPS_Body25 = {{loop2<Body25, float>, loop2<Body25, Half>, loop2<Body25, Brain>, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// b
static constexpr Loops LOOPS_Body26 = {{loop1<Body26, float>, loop1<Body26, float>, loop1<Body26, float>, loop1<Body26, int8_t>, loop1<Body26, int16_t>, loop1<Body26, int32_t>, loop1<Body26, uint8_t>, loop1<Body26, uint16_t>, loop1<Body26, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

// s
static constexpr Loops LOOPS_Body27 = {{loop1<Body27, float>, loop1<Body27, float>, loop1<Body27, float>, loop1<Body27, int8_t>, loop1<Body27, int16_t>, loop1<Body27, int32_t>, loop1<Body27, uint8_t>, loop1<Body27, uint16_t>, loop1<Body27, uint32_t>}, {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, NO};

void TADD(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TADD", LOOPS_Body0, dst, lhs, rhs); }
void TADDS(const Tile& dst, const Tile& lhs, double rhs) { drive("TADDS", LOOPS_Body0, dst, lhs, rhs); }
void TADDS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TADDS", LOOPS_Body0, dst, lhs, rhs); }
void TSUB(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TSUB", LOOPS_Body1, dst, lhs, rhs); }
void TSUBS(const Tile& dst, const Tile& lhs, double rhs) { drive("TSUBS", LOOPS_Body1, dst, lhs, rhs); }
void TSUBS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TSUBS", LOOPS_Body1, dst, lhs, rhs); }
void TMUL(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TMUL", LOOPS_Body2, dst, lhs, rhs); }
void TMULS(const Tile& dst, const Tile& lhs, double rhs) { drive("TMULS", LOOPS_Body2, dst, lhs, rhs); }
void TMULS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TMULS", LOOPS_Body2, dst, lhs, rhs); }
void TDIV(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TDIV", LOOPS_Body3, dst, lhs, rhs); }
void TDIVS(const Tile& dst, const Tile& lhs, double rhs) { drive("TDIVS", LOOPS_Body3, dst, lhs, rhs); }
void TDIVS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TDIVS", LOOPS_Body3, dst, lhs, rhs); }
void TMAX(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TMAX", LOOPS_Body4, dst, lhs, rhs); }
void TMAXS(const Tile& dst, const Tile& lhs, double rhs) { drive("TMAXS", LOOPS_Body4, dst, lhs, rhs); }
void TMAXS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TMAXS", LOOPS_Body4, dst, lhs, rhs); }
void TMIN(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TMIN", LOOPS_Body5, dst, lhs, rhs); }
void TMINS(const Tile& dst, const Tile& lhs, double rhs) { drive("TMINS", LOOPS_Body5, dst, lhs, rhs); }
void TMINS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TMINS", LOOPS_Body5, dst, lhs, rhs); }
void TFMOD(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TFMOD", LOOPS_Body6, dst, lhs, rhs); }
void TFMODS(const Tile& dst, const Tile& lhs, double rhs) { drive("TFMODS", LOOPS_Body6, dst, lhs, rhs); }
void TFMODS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TFMODS", LOOPS_Body6, dst, lhs, rhs); }
void TREM(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TREM", LOOPS_Body7, dst, lhs, rhs); }
void TREMS(const Tile& dst, const Tile& lhs, double rhs) { drive("TREMS", LOOPS_Body7, dst, lhs, rhs); }
void TREMS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TREMS", LOOPS_Body7, dst, lhs, rhs); }
void TAND(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TAND", LOOPS_Body8, dst, lhs, rhs); }
void TANDS(const Tile& dst, const Tile& lhs, double rhs) { drive("TANDS", LOOPS_Body8, dst, lhs, rhs); }
void TANDS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TANDS", LOOPS_Body8, dst, lhs, rhs); }
void TOR(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TOR", LOOPS_Body9, dst, lhs, rhs); }
void TORS(const Tile& dst, const Tile& lhs, double rhs) { drive("TORS", LOOPS_Body9, dst, lhs, rhs); }
void TORS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TORS", LOOPS_Body9, dst, lhs, rhs); }
void TXOR(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TXOR", LOOPS_Body10, dst, lhs, rhs); }
void TXORS(const Tile& dst, const Tile& lhs, double rhs) { drive("TXORS", LOOPS_Body10, dst, lhs, rhs); }
void TXORS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TXORS", LOOPS_Body10, dst, lhs, rhs); }
void TSHL(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TSHL", LOOPS_Body11, dst, lhs, rhs); }
void TSHLS(const Tile& dst, const Tile& lhs, double rhs) { drive("TSHLS", LOOPS_Body11, dst, lhs, rhs); }
void TSHLS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TSHLS", LOOPS_Body11, dst, lhs, rhs); }
void TSHR(const Tile& dst, const Tile& lhs, const Tile& rhs) { drive("TSHR", LOOPS_Body12, dst, lhs, rhs); }
void TSHRS(const Tile& dst, const Tile& lhs, double rhs) { drive("TSHRS", LOOPS_Body12, dst, lhs, rhs); }
void TSHRS(const Tile& dst, const Tile& lhs, int64_t rhs) { drive("TSHRS", LOOPS_Body12, dst, lhs, rhs); }
void TEXP(const Tile& dst, const Tile& x) { drive("TEXP", LOOPS_Body13, dst, x); }
void TLOG(const Tile& dst, const Tile& x) { drive("TLOG", LOOPS_Body14, dst, x); }
void TSQRT(const Tile& dst, const Tile& x) { drive("TSQRT", LOOPS_Body15, dst, x); }
void TRSQRT(const Tile& dst, const Tile& x) { drive("TRSQRT", LOOPS_Body16, dst, x); }
void TRECIP(const Tile& dst, const Tile& x) { drive("TRECIP", LOOPS_Body17, dst, x); }
void TSIN(const Tile& dst, const Tile& x) { drive("TSIN", LOOPS_Body18, dst, x); }
void TCOS(const Tile& dst, const Tile& x) { drive("TCOS", LOOPS_Body19, dst, x); }
void TNEG(const Tile& dst, const Tile& x) { drive("TNEG", LOOPS_Body20, dst, x); }
void TABS(const Tile& dst, const Tile& x) { drive("TABS", LOOPS_Body21, dst, x); }
void TRELU(const Tile& dst, const Tile& x) { drive("TRELU", LOOPS_Body22, dst, x); }
void TLRELU(const Tile& dst, const Tile& x, double slope) { drive("TLRELU", LOOPS_Body23, dst, x, slope); }
void TLRELU(const Tile& dst, const Tile& x, int64_t slope) { drive("TLRELU", LOOPS_Body23, dst, x, slope); }
void TNOT(const Tile& dst, const Tile& x) { drive("TNOT", LOOPS_Body24, dst, x); }
void TROWEXPANDADD(const Tile& dst, const Tile& x, const Tile& row_vec) { drive("TROWEXPANDADD", LOOPS_Body0, dst, x, Operand(Operand::COLUMN, row_vec)); }
void TCOLEXPANDADD(const Tile& dst, const Tile& x, const Tile& col_vec) { drive("TCOLEXPANDADD", LOOPS_Body0, dst, x, Operand(Operand::ROW, col_vec)); }
void TROWEXPANDSUB(const Tile& dst, const Tile& x, const Tile& row_vec) { drive("TROWEXPANDSUB", LOOPS_Body1, dst, x, Operand(Operand::COLUMN, row_vec)); }
void TCOLEXPANDSUB(const Tile& dst, const Tile& x, const Tile& col_vec) { drive("TCOLEXPANDSUB", LOOPS_Body1, dst, x, Operand(Operand::ROW, col_vec)); }
void TROWEXPANDMUL(const Tile& dst, const Tile& x, const Tile& row_vec) { drive("TROWEXPANDMUL", LOOPS_Body2, dst, x, Operand(Operand::COLUMN, row_vec)); }
void TCOLEXPANDMUL(const Tile& dst, const Tile& x, const Tile& col_vec) { drive("TCOLEXPANDMUL", LOOPS_Body2, dst, x, Operand(Operand::ROW, col_vec)); }
void TROWEXPANDDIV(const Tile& dst, const Tile& x, const Tile& row_vec) { drive("TROWEXPANDDIV", LOOPS_Body3, dst, x, Operand(Operand::COLUMN, row_vec)); }
void TCOLEXPANDDIV(const Tile& dst, const Tile& x, const Tile& col_vec) { drive("TCOLEXPANDDIV", LOOPS_Body3, dst, x, Operand(Operand::ROW, col_vec)); }
void TROWEXPANDMAX(const Tile& dst, const Tile& x, const Tile& row_vec) { drive("TROWEXPANDMAX", LOOPS_Body4, dst, x, Operand(Operand::COLUMN, row_vec)); }
void TCOLEXPANDMAX(const Tile& dst, const Tile& x, const Tile& col_vec) { drive("TCOLEXPANDMAX", LOOPS_Body4, dst, x, Operand(Operand::ROW, col_vec)); }
void TROWEXPANDMIN(const Tile& dst, const Tile& x, const Tile& row_vec) { drive("TROWEXPANDMIN", LOOPS_Body5, dst, x, Operand(Operand::COLUMN, row_vec)); }
void TCOLEXPANDMIN(const Tile& dst, const Tile& x, const Tile& col_vec) { drive("TCOLEXPANDMIN", LOOPS_Body5, dst, x, Operand(Operand::ROW, col_vec)); }
void TROWEXPANDEXPDIF(const Tile& dst, const Tile& x, const Tile& row_vec) { drive("TROWEXPANDEXPDIF", LOOPS_Body25, dst, x, Operand(Operand::COLUMN, row_vec)); }
void TCOLEXPANDEXPDIF(const Tile& dst, const Tile& x, const Tile& col_vec) { drive("TCOLEXPANDEXPDIF", LOOPS_Body25, dst, x, Operand(Operand::ROW, col_vec)); }
void TROWEXPAND(const Tile& dst, const Tile& row_vec) { drive("TROWEXPAND", LOOPS_Body26, dst, Operand(Operand::COLUMN, row_vec)); }
void TCOLEXPAND(const Tile& dst, const Tile& col_vec) { drive("TCOLEXPAND", LOOPS_Body26, dst, Operand(Operand::ROW, col_vec)); }
void TEXPANDS(const Tile& dst, double value) { drive("TEXPANDS", LOOPS_Body27, dst, value); }
void TEXPANDS(const Tile& dst, int64_t value) { drive("TEXPANDS", LOOPS_Body27, dst, value); }
void TROWSUM(const Tile& dst, const Tile& x) { fold_rows("TROWSUM", LOOPS_Body0, dst, x, true); }
void TROWMAX(const Tile& dst, const Tile& x) { fold_rows("TROWMAX", LOOPS_Body4, dst, x, false); }
void TROWMIN(const Tile& dst, const Tile& x) { fold_rows("TROWMIN", LOOPS_Body5, dst, x, false); }
void TROWPROD(const Tile& dst, const Tile& x) { fold_rows("TROWPROD", LOOPS_Body2, dst, x, false); }
void TCOLSUM(const Tile& dst, const Tile& x) { fold_columns("TCOLSUM", LOOPS_Body0, dst, x, false); }
void TCOLMAX(const Tile& dst, const Tile& x) { fold_columns("TCOLMAX", LOOPS_Body4, dst, x, false); }
void TCOLMIN(const Tile& dst, const Tile& x) { fold_columns("TCOLMIN", LOOPS_Body5, dst, x, false); }
void TCOLPROD(const Tile& dst, const Tile& x) { fold_columns("TCOLPROD", LOOPS_Body2, dst, x, false); }

}  // namespace pto
