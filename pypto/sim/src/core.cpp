#include "core.hpp"

#include <vector>

#include "error.hpp"

namespace pto {

CoreState& core() {
    static thread_local CoreState instance;
    return instance;
}

void CoreState::set_capacity(const int64_t* bytes) {
    for (int space = VEC; space < SPACES; ++space) {
        if (allocated[space] < bytes[space]) {
            arena[space].reset(new char[static_cast<size_t>(bytes[space])]);
            allocated[space] = bytes[space];
            poison(arena[space].get(), bytes[space]);
        }
        capacity[space] = bytes[space];
    }
}

void CoreState::start_task() {
    kernel = "(before kernel_begin)";
    std::memcpy(used, capacity, sizeof used);
}

std::string CoreState::place() const {
    if (!kernel) return "orchestration";
    if (blocks == 1) return text("kernel %s", kernel);
    return text("kernel %s, block %lld of %lld", kernel, static_cast<long long>(block), static_cast<long long>(blocks));
}

void kernel_begin(const char* name, int64_t vec, int64_t mat, int64_t left, int64_t right, int64_t acc, int64_t bias) {
    CoreState& self = core();
    self.kernel = name;
    const int64_t asked[SPACES] = {0, vec, mat, left, right, acc, bias};
    for (int space = VEC; space < SPACES; ++space) {
        if (asked[space] < 0 || asked[space] > self.capacity[space])
            fail("the kernel needs %lld bytes of %s, and a core has %lld; use smaller tiles", (long long)asked[space],
                 name_of(Space(space)), (long long)self.capacity[space]);
        self.used[space] = asked[space];
        poison(self.arena[space].get(), asked[space]);
    }
}

std::string describe(const Tile& tile) {
    std::string result = text("%s tile [%d, %d] %s at byte %lld", name_of(tile.space), tile.rows, tile.cols,
                              name_of(tile.dtype), (long long)tile.address);
    if (tile.valid_rows != tile.rows || tile.valid_cols != tile.cols)
        result += text(", valid [%lld, %lld]", (long long)tile.valid_rows, (long long)tile.valid_cols);
    return result;
}

View open(const char* op, const char* role, const Tile& tile) {
    CoreState& self = core();
    if (tile.space < VEC || tile.space > BIAS)
        fail("%s: %s is in %s; tiles live in on-chip memory", op, role, name_of(tile.space));
    int size = size_of(tile.dtype);
    if (tile.rows < 1 || tile.cols < 1 || tile.row_stride < 0 || tile.col_stride < 0)
        fail("%s: %s %s has an empty shape or a negative stride", op, role, describe(tile).c_str());
    if (tile.valid_rows < 0 || tile.valid_rows > tile.rows || tile.valid_cols < 0 || tile.valid_cols > tile.cols)
        fail("%s: the valid region of %s %s is outside its shape", op, role, describe(tile).c_str());
    int64_t last = (tile.rows - 1) * int64_t(tile.row_stride) + (tile.cols - 1) * int64_t(tile.col_stride);
    int64_t end = tile.address + (last + 1) * size;
    if (tile.address < 0 || end > self.used[tile.space])
        fail("%s: %s %s ends at byte %lld, outside the %lld bytes of %s that the kernel uses", op, role,
             describe(tile).c_str(), (long long)end, (long long)self.used[tile.space], name_of(tile.space));
    if (tile.address % size != 0)
        fail("%s: %s %s is misaligned for elements of %d bytes", op, role, describe(tile).c_str(), size);
    return View{self.arena[tile.space].get() + tile.address, tile.valid_rows, tile.valid_cols, tile.row_stride,
                tile.col_stride, tile.dtype, size};
}

View open_operand(const char* op, const char* role, const Tile& tile, int64_t rows, int64_t cols) {
    View view = open(op, role, tile);
    if (view.rows < rows || view.cols < cols)
        fail("%s: reads [%lld, %lld] cells of %s %s, beyond its valid region", op, (long long)rows, (long long)cols, role,
             describe(tile).c_str());
    view.rows = rows;
    view.cols = cols;
    return view;
}

void poison(void* data, int64_t bytes) {
    // Tiles start at addresses that are a multiple of their element size, so a byte's parity says which half it gets.
    char* at = static_cast<char*>(data);
    char* end = at + bytes;
    if (at < end && (reinterpret_cast<uintptr_t>(at) & 1)) *at++ = char(POISON >> 8);
    for (; at + 1 < end; at += 2) std::memcpy(at, &POISON, 2);
    if (at < end) *at = char(POISON & 0xFF);
}

static void poison_cells(const View& view, int64_t row_from, int64_t row_to, int64_t col_from, int64_t col_to) {
    for (int64_t row = row_from; row < row_to; ++row) {
        if (view.col_stride == 1) {
            poison(view.at(row, col_from), (col_to - col_from) * view.size);
        } else {
            for (int64_t col = col_from; col < col_to; ++col) poison(view.at(row, col), view.size);
        }
    }
}

void poison_outside(const Tile& tile, const View& view) {
    if (tile.valid_cols < tile.cols) poison_cells(view, 0, tile.valid_rows, tile.valid_cols, tile.cols);
    if (tile.valid_rows < tile.rows) poison_cells(view, tile.valid_rows, tile.rows, 0, tile.cols);
}

void poison_all(const Tile& tile, const View& view) { poison_cells(view, 0, tile.rows, 0, tile.cols); }

template <class T>
static void copy_strided(const View& dst, const View& src) {
    for (int64_t row = 0; row < dst.rows; ++row) {
        T* to = reinterpret_cast<T*>(dst.at(row, 0));
        const T* from = reinterpret_cast<const T*>(src.at(row, 0));
        for (int64_t col = 0; col < dst.cols; ++col) to[col * dst.col_stride] = from[col * src.col_stride];
    }
}

static void copy_disjoint(const View& dst, const View& src) {
    if (dst.rows == 0 || dst.cols == 0) return;
    bool rows_packed = dst.col_stride == 1 && src.col_stride == 1;
    if (rows_packed && dst.row_stride == dst.cols && src.row_stride == dst.cols) {
        std::memmove(dst.data, src.data, static_cast<size_t>(dst.rows * dst.cols * dst.size));
    } else if (rows_packed) {
        for (int64_t row = 0; row < dst.rows; ++row)
            std::memmove(dst.at(row, 0), src.at(row, 0), static_cast<size_t>(dst.cols * dst.size));
    } else if (dst.size == 4) {
        copy_strided<uint32_t>(dst, src);
    } else if (dst.size == 2) {
        copy_strided<uint16_t>(dst, src);
    } else if (dst.size == 1) {
        copy_strided<uint8_t>(dst, src);
    } else {
        copy_strided<uint64_t>(dst, src);
    }
}

static const char* end_of(const View& view) { return view.at(view.rows - 1, view.cols - 1) + view.size; }

void copy_cells(const View& dst, const View& src) {
    if (dst.rows == 0 || dst.cols == 0) return;
    bool overlaps = dst.data < end_of(src) && src.data < end_of(dst) && dst.data != src.data;
    bool transposes = dst.data == src.data && (dst.row_stride != src.row_stride || dst.col_stride != src.col_stride);
    if (!overlaps && !transposes) {
        copy_disjoint(dst, src);
        return;
    }
    std::vector<char> buffer(static_cast<size_t>(dst.rows * dst.cols * dst.size));
    View between{buffer.data(), dst.rows, dst.cols, dst.cols, 1, dst.dtype, dst.size};
    copy_disjoint(between, src);
    copy_disjoint(dst, between);
}

}  // namespace pto
