// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures, and what fills them in.
#include "core/group/entry/group_function.h"

#include <cstddef>

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include "core/group/analysis/device_calls.h"
#include "core/group/entry/group_entry.h"
#include "core/lower/abi/parameter_block.h"

namespace lathe::detail {
namespace {

constexpr llvm::StringLiteral axisNames = "xyz";
/// Behind the kernel's own: four indices by axis, groups, row items, dynamic bytes, shared, context.
constexpr unsigned hiddenArguments = 17;

/// Instructions of a kernel up to which copies for speed are made, and what a barrier of the group counts among them:
/// it ends a loop over items, which is vectorised, has a rest, and loads and stores what lives across the barrier.
constexpr unsigned mostCopied = 1000, barrierCost = 16;

/// Visits the hidden arguments in the order in which they follow the kernel's own.
template <class Visit>
void forIndexArguments(GroupFunction& group, const Visit& visit) {
  for (unsigned axis = 0; axis < 3; ++axis) visit(group.groupId[axis], "group_id", axis, 0, maxItems);
  for (unsigned axis = 0; axis < 3; ++axis) visit(group.groupSize[axis], "group_size", axis, 1, maxGroupSize + 1);
  for (unsigned axis = 0; axis < 3; ++axis) visit(group.groupCount[axis], "group_count", axis, 1, maxItems);
  for (unsigned axis = 0; axis < 3; ++axis) visit(group.firstItem[axis], "first_item", axis, 0, maxItems);
}

void describeArguments(GroupFunction& group) {
  llvm::LLVMContext& context = group.function->getContext();
  auto next = group.function->arg_end() - hiddenArguments;
  const auto describe = [&](llvm::Argument*& slot, const llvm::Twine& name, std::uint64_t low, std::uint64_t high) {
    slot = &*next++;
    slot->setName(name);
    llvm::AttrBuilder facts(context);
    facts.addAttribute(llvm::Attribute::NoUndef);
    facts.addRangeAttr(llvm::ConstantRange(llvm::APInt(32, low), llvm::APInt(32, high)));
    slot->addAttrs(facts);
  };
  forIndexArguments(
      group, [&](llvm::Argument*& slot, llvm::StringRef name, unsigned axis, std::uint64_t low, std::uint64_t high) {
        describe(slot, name + "." + axisNames.substr(axis, 1), low, high);
      });
  describe(group.groups, "groups", 1, maxItems);
  describe(group.rowItems, "row_items", 1, maxItems);
  group.dynamicSharedBytes = &*next++;
  group.dynamicSharedBytes->setName("dynamic_shared_bytes");
  group.shared = &*next++;
  group.shared->setName("shared");
  group.context = &*next++;
  group.context->setName("context");
  for (llvm::Argument* block : {group.shared, group.context}) {
    llvm::AttrBuilder facts(context);
    facts.addAttribute(llvm::Attribute::NoAlias);
    facts.addAlignmentAttr(llvm::Align(abi::groupBlockAlign));
    block->addAttrs(facts);
  }
}

void replaceIndexing(GroupFunction& group) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(*group.function))) {
    const std::optional<DeviceCall> call = deviceCallOf(instruction);
    if (!call) continue;
    llvm::Argument* value = nullptr;
    switch (call->entry) {
      case DeviceEntry::groupId:
        value = group.groupId[call->axis];
        break;
      case DeviceEntry::groupSize:
        value = group.groupSize[call->axis];
        break;
      case DeviceEntry::groupCount:
        value = group.groupCount[call->axis];
        break;
      case DeviceEntry::dynamicSharedBytes:
        value = group.dynamicSharedBytes;
        break;
      case DeviceEntry::itemId:
      case DeviceEntry::barrier:
      case DeviceEntry::subgroupBarrier:
      case DeviceEntry::subgroupConverge:
      case DeviceEntry::subgroupConverged:
        continue;
    }
    instruction.replaceAllUsesWith(value);
    instruction.eraseFromParent();
  }
}

