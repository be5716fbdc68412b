#include "window.hpp"

#include <algorithm>

#include "error.hpp"

namespace pto {

static std::string list(const int64_t* values, int32_t count) {
    std::string result = "[";
    for (int32_t i = 0; i < count; ++i) result += text(i ? ", %lld" : "%lld", (long long)values[i]);
    return result + "]";
}

const char* name_of(const Tensor& tensor) { return tensor.name ? tensor.name : "(unnamed)"; }

static void check_rank(const char* op, const Tensor& tensor) {
    if (tensor.rank < 1 || tensor.rank > MAX_RANK)
        fail("%s: tensor %s has rank %d; the simulator takes 1 to %d", op, name_of(tensor), tensor.rank, MAX_RANK);
}

Window::Window(const char* op, const Tensor& tensor, const Tile& tile, const Index& offset)
    : tensor(tensor), tile(tile), offset(offset) {
    check_rank(op, tensor);
    int32_t last = tensor.rank - 1;
    for (int32_t axis = 0; axis < last; ++axis) shape.at[axis] = extent.at[axis] = 1;
    shape.at[last] = is_upright() ? tile.rows : tile.cols;
    extent.at[last] = is_upright() ? tile.valid_rows : tile.valid_cols;
    if (last > 0) {
        shape.at[last - 1] = tile.rows;
        extent.at[last - 1] = tile.valid_rows;
    }
}

Window::Window(const char* op, const Tensor& tensor, const Tile& tile, const Index& offset, const Index& shape,
               const Index& extent)
    : tensor(tensor), tile(tile), offset(offset), shape(shape), extent(extent) {
    check_rank(op, tensor);
}

bool Window::fills_tile() const {
    int64_t cells = 1;
    for (int32_t axis = 0; axis < tensor.rank; ++axis) {
        if (extent.at[axis] != shape.at[axis]) return false;
        cells *= shape.at[axis];
    }
    return cells == int64_t(tile.rows) * tile.cols && tile.valid_rows == tile.rows && tile.valid_cols == tile.cols;
}

void Window::check(const char* op) const {
    int32_t rank = tensor.rank;
    int64_t rows = 1, cols = shape.at[rank - 1];
    bool fits = true;
    for (int32_t axis = 0; axis < rank; ++axis) {
        fits = fits && extent.at[axis] >= 0 && extent.at[axis] <= shape.at[axis];
        if (axis + 1 < rank) rows *= shape.at[axis];
    }
    if (is_upright()) std::swap(rows, cols);
    if (!fits || rows > tile.rows || cols > tile.cols)
        fail("%s: window %s, valid %s, of tensor %s does not fit the %s", op, list(shape.at, rank).c_str(),
             list(extent.at, rank).c_str(), name_of(tensor), describe(tile).c_str());

    Index reach = {};  // one past the last cell that moves, counted from the offset
    for_each_place(*this, [&](const Index& at, int64_t, int64_t moved_rows, int64_t moved_cols) {
        for (int32_t axis = 0; axis + 2 < rank; ++axis) reach.at[axis] = std::max(reach.at[axis], at.at[axis] + 1);
        reach.at[rank - 1] = is_upright() ? moved_rows : moved_cols;
        if (rank > 1) reach.at[rank - 2] = std::max(reach.at[rank - 2], moved_rows);
    });
    for (int32_t axis = 0; axis < rank; ++axis) {
        int64_t begin = offset.at[axis], end = begin + reach.at[axis];
        if (reach.at[axis] > 0 && (begin < 0 || end > tensor.shape[axis]))
            fail("%s: tensor %s %s %s, offset %s, valid window %s: dimension %d goes from %lld to %lld and the tensor has %lld; "
                 "narrow the valid shape or move the offset (%s)",
                 op, name_of(tensor), list(tensor.shape, rank).c_str(), name_of(tensor.dtype), list(offset.at, rank).c_str(),
                 list(reach.at, rank).c_str(), axis, (long long)begin, (long long)end, (long long)tensor.shape[axis],
                 describe(tile).c_str());
    }
}

}  // namespace pto
