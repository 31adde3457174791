// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The packed parameter block of a kernel: where a launch puts each argument, on every target.
#pragma once

#include <cstdint>
#include <vector>

namespace llvm {
class Function;
}

namespace lathe {
struct EntryPoint;
}

namespace lathe::detail {

struct KernelAbi;
struct Lowering;

struct ParameterSlot {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint32_t align = 1;
  bool operator==(const ParameterSlot&) const = default;
};

struct ParameterBlock {
  std::vector<ParameterSlot> slots;  ///< one a parameter, in order
  std::uint64_t size = 0;            ///< a multiple of align; 0 without parameters
  std::uint32_t align = 1;
  bool operator==(const ParameterBlock&) const = default;
};

/// Lays the first `count` parameters of `kernel` out as the members of a C struct, by its module's data layout. An
/// aggregate passed as a `byval` pointer occupies its own bytes, at the alignment the parameter states; one that is
/// marked `attribute::byReference` those of an address.
[[nodiscard]] ParameterBlock parameterBlockOf(const llvm::Function& kernel, std::size_t count);

/// Marks by-value parameters of `kernel`, the largest first, as passed by reference until the rest is within the
/// target's limit, where the target has that (KernelAbi::largeByReference).
void passLargeByReference(EntryPoint& entry, llvm::Function& kernel, const KernelAbi& abi);

/// Reports an entry whose parameter block, and the parameters of `kernel` behind it, are more than the target can pass.
void checkParameterBytes(const EntryPoint& entry, const llvm::Function& kernel, Lowering& lowering);

}  // namespace lathe::detail
