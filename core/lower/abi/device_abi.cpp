// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage device_abi: calls of `__lathe_*` become what the target has for them: an LLVM intrinsic named by the
// descriptor, LLVM instructions that the core makes for every target alike, or a function of the target's device
// library, which stage libraries links. What has none of these stays a declaration; validation reports it if it
// survives optimisation.
//
//   before: %x = call i32 @__lathe_item_id_x()
//   after:  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include "core/abi/device_abi.h"
#include "core/abi/math.h"
#include "core/abi/runtime_abi.h"
#include "core/lower/abi/device_abi.h"
#include "core/lower/abi/provision.h"
#include "core/lower/calls.h"
#include "core/lower/device_libraries.h"
#include "core/lower/launched_kernels.h"
#include "core/lower/lowering.h"
#include "core/lower/machine_libraries.h"
#include "core/lower/math/math.h"
#include "core/lower/stages.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

/// Makes `value` a `type` where the two are integers of different width; i1 means "not zero".
llvm::Value* coerce(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Type* type) {
  if (value->getType() == type) return value;
  if (value->getType()->isPointerTy() && type->isPointerTy()) return builder.CreateAddrSpaceCast(value, type);
  if (type->isIntegerTy(1)) return builder.CreateIsNotNull(value);
  return builder.CreateZExtOrTrunc(value, type);
}

/// One argument of a mapping: "$0" is the call's own, anything else an integer.
llvm::Value* argumentOf(llvm::IRBuilder<>& builder, const llvm::CallInst& call, llvm::StringRef text,
                        llvm::Type* type) {
  if (text.consume_front("$")) {
    unsigned index = 0;
    (void)text.getAsInteger(10, index);
    return coerce(builder, call.getArgOperand(index), type);
  }
  std::int64_t number = 0;
  (void)text.getAsInteger(0, number);
  return llvm::ConstantInt::getSigned(type, number);
}

llvm::Error mapToIntrinsic(llvm::Function& entry, const IntrinsicMapping& mapping, const Lowering& lowering) {
  llvm::Module& module = *lowering.module;
  const llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(mapping.name);
  if (id == llvm::Intrinsic::not_intrinsic) {
    return toLlvm({.code = ErrorCode::DescriptorInvalid,
                   .message = lowering.descriptor.origin + ": " + entry.getName().str() + " is mapped to '" +
                              mapping.name + "', which LLVM does not know",
                   .stage = "device_abi"});
  }
  // An overloaded intrinsic takes the entry's own types.
  llvm::SmallVector<llvm::Type*> overloads;
  if (llvm::Intrinsic::isOverloaded(id) &&
      !llvm::Intrinsic::getIntrinsicSignature(id, entry.getFunctionType(), overloads)) {
    return toLlvm({.code = ErrorCode::DescriptorInvalid,
                   .message = lowering.descriptor.origin + ": " + mapping.name + " takes or returns other types than " +
                              entry.getName().str(),
                   .stage = "device_abi"});
  }
  llvm::Function* const intrinsic = llvm::Intrinsic::getOrInsertDeclaration(&module, id, overloads);
  const llvm::FunctionType& type = *intrinsic->getFunctionType();
  const std::size_t given = mapping.explicitArguments ? mapping.arguments.size() : entry.arg_size();
  if (given != type.getNumParams()) {
    return toLlvm({.code = ErrorCode::DescriptorInvalid,
                   .message = lowering.descriptor.origin + ": " + mapping.name + " takes " +
                              std::to_string(type.getNumParams()) + " arguments, the mapping of " +
                              entry.getName().str() + " gives " + std::to_string(given),
                   .stage = "device_abi"});
  }
  forEachCall(entry, [&](llvm::CallInst& call) {
    llvm::IRBuilder<> builder(&call);
    llvm::SmallVector<llvm::Value*> arguments;
    for (unsigned i = 0; i < given; ++i) {
      const std::string text = mapping.explicitArguments ? mapping.arguments[i] : "$" + std::to_string(i);
      arguments.push_back(argumentOf(builder, call, text, type.getParamType(i)));
    }
    llvm::Value* const result = builder.CreateCall(intrinsic, arguments);
    if (!call.getType()->isVoidTy()) call.replaceAllUsesWith(coerce(builder, result, call.getType()));
    call.eraseFromParent();
  });
  return llvm::Error::success();
}

