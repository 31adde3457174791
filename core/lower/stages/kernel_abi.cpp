// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages launch_layout and kernel_abi: entry points get the calling convention, parameter passing and launch-bound
// attributes of the target, and the facts of the job; the layout of their parameter blocks is recorded for the image
// and checked against what the target can pass. What it cannot is a diagnostic, reported with all others by stage
// validate.
//
//   before: define void @k(ptr %x, ptr byval(%S) align 8 %s) "lathe.kernel"
//   after:  define amdgpu_kernel void @k(ptr addrspace(1) %x, ptr addrspace(4) byref(%S) align 8 %s) "amdgpu-flat-…"
#include "llvm/IR/IRBuilder.h"

#include "core/lower/abi/hidden_parameter.h"
#include "core/lower/abi/parameter_block.h"
#include "core/lower/lowering.h"
#include "core/lower/signature.h"
#include "core/lower/stages.h"
#include "core/support/llvm_bridge.h"
#include "core/support/text.h"

namespace lathe::detail {
namespace {

/// Records where a launch puts each argument. Arguments behind those that the entry lists are not in its block.
void recordLayout(EntryPoint& entry, const llvm::Function& kernel) {
  const std::size_t visible = entry.parameters.size();
  const std::size_t listed = visible + entry.hidden.size();
  const ParameterBlock block = parameterBlockOf(kernel, listed);
  for (std::size_t i = 0; i < listed; ++i) {
    Parameter& parameter = i < visible ? entry.parameters[i] : entry.hidden[i - visible];
    parameter.offset = block.slots[i].offset;
    if (parameter.byReference) continue;  // its type is the value's, its place the address's
    // The IR decides sizes; C++'s bool is one byte in a block although an i1 in IR.
    parameter.type.size = block.slots[i].size;
    parameter.type.align = std::max(parameter.type.align, block.slots[i].align);
  }
  entry.parameterBytes = block.size;
  entry.parameterAlign = block.align;
}

std::uint64_t itemsOf(const LaunchBounds& bounds) {
  const auto& size = bounds.groupSize;
  return size[0] ? std::uint64_t{size[0]} * size[1] * size[2] : bounds.maxItems;
}

/// Bounds that no launch could keep are refused here, not by the driver later.
void checkBounds(const EntryPoint& entry, const llvm::Function& kernel, Lowering& lowering) {
  const auto& size = entry.bounds.groupSize;
  const Limits& limits = lowering.descriptor.limits;
  const std::string name = "kernel '" + entry.name + "': ";
  const std::string target = "; " + lowering.descriptor.name + ":" + lowering.arch;
  const bool fixed = size[0] || size[1] || size[2];
  if (fixed && (!size[0] || !size[1] || !size[2])) {
    reportKernel(lowering, ErrorCode::InvalidArgument, kernel,
                 name + "a fixed group size needs three extents of at least 1",
                 "write 1 for the axes that are not used");
    return;
  }
  const std::uint64_t items = itemsOf(entry.bounds);
  const auto refuse = [&](std::uint64_t limit, const char* which) {
    reportKernel(lowering, ErrorCode::ResourceLimit, kernel,
                 name + "groups of " + std::to_string(items) + " items" + which + target + " runs at most " +
                     std::to_string(limit),
                 "let each item do more, or run more groups of fewer items");
  };
  if (limits.groupItems != 0 && items > limits.groupItems) refuse(limits.groupItems, "");
  if (limits.subgroupGroupItems != 0 && items > limits.subgroupGroupItems &&
      kernel.hasFnAttribute(attribute::subgroups)) {
    refuse(limits.subgroupGroupItems, " that work as subgroups");
  }
  for (std::size_t i = 0; i < size.size(); ++i) {
    if (limits.group[i] == 0 || size[i] <= limits.group[i]) continue;
    reportKernel(lowering, ErrorCode::ResourceLimit, kernel,
                 name + "a group extent of " + std::to_string(size[i]) + " along " + "xyz"[i] + target + " allows " +
                     std::to_string(limits.group[i]),
                 "use another axis, or run more groups of fewer items");
  }
}

/// Where the kernel was marked, for compiles without line numbers.
SourceLocation clusterMarkOf(const llvm::Function& kernel) {
  SourceLocation out;
  const auto [line, file] = kernel.getFnAttribute(attribute::clusterAt).getValueAsString().split(',');
  out.file = file.str();
  if (line.getAsInteger(10, out.line)) return locationOf(kernel);
  return out;
}

/// Where groups have no clusters, each is one, and a kernel that counts on more may compute something else.
void checkCluster(EntryPoint& entry, const llvm::Function& kernel, Lowering& lowering) {
  const auto& size = entry.cluster.size;
  if (size == std::array<std::uint32_t, 3>{} && !kernel.hasFnAttribute(attribute::clusterSize)) return;
  const std::string mark = "kernel '" + entry.name + "': ";
  if (!size[0] || !size[1] || !size[2]) {
    reportKernel(lowering, ErrorCode::InvalidArgument, kernel, mark + "a cluster has three extents of at least 1",
                 "write 1 for the axes that are not used");
    return;
  }
  if (lowering.descriptor.kernel.boundAttributes.contains("cluster_size")) return;
  if (size[0] * std::uint64_t{size[1]} * size[2] > 1) {
    lowering.warnings.push_back(Diagnostic{.severity = Severity::warning,
                                           .code = ErrorCode::Unsupported,
                                           .message = mark + "clusters of " + std::to_string(size[0]) + "x" +
                                                      std::to_string(size[1]) + "x" + std::to_string(size[2]) +
                                                      " groups were asked for; on " + lowering.descriptor.name + ":" +
                                                      lowering.arch + " each group is a cluster of its own",
                                           .location = clusterMarkOf(kernel),
                                           .snippet = {},
                                           .notes = {},
                                           .hint = "ask the cluster for its size where the kernel depends on it"});
  }
  entry.cluster = {};
}

/// Launches learn of the limit by the kernel's bounds.
void boundSubgroups(EntryPoint& entry, const llvm::Function& kernel, const Limits& limits) {
  const std::uint64_t most = limits.subgroupGroupItems;
  if (most == 0 || entry.bounds.groupSize[0] != 0 || !kernel.hasFnAttribute(attribute::subgroups)) return;
  if (entry.bounds.maxItems == 0 || entry.bounds.maxItems > most)
    entry.bounds.maxItems = static_cast<std::uint32_t>(most);
}

/// "name=text" as a string attribute, "!name=1,2" as metadata.
void addAttribute(llvm::Function& kernel, const std::string& pair) {
  const std::size_t split = pair.find('=');
  if (pair.starts_with('!')) {
    llvm::SmallVector<llvm::StringRef> texts;
    llvm::SmallVector<llvm::Metadata*> numbers;
    llvm::StringRef(pair).drop_front(std::min(split, pair.size() - 1) + 1).split(texts, ',');
    for (const llvm::StringRef text : texts) {
      std::uint32_t number = 0;
      (void)text.getAsInteger(10, number);
      numbers.push_back(
          llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(kernel.getContext()), number)));
    }
    return kernel.setMetadata(pair.substr(1, split - 1), llvm::MDNode::get(kernel.getContext(), numbers));
  }
  kernel.addFnAttr(pair.substr(0, split), split == std::string::npos ? "" : pair.substr(split + 1));
}

