// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses and accesses as NVIDIA's assembler wants them.
#include "targets/cuda/addresses/accesses.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

#include <lathe/sdk/users.h>

namespace lathe::targets {
namespace {

constexpr unsigned groupSpace = 3;
/// Bytes of the widest access, and those that a group's variables may have.
constexpr std::uint64_t widestAccess = 16, groupBytes = 48 * 1024;

/// Returns the functions that use a variable which is aligned better now.
sdk::FunctionSet alignGroupVariables(llvm::Module& module) {
  const llvm::DataLayout& layout = module.getDataLayout();
  llvm::SmallVector<std::pair<llvm::GlobalVariable*, std::uint64_t>> variables;
  std::uint64_t worst = 0;
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (variable.getAddressSpace() != groupSpace || !variable.hasLocalLinkage()) continue;
    const std::uint64_t size = layout.getTypeAllocSize(variable.getValueType()).getFixedValue();
    if (size == 0) continue;
    variables.emplace_back(&variable, size);
    worst += size + widestAccess;
  }
  sdk::FunctionSet out;
  if (worst > groupBytes) return out;  // gaps between variables may be what is too much
  for (const auto& [variable, size] : variables) {
    const llvm::Align most = llvm::commonAlignment(llvm::Align(widestAccess), size);
    if (variable->getAlign().valueOrOne() >= most) continue;
    variable->setAlignment(most);
    sdk::addUsers(*variable, out);
  }
  return out;
}

/// What `offset` bytes, a sum of products of variables, are aligned to at least.
llvm::Align alignmentOf(const llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4>& offset,
                        const llvm::SimplifyQuery& query) {
  llvm::Align out(widestAccess);
  for (const auto& [variable, scale] : offset) {
    const unsigned zeros = llvm::computeKnownBits(variable, query).countMinTrailingZeros() + scale.countTrailingZeros();
    out = std::min(out, llvm::Align(std::uint64_t{1} << std::min(zeros, llvm::Log2(out))));
  }
  return out;
}

/// Tells accesses to `array`, which is aligned to `align`, what they are aligned to. LLVM's own analysis does not look
/// through the cast of a local variable's address to its space.
void alignAccesses(llvm::AllocaInst& array, llvm::Align align) {
  const llvm::DataLayout& layout = array.getDataLayout();
  /// The pointer is `distance` bytes behind one that is aligned to `align`.
  struct Pointer {
    llvm::Value* value;
    llvm::Align align;
    std::uint64_t distance;
  };
  llvm::SmallVector<Pointer> pointers{{&array, align, 0}};
  while (!pointers.empty()) {
    const Pointer pointer = pointers.pop_back_val();
    const llvm::Align known = llvm::commonAlignment(pointer.align, pointer.distance);
    for (llvm::User* const user : pointer.value->users()) {
      if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        load->setAlignment(std::max(load->getAlign(), known));
      } else if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(user);
                 store && store->getPointerOperand() == pointer.value) {
        store->setAlignment(std::max(store->getAlign(), known));
      } else if (llvm::isa<llvm::AddrSpaceCastInst>(user)) {
        pointers.push_back({user, pointer.align, pointer.distance});
      } else if (auto* const address = llvm::dyn_cast<llvm::GEPOperator>(user)) {
        const unsigned bits = layout.getIndexTypeSizeInBits(address->getType());
        llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> variable;
        llvm::APInt further(bits, 0);
        if (!address->collectOffset(layout, bits, variable, further)) continue;
        const llvm::SimplifyQuery query(layout, llvm::dyn_cast<llvm::Instruction>(user));
        pointers.push_back({user, std::min(pointer.align, alignmentOf(variable, query)),
                            pointer.distance + static_cast<std::uint64_t>(further.getSExtValue())});
      }
    }
  }
}

/// The same of an item's arrays that are in memory. Adds the functions that have some to `out`.
void alignPrivateArrays(llvm::Module& module, sdk::FunctionSet& out) {
  const llvm::DataLayout& layout = module.getDataLayout();
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    for (llvm::Instruction& instruction : function.getEntryBlock()) {
      auto* const array = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (!array || !array->isStaticAlloca() || !array->getAllocatedType()->isAggregateType()) continue;
      const std::uint64_t size = layout.getTypeAllocSize(array->getAllocatedType()).getFixedValue();
      const llvm::Align most = llvm::commonAlignment(llvm::Align(widestAccess), size);
      if (size == 0) continue;
      array->setAlignment(std::max(array->getAlign(), most));
      alignAccesses(*array, array->getAlign());
      out.insert(&function);
    }
  }
}

