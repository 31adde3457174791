// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How files for a linker travel to workers and back.
#pragma once

#include <lathe/executable.h>

#include "core/values/describe.h"

namespace lathe::detail {

template <>
struct Description<LinkInput> {
  static constexpr auto fields = std::tuple(field("name", &LinkInput::name), field("bytes", &LinkInput::bytes));
};

}  // namespace lathe::detail
