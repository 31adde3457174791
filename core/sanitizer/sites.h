// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constant descriptions (core/abi/checks.h) that checks refer to.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

#include <lathe/image.h>

#include "core/abi/checks.h"

namespace lathe::detail {

/// What a base is known to be.
struct KnownObject {
  abi::CheckedKind kind;
  std::uint64_t bytes = 0;  ///< 0 where `sized` is false
  bool sized = true;        ///< the size is known here
  llvm::Constant* description = nullptr;
};

class SiteWriter {
 public:
  SiteWriter(llvm::Module& module, const std::vector<EntryPoint>& entries, unsigned groupSpace)
      : module_(module), entries_(entries), groupSpace_(groupSpace) {}

  /// What `base` names; nothing if only the running kernel knows.
  [[nodiscard]] std::optional<KnownObject> objectOf(llvm::Value& base);
  /// The description of what `instruction` does to `object`, which may be null.
  [[nodiscard]] llvm::Constant& site(const llvm::Instruction& instruction, std::uint32_t does, llvm::Constant* object);

 private:
  [[nodiscard]] std::optional<KnownObject> identify(llvm::Value& base) const;
  [[nodiscard]] std::string nameOf(llvm::Value& base) const;
  [[nodiscard]] llvm::Constant* text(const std::string& text);
  [[nodiscard]] llvm::GlobalVariable& constant(llvm::ArrayRef<llvm::Constant*> fields);

  llvm::Module& module_;
  const std::vector<EntryPoint>& entries_;
  unsigned groupSpace_;
  llvm::StringMap<llvm::Constant*> texts_;
  llvm::DenseMap<llvm::Value*, llvm::Constant*> objects_;
};

}  // namespace lathe::detail
