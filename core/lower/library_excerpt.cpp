// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies are read when an excerpt first needs them. An excerpt is a clone without the rest.
#include "core/lower/library_excerpt.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace lathe::detail {
namespace {

/// Excerpts that are kept of one library.
constexpr std::size_t mostKept = 256;

/// Appends the functions and variables in `value`'s operands to `out`.
void addGlobals(const llvm::User& value, llvm::SetVector<const llvm::GlobalValue*>& out,
                llvm::SmallPtrSetImpl<const llvm::User*>& seen) {
  for (const llvm::Value* operand : value.operand_values()) {
    if (const auto* const global = llvm::dyn_cast<llvm::GlobalValue>(operand))
      out.insert(global);
    else if (const auto* const constant = llvm::dyn_cast<llvm::Constant>(operand);
             constant && seen.insert(constant).second)
      addGlobals(*constant, out, seen);
  }
}

/// Adds what the members of `globals` use, and reads the bodies of all that are functions.
llvm::Error close(llvm::SetVector<const llvm::GlobalValue*>& globals) {
  llvm::SmallPtrSet<const llvm::User*, 16> seen;
  for (std::size_t i = 0; i < globals.size(); ++i) {
    auto& global = const_cast<llvm::GlobalValue&>(*globals[i]);
    if (llvm::Error error = global.materialize()) return error;
    addGlobals(global, globals, seen);
    const auto* const function = llvm::dyn_cast<llvm::Function>(&global);
    if (!function) continue;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) addGlobals(instruction, globals, seen);
  }
  return llvm::Error::success();
}

void eraseUnusedDeclarations(llvm::Module& module) {
  const auto erase = [](auto&& list) {
    for (auto& global : llvm::make_early_inc_range(list))
      if (global.isDeclaration() && global.use_empty()) global.eraseFromParent();
  };
  erase(module.functions());
  erase(module.globals());
}

}  // namespace

llvm::Expected<std::shared_ptr<const std::string>> OpenLibrary::excerpt(
    llvm::function_ref<bool(llvm::StringRef)> wanted) {
  const std::lock_guard lock(mutex_);
  if (!module_) {
    auto module = llvm::getLazyBitcodeModule(bitcode_, context_, /*ShouldLazyLoadMetadata=*/true);
    if (!module) return module.takeError();
    if (llvm::Error error = (*module)->materializeMetadata()) return error;
    while (!(*module)->named_metadata_empty()) (*module)->named_metadata_begin()->eraseFromParent();
    module_ = std::move(*module);
  }
  llvm::SetVector<const llvm::GlobalValue*> globals;
  std::string names;
  for (const llvm::Function& function : *module_) {
    if (function.isDeclaration() || !wanted(function.getName())) continue;
    globals.insert(&function);
    names += function.getName().str() + '\n';
  }
  if (globals.empty()) return std::shared_ptr<const std::string>();
  if (const auto at = made_.find(names); at != made_.end()) return at->second;
  if (llvm::Error error = close(globals)) return error;
  llvm::ValueToValueMapTy values;
  const auto clone =
      llvm::CloneModule(*module_, values, [&](const llvm::GlobalValue* global) { return globals.contains(global); });
  eraseUnusedDeclarations(*clone);
  std::string bitcode;
  {
    llvm::raw_string_ostream stream(bitcode);
    llvm::BitcodeWriter writer(stream);
    writer.writeModule(*clone);
    writer.writeStrtab();
  }
  if (made_.size() == mostKept) made_.clear();
  return made_.emplace(std::move(names), std::make_shared<const std::string>(std::move(bitcode))).first->second;
}

}  // namespace lathe::detail
