// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/job/emit_formats.h"

#include <algorithm>

namespace lathe::detail {
namespace {

constexpr std::string_view image = "image", imageOf = "image:";

}  // namespace

bool asksForImage(std::string_view emit) {
  return emit == image || emit.starts_with(imageOf);
}

std::vector<std::string_view> formatsNamed(std::string_view emit) {
  if (emit == image) return {};
  if (emit.starts_with(imageOf))
    emit.remove_prefix(imageOf.size());
  else
    return {emit};
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t comma = std::min(emit.find(','), emit.size());
    out.push_back(emit.substr(0, comma));
    if (comma == emit.size()) return out;
    emit.remove_prefix(comma + 1);
  }
}

}  // namespace lathe::detail
