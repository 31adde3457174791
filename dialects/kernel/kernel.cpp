// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lathe's own dialect: plain C++ with <lathe/device.h>. Clang compiles it for the 64-bit NVPTX ABI in plain C++ mode,
// not because the code is for NVIDIA, but because that ABI is the neutral one that portable IR is defined by: no
// register coercion, aggregates as byval pointers, 64-bit little-endian, `long double` = `double`.
#include <lathe/sdk/dialect.h>

namespace lathe::dialects {
namespace {

constexpr std::string_view extensions[] = {".cpp", ".lathe", ".cc", ".cxx", ".h", ".hpp"};

constexpr std::string_view arguments[] = {"-triple", "nvptx64-nvidia-cuda", "-x", "c++", "-fno-rtti"};

constexpr sdk::Explanation explanations[] = {
    {"cannot use 'throw' with exceptions disabled", "a kernel cannot throw an exception",
     "return an error value, or end the kernel with lathe::trap()"},
    {"cannot use 'try' with exceptions disabled", "a kernel cannot catch an exception: nothing throws one there",
     "leave the body of the try block, and let what it calls return an error value"},
    {"thread-local storage is not supported", "a thread_local variable, which no device has",
     "use a local variable, or an array with one element for each item"},
    {"use of dynamic_cast requires -frtti", "dynamic_cast needs run-time type information, which no device has",
     "give the base class a virtual function that answers, or keep the kind in a member"},
    {"use of typeid requires -frtti", "typeid needs run-time type information, which no device has",
     "give the base class a virtual function that answers, or keep the kind in a member"},
};

constexpr std::string_view libraryHeaders[] = {
    "algorithm", "array",   "atomic",  "bit",         "cassert",    "climits",     "cmath",   "complex",
    "concepts",  "cstddef", "cstdint", "cstring",     "functional", "iterator",    "limits",  "numeric",
    "optional",  "ratio",   "span",    "string_view", "tuple",      "type_traits", "utility", "variant"};

}  // namespace

// No adapt: its marks are annotations, which import reads.
extern const sdk::Dialect kernelDialect;
const sdk::Dialect kernelDialect = {
    .name = "kernel",
    .description = "C++20 with <lathe/device.h>",
    .extensions = extensions,
    .clangArguments = arguments,
    .kernelMarker = "LATHE_KERNEL",
    .prelude = "lathe/device.h",
    .libraryHeaders = libraryHeaders,
    .preludeOnRequest = true,
    .native = true,
    .explanations = explanations,
};

}  // namespace lathe::dialects