/// The start of launch-sized shared memory: one external variable that every target places after the static ones.
void lowerDynamicShared(llvm::Function& entry, const Lowering& lowering) {
  llvm::Module& module = *lowering.module;
  auto* const type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), 0);
  auto* const memory =
      new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::ExternalLinkage, nullptr, dynamicSharedName,
                               nullptr, llvm::GlobalValue::NotThreadLocal, lowering.descriptor.addressSpaces.group);
  memory->setAlignment(llvm::Align(16));
  forEachCall(entry, [&](llvm::CallInst& call) {
    replaceCall(call, *llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(memory, call.getType()));
  });
}

bool isDeviceFunction(std::string_view symbol, const Lowering& lowering) {
  return deviceCodeHas(lowering.descriptor, lowering.deviceLibrary, symbol);
}

/// Replaces the query by null, in kernels with the entry ABI `bare`.
void lowerAbsentState(llvm::Function& entry) {
  for (llvm::User* user : llvm::make_early_inc_range(entry.users())) {
    auto* const call = llvm::cast<llvm::CallInst>(user);
    call->replaceAllUsesWith(llvm::Constant::getNullValue(call->getType()));
    call->eraseFromParent();
  }
}

/// Kernels with a state report, and where the target has no memory for them allocate, through it: `__lathe_print`
/// becomes `__lathe_state_print`.
bool goesThroughState(const AbiEntry& entry, Lowering& lowering) {
  const RuntimeEntry* const form = lowering.entryAbi == EntryAbi::state ? stateForm(entry.id) : nullptr;
  if (!form) return false;
  // A device's own memory and barrier before Lathe's.
  if (isAllocation(entry)) return !isDeviceFunction(entry.symbol, lowering);
  return entry.id != AbiId::grid_barrier || isDeviceFunction(form->symbol, lowering);
}
void lowerThroughState(llvm::Function& function, const AbiEntry& entry) {
  function.replaceAllUsesWith(
      function.getParent()
          ->getOrInsertFunction(stateForm(entry.id)->symbol, function.getFunctionType(), function.getAttributes())
          .getCallee());
}

void lowerTrap(llvm::Function& entry) {
  forEachCall(entry, [](llvm::CallInst& call) {
    llvm::IRBuilder<>(&call).CreateCall(
        llvm::Intrinsic::getOrInsertDeclaration(call.getModule(), llvm::Intrinsic::trap));
    call.eraseFromParent();
  });
}

/// Where nothing copies beside the item, it copies itself, and batches are always finished. `width`: bits of a copy; 0
/// for what only speaks of batches.
void lowerAsyncCopy(llvm::Function& entry, unsigned width) {
  const bool copies = width != 0;
  forEachCall(entry, [&](llvm::CallInst& call) {
    llvm::IRBuilder<> builder(&call);
    if (copies) {
      // In words of at most 64 bits: not every format has wider integers.
      const unsigned word = std::min(width, 64U);
      llvm::Type* const type = builder.getIntNTy(word);
      llvm::SmallVector<llvm::Value*> words;
      for (unsigned at = 0; at < width / word; ++at) {
        llvm::Value* const from = builder.CreateConstInBoundsGEP1_32(type, call.getArgOperand(1), at);
        words.push_back(builder.CreateAlignedLoad(type, from, llvm::Align(word / 8)));
      }
      for (unsigned at = 0; at < width / word; ++at) {
        llvm::Value* const to = builder.CreateConstInBoundsGEP1_32(type, call.getArgOperand(0), at);
        builder.CreateAlignedStore(words[at], to, llvm::Align(word / 8));
      }
    }
    call.eraseFromParent();
  });
}

void lowerSubgroupSize(llvm::Function& entry, unsigned size) {
  forEachCall(entry, [&](llvm::CallInst& call) {
    call.replaceAllUsesWith(llvm::ConstantInt::get(call.getType(), size));
    call.eraseFromParent();
  });
}

/// Where a group is a cluster of its own, its memory is where it is.
void lowerClusterShared(llvm::Function& entry) {
  forEachCall(entry, [](llvm::CallInst& call) {
    call.replaceAllUsesWith(call.getArgOperand(0));
    call.eraseFromParent();
  });
}

