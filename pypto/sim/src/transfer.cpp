// Between global memory and tiles: the load, the store and the adding store, checked against the tensor's bounds.
#include <mutex>

#include "convert.hpp"
#include "drive.hpp"
#include "error.hpp"
#include "window.hpp"

namespace pto {

namespace {

bool same_dtype(int32_t a, int32_t b) { return a == b || (a == INT64 && b == INDEX) || (a == INDEX && b == INT64); }

void load(const Window& window) {
    const Tile& dst = window.tile;
    View view = open("TLOAD", "the result", dst);
    window.check("TLOAD");
    if (!same_dtype(window.tensor.dtype, dst.dtype))
        fail("TLOAD: tensor %s has dtype %s, the tile %s; a load does not convert", name_of(window.tensor),
             name_of(window.tensor.dtype), name_of(dst.dtype));
    if (!window.fills_tile()) poison_all(dst, view);
    for_each_plane(window, view, [](const View& from, const View& to) { copy_cells(to, from); });
}

template <class T>
void add_integers(const View& to, const View& from) {
    for (int64_t row = 0; row < from.rows; ++row)
        for (int64_t col = 0; col < from.cols; ++col) {
            T* cell = reinterpret_cast<T*>(to.at(row, col));
            *cell = static_cast<T>(*cell + *reinterpret_cast<const T*>(from.at(row, col)));
        }
}

// Rows that are floats on both sides: what the tile holds is rounded to the tensor's dtype, then stored or added.
void move_floats(const View& to, const View& from, bool adds) {
    float moved[CHUNK], old[CHUNK];
    uint32_t rounded[CHUNK];
    for (int64_t row = 0; row < from.rows; ++row)
        for (int64_t col = 0; col < from.cols; col += CHUNK) {
            int64_t n = std::min(from.cols - col, CHUNK);
            widen_run(moved, from.at(row, col), from.col_stride, from.dtype, n);
            if (adds) {
                narrow_run(rounded, 1, moved, to.dtype, n);
                widen_run(moved, rounded, 1, to.dtype, n);
                widen_run(old, to.at(row, col), to.col_stride, to.dtype, n);
                for (int64_t i = 0; i < n; ++i) moved[i] += old[i];
            }
            narrow_run(to.at(row, col), to.col_stride, moved, to.dtype, n);
        }
}

void add_cells(const View& to, const View& from) {
    switch (to.dtype) {
        case FP32: case FP16: case BF16: return move_floats(to, from, true);
        case INT8: case UINT8: return add_integers<uint8_t>(to, from);
        case INT16: case UINT16: return add_integers<uint16_t>(to, from);
        case INT32: case UINT32: return add_integers<uint32_t>(to, from);
        default: fail("TSTORE_ADD: dtype %s is not supported", name_of(to.dtype));
    }
}

std::mutex adding;  // one adding store at a time: tasks that run side by side may add to the same cells

void store(const char* op, const Window& window, bool adds) {
    const Tile& src = window.tile;
    const Tensor& dst = window.tensor;
    View view = open(op, "the tile", src);
    window.check(op);
    bool converts = !same_dtype(src.dtype, dst.dtype);
    if (converts && !(src.space == ACC && src.dtype == FP32 && (dst.dtype == FP16 || dst.dtype == BF16)))
        fail("%s: the tile has dtype %s and tensor %s %s; cast the tile first", op, name_of(src.dtype), name_of(dst),
             name_of(dst.dtype));
    for_each_plane(window, view, [&](const View& to, const View& from) {
        if (adds) {
            std::lock_guard<std::mutex> lock(adding);
            add_cells(to, from);
        } else if (converts) {
            move_floats(to, from, false);
        } else {
            copy_cells(to, from);
        }
    });
}

}  // namespace

void TLOAD(const Tile& dst, const Tensor& src, Index offset) { load(Window("TLOAD", src, dst, offset)); }

void TLOAD(const Tile& dst, const Tensor& src, Index offset, Index window, Index valid) {
    load(Window("TLOAD", src, dst, offset, window, valid));
}

void TSTORE(const Tensor& dst, Index offset, const Tile& src) {
    store("TSTORE", Window("TSTORE", dst, src, offset), false);
}

void TSTORE(const Tensor& dst, Index offset, const Tile& src, Index window, Index valid) {
    store("TSTORE", Window("TSTORE", dst, src, offset, window, valid), false);
}

void TSTORE_ADD(const Tensor& dst, Index offset, const Tile& src) {
    store("TSTORE_ADD", Window("TSTORE_ADD", dst, src, offset), true);
}

void TSTORE_ADD(const Tensor& dst, Index offset, const Tile& src, Index window, Index valid) {
    store("TSTORE_ADD", Window("TSTORE_ADD", dst, src, offset, window, valid), true);
}

}  // namespace pto
