// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/bpf/plain_names.h"

#include <map>
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

#include "targets/bpf/checks/checks.h"

namespace lathe::targets {
namespace {

bool isMap(const llvm::GlobalValue& value) {
  return value.hasSection() && value.getSection() == ".maps";
}

/// "counts" of tool::counts; empty for what keeps its symbol: variables of C, in functions and of templates, and those
/// that several files may define.
std::string plainName(const llvm::GlobalVariable& variable) {
  const llvm::StringRef symbol = variable.getName();
  if (!symbol.starts_with("_Z") || symbol.starts_with("_ZZ") ||
      variable.isDiscardableIfUnused() != variable.hasLocalLinkage())
    return {};
  llvm::SmallVector<llvm::DIGlobalVariableExpression*> described;
  variable.getDebugInfo(described);
  if (described.empty()) return {};
  const llvm::StringRef name = described[0]->getVariable()->getName();
  const bool isIdentifier = llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  return isIdentifier ? name.str() : std::string();
}

std::string shown(const llvm::GlobalValue& value) {
  return "'" + llvm::demangle(value.getName()) + "'";
}

Diagnostic clash(const llvm::GlobalVariable& map, const llvm::GlobalValue& other, const std::string& name) {
  Diagnostic out{.severity = Severity::error, .code = ErrorCode::SourceError};
  out.message = "map " + shown(map) + " goes by '" + name + "' in the object, and so does " + shown(other);
  out.location = bpf::declarationOf(map);
  out.notes.push_back({.message = shown(other) + " is here", .location = bpf::declarationOf(other)});
  out.hint = "rename one of them: libbpf and the kernel know no namespaces";
  return out;
}

}  // namespace

void takePlainNames(llvm::Module& module, std::vector<Diagnostic>& out) {
  std::map<std::string, std::vector<llvm::GlobalVariable*>> wanted;
  for (llvm::GlobalVariable& variable : module.globals())
    if (std::string name = plainName(variable); !name.empty()) wanted[std::move(name)].push_back(&variable);
  for (auto& [name, variables] : wanted) {
    const llvm::GlobalValue* const owner = module.getNamedValue(name);
    if (!owner && variables.size() == 1) {
      variables.front()->setName(name);
      continue;
    }
    const auto map = llvm::find_if(variables, [](const auto* one) { return isMap(*one); });
    const llvm::GlobalValue* const first = owner ? owner : map != variables.end() ? *map : nullptr;
    for (const llvm::GlobalVariable* const variable : variables) {
      if (!first || variable == first) continue;
      if (isMap(*variable))
        out.push_back(clash(*variable, *first, name));
      else if (isMap(*first))
        out.push_back(clash(llvm::cast<llvm::GlobalVariable>(*first), *variable, name));
    }
  }
}

}  // namespace lathe::targets
