// A window of a tensor beside the tile that holds it: which cells move, and whether the tensor has them.
#pragma once
#include <algorithm>

#include "core.hpp"

namespace pto {

// The last dimension of a window gives the columns of the tile, the others, flattened, its rows.
struct Window {
    const Tensor& tensor;
    const Tile& tile;
    Index offset;
    Index shape;   // the window; rows of the tile are counted in it
    Index extent;  // the cells of it that move; the tile's own valid region limits them further

    // As large as the tile, over the last two dimensions.
    Window(const char* op, const Tensor& tensor, const Tile& tile, const Index& offset);
    Window(const char* op, const Tensor& tensor, const Tile& tile, const Index& offset, const Index& shape, const Index& extent);

    bool is_upright() const { return tensor.rank == 1 && tile.cols == 1 && tile.rows > 1; }  // a column over rank 1
    bool fills_tile() const;
    void check(const char* op) const;  // fails when cells that move lie outside the tensor, or the tile is too small
};

// Calls move(tensor cells, tile cells) for the last two dimensions at every place of the leading ones.
template <class Move>
void for_each_plane(const Window& window, const View& tile, Move move);

const char* name_of(const Tensor& tensor);

// ---- template -----------------------------------------------------------------------------------------------------

template <class Visit>
void for_each_place(const Window& window, Visit visit) {
    int32_t rank = window.tensor.rank;
    bool upright = window.is_upright();
    int64_t all_rows = rank > 1 ? window.extent.at[rank - 2] : upright ? window.extent.at[0] : 1;
    int64_t cols = std::min(upright ? 1 : window.extent.at[rank - 1], window.tile.valid_cols);
    for (int32_t axis = 0; axis + 2 < rank; ++axis)
        if (window.extent.at[axis] <= 0) return;
    if (all_rows <= 0 || cols <= 0) return;
    Index at = {};
    for (int32_t axis = 0; axis >= 0;) {
        int64_t row = 0;
        for (axis = 0; axis + 2 < rank; ++axis) row = (row + at.at[axis]) * window.shape.at[axis + 1];
        int64_t rows = std::min(all_rows, window.tile.valid_rows - row);
        if (rows > 0) visit(at, row, rows, cols);
        for (axis = rank - 3; axis >= 0; --axis) {
            if (++at.at[axis] < window.extent.at[axis]) break;
            at.at[axis] = 0;
        }
    }
}

template <class Move>
void for_each_plane(const Window& window, const View& tile, Move move) {
    const Tensor& tensor = window.tensor;
    int size = size_of(tensor.dtype);
    int32_t rank = tensor.rank;
    bool upright = window.is_upright();
    int64_t col_stride = tensor.stride[rank - 1], row_stride = rank > 1 ? tensor.stride[rank - 2] : 0;
    if (upright) std::swap(row_stride, col_stride);
    for_each_place(window, [&](const Index& at, int64_t row, int64_t rows, int64_t cols) {
        char* data = static_cast<char*>(tensor.data);
        for (int32_t axis = 0; axis < rank; ++axis) data += (window.offset.at[axis] + at.at[axis]) * tensor.stride[axis] * size;
        View outside{data, rows, cols, row_stride, col_stride, DType(tensor.dtype), size};
        View inside{tile.at(row, 0), rows, cols, tile.row_stride, tile.col_stride, tile.dtype, tile.size};
        move(outside, inside);
    });
}

}  // namespace pto
