// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dialect outside of Lathe: the kernel language with two spellings of its own. `kernel` marks a kernel, and
// `each_cell(i, n)` is a loop over n cells, spread over the items.
#include <lathe/sdk/plugin.h>

namespace {

constexpr std::string_view extensions[] = {".stencil"};

/// The neutral ABI of portable IR, as in Lathe's own kernel language.
constexpr std::string_view arguments[] = {"-triple", "nvptx64-nvidia-cuda", "-x", "c++", "-fno-rtti"};

constexpr lathe::sdk::DialectHeader headers[] = {{"stencil/stencil.h", R"(#pragma once
#include <lathe/device.h>

#define kernel LATHE_KERNEL
// A loop over the cells of a line: one for each item, and on by the size of the grid.
#define each_cell(i, count) \
  for (unsigned i = lathe::global_id().x; i < unsigned(count); i += lathe::group_count().x * lathe::group_size().x)
)"}};

const lathe::sdk::Dialect stencil = {
    .name = "stencil",
    .description = "the kernel language with kernel and each_cell",
    .extensions = extensions,
    .clangArguments = arguments,
    .kernelMarker = "kernel",
    .prelude = "stencil/stencil.h",
    .preludeOnRequest = false,
    .headers = headers,
    .native = true,
};

int registerDialects(lathe::sdk::PluginRegistrar* registrar) {
  return lathe::sdk::addDialect(registrar, &stencil);
}

}  // namespace

LATHE_PLUGIN("stencil", "1.0", registerDialects);
