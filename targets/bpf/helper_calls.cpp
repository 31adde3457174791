// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helper calls against helpers.def, which holds what a kernel's verifier answered. Only what is certain is reported:
// the loader's and the kernel's constants (.rodata, .kconfig, CO-RE) decide branches at load, and the verifier does not
// look at a branch that is not taken. A call behind such a branch is left to it.
#include "targets/bpf/helper_calls.h"

#include <bitset>
#include <optional>
#include <string>

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace lathe::targets {
namespace {

using Numbers = std::bitset<256>;  // helpers end at 211, and the kernel adds none

/// "1-3 7" as a set.
Numbers numbers(llvm::StringRef text) {
  Numbers out;
  for (const llvm::StringRef part : llvm::split(text, ' ')) {
    const auto [first, last] = part.split('-');
    unsigned from = 0, to = 0;
    if (first.getAsInteger(10, from)) continue;
    if (last.getAsInteger(10, to)) to = from;
    for (unsigned i = from; i <= to && i < out.size(); ++i) out.set(i);
  }
  return out;
}

struct Kind {
  const char* name;
  const char* sections;
  const char* helpers;
};
constexpr Kind kinds[] = {
#define LATHE_BPF_HELPERS_OF(name, sections, helpers) {name, sections, helpers},
#include "targets/bpf/helpers.def"
};
#define LATHE_BPF_HELPERS_KNOWN(helpers) constexpr const char* knownHelpers = helpers;
#define LATHE_BPF_HELPERS_GPL(helpers) constexpr const char* gplHelpers = helpers;
#define LATHE_BPF_HELPERS_SLEEPING(helpers) constexpr const char* sleepingHelpers = helpers;
#include "targets/bpf/helpers.def"

std::string nameOf(unsigned number) {
  switch (number) {
#define LATHE_BPF_HELPER_NAME(number, name) \
  case number:                              \
    return #name;
#include "targets/bpf/helpers.def"
    default:
      return "helper " + std::to_string(number);
  }
}

/// The kind of program that libbpf takes a function in this section for; null for one that the table lacks.
const Kind* kindOf(llvm::StringRef section) {
  section.consume_front("?");  // "not loaded unless asked for"
  for (const Kind& kind : kinds) {
    for (llvm::StringRef pattern : llvm::split(kind.sections, ' ')) {
      const bool more = pattern.consume_back("+");
      if (section == pattern || (more && section.starts_with(pattern) && section[pattern.size()] == '/')) return &kind;
    }
  }
  return nullptr;
}

/// The kernel's own list (license_is_gpl_compatible).
bool isGpl(llvm::StringRef licence) {
  constexpr llvm::StringLiteral known[] = {"GPL",          "GPL v2",       "GPL and additional rights",
                                           "Dual BSD/GPL", "Dual MIT/GPL", "Dual MPL/GPL"};
  return llvm::is_contained(known, licence);
}

class HelperCalls {
 public:
  explicit HelperCalls(sdk::TargetContext& context) : context_(context) {
    for (const llvm::GlobalVariable& variable : context.module.globals()) {
      if (variable.getSection() != "license") continue;
      const auto* const text =
          variable.hasInitializer() ? llvm::dyn_cast<llvm::ConstantDataSequential>(variable.getInitializer()) : nullptr;
      licence_ = text && text->isString() ? text->getAsString().take_until([](char c) { return c == '\0'; }) : "";
    }
    // What an object lacks may come from another one, which is linked to it.
    mayCheckLicence_ = licence_ || context.job.emit != "object";
  }

  void run() {
    for (const llvm::Function& function : context_.module) {
      if (function.isDeclaration() || function.getSection().empty()) continue;
      program_ = &function;
      kind_ = kindOf(function.getSection());
      llvm::StringRef first = function.getSection().split('/').first;
      first.consume_front("?");
      maySleep_ = first.ends_with(".s") || first == "syscall" || first == "struct_ops";
      seen_.clear();
      follow(function);
    }
  }

 private:
  /// Goes over what is executed whatever the loader's constants are.
  void follow(const llvm::Function& function) {
    if (function.isDeclaration() || !seen_.insert(&function).second) return;
    llvm::SmallVector<const llvm::BasicBlock*> open{&function.getEntryBlock()};
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> reached{open.front()};
    while (!open.empty()) {
      const llvm::BasicBlock& block = *open.pop_back_val();
      for (const llvm::Instruction& instruction : block) {
        if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction)) look(*call);
      }
      const llvm::Instruction& end = *block.getTerminator();
      if (end.getNumSuccessors() > 1 && knownAtLoad(end.getOperand(0))) continue;
      for (const llvm::BasicBlock* next : llvm::successors(&block))
        if (reached.insert(next).second) open.push_back(next);
    }
  }

  /// Whether the verifier may know the value: made from constants of the loader's, from memory of the program's own, or
  /// from what a caller passed.
  bool knownAtLoad(const llvm::Value* value) const {
    llvm::SmallVector<const llvm::Value*> open{value};
    llvm::SmallPtrSet<const llvm::Value*, 16> seen;
    constexpr unsigned most = 200;
    while (!open.empty()) {
      const llvm::Value* const one = open.pop_back_val();
      if (!seen.insert(one).second) continue;
      if (seen.size() > most) return true;
      if (const auto* const argument = llvm::dyn_cast<llvm::Argument>(one)) {
        if (argument->getParent() != program_) return true;
        continue;
      }
      if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(one)) {
        // Other variables are read from memory that programs and processes write.
        const bool isOwn = variable->hasInitializer() && !variable->isConstant() && !variable->hasSection();
        if (!isOwn && variable->getSection() != ".maps") return true;
        continue;
      }
      if (llvm::isa<llvm::GlobalValue, llvm::AllocaInst>(one)) return true;
      if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(one)) {
        const auto isConstant = [](const llvm::Value* in) { return llvm::isa<llvm::Constant>(in); };
        if (llvm::any_of(phi->incoming_values(), isConstant)) return true;
      }
      if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(one)) {
        if (numberOf(*call)) continue;  // what a helper returns is known at run time
        const llvm::Function* const callee = call->getCalledFunction();
        if (!callee || !callee->isIntrinsic() || callee->getName().starts_with("llvm.bpf")) return true;
      }
      if (const auto* const user = llvm::dyn_cast<llvm::User>(one)) open.append(user->op_begin(), user->op_end());
    }
    return false;
  }

  /// The helper that the call is of; 0: of another function.
  static unsigned numberOf(const llvm::CallBase& call) {
    const auto* const address = llvm::dyn_cast<llvm::ConstantExpr>(call.getCalledOperand());
    if (!address || address->getOpcode() != llvm::Instruction::IntToPtr) return 0;
    const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(address->getOperand(0));
    return number && number->getValue().ult(Numbers().size()) ? static_cast<unsigned>(number->getZExtValue()) : 0;
  }

  void look(const llvm::CallBase& call) {
    if (const llvm::Function* const callee = call.getCalledFunction()) follow(*callee);
    for (const llvm::Use& argument : call.args())  // a callback, which a helper calls
      if (const auto* const callback = llvm::dyn_cast<llvm::Function>(argument->stripPointerCasts())) follow(*callback);
    const unsigned number = numberOf(call);
    if (number == 0) return;
    static const Numbers known = numbers(knownHelpers), gpl = numbers(gplHelpers), sleeping = numbers(sleepingHelpers);
    if (kind_ && known.test(number) && !numbers(kind_->helpers).test(number))
      report(call, "programs in section '" + section() + "' may not call " + nameOf(number),
             "the kernel gives each type of program its own helpers, here as of Linux 6.18: " + typesWith(number));
    else if (kind_ && sleeping.test(number) && !maySleep_)
      report(call, nameOf(number) + " may sleep, and programs in section '" + section() + "' may not",
             "programs that may sleep have sections that end in .s (uprobe.s, lsm.s, iter.s), or are of type syscall");
    if (mayCheckLicence_ && gpl.test(number) && !isGpl(licence_.value_or("")))
      report(call,
             nameOf(number) + " is for GPL programs, and " +
                 (licence_ ? "the licence is '" + licence_->str() + "'" : std::string("the program has no licence")),
             "if the program's licence permits: LATHE_BPF_LICENSE(\"GPL\")");
  }

  std::string section() const { return program_->getSection().str(); }

  static std::string typesWith(unsigned number) {
    std::string out;
    for (const Kind& kind : kinds)
      if (numbers(kind.helpers).test(number))
        out += (out.empty() ? "those with it are " : ", ") + std::string(kind.name);
    return out;
  }

  void report(const llvm::Instruction& at, std::string message, std::string hint) {
    Diagnostic found{.severity = Severity::error,
                     .code = ErrorCode::Unsupported,
                     .message = std::move(message),
                     .location = {},
                     .snippet = {},
                     .notes = {{.message = "in program '" + program_->getName().str() + "'", .location = {}}},
                     .hint = std::move(hint)};
    if (const llvm::DILocation* const place = at.getDebugLoc().get())
      found.location = {place->getFilename().str(), place->getLine(), place->getColumn()};
    context_.diagnostics.push_back(std::move(found));
  }

  sdk::TargetContext& context_;
  std::optional<llvm::StringRef> licence_;
  bool mayCheckLicence_ = false;
  const llvm::Function* program_ = nullptr;
  const Kind* kind_ = nullptr;
  bool maySleep_ = false;
  llvm::DenseSet<const llvm::Function*> seen_;
};

}  // namespace

void checkHelperCalls(sdk::TargetContext& context) {
  HelperCalls(context).run();
}

}  // namespace lathe::targets
