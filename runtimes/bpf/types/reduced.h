// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a kernel's types that one object is relocated by (CO-RE), as BTF of its own: libbpf reads it instead of
// the kernel's, which takes it 9 ms for each object, and kernels without types of their own are given it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "runtimes/bpf/types/btf.h"

namespace lathe::bpf::detail {

/// The types of `kernel` that the relocations of an object name, and all that those are compared by.
struct ReducedTypes {
  std::vector<std::byte> bytes;  ///< BTF
  /// True if libbpf makes the same of these types as of the kernel's: each name was found, so that it would look into
  /// no module, and no relocation asks for the number of a kernel's type.
  bool isSame = true;
};

/// Nothing if the object has no relocations, or is damaged.
[[nodiscard]] std::optional<ReducedTypes> reducedTypes(std::span<const std::byte> elf, const Btf& kernel);

/// The running kernel's types, read once for the process; null if it shows none.
[[nodiscard]] const Btf* runningKernel();

}  // namespace lathe::bpf::detail
