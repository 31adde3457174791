// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of BTF as the layouts that images have, by which values are read and written.
#pragma once

#include <lathe/image.h>

#include "runtimes/bpf/types/btf.h"

namespace lathe::bpf::detail {

/// The layout of a type by value; what it points to stays opaque. Members lie within their records, whatever the BTF
/// says: those that do not are left out. A section is a record of its variables.
[[nodiscard]] TypeLayout layoutOf(const Btf& types, std::uint32_t number);

/// The types in a map's definition by BTF: members "key" and "value", pointers to them. A buffer's records are what the
/// array that "type" points to is one of: libbpf takes the length only, and int stands for nothing. 0: it has none.
struct MapDefinition {
  std::uint32_t key = 0, value = 0, record = 0;
};
[[nodiscard]] MapDefinition definitionOf(const Btf& types, std::string_view map);

}  // namespace lathe::bpf::detail
