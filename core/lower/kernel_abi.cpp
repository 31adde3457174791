// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage 7, kernel ABI: entry points get the calling convention, parameter passing and launch-bound attributes of the
// target, and the facts of the job; the layout of their parameter blocks is recorded for the image and checked against
// what the target can pass.
//
//   before: define void @k(ptr %x, ptr byval(%S) align 8 %s) "lathe.kernel"
//   after:  define amdgpu_kernel void @k(ptr addrspace(1) %x, ptr addrspace(4) byref(%S) align 8 %s) "amdgpu-flat-…"
#include "llvm/IR/IRBuilder.h"

#include "core/lower/kernel_state.h"
#include "core/lower/lowering.h"
#include "core/lower/parameter_block.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

void recordLayout(EntryPoint& entry, const llvm::Function& kernel) {
  const ParameterBlock block = parameterBlockOf(kernel);
  const std::size_t visible = entry.parameters.size();
  for (std::size_t i = 0; i < visible + entry.hidden.size(); ++i) {
    Parameter& parameter = i < visible ? entry.parameters[i] : entry.hidden[i - visible];
    parameter.offset = block.slots[i].offset;
    // The IR decides sizes; C++'s bool is one byte in a block although an i1 in IR.
    parameter.type.size = block.slots[i].size;
    parameter.type.align = std::max(parameter.type.align, block.slots[i].align);
  }
  entry.parameterBytes = block.size;
  entry.parameterAlign = block.align;
}

llvm::Error checkSize(const EntryPoint& entry, const llvm::Function& kernel, const Lowering& lowering) {
  const std::uint64_t limit = lowering.descriptor.kernel.parameterBytes;
  if (entry.parameterBytes <= limit) return llvm::Error::success();
  Error error{.code = ErrorCode::ParametersTooLarge,
              .message = "",
              .stage = "kernel_abi",
              .target = lowering.descriptor.name,
              .location = locationOf(kernel)};
  const Parameter* largest = &entry.parameters.front();
  const Parameter* crossing = nullptr;
  for (const Parameter& parameter : entry.parameters) {
    if (parameter.type.size > largest->type.size) largest = &parameter;
    if (!crossing && parameter.offset + parameter.type.size > limit) crossing = &parameter;
  }
  error.message = "kernel '" + entry.name + "' takes " + std::to_string(entry.parameterBytes) +
                  " bytes of parameters, " + lowering.descriptor.name + ":" + lowering.arch + " passes at most " +
                  std::to_string(limit) + "; '" + largest->name + "' (" + largest->type.name + ") is " +
                  std::to_string(largest->type.size) + " bytes";
  if (crossing && crossing != largest) {
    error.notes.push_back({"parameter '" + crossing->name + "' is the first that does not fit, at offset " +
                               std::to_string(crossing->offset),
                           {},
                           {}});
  }
  error.hint = "put it into device memory and pass a pointer";
  return toLlvm(std::move(error));
}

/// Bounds that no launch could keep are refused here, not by the driver later.
llvm::Error checkBounds(const EntryPoint& entry, const llvm::Function& kernel, const Lowering& lowering) {
  const auto& size = entry.bounds.groupSize;
  const Limits& limits = lowering.descriptor.limits;
  const auto refuse = [&](ErrorCode code, std::string what) {
    return toLlvm({.code = code,
                   .message = "kernel '" + entry.name + "': " + std::move(what),
                   .stage = "kernel_abi",
                   .target = lowering.descriptor.name,
                   .location = locationOf(kernel)});
  };
  const bool fixed = size[0] || size[1] || size[2];
  if (fixed && (!size[0] || !size[1] || !size[2]))
    return refuse(ErrorCode::InvalidArgument, "a fixed group size needs three extents of at least 1");
  const std::uint64_t items = fixed ? std::uint64_t{size[0]} * size[1] * size[2] : entry.bounds.maxItems;
  if (limits.groupItems != 0 && items > limits.groupItems) {
    return refuse(ErrorCode::ResourceLimit, "groups of " + std::to_string(items) + " items; " +
                                                lowering.descriptor.name + " runs at most " +
                                                std::to_string(limits.groupItems));
  }
  for (std::size_t i = 0; i < size.size(); ++i) {
    if (limits.group[i] == 0 || size[i] <= limits.group[i]) continue;
    return refuse(ErrorCode::ResourceLimit, "a group extent of " + std::to_string(size[i]) + " along " + "xyz"[i] +
                                                "; " + lowering.descriptor.name + " allows " +
                                                std::to_string(limits.group[i]));
  }
  return llvm::Error::success();
}

std::string replaced(std::string text, const std::string& hole, const std::string& value) {
  for (std::size_t at = text.find(hole); at != std::string::npos; at = text.find(hole, at + value.size()))
    text.replace(at, hole.size(), value);
  return text;
}

/// "name=text" as a string attribute.
void addAttribute(llvm::Function& kernel, const std::string& pair) {
  const std::size_t split = pair.find('=');
  kernel.addFnAttr(pair.substr(0, split), split == std::string::npos ? "" : pair.substr(split + 1));
}