void applyBounds(llvm::Function& kernel, const EntryPoint& entry, const Descriptor& descriptor) {
  const LaunchBounds& bounds = entry.bounds;
  const KernelAbi& abi = descriptor.kernel;
  const auto apply = [&](const char* key, const auto& fill, bool given) {
    const auto found = abi.boundAttributes.find(key);
    if (given && found != abi.boundAttributes.end()) addAttribute(kernel, fill(found->second));
  };
  const auto number = [](std::uint32_t value) {
    return [value](const std::string& text) { return replaced(text, "{}", std::to_string(value)); };
  };
  const auto extents = [](const std::array<std::uint32_t, 3>& size) {
    return [&size](std::string text) {
      constexpr const char* holes[] = {"{x}", "{y}", "{z}"};
      for (std::size_t i = 0; i < 3; ++i)
        text = replaced(std::move(text), holes[i], std::to_string(std::max(size[i], 1U)));
      return text;
    };
  };
  // The size says more than the most items, and assemblers refuse both.
  const bool sized = hasBound(entry, "group_size") && abi.boundAttributes.contains("group_size");
  apply("max_items", number(static_cast<std::uint32_t>(itemsOf(bounds))), hasBound(entry, "max_items") && !sized);
  apply("min_groups", number(bounds.minGroups), hasBound(entry, "min_groups"));
  apply("subgroup_size", number(descriptor.subgroupSizes.front()), kernel.hasFnAttribute(attribute::subgroups));
  apply("max_registers", number(bounds.maxRegisters), hasBound(entry, "max_registers"));
  const bool oneRow = llvm::any_of(entry.hidden, [](const Parameter& hidden) { return hidden.name == groupShapeName; });
  const std::array<std::uint32_t, 3> row = {static_cast<std::uint32_t>(itemsOf(bounds)), 1, 1};
  apply("group_size", extents(oneRow ? row : bounds.groupSize), hasBound(entry, "group_size"));
  apply("cluster_size", extents(entry.cluster.size), hasBound(entry, "cluster_size"));
  apply("max_cluster", number(entry.cluster.most), hasBound(entry, "max_cluster"));
  apply("counts_clusters", number(1), hasBound(entry, "counts_clusters"));
  for (const std::string& pair : abi.attributes) addAttribute(kernel, pair);
}

