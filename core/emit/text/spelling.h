// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a descriptor spells types and operations in text (its key `text`), and what it has no spelling for.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

#include "core/lower/lowering.h"
#include "core/lower/reachability.h"

namespace lathe::detail {

/// What stands in a template's holes.
using Holes = std::map<std::string, std::string, std::less<>>;

/// A template with its holes filled; "{{" and "}}" become braces. Holes without a value become nothing.
[[nodiscard]] std::string filled(std::string_view pattern, const Holes& holes);

/// The descriptor's key of a scalar type: "i32", "f64"; empty for types that have none.
[[nodiscard]] std::string typeKey(const llvm::Type& type);
/// The key of the signed number of the same width: "s32".
[[nodiscard]] std::string signedKey(const llvm::Type& type);
/// A name that the languages take for an identifier: other characters become '_', and a hash of the name, which sets it
/// apart from others that differ in them, stands behind.
[[nodiscard]] std::string identifier(llvm::StringRef name);

/// The spellings of one text, with the declarations that they ask for. What has no spelling is reported at the
/// instruction that `at` is.
class Spelling {
 public:
  Spelling(Lowering& lowering, std::vector<Diagnostic>& found)
      : lowering_(lowering), rules_(lowering.descriptor.text), found_(found) {}

  const TextRules& rules() const { return rules_; }
  const Lowering& lowering() const { return lowering_; }

  /// A type of values: numbers, pointers, structures.
  std::string type(llvm::Type& type);
  /// The signed number of a type's width.
  std::string signedType(llvm::Type& type);
  /// The qualifier of pointers into an address space.
  std::string space(unsigned number);
  /// The type of accesses to memory that is aligned to so many bytes.
  std::string access(llvm::Type& type, llvm::Align align);
  /// A structure of that size and alignment, for parameters.
  std::string bytesStruct(std::uint64_t bytes, llvm::Align align);
  /// The template of a function or operation and what its star stands for.
  std::optional<std::pair<std::string_view, std::string>> function(std::string_view name) const;
  /// A declaration's template. Reports `what` if there is none.
  std::string declaration(std::string_view key, std::string_view what, const Holes& holes);

  /// Whether values of the type are stored in one way and computed with in another.
  bool isStoredOnly(const llvm::Type& type) const { return type.isHalfTy() && !rules_.half.empty(); }

  /// Collects an error: "WHAT on TARGET", with where it stands and who called.
  void report(std::string_view what, std::string hint);

  /// Typedefs and structures, in the order in which they need each other.
  const std::string& typeDeclarations() const { return typeDeclarations_; }
  /// The keys of the types that occurred.
  const std::set<std::string>& usedTypes() const { return usedTypes_; }

  const llvm::Instruction* at = nullptr;  ///< what is being written
  const llvm::GlobalVariable* global = nullptr;

 private:
  std::string structure(llvm::Type& type);

  Lowering& lowering_;
  const TextRules& rules_;
  std::optional<Reachability> reached_;
  std::vector<Diagnostic>& found_;
  std::set<std::string> said_;
  std::string typeDeclarations_;
  std::set<std::string> usedTypes_;
  std::set<std::string> declared_;
  llvm::DenseMap<llvm::Type*, std::string> structures_;
};

}  // namespace lathe::detail