/// An index of 32 bits that a constant is part of: the sum of `terms` and the constant.
struct Index {
  llvm::GetElementPtrInst* address = nullptr;
  llvm::BinaryOperator* sum = nullptr;
  std::vector<const llvm::Value*> terms;  ///< sorted
};

/// Terms that are told apart; what is behind them counts as one. A sum may have a sum for both operands.
constexpr std::size_t mostTerms = 8;

/// Adds the terms of `value` to `terms`; true if a constant is among them.
bool takeTerms(const llvm::Value& value, std::vector<const llvm::Value*>& terms) {
  using namespace llvm::PatternMatch;
  if (llvm::isa<llvm::ConstantInt>(value)) return true;
  const llvm::Value *left = nullptr, *right = nullptr;
  if (terms.size() >= mostTerms || !match(&value, m_AddLike(m_Value(left), m_Value(right)))) {
    terms.push_back(&value);
    return false;
  }
  const bool inLeft = takeTerms(*left, terms);
  return takeTerms(*right, terms) || inLeft;
}

std::optional<Index> indexOf(llvm::GetElementPtrInst& address) {
  if (address.getNumIndices() != 1) return std::nullopt;
  const auto* const extension = llvm::dyn_cast<llvm::CastInst>(address.getOperand(1));
  if (!extension || !llvm::isa<llvm::SExtInst, llvm::ZExtInst>(extension)) return std::nullopt;
  auto* const sum = llvm::dyn_cast<llvm::BinaryOperator>(extension->getOperand(0));
  if (!sum || sum->getOpcode() != llvm::Instruction::Add) return std::nullopt;
  Index out{.address = &address, .sum = sum, .terms = {}};
  if (!takeTerms(*sum, out.terms) || out.terms.size() < 2) return std::nullopt;
  std::sort(out.terms.begin(), out.terms.end());
  return out;
}

void keepIndicesWhole(llvm::Function& function) {
  std::map<std::tuple<const llvm::Value*, const llvm::Type*, std::vector<const llvm::Value*>>, std::vector<Index>>
      groups;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    if (auto index = address ? indexOf(*address) : std::nullopt)
      groups[{address->getPointerOperand(), address->getSourceElementType(), index->terms}].push_back(
          *std::move(index));
  }
  if (groups.empty()) return;
  const llvm::DominatorTree dominators(function);
  llvm::SmallPtrSet<llvm::BinaryOperator*, 8> shared, alone;
  for (const auto& [key, indices] : groups) {
    for (const Index& index : indices) {
      const bool isShared = llvm::any_of(indices, [&](const Index& other) {
        return other.sum != index.sum && (dominators.dominates(other.address, index.address) ||
                                          dominators.dominates(index.address, other.address));
      });
      (isShared ? shared : alone).insert(index.sum);
    }
  }
  for (llvm::BinaryOperator* sum : alone) {
    if (shared.contains(sum)) continue;
    sum->setHasNoSignedWrap(false);
    sum->setHasNoUnsignedWrap(false);
  }
}

}  // namespace

void mergeAccesses(llvm::Module& module, llvm::TargetMachine& machine) {
  auto users = alignGroupVariables(module);
  alignPrivateArrays(module, users);
  mergeAccessesOf(users.getArrayRef(), machine);
}

void runPasses(llvm::ArrayRef<llvm::Function*> functions, llvm::TargetMachine& machine,
               llvm::FunctionPassManager passes) {
  if (functions.empty()) return;
  llvm::PassBuilder builder(&machine);
  llvm::FunctionAnalysisManager analyses;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerFunctionAnalyses(analyses);
  analyses.registerPass([&] { return llvm::ModuleAnalysisManagerFunctionProxy(modules); });
  for (llvm::Function* function : functions) passes.run(*function, analyses);
}

void mergeAccessesOf(llvm::ArrayRef<llvm::Function*> accessing, llvm::TargetMachine& machine) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::InferAlignmentPass());
  passes.addPass(llvm::LoadStoreVectorizerPass());
  runPasses(accessing, machine, std::move(passes));
}

void keepIndicesWhole(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) keepIndicesWhole(function);
  }
}

}  // namespace lathe::targets
