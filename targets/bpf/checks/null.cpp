// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results of helpers that may be null, used on a way without a comparison ("map_value_or_null" and its kin).
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include "targets/bpf/checks/checks.h"

namespace lathe::targets::bpf {
namespace {

using Values = llvm::SmallPtrSet<const llvm::Value*, 8>;

/// Helpers that return a pointer or null: RET_PTR_TO_…_OR_NULL of the kernel's prototypes, of those whose results
/// programs access themselves.
bool mayReturnNull(unsigned helper) {
  constexpr unsigned lookups[] = {mapLookup, 84, 85, 95, 96, 98, 99, 107, 131, 145, 156, 195, 203, 210};
  return llvm::is_contained(lookups, helper);
}

/// From Linux 6.14 on an array's value is there for a constant index below its size.
bool isConstantIndex(const llvm::CallBase& call) {
  const std::optional<MapDefinition> map = mapOf(call.getArgOperand(0));
  constexpr std::uint64_t array = 2, percpuArray = 6;
  if (!map || (map->kind != array && map->kind != percpuArray)) return !map;
  const auto* const key = llvm::dyn_cast<llvm::AllocaInst>(call.getArgOperand(1)->stripPointerCasts());
  if (!key) return true;
  return llvm::all_of(key->users(), [](const llvm::User* user) {
    const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user);
    return !store || llvm::isa<llvm::ConstantInt>(store->getValueOperand());
  });
}

class NullCheck {
 public:
  NullCheck(const ProgramCode& code, Findings& findings) : code_(code), findings_(findings) {}

  void run() {
    for (const llvm::Function* const function : code_.functions) {
      for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
        const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (!call) continue;
        const unsigned helper = helperOf(*call);
        if (!mayReturnNull(helper) || (helper == mapLookup && isConstantIndex(*call))) continue;
        source_ = call;
        seen_.clear();
        look(*call);
      }
    }
  }

 private:
  /// `value` may be null where it is defined, at or before `from`.
  void look(const llvm::Instruction& value) {
    if (!seen_.insert(&value).second) return;
    llvm::SetVector<const llvm::Value*> derived;
    Values tests;
    derived.insert(&value);
    llvm::SmallVector<const llvm::Instruction*> uses;
    llvm::SmallVector<const llvm::PHINode*> merged;
    for (std::size_t i = 0; i < derived.size(); ++i) {
      tests.insert(derived[i]);
      for (const llvm::Use& use : derived[i]->uses()) {
        const auto* const user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
        if (!user) return;
        if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(user)) {
          if (derived[i] == &value) merged.push_back(phi);
          tests.insert(phi);  // its tests are tests of this
          continue;
        }
        if (llvm::isa<llvm::GetElementPtrInst, llvm::BitCastInst>(user) && use.getOperandNo() == 0) {
          derived.insert(user);
        } else if (accesses(*user, use)) {
          uses.push_back(user);
        } else if (mayHide(*user, use)) {
          return;
        }
      }
    }
    for (const llvm::Instruction* const use : uses) {
      if (!reachesUntested(code_, value, *use, tests)) continue;
      report(*use);
      return;
    }
    for (const llvm::PHINode* const phi : merged) {
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        const llvm::Instruction& end = *phi->getIncomingBlock(i)->getTerminator();
        if (phi->getIncomingValue(i) != &value) continue;
        if (end.getNumSuccessors() > 1 && dependsOn(end.getOperand(0), tests)) continue;
        if (&end == &value || reachesUntested(code_, value, end, tests)) return look(*phi);
      }
    }
  }

  static bool accesses(const llvm::Instruction& user, const llvm::Use& use) {
    if (llvm::isa<llvm::LoadInst>(user)) return true;
    if (llvm::isa<llvm::StoreInst>(user)) return use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex();
    if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(user)) return use.getOperandNo() == 0;
    if (const auto* const memory = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&user))
      return !llvm::isa<llvm::ConstantInt>(memory->getLength()) ||
             !llvm::cast<llvm::ConstantInt>(memory->getLength())->isZero();
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&user);
    const unsigned helper = call ? helperOf(*call) : 0;
    return (helper == ringSubmit || helper == ringDiscard) && use.getOperandNo() == 0;
  }

  /// A use after which the value may be tested where this does not see it.
  static bool mayHide(const llvm::Instruction& user, const llvm::Use&) {
    if (llvm::isa<llvm::ICmpInst>(user)) return false;
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&user);
    if (!call) return true;  // select, ptrtoint, a store of it
    return helperOf(*call) == 0 && !llvm::isa<llvm::IntrinsicInst>(call);
  }

  void report(const llvm::Instruction& use) {
    const std::string helper = helperName(helperOf(*source_));
    findings_.add("null", use, *code_.entry, "the result of " + helper + " may be null here: no comparison came before",
                  "compare it first: if (auto* found = map.lookup(key)) { … use *found … }");
  }

  const ProgramCode& code_;
  Findings& findings_;
  const llvm::CallBase* source_ = nullptr;
  llvm::SmallPtrSet<const llvm::Instruction*, 8> seen_;
};

}  // namespace

void checkNull(const ProgramCode& code, Findings& findings) {
  if (findings.level("null") > 0) NullCheck(code, findings).run();
}

}  // namespace lathe::targets::bpf
