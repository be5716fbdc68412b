#include "error.hpp"

#include <cstdarg>
#include <cstdio>

namespace pto {

static std::string render(const char* format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(nullptr, 0, format, arguments);
    std::string result(static_cast<size_t>(length < 0 ? 0 : length), '\0');
    vsnprintf(result.data(), result.size() + 1, format, again);
    va_end(again);
    return result;
}

std::string text(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    std::string result = render(format, arguments);
    va_end(arguments);
    return result;
}

void fail(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    SimError error{render(format, arguments)};
    va_end(arguments);
    throw error;
}

}  // namespace pto