void lowerGeneric(llvm::Function& function, const AbiEntry& entry, Lowering& lowering) {
  switch (entry.id) {
    case AbiId::dynamic_shared:
      return lowerDynamicShared(function, lowering);
    case AbiId::trap:
      if (!isDeviceFunction(entry.symbol, lowering)) lowerTrap(function);
      return;
    case AbiId::cluster_shared:
      return lowerClusterShared(function);
    case AbiId::launch_arguments:
      return lowerLaunchArguments(function);
    case AbiId::state:
      if (lowering.entryAbi == EntryAbi::bare) lowerAbsentState(function);  // else stage kernel_state does
      return;
    case AbiId::async_copy_i32:
      return lowerAsyncCopy(function, 32);
    case AbiId::async_copy_i64:
      return lowerAsyncCopy(function, 64);
    case AbiId::async_copy_i128:
      return lowerAsyncCopy(function, 128);
    case AbiId::async_commit:
    case AbiId::async_wait:
      return lowerAsyncCopy(function, 0);
    default:
      lowerAtomic(function, entry, lowering);
  }
}

/// Functions that cannot become part of a kernel: those that call themselves or are called through pointers, and what
/// they call.
FunctionSet separateFunctions(llvm::Module& module) {
  FunctionSet out = recursiveFunctions(module);
  for (llvm::Function& function : module) {
    if (!function.isDeclaration() && function.hasAddressTaken()) out.insert(&function);
  }
  addCallees(out);
  return out;
}

/// Inlines the functions around `entry` that are inlined anyway, so that each call is where it belongs.
void inlineWrappers(llvm::Function& entry) {
  FunctionSet wrappers;
  for (llvm::User* user : entry.users()) {
    auto* const call = llvm::dyn_cast<llvm::CallBase>(user);
    if (call && call->getFunction()->hasFnAttribute(llvm::Attribute::AlwaysInline))
      wrappers.insert(call->getFunction());
  }
  for (llvm::Function* wrapper : wrappers) {
    for (llvm::User* user : llvm::make_early_inc_range(wrapper->users())) {
      auto* const call = llvm::dyn_cast<llvm::CallBase>(user);
      if (!call || call->getCalledFunction() != wrapper || call->getFunction() == wrapper) continue;
      llvm::InlineFunctionInfo info;
      (void)llvm::InlineFunction(*call, info);  // else it is reported without its place
    }
  }
}

}  // namespace

/// Where items are loops, only what is part of the kernel knows its item. Failures elsewhere are reported without: by
/// `__lathe_trap_without_location`, if the target has it.
llvm::Error stage::separateFailures(Lowering& lowering) {
  llvm::Module& module = *lowering.module;
  const bool state = lowering.entryAbi == EntryAbi::state;
  struct Failure {
    AbiId id;
    RuntimeId withState, withoutState;
  };
  constexpr Failure failures[] = {
      {AbiId::assert_fail, RuntimeId::state_assert_fail_without_location, RuntimeId::assert_fail_without_location},
      {AbiId::trap, RuntimeId::state_trap_without_location, RuntimeId::trap_without_location},
  };
  FunctionSet separate;
  for (const Failure& failure : failures) {
    const AbiEntry& abi = abiEntry(failure.id);
    llvm::Function* const entry = module.getFunction(abi.symbol);
    if (!entry || !entry->isDeclaration()) continue;
    if (!state && lowering.descriptor.intrinsics.contains(std::string(abi.name))) continue;
    if (separate.empty()) separate = separateFunctions(module);
    if (separate.empty()) break;
    const std::string_view other = runtimeEntry(state ? failure.withState : failure.withoutState).symbol;
    if (!isDeviceFunction(other, lowering)) continue;
    inlineWrappers(*entry);
    const llvm::FunctionCallee placeless = module.getOrInsertFunction(other, entry->getFunctionType());
    for (llvm::User* user : llvm::make_early_inc_range(entry->users())) {
      auto* const call = llvm::dyn_cast<llvm::CallBase>(user);
      if (call && separate.contains(call->getFunction())) call->setCalledFunction(placeless);
    }
  }
  return llvm::Error::success();
}

llvm::Error lowerDeviceAbi(Lowering& lowering) {
  for (llvm::Function& function : llvm::make_early_inc_range(*lowering.module)) {
    if (!function.isDeclaration() || function.isIntrinsic()) continue;
    const AbiEntry* const entry = findAbiEntry(std::string_view(function.getName()));
    if (!entry) continue;
    if (goesThroughState(*entry, lowering)) {
      lowerThroughState(function, *entry);
      function.eraseFromParent();
      continue;
    }
    // A number needs nothing of the machine: where subgroups are absent, the error names what was asked of one.
    if (entry->id == AbiId::subgroup_size && hasOneSubgroupSize(lowering.descriptor)) {
      lowerSubgroupSize(function, lowering.descriptor.subgroupSizes.front());
      function.eraseFromParent();
      continue;
    }
    if (isRuledOut(lowering.descriptor, *entry)) continue;
    const auto mapping = lowering.descriptor.intrinsics.find(std::string(entry->name));
    if (mapping != lowering.descriptor.intrinsics.end()) {
      if (auto error = mapToIntrinsic(function, mapping->second, lowering)) return error;
    } else if (entry->lowering == AbiLowering::generic) {
      lowerGeneric(function, *entry, lowering);
    }
    if (function.use_empty()) function.eraseFromParent();
  }
  return llvm::Error::success();
}