/// Group id × group size has a range that its product form does not show. In 64 bits it is the same number.
void replaceFirstItems(GroupFunction& group) {
  using namespace llvm::PatternMatch;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(*group.function))) {
    for (unsigned axis = 0; axis < 3; ++axis) {
      const auto id = m_ZExtOrSExtOrSelf(m_Specific(group.groupId[axis]));
      const std::uint64_t fixed = group.fixedSize ? (*group.fixedSize)[axis] : 0;
      const bool isFirst = match(&instruction, m_c_Mul(id, m_ZExtOrSExtOrSelf(m_Specific(group.groupSize[axis])))) ||
                           (fixed > 1 && match(&instruction, m_Mul(id, m_SpecificInt(fixed)))) ||
                           (llvm::isPowerOf2_64(fixed) && fixed > 1 &&
                            match(&instruction, m_Shl(id, m_SpecificInt(llvm::Log2_64(fixed)))));
      if (!isFirst) continue;
      llvm::IRBuilder<> builder(&instruction);
      instruction.replaceAllUsesWith(builder.CreateZExt(group.firstItem[axis], instruction.getType()));
      instruction.eraseFromParent();
      break;
    }
  }
}

/// A sum that each of two terms is part of must be followed no further.
bool isSumOf(const llvm::Value& sum, const llvm::Value& left, const llvm::Value& right) {
  using namespace llvm::PatternMatch;
  return match(&sum, m_c_Add(m_ZExtOrSExtOrSelf(m_Specific(&left)), m_ZExtOrSExtOrSelf(m_Specific(&right))));
}

/// What is true of a kernel need not be of the functions made from it: they read the launch and the context too.
void dropEffects(llvm::Function& function) {
  for (const llvm::Attribute::AttrKind kind :
       {llvm::Attribute::Memory, llvm::Attribute::Convergent, llvm::Attribute::NoRecurse}) {
    function.removeFnAttr(kind);
  }
}

/// An argument out of the packed block. Aggregates are used where they lie: nothing writes to them.
llvm::Value* loadParameter(llvm::IRBuilder<>& builder, llvm::Value& block, const ParameterSlot& slot,
                           const llvm::Argument& parameter) {
  llvm::Value* const place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &block, slot.offset);
  if (parameter.hasByValAttr()) return place;
  llvm::Type* const type = parameter.getType();
  if (!type->isIntegerTy(1))
    return builder.CreateAlignedLoad(type, place, llvm::Align(slot.align), parameter.getName());
  llvm::Value* const byte = builder.CreateAlignedLoad(builder.getInt8Ty(), place, llvm::Align(1));
  return builder.CreateTrunc(byte, type, parameter.getName());
}

}  // namespace

GroupFunction takeBody(llvm::Function& kernel) {
  llvm::LLVMContext& context = kernel.getContext();
  llvm::SmallVector<llvm::Type*> types(kernel.getFunctionType()->params());
  types.append(hiddenArguments - 2, llvm::Type::getInt32Ty(context));
  types.append(2, llvm::PointerType::get(context, 0));
  GroupFunction group;
  group.function = llvm::Function::Create(llvm::FunctionType::get(kernel.getReturnType(), types, false),
                                          llvm::GlobalValue::InternalLinkage, kernel.getName() + ".group");
  kernel.getParent()->getFunctionList().insertAfter(kernel.getIterator(), group.function);
  llvm::Function& function = *group.function;
  function.copyAttributesFrom(&kernel);
  function.setCallingConv(llvm::CallingConv::C);
  function.setVisibility(llvm::GlobalValue::DefaultVisibility);
  function.setDSOLocal(true);
  function.removeFnAttr("lathe.kernel");
  dropEffects(function);
  // Inlined into the entry, the parameters' facts would survive in weaker form; the call costs a group nothing.
  function.addFnAttr(llvm::Attribute::NoInline);
  function.removeFnAttr(llvm::Attribute::AlwaysInline);
  function.removeFnAttr(llvm::Attribute::InlineHint);
  function.splice(function.end(), &kernel);
  function.setSubprogram(kernel.getSubprogram());
  kernel.setSubprogram(nullptr);
  for (llvm::Argument& parameter : kernel.args()) {
    llvm::Argument& argument = *function.getArg(parameter.getArgNo());
    argument.takeName(&parameter);
    parameter.replaceAllUsesWith(&argument);
    if (!parameter.hasByValAttr()) continue;
    const std::uint64_t bytes = function.getDataLayout().getTypeAllocSize(parameter.getParamByValType());
    for (const auto given : {llvm::Attribute::ByVal, llvm::Attribute::ReadNone, llvm::Attribute::WriteOnly})
      argument.removeAttr(given);
    llvm::AttrBuilder facts(context);
    facts.addAttribute(llvm::Attribute::NoAlias);
    facts.addAttribute(llvm::Attribute::ReadOnly);
    facts.addDereferenceableAttr(bytes);
    argument.addAttrs(facts);
  }
  describeArguments(group);
  replaceIndexing(group);
  replaceFirstItems(group);
  return group;
}