/// The type a parameter of portable IR has on this target.
llvm::Type* passedType(const llvm::Argument& argument, const Descriptor& descriptor) {
  llvm::LLVMContext& context = argument.getContext();
  if (argument.hasByValAttr()) {
    const bool byReference = argument.hasAttribute(attribute::byReference);
    // A space for what the code finds at an address that it was passed, or one of the parameters themselves.
    const bool spaceOfReferences = descriptor.kernel.aggregates == AggregatePassing::byref;
    if (byReference && !spaceOfReferences) return llvm::PointerType::get(context, descriptor.addressSpaces.global);
    const auto space = descriptor.kernel.aggregateSpace;
    return space ? llvm::PointerType::get(context, *space) : argument.getType();
  }
  if (argument.getType()->isIntegerTy(1) && descriptor.kernel.byteBooleans) return llvm::Type::getInt8Ty(context);
  const auto* const pointer = llvm::dyn_cast<llvm::PointerType>(argument.getType());
  if (pointer && pointer->getAddressSpace() == descriptor.addressSpaces.generic && descriptor.kernel.globalPointers) {
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
    same &= types.back() == argument.getType() && !argument.hasAttribute(attribute::byReference);
  }
  if (same) return kernel;
  llvm::Function* const changed = &moveBody(kernel, types, /*before=*/nullptr);
  // Copies of parameters may become loops, which split the block: local variables have to be in its first part.
  llvm::BasicBlock& first = changed->getEntryBlock();
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(first)) {
    auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable && variable->isStaticAlloca()) variable->moveBefore(first, first.begin());
  }
  llvm::IRBuilder<> builder(&*first.getFirstNonPHIOrDbgOrAlloca());
  for (llvm::Argument& argument : kernel.args()) {
    llvm::Argument& passed = *changed->getArg(argument.getArgNo());
    const bool byReference = passed.hasAttribute(attribute::byReference);
    if (passed.getType() == argument.getType() && !byReference) continue;
    if (argument.getType()->isIntegerTy(1)) {
      argument.replaceAllUsesWith(builder.CreateIsNotNull(&passed));
    } else if (argument.hasByValAttr()) {
      // The bytes may be read-only, or the same for all items, but the kernel may write to its parameter.
      llvm::Type* const aggregate = argument.getParamByValType();
      const llvm::Align align = argument.getParamAlign().valueOrOne();
      const llvm::TypeSize bytes = kernel.getDataLayout().getTypeAllocSize(aggregate);
      if (byReference) {
        passed.removeAttr(llvm::Attribute::ByVal);
        changed->removeParamAttr(passed.getArgNo(), attribute::byReference);
        passed.addAttr(llvm::Attribute::ReadOnly);
        passed.addAttr(llvm::Attribute::NoAlias);
        passed.addAttr(llvm::Attribute::getWithDereferenceableBytes(kernel.getContext(), bytes.getFixedValue()));
      } else if (descriptor.kernel.aggregates == AggregatePassing::byref) {
        passed.removeAttr(llvm::Attribute::ByVal);
        passed.addAttr(llvm::Attribute::getWithByRefType(kernel.getContext(), aggregate));
      } else {
        passed.addAttr(llvm::Attribute::ReadOnly);
        passed.addAttr(llvm::Attribute::NoAlias);
      }
      auto* const copy =
          new llvm::AllocaInst(aggregate, descriptor.addressSpaces.alloca_, nullptr, align, "", first.begin());
      llvm::Value* const own = builder.CreateAddrSpaceCast(copy, argument.getType());
      // Uses are those of the new parameter already where the type stays.
      (passed.getType() == argument.getType() ? passed : argument).replaceAllUsesWith(own);
      builder.CreateMemCpy(copy, align, &passed, align, bytes.getFixedValue());
    } else {
      argument.replaceAllUsesWith(builder.CreateAddrSpaceCast(&passed, argument.getType()));
    }
  }
  kernel.replaceAllUsesWith(changed);
  kernel.eraseFromParent();
  return *changed;
}

}  // namespace