namespace {

/// The functions that reach an entry which `wanted` accepts, while calls still say so.
FunctionSet callersOf(llvm::Module& module, llvm::function_ref<bool(const AbiEntry&)> wanted) {
  FunctionSet reaching;
  for (llvm::Function& function : module) {
    const AbiEntry* const entry =
        function.isDeclaration() ? findAbiEntry(std::string_view(function.getName())) : nullptr;
    if (entry && wanted(*entry)) reaching.insert(&function);
  }
  addCallers(reaching);
  return reaching;
}

/// Marks the kernels that reach a function of subgroups.
void markSubgroupKernels(llvm::Module& module) {
  for (llvm::Function* function : callersOf(module, [](const AbiEntry& entry) {
         return entry.group == AbiGroup::subgroup || entry.group == AbiGroup::matrix;
       })) {
    if (function->hasFnAttribute(attribute::kernel)) function->addFnAttr(attribute::subgroups);
  }
}

/// Refuses kernels whose source counts on more items in a subgroup than any of the target's has: a shuffle would end at
/// the border and say nothing.
llvm::Error checkSubgroupSize(Lowering& lowering) {
  const std::vector<unsigned>& sizes = lowering.descriptor.subgroupSizes;
  if (sizes.empty()) return llvm::Error::success();
  const unsigned most = *std::ranges::max_element(sizes);
  const FunctionSet together =
      callersOf(*lowering.module, [](const AbiEntry& entry) { return entry.has(AbiEffect::convergesSubgroup); });
  for (const llvm::Function& function : *lowering.module) {
    unsigned needed = 0;
    if (!together.contains(&function) ||
        function.getFnAttribute(attribute::leastSubgroup).getValueAsString().getAsInteger(0, needed) || needed <= most)
      continue;
    return toLlvm({.code = ErrorCode::Unsupported,
                   .message = "kernel '" + demangled(function.getName()) + "' is written for subgroups of " +
                              std::to_string(needed) + " items, and those of " + lowering.descriptor.name + " have " +
                              std::to_string(most),
                   .hint = "write it in the kernel language, whose subgroups have any size",
                   .stage = "device_abi",
                   .target = lowering.descriptor.name,
                   .location = locationOf(function)});
  }
  return llvm::Error::success();
}

/// A library's names are C's and OpenCL's, mangled as C++ mangles a user's own `float cbrt(float)`: the user's make
/// way, or a call of the library's would find them, and call itself.
void freeLibraryNames(Lowering& lowering) {
  const auto release = [&](const std::string& name) {
    llvm::Function* const own = lowering.module->getFunction(name);
    if (own && !own->isDeclaration() && own->hasLocalLinkage()) own->setName(name + ".own");
  };
  for (const std::string& name : lowering.descriptor.externals) release(name);
  const DeviceLibrary* const library = mathLibrary(lowering);
  if (!library) return;
  for (const MathFunction& function : mathFunctions()) {
    for (const bool isDouble : {false, true}) release(mathSymbol(*library, {&function, isDouble}));
  }
}

}  // namespace

llvm::Error stage::deviceAbi(Lowering& lowering) {
  freeLibraryNames(lowering);
  markSubgroupKernels(*lowering.module);
  if (auto error = checkSubgroupSize(lowering)) return error;
  if (lowering.entryAbi == EntryAbi::state && !lowering.descriptor.kernel.state) {
    return toLlvm({.code = ErrorCode::Unsupported,
                   .message = lowering.descriptor.name + ": its kernels cannot be given a state",
                   .hint = "use the entry ABI 'bare'",
                   .stage = "device_abi",
                   .target = lowering.descriptor.name});
  }
  if (auto error = lowerDeviceAbi(lowering)) return error;
  lowerMath(lowering);
  return llvm::Error::success();
}

}  // namespace lathe::detail