bool isLarge(const GroupFunction& group) {
  unsigned cost = group.function->getInstructionCount();
  for (const llvm::Instruction& instruction : llvm::instructions(*group.function)) {
    if (isGroupBarrier(instruction)) cost += barrierCost;
  }
  return cost > mostCopied;
}

bool seesGridAlongX(const GroupFunction& group) {
  if (!group.groupId[0]->use_empty()) return false;
  const llvm::Value& first = *group.firstItem[0];
  // Every use of `term`, extended or not, is in a sum of an item id along x and the group's first item.
  const auto onlyInSums = [&](const llvm::Value& term) {
    const auto isPosition = [&](const llvm::User* user) {
      for (const llvm::Value* operand : user->operands()) {
        if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(operand))
          operand = llvm::cast<llvm::CastInst>(operand)->getOperand(0);
        const auto* const id = llvm::dyn_cast<llvm::Instruction>(operand);
        if (id && itemIdAxisOf(*id) == 0U && isSumOf(*user, first, *id)) return true;
      }
      return false;
    };
    return llvm::all_of(term.users(), [&](const llvm::User* user) {
      if (!llvm::isa<llvm::ZExtInst, llvm::SExtInst>(user)) return isPosition(user);
      return llvm::all_of(user->users(), isPosition);
    });
  };
  return onlyInSums(first) && llvm::all_of(llvm::instructions(*group.function), [&](const llvm::Instruction& id) {
           return itemIdAxisOf(id) != 0U || onlyInSums(id);
         });
}

GroupFunction cloneForSize(const GroupFunction& group, const std::array<std::uint32_t, 3>& size) {
  llvm::ValueToValueMapTy copies;
  GroupFunction out;
  out.function = llvm::CloneFunction(group.function, copies);
  std::string name = group.function->getName().str();
  for (const std::uint32_t extent : size) name += "." + std::to_string(extent);
  out.function->setName(name);
  out.subgroupSize = group.subgroupSize;
  out.fixedSize = size;
  describeArguments(out);
  replaceFirstItems(out);
  for (unsigned axis = 0; axis < 3; ++axis) {
    llvm::Argument& argument = *out.groupSize[axis];
    argument.replaceAllUsesWith(llvm::ConstantInt::get(argument.getType(), size[axis]));
  }
  return out;
}

