// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The skeleton of a dialect: the kernel language with one more spelling, `kernel` in place of LATHE_KERNEL, which
// <lathe/null.h> defines. README.md lists the steps to a dialect of one's own.
#include <lathe/sdk/dialect.h>

namespace lathe::dialects {
namespace {

constexpr std::string_view extensions[] = {".null.cpp"};

/// The neutral ABI of portable IR, as in the kernel language (dialects/kernel/kernel.cpp).
constexpr std::string_view arguments[] = {"-triple", "nvptx64-nvidia-cuda", "-x", "c++", "-fno-rtti"};

}  // namespace

extern const sdk::Dialect nullDialect;
const sdk::Dialect nullDialect = {
    .name = "null",
    .description = "the skeleton of a dialect: the kernel language with <lathe/null.h>",
    .extensions = extensions,
    .clangArguments = arguments,
    .kernelMarker = "kernel",
    .prelude = "lathe/null.h",
    .preludeOnRequest = false,
    .native = true,
};

}  // namespace lathe::dialects