Diagnostic& reportKernel(Lowering& lowering, ErrorCode code, const llvm::Function& kernel, std::string message,
                         std::string hint) {
  return lowering.diagnostics.emplace_back(
      Diagnostic{.severity = Severity::error,
                 .code = code,
                 .message = std::move(message),
                 .location = locationOf(kernel),
                 .snippet = {},
                 .notes = {{"in kernel '" + demangled(kernel.getName()) + "'", locationOf(kernel), {}}},
                 .hint = std::move(hint)});
}

bool hasBound(const EntryPoint& entry, std::string_view key) {
  const LaunchBounds& bounds = entry.bounds;
  const ClusterBounds& cluster = entry.cluster;
  if (key == "max_items") return bounds.maxItems != 0 || bounds.groupSize[0] != 0;
  if (key == "min_groups") return bounds.minGroups != 0;
  if (key == "max_registers") return bounds.maxRegisters != 0;
  if (key == "group_size") return bounds.groupSize[0] != 0;
  if (key == "cluster_size") return cluster.size[0] != 0;
  if (key == "max_cluster") return cluster.most != 0 && cluster.size[0] == 0;
  return key == "counts_clusters" && cluster.countsClusters;
}

llvm::Error stage::launchLayout(Lowering& lowering) {
  const std::string& constantParameter = lowering.descriptor.kernel.constantParameter;
  for (EntryPoint& entry : lowering.info.entries) {
    llvm::Function& kernel = lowering.functionOf(entry);
    passLargeByReference(entry, kernel, lowering.descriptor.kernel);
    recordLayout(entry, kernel);
    checkParameterBytes(entry, kernel, lowering);
    checkBounds(entry, kernel, lowering);
    boundSubgroups(entry, kernel, lowering.descriptor.limits);
    checkCluster(entry, kernel, lowering);
    applyBounds(kernel, entry, lowering.descriptor);
    for (llvm::Argument& argument : kernel.args()) {
      if (argument.hasByValAttr() && argument.hasAttribute(attribute::gridConstant) && !constantParameter.empty())
        argument.addAttr(llvm::Attribute::get(kernel.getContext(), constantParameter));
    }
  }
  return llvm::Error::success();
}

llvm::Error stage::kernelAbi(Lowering& lowering) {
  for (const EntryPoint& entry : lowering.info.entries) {
    llvm::Function& changed = changeSignature(lowering.functionOf(entry), lowering.descriptor);
    changed.setCallingConv(lowering.descriptor.kernel.callingConvention);
    changed.setMetadata("lathe.entry", nullptr);
  }
  return llvm::Error::success();
}

/// Recursive functions are what LLVM's inliner leaves; validation finds them.
llvm::Error stage::inlineAll(Lowering& lowering) {
  for (llvm::Function& function : *lowering.module) {
    if (function.isDeclaration() || function.hasFnAttribute(attribute::kernel)) continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  return llvm::Error::success();
}

llvm::Error stage::afterKernelAbi(Lowering& lowering) {
  TargetContext context = lowering.targetContext();
  return lowering.hooks.afterKernelAbi(context);
}

}  // namespace lathe::detail
