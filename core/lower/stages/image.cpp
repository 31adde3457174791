// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage image: what the loader finds by name, and where it all comes from.
//
//   before: @lut = external addrspace(4) externally_initialized global [9 x float] "lathe.constant"
//   after:  ImageInfo::globals: lut, constant, float[9]
#include <algorithm>

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include "core/lower/lowering.h"
#include "core/lower/stages.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

/// How the host finds a variable: "constant", "global" or its section; empty: not at all.
std::string hostSpace(const llvm::GlobalVariable& variable) {
  if (variable.hasAttribute(attribute::constant)) return "constant";
  if (variable.hasAttribute(attribute::global)) return "global";
  if (variable.isDeclaration() || variable.hasLocalLinkage() || variable.getName().starts_with("llvm.")) return {};
  if (variable.hasSection()) return variable.getSection().str();
  return variable.isConstant() ? "constant" : "global";
}

/// As the source spells it where debug information knows it, else IR's.
std::string typeName(const llvm::GlobalVariable& variable) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> known;
  variable.getDebugInfo(known);
  const llvm::DIType* const type = known.empty() ? nullptr : known.front()->getVariable()->getType();
  if (type && !type->getName().empty()) return type->getName().str();
  std::string out;
  llvm::raw_string_ostream(out) << *variable.getValueType();
  return out;
}

}  // namespace

llvm::Error stage::image(Lowering& lowering) {
  ImageInfo& info = lowering.info;
  const bool lowered = lowering.machine != nullptr;
  info.target = lowered ? lowering.descriptor.name : "portable";
  info.arch = lowered ? lowering.arch : "";
  info.runtime = lowered ? lowering.descriptor.runtime : "";
  info.globals.clear();
  for (const llvm::GlobalVariable& variable : lowering.module->globals()) {
    const std::string space = hostSpace(variable);
    if (space.empty()) continue;
    TypeLayout type;
    type.name = typeName(variable);
    type.size = lowering.module->getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue();
    type.align = static_cast<std::uint32_t>(variable.getAlign().valueOrOne().value());
    info.globals.push_back({demangled(variable.getName()), variable.getName().str(), space, std::move(type)});
  }
  info.imports.clear();
  for (const llvm::GlobalObject& object : lowering.module->global_objects()) {
    if (!object.isDeclaration() || object.use_empty()) continue;
    const auto* const function = llvm::dyn_cast<llvm::Function>(&object);
    const llvm::Attribute imported = function
                                         ? function->getFnAttribute(attribute::imported)
                                         : llvm::cast<llvm::GlobalVariable>(object).getAttribute(attribute::imported);
    if (!imported.isValid()) continue;
    Import import{.symbol = object.getName().str(), .isFunction = function != nullptr, .signature = {}, .bytes = 0};
    if (function)
      import.signature = imported.getValueAsString().str();
    else
      (void)imported.getValueAsString().getAsInteger(10, import.bytes);
    info.imports.push_back(std::move(import));
  }
  std::ranges::sort(info.imports, {}, &Import::symbol);
  info.provenance.producer = "lathe " + std::string(version());
  info.provenance.compiler = compilerVersion();
  return llvm::Error::success();
}

}  // namespace lathe::detail
