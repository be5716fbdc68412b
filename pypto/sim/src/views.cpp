// Views of tiles: other figures over the same bytes. They are checked here, so that a view never reaches outside.
#include "core.hpp"
#include "error.hpp"

namespace pto {

Tile with_valid(const Tile& source, int64_t valid_rows, int64_t valid_cols) {
    if (valid_rows < 0 || valid_cols < 0 || valid_rows > source.rows || valid_cols > source.cols)
        fail("valid shape [%lld, %lld] is outside the %s", (long long)valid_rows, (long long)valid_cols,
             describe(source).c_str());
    Tile result = source;
    result.valid_rows = valid_rows;
    result.valid_cols = valid_cols;
    return result;
}

Tile subtile(const Tile& source, int64_t row, int64_t col, int32_t rows, int32_t cols, int64_t valid_rows,
             int64_t valid_cols) {
    if (row < 0 || col < 0 || row + rows > source.rows || col + cols > source.cols)
        fail("slice: [%d, %d] cells at [%lld, %lld] leave the %s", rows, cols, (long long)row, (long long)col,
             describe(source).c_str());
    Tile result = source;
    result.address += (row * source.row_stride + col * source.col_stride) * size_of(source.dtype);
    result.rows = rows;
    result.cols = cols;
    return with_valid(result, valid_rows, valid_cols);
}

Tile reshaped(const Tile& source, int32_t rows, int32_t cols, int64_t valid_rows, int64_t valid_cols) {
    bool is_packed = (source.cols == 1 || source.col_stride == 1) && (source.rows == 1 || source.row_stride == source.cols);
    if (!is_packed) fail("reshape: the %s is a view with gaps; copy it first", describe(source).c_str());
    if (int64_t(rows) * cols != int64_t(source.rows) * source.cols)
        fail("reshape: the %s does not have the cells of [%d, %d]", describe(source).c_str(), rows, cols);
    Tile result = source;
    result.rows = rows;
    result.cols = cols;
    result.row_stride = cols;
    result.col_stride = 1;
    return with_valid(result, valid_rows, valid_cols);
}

Tile transposed(const Tile& source) {
    Tile result = source;
    result.rows = source.cols;
    result.cols = source.rows;
    result.valid_rows = source.valid_cols;
    result.valid_cols = source.valid_rows;
    result.row_stride = source.col_stride;
    result.col_stride = source.row_stride;
    return result;
}

}  // namespace pto
