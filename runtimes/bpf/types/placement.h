// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the compilers of C put the members of BTF's structures, and which structures must be packed to lie as BTF says.
#pragma once

#include <cstdint>
#include <map>

#include "runtimes/bpf/types/btf.h"

namespace lathe::bpf::detail {

/// Results are kept: the kernel's structures contain each other many levels deep.
class Placement {
 public:
  explicit Placement(const Btf& types) : types_(types) {}
  /// The alignment in bytes that a declaration of this type has. BTF does not say what `aligned` added.
  [[nodiscard]] std::uint64_t alignOf(std::uint32_t number);
  /// True for structures whose members lie closer than their types' alignments.
  [[nodiscard]] bool isPacked(std::uint32_t number);
  /// The bit at which the member is placed behind `end` bits of others.
  [[nodiscard]] std::uint64_t placeOf(const BtfMember& member, std::uint64_t end, bool isPacked);

 private:
  const Btf& types_;
  std::map<std::uint32_t, std::uint64_t> alignments_;
  std::map<std::uint32_t, bool> packed_;
  int depth_ = 0;
};

}  // namespace lathe::bpf::detail
