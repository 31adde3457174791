// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All checks of an object's programs.
#include "targets/bpf/checks/checks.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

#include <lathe/sdk/own_stacks.h>

namespace lathe::targets::bpf {
namespace {

/// The text of the licence; nothing where an object has none, which may come from one that is linked to it.
std::optional<std::string> licenceOf(const llvm::Module& module, bool isWhole) {
  for (const llvm::GlobalVariable& variable : module.globals()) {
    if (variable.getSection() != "license") continue;
    const auto* const text =
        variable.hasInitializer() ? llvm::dyn_cast<llvm::ConstantDataSequential>(variable.getInitializer()) : nullptr;
    return text && text->isString() ? text->getAsString().take_until([](char c) { return c == '\0'; }).str() : "";
  }
  return isWhole ? std::optional<std::string>("") : std::nullopt;
}

}  // namespace

void markOwnStacks(llvm::Module& module) {
  // bpf_enable_priv_stack() of the kernel, from 6.13 on: what may run within itself on one CPU.
  constexpr llvm::StringLiteral kinds[] = {
      "kprobe",     "kretprobe", "ksyscall", "kretsyscall", "uprobe", "usdt",     "uretprobe",      "tp",
      "tracepoint", "raw_tp",    "tp_btf",   "fentry",      "fexit",  "fmod_ret", "raw_tracepoint", "perf_event"};
  for (llvm::Function& function : module) {
    llvm::StringRef section = function.getSection();
    section.consume_front("?");
    if (llvm::is_contained(kinds, section.split('/').first.split('.').first))
      function.addFnAttr(sdk::attribute::ownStacks);
  }
}

void checkPrograms(llvm::Module& module, bool isWhole, const std::map<std::string, std::string>& parameters,
                   std::vector<Diagnostic>& out) {
  Findings findings(parameters, out);
  for (Diagnostic& finding : out) {
    if (finding.code != ErrorCode::ResourceLimit || finding.severity != Severity::warning) continue;
    finding.message += " [warn.stack]";
    if (findings.level("stack") > 1) finding.severity = Severity::error;
  }
  if (findings.level("stack") == 0)
    std::erase_if(out, [](const Diagnostic& finding) { return finding.message.ends_with("[warn.stack]"); });
  const std::optional<std::string> licence = licenceOf(module, isWhole);
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.hasSection() || function.getSection().starts_with(".text")) continue;
    checkContext(function, findings);
    const ProgramCode code = codeOf(function);
    checkHelpers(code, licence, findings);
    checkNull(code, findings);
    checkPackets(code, findings);
    checkLoops(code, findings);
    checkStackBytes(code, findings);
    checkCalls(code, licence, findings);
  }
  checkVariables(module, findings);
}

}  // namespace lathe::targets::bpf
