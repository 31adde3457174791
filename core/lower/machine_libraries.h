// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code of Lathe's own for machines that a pipeline makes what they are, such as those without items. It comes
// behind the target's own device code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

namespace lathe::detail {

struct Descriptor;
struct Lowering;

/// A library in portable IR, compiled once, which is retargeted as a kernel's module is.
struct PortableLibrary {
  std::string name;
  std::string_view bitcode;
  /// Endings of the functions' names that this compile takes: of `f.narrow` and `f.wide` one, as `f`.
  std::vector<std::string> variants;
  /// Variables that are declared as arrays without a length, and how many elements they have.
  std::vector<std::pair<std::string_view, std::uint64_t>> arrays;

  /// `function` without the ending that makes it one of the variants.
  [[nodiscard]] llvm::StringRef entryOf(llvm::StringRef function) const;
  /// Gives the variants that this compile takes their names without the ending, in `library`, which may be read lazily.
  void nameVariants(llvm::Module& library) const;
};

/// The libraries for the machine of the descriptor's pipeline; none if items are the target's own
/// (core/group/device/library.cpp).
[[nodiscard]] std::vector<PortableLibrary> machineLibraries(const Descriptor& descriptor);

}  // namespace lathe::detail
