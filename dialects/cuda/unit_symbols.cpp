// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbols of kernels and variables that other translation units cannot name and host code uses. Clang makes them unique
// by the unit's name, and mangles them with the ABI's mark of internal linkage: an L before the last name. nvcc knows
// no such mark for kernels, nor for variables outside of namespaces, and a host that loads the code asks by its names.
#include "dialects/cuda/unit_symbols.h"

#include <optional>
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MD5.h"

#include <lathe/sdk/portable_ir.h>

namespace lathe::dialects {

namespace {

void markUnitsOwn(llvm::GlobalObject& object) {
  if (auto* const function = llvm::dyn_cast<llvm::Function>(&object))
    function->addFnAttr(sdk::attribute::unitsOwn);
  else if (auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(&object))
    variable->addAttribute(sdk::attribute::unitsOwn);
}

/// Takes a name with its length before it (Itanium C++ ABI, <source-name>) off the front.
std::optional<llvm::StringRef> takeSourceName(llvm::StringRef& rest) {
  std::size_t length = 0;
  if (rest.consumeInteger(10, length) || length > rest.size()) return std::nullopt;
  const llvm::StringRef name = rest.take_front(length);
  rest = rest.drop_front(length);
  return name;
}

/// The symbol of a kernel without the mark of internal linkage. Kernels are members of namespaces only, so that all
/// before the mark are names with their lengths and `St`.
///
///   _ZL1kIiEvPT_ → _Z1kIiEvPT_          _ZN1aL1kIiEEvPT_ → _ZN1a1kIiEEvPT_
std::string withoutInternalMark(llvm::StringRef symbol) {
  llvm::StringRef rest = symbol;
  if (!rest.consume_front("_Z")) return symbol.str();
  if (rest.consume_front("N")) {
    (void)rest.consume_front("St");
    while (!rest.starts_with("L"))
      if (!takeSourceName(rest)) return symbol.str();
  }
  const llvm::StringRef before = symbol.drop_back(rest.size());
  return rest.consume_front("L") ? (before + rest).str() : symbol.str();
}

/// The symbol that nvcc gives to what Clang calls `symbol`.
std::string nvccSymbol(const llvm::GlobalObject& object, llvm::StringRef symbol) {
  if (llvm::isa<llvm::Function>(object)) return withoutInternalMark(symbol);
  llvm::StringRef rest = symbol;
  if (!rest.consume_front("_ZL")) return symbol.str();
  const auto name = takeSourceName(rest);
  return name && rest.empty() ? name->str() : symbol.str();
}

/// Gives one object the symbol, and its uses by the symbol without the unit's name, which Clang calls a variable by
/// that code used before.
void setSymbol(llvm::Module& module, llvm::GlobalObject& object, llvm::StringRef symbol) {
  if (llvm::GlobalValue* const used = module.getNamedValue(symbol)) {
    used->replaceAllUsesWith(&object);
    used->eraseFromParent();
  }
  const std::string wanted = nvccSymbol(object, symbol);
  object.setName(module.getNamedValue(wanted) ? symbol.str() : wanted);
}

}  // namespace

/// Gives what host code uses its own symbol again.
///
///   before: @_ZL1x = external global i32      @_ZL1x__static__HASH = global i32 0      define void
///   @_ZL1kv__intern__HASH()
///   after:  @x = global i32 0 "lathe.units-own"                         define void @_Z1kv() "lathe.units-own"
void nameUnitsOwn(llvm::Module& module) {
  const std::string hash = llvm::utohexstr(llvm::MD5Hash("lathe"), /*LowerCase=*/true);
  for (const char* const mark : {"__static__", "__intern__"}) {
    const std::string suffix = mark + hash;
    for (llvm::GlobalObject& object : llvm::make_early_inc_range(module.global_objects())) {
      llvm::StringRef name = object.getName();
      if (!name.consume_back(suffix)) continue;
      setSymbol(module, object, name.str());
      markUnitsOwn(object);
    }
  }
}

}  // namespace lathe::dialects
