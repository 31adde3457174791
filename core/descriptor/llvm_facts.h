// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions that descriptors raise and only LLVM can answer: does this triple, processor, feature or intrinsic exist?
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/SystemLibraries.h"

namespace llvm {
class MCSubtargetInfo;
}

namespace lathe::detail {

/// Registers all back ends with LLVM, once a process; cheap afterwards. Everything below calls it.
void ensureLlvmTargets();

/// What is wrong with a triple, as the end of a sentence, or nothing.
std::optional<std::string> tripleFault(const std::string& triple);

/// What LLVM knows of a triple's processors; null if the triple is unknown.
std::unique_ptr<const llvm::MCSubtargetInfo> subtargetOf(const std::string& triple);
std::vector<std::string> processorNames(const llvm::MCSubtargetInfo& subtarget);
/// True if a processor of the triple has registers as wide as the triple's addresses, as far as LLVM's back end tells
/// by a feature of its own ("64bit").
bool hasWidthOf(const std::string& triple, const std::string& processor);
std::vector<std::string> featureNames(const llvm::MCSubtargetInfo& subtarget);

/// An LLVM intrinsic by name, overloads spelt out.
struct IntrinsicFacts {
  bool known = false;
  bool overloaded = false;
  unsigned parameters = 0;  ///< if not overloaded
};
IntrinsicFacts intrinsicFacts(const std::string& name);
/// Names that `name` could be meant for: those of the same prefix ("llvm.nvvm."), or all.
std::vector<std::string> intrinsicNames(std::string_view name);
/// The prefix of the intrinsics that belong to one back end ("nvvm"), or "" for those of every back end.
std::string intrinsicOwner(const std::string& name);
std::string intrinsicOwnerOf(const std::string& triple);

/// N of "ordinal*N", 1 for "ordinal": a value that is a multiple of the architecture's ordinal.
[[nodiscard]] std::optional<std::uint32_t> ordinalFactor(llvm::StringRef text);
/// The value of a number or "ordinal*N" for an architecture with that ordinal; 0 for other texts.
[[nodiscard]] std::uint32_t ordinalValue(llvm::StringRef text, unsigned ordinal);

/// LLVM's number of a calling convention as its assembly spells it: "fastcc", "cc 10"; "c" is "ccc".
[[nodiscard]] std::optional<unsigned> callingConvention(std::string_view name);

/// LLVM's library of vector mathematics of that name, as llvm::VectorLibrary spells it.
[[nodiscard]] std::optional<llvm::VectorLibrary> vectorLibrary(std::string_view name);
[[nodiscard]] std::vector<std::string> vectorLibraryNames();

}  // namespace lathe::detail
