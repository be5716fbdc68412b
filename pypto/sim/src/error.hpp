// How the library refuses: every violation throws SimError, which the run entry turns into a code and a message.
#pragma once
#include <cstdint>
#include <string>

namespace pto {

struct SimError {
    std::string message;
};

[[noreturn]] __attribute__((format(printf, 1, 2))) void fail(const char* format, ...);
__attribute__((format(printf, 1, 2))) std::string text(const char* format, ...);

}  // namespace pto
