// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of BTF as the layouts that images have, by which values are read and written.
#pragma once

#include <lathe/image.h>

#include "runtimes/bpf/types/btf.h"

namespace lathe::bpf::detail {

/// The layout of a type by value; what it points to stays opaque. Members lie within their records, whatever the BTF
/// says: those that do not are left out. Bit-fields that share bytes are one opaque member, "a:3 b:5". A section is a
/// record of its variables.
[[nodiscard]] TypeLayout layoutOf(const Btf& types, std::uint32_t number);

}  // namespace lathe::bpf::detail