llvm::Function& writeEntry(llvm::Function& kernel, const GroupFunction& group, const GroupFunction* fixed) {
  llvm::LLVMContext& context = kernel.getContext();
  llvm::Type* const pointer = llvm::PointerType::get(context, 0);
  auto* const entry = llvm::Function::Create(llvm::FunctionType::get(kernel.getReturnType(), {pointer, pointer}, false),
                                             kernel.getLinkage(), kernel.getAddressSpace());
  kernel.getParent()->getFunctionList().insert(kernel.getIterator(), entry);
  entry->takeName(&kernel);
  entry->copyAttributesFrom(&kernel);
  entry->setAttributes(llvm::AttributeList::get(context, kernel.getAttributes().getFnAttrs(), {}, {}));
  entry->setCallingConv(llvm::CallingConv::C);
  dropEffects(*entry);
  entry->copyMetadata(&kernel, 0);
  for (llvm::Argument& argument : entry->args()) {
    argument.addAttr(llvm::Attribute::NoAlias);
    argument.addAttr(llvm::Attribute::ReadOnly);
    argument.addAttr(llvm::Attribute::NoUndef);
  }
  llvm::Argument& block = *entry->getArg(0);
  llvm::Argument& launch = *entry->getArg(1);
  block.setName("parameters");
  launch.setName("launch");

  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", entry));
  const auto field = [&](std::size_t offset, llvm::Type* type, const llvm::Twine& name) {
    llvm::Value* const place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &launch, offset);
    return builder.CreateAlignedLoad(type, place, llvm::Align(type->isPointerTy() ? 8 : 4), name);
  };
  llvm::SmallVector<llvm::Value*> arguments;
  const ParameterBlock layout = parameterBlockOf(kernel, kernel.arg_size());
  for (const llvm::Argument& parameter : kernel.args()) {
    arguments.push_back(loadParameter(builder, block, layout.slots[parameter.getArgNo()], parameter));
  }
  const auto fields = [&](std::size_t offset, llvm::StringRef name) {
    for (unsigned axis = 0; axis < 3; ++axis) {
      arguments.push_back(field(offset + 4 * axis, builder.getInt32Ty(), name + "." + axisNames.substr(axis, 1)));
    }
    return llvm::ArrayRef(arguments).take_back(3).vec();
  };
  const auto ids = fields(offsetof(abi::GroupLaunch, groupId), "group_id");
  const auto sizes = fields(offsetof(abi::GroupLaunch, groupSize), "group_size");
  fields(offsetof(abi::GroupLaunch, groupCount), "group_count");
  for (unsigned axis = 0; axis < 3; ++axis)
    arguments.push_back(builder.CreateMul(ids[axis], sizes[axis], "first_item"));
  arguments.push_back(field(offsetof(abi::GroupLaunch, groups), builder.getInt32Ty(), "groups"));
  arguments.push_back(sizes[0]);
  arguments.push_back(field(offsetof(abi::GroupLaunch, dynamicSharedBytes), builder.getInt32Ty(), "dynamic_bytes"));
  arguments.push_back(field(offsetof(abi::GroupLaunch, shared), pointer, "shared"));
  arguments.push_back(field(offsetof(abi::GroupLaunch, context), pointer, "context"));
  const auto callAndReturn = [&](llvm::Function& function) {
    llvm::CallInst* const call = builder.CreateCall(&function, arguments);
    llvm::SmallVector<llvm::AttributeSet> sets;
    for (const llvm::Argument& argument : function.args())
      sets.push_back(function.getAttributes().getParamAttrs(argument.getArgNo()));
    call->setAttributes(llvm::AttributeList::get(context, {}, {}, sets));
    builder.CreateRetVoid();
  };
  if (fixed) {
    llvm::Value* matches = builder.getTrue();
    for (unsigned axis = 0; axis < 3; ++axis) {
      llvm::Value* const same = builder.CreateICmpEQ(sizes[axis], builder.getInt32((*fixed->fixedSize)[axis]));
      matches = builder.CreateAnd(matches, same);
    }
    llvm::BasicBlock* const known = llvm::BasicBlock::Create(context, "known_size", entry);
    llvm::BasicBlock* const other = llvm::BasicBlock::Create(context, "any_size", entry);
    builder.CreateCondBr(matches, known, other);
    builder.SetInsertPoint(known);
    callAndReturn(*fixed->function);
    builder.SetInsertPoint(other);
  }
  callAndReturn(*group.function);
  kernel.replaceAllUsesWith(entry);
  kernel.eraseFromParent();
  return *entry;
}

}  // namespace lathe::detail