void applyBounds(llvm::Function& kernel, const LaunchBounds& bounds, const KernelAbi& abi) {
  const auto apply = [&](const char* key, const auto& fill, bool given) {
    const auto found = abi.boundAttributes.find(key);
    if (given && found != abi.boundAttributes.end()) addAttribute(kernel, fill(found->second));
  };
  const auto number = [](std::uint32_t value) {
    return [value](const std::string& text) { return replaced(text, "{}", std::to_string(value)); };
  };
  const auto& size = bounds.groupSize;
  const bool fixed = size[0] != 0;
  const std::uint32_t items = fixed ? size[0] * std::max(size[1], 1U) * std::max(size[2], 1U) : bounds.maxItems;
  apply("max_items", number(items), items != 0);
  apply("min_groups", number(bounds.minGroups), bounds.minGroups != 0);
  apply("max_registers", number(bounds.maxRegisters), bounds.maxRegisters != 0);
  apply(
      "group_size",
      [&](std::string text) {
        constexpr const char* holes[] = {"{x}", "{y}", "{z}"};
        for (std::size_t i = 0; i < 3; ++i)
          text = replaced(std::move(text), holes[i], std::to_string(std::max(size[i], 1U)));
        return text;
      },
      fixed);
  for (const std::string& pair : abi.attributes) addAttribute(kernel, pair);
}

llvm::CallingConv::ID callingConvention(std::string_view name) {
  const auto known = callingConventions();
  const auto found = std::ranges::find(known, name, &CallingConvention::name);
  return found == known.end() ? llvm::CallingConv::ID{llvm::CallingConv::C} : found->id;
}

/// The type a parameter of portable IR has on this target.
llvm::Type* passedType(const llvm::Argument& argument, const Descriptor& descriptor) {
  llvm::LLVMContext& context = argument.getContext();
  if (argument.hasByValAttr()) {
    const auto space = descriptor.kernel.aggregateSpace;
    return space ? llvm::PointerType::get(context, *space) : argument.getType();
  }
  if (argument.getType()->isIntegerTy(1) && descriptor.kernel.byteBooleans) return llvm::Type::getInt8Ty(context);
  if (argument.getType()->isPointerTy() && descriptor.kernel.globalPointers) {
    return llvm::PointerType::get(context, descriptor.addressSpaces.global);
  }
  return argument.getType();
}

/// Moves the body into a function of the target's signature; parameters are cast back to generic pointers at entry.
llvm::Function& changeSignature(llvm::Function& kernel, const Descriptor& descriptor) {
  llvm::SmallVector<llvm::Type*> types;
  bool same = true;
  for (const llvm::Argument& argument : kernel.args()) {
    types.push_back(passedType(argument, descriptor));
    same &= types.back() == argument.getType();
  }
  if (same) return kernel;
  auto* const type = llvm::FunctionType::get(kernel.getReturnType(), types, false);
  llvm::Function* const changed =
      llvm::Function::Create(type, kernel.getLinkage(), kernel.getAddressSpace(), "", kernel.getParent());
  changed->copyAttributesFrom(&kernel);
  changed->copyMetadata(&kernel, 0);
  changed->takeName(&kernel);
  changed->splice(changed->begin(), &kernel);
  llvm::IRBuilder<> builder(&*changed->getEntryBlock().getFirstInsertionPt());
  for (llvm::Argument& argument : kernel.args()) {
    llvm::Argument& passed = *changed->getArg(argument.getArgNo());
    passed.takeName(&argument);
    if (passed.getType() == argument.getType()) {
      argument.replaceAllUsesWith(&passed);
      continue;
    }
    if (argument.getType()->isIntegerTy(1)) {
      argument.replaceAllUsesWith(builder.CreateIsNotNull(&passed));
    } else if (argument.hasByValAttr() && descriptor.kernel.aggregates == AggregatePassing::byref) {
      // The block is read-only memory, but the callee of a by-value parameter may write to its copy.
      llvm::Type* const aggregate = argument.getParamByValType();
      const llvm::Align align = argument.getParamAlign().valueOrOne();
      passed.removeAttr(llvm::Attribute::ByVal);
      passed.addAttr(llvm::Attribute::getWithByRefType(kernel.getContext(), aggregate));
      llvm::AllocaInst* const copy = builder.CreateAlloca(aggregate, descriptor.addressSpaces.alloca_);
      copy->setAlignment(align);
      builder.CreateMemCpy(copy, align, &passed, align,
                           kernel.getDataLayout().getTypeAllocSize(aggregate).getFixedValue());
      argument.replaceAllUsesWith(builder.CreateAddrSpaceCast(copy, argument.getType()));
    } else {
      argument.replaceAllUsesWith(builder.CreateAddrSpaceCast(&passed, argument.getType()));
    }
  }
  kernel.replaceAllUsesWith(changed);
  kernel.eraseFromParent();
  return *changed;
}

/// Recursive functions are what LLVM's inliner leaves; validation finds them.
void inlineEverything(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.hasFnAttribute(attribute::kernel)) continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

}  // namespace

llvm::Error stage::kernelAbi(Lowering& lowering) {
  const KernelAbi& abi = lowering.descriptor.kernel;
  if (lowering.job.options.entryAbi == EntryAbi::state) {
    if (auto error = addKernelState(lowering)) return error;
  }
  for (EntryPoint& entry : lowering.info.entries) {
    llvm::Function& kernel = lowering.functionOf(entry);
    recordLayout(entry, kernel);
    if (auto error = checkSize(entry, kernel, lowering)) return error;
    if (auto error = checkBounds(entry, kernel, lowering)) return error;
    applyBounds(kernel, entry.bounds, abi);
    if (abi.aggregates == AggregatePassing::packed) continue;  // work-group lowering makes the block
    llvm::Function& changed = changeSignature(kernel, lowering.descriptor);
    changed.setCallingConv(callingConvention(abi.callingConvention));
    changed.setMetadata("lathe.entry", nullptr);
  }
  if (abi.inlineAll) inlineEverything(*lowering.module);
  TargetContext context = lowering.targetContext();
  return lowering.hooks.finishModule(context);
}

}  // namespace lathe::detail
