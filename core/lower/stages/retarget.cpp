// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage retarget: triple, data layout and address spaces become the target's. Sizes and alignments in portable IR
// are already the ones every target uses (docs/portable-ir.md), so no type changes, but where generic pointers have
// another number than 0 (generic_space.cpp), and where LLVM aligns 128-bit integers otherwise (wide_fields.cpp).
//
//   before: %a = alloca [4 x float]                       @weights = global [9 x float] … "lathe.constant"
//   after:  %r = alloca [4 x float], addrspace(5)         @weights = addrspace(4) global [9 x float] …
//           %a = addrspacecast ptr addrspace(5) %r to ptr
#include <fmt/format.h>

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Regex.h"
#include "llvm/Target/TargetOptions.h"

#include "core/descriptor/llvm_facts.h"
#include "core/lower/globals.h"
#include "core/lower/lowering.h"
#include "core/lower/reachability.h"
#include "core/lower/stages.h"
#include "core/lower/stages/generic_space.h"
#include "core/lower/stages/retarget.h"
#include "core/lower/stages/wide_fields.h"
#include "core/process/recovery.h"
#include "core/support/llvm_bridge.h"
#include "core/support/nearest.h"

namespace lathe::detail {
namespace {

llvm::CodeGenOptLevel codeGenLevel(OptLevel level) {
  switch (level) {
    case OptLevel::O0:
      return llvm::CodeGenOptLevel::None;
    case OptLevel::O1:
      return llvm::CodeGenOptLevel::Less;
    case OptLevel::O2:
      return llvm::CodeGenOptLevel::Default;
    case OptLevel::O3:
      break;
  }
  return llvm::CodeGenOptLevel::Aggressive;
}

std::optional<llvm::CodeModel::Model> codeModel(const std::string& name) {
  if (name == "tiny") return llvm::CodeModel::Tiny;
  if (name == "kernel") return llvm::CodeModel::Kernel;
  if (name == "small") return llvm::CodeModel::Small;
  if (name == "medium") return llvm::CodeModel::Medium;
  if (name == "large") return llvm::CodeModel::Large;
  return std::nullopt;
}

/// LLVM only warns on stderr about unknown processors and features; Lathe refuses them, before LLVM sees them.
llvm::Error checkSubtarget(const std::string& triple, const Lowering& lowering) {
  const auto known = subtargetOf(triple);
  if (!known)
    return toLlvm({.code = ErrorCode::DescriptorInvalid,
                   .message = lowering.descriptor.origin + ": LLVM does not know the triple " + triple,
                   .stage = "retarget"});
  const std::string& processor = lowering.descriptor.processor;
  if (!processor.empty() && !known->isCPUStringValid(processor)) {
    return toLlvm({.code = ErrorCode::UnknownArchitecture,
                   .message = "target '" + lowering.descriptor.name + "' has no architecture '" + lowering.arch + "'" +
                              didYouMean(lowering.arch, processorNames(*known)),
                   .hint = "`lathe targets " + lowering.descriptor.name + "` lists them",
                   .stage = "retarget"});
  }
  const std::vector<std::string> names = featureNames(*known);
  llvm::SmallVector<llvm::StringRef> features;
  llvm::StringRef(lowering.info.features).split(features, ',', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef feature : features) {
    const std::string name = feature.ltrim("+-").str();
    const bool signedName = feature.starts_with("+") || feature.starts_with("-");
    if (signedName && llvm::is_contained(names, name)) continue;
    return toLlvm({.code = ErrorCode::UnknownFeature,
                   .message = "target '" + lowering.descriptor.name + "' has no feature '" + feature.str() + "'" +
                              (signedName ? didYouMean(name, names) : std::string("; write +NAME or -NAME")),
                   .stage = "retarget"});
  }
  return llvm::Error::success();
}

/// What LLVM has against the processor and the features together, which it says only when the first function asks for
/// them, by a fatal error.
llvm::Error tryFunction(const llvm::TargetMachine& machine, const Lowering& lowering) {
  llvm::Module scratch("scratch", lowering.module->getContext());
  scratch.setTargetTriple(machine.getTargetTriple());
  scratch.setDataLayout(machine.createDataLayout());
  auto* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(scratch.getContext()), /*isVarArg=*/false);
  auto* const function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", scratch);
  const auto fault = fatalErrorIn([&] { (void)machine.getSubtargetImpl(*function); });
  if (!fault) return llvm::Error::success();
  const std::string& asked = lowering.job.features;
  return toLlvm(
      {.code = asked.empty() ? ErrorCode::UnknownArchitecture : ErrorCode::UnknownFeature,
       .message = fmt::format("target '{}' makes no code for architecture '{}'{}: {}", lowering.descriptor.name,
                              lowering.arch, asked.empty() ? "" : " with " + asked, *fault),
       .hint = asked.empty() ? "choose another of `lathe targets " + lowering.descriptor.name + "`"
                             : "the features have to fit the architecture and one another",
       .stage = "retarget"});
}

/// Adds what the processor has to `features`, "+NAME,-NAME…": a loader that knows the names can tell whether the code
/// will run.
void recordFeatures(const llvm::TargetMachine& machine, std::string& features) {
  llvm::StringSet<> known;
  llvm::SmallVector<llvm::StringRef> listed;
  llvm::StringRef(features).split(listed, ',', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef feature : listed) known.insert(feature.ltrim("+-"));
  for (const llvm::SubtargetFeatureKV& feature : machine.getMCSubtargetInfo()->getEnabledProcessorFeatures()) {
    if (known.insert(feature.Key).second) features += (features.empty() ? "+" : ",+") + std::string(feature.Key);
  }
}

/// The texts of all inline assembly, one behind the other.
std::string assemblyOf(const llvm::Module& module) {
  std::string out;
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const auto* const text = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
      if (text) (out += text->getAsmString()) += '\n';
    }
  }
  return out;
}

llvm::Error makeMachine(Lowering& lowering) {
  const Descriptor& descriptor = lowering.descriptor;
  const llvm::Triple triple(llvm::Triple::normalize(descriptor.triple));
  std::string message;
  const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target) {
    return toLlvm(
        {.code = ErrorCode::DescriptorInvalid, .message = descriptor.origin + ": " + message, .stage = "retarget"});
  }
  llvm::TargetOptions options;
  // Contraction is a flag of each operation, set by the front end. A switch for all of them would also fuse the error
  // terms that math libraries compute on purpose.
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  options.MCOptions.AsmVerbose = false;
  const auto relocation = descriptor.codegen.relocation == "pic" ? llvm::Reloc::PIC_ : llvm::Reloc::Static;
  lowering.info.features = descriptor.features;
  const auto add = [&](const std::string& features) {
    lowering.info.features += (lowering.info.features.empty() ? "" : ",") + features;
  };
  if (!lowering.job.features.empty()) add(lowering.job.features);
  for (const auto& [bound, features] : descriptor.kernel.boundFeatures) {
    const bool used =
        llvm::any_of(lowering.info.entries, [&](const EntryPoint& entry) { return hasBound(entry, bound); });
    if (used) add(features);
  }
  if (!descriptor.kernel.assemblyFeatures.empty()) {
    const std::string assembly = assemblyOf(*lowering.module);
    for (const auto& [pattern, features] : descriptor.kernel.assemblyFeatures)
      if (!assembly.empty() && llvm::Regex(pattern).match(assembly)) add(features);
  }
  // All that the machine is made of, and whose hooks saw it; that what it names is known need not be checked twice.
  const std::string key = fmt::format("{}|{}|{}|{}|{}|{}|{}", descriptor.name, triple.str(), descriptor.processor,
                                      lowering.info.features, descriptor.codegen.codeModel,
                                      static_cast<int>(lowering.job.options.optLevel), relocation == llvm::Reloc::PIC_);
  const bool reusable = llvm::is_contained(descriptor.codegen.reusableMachines, triple.getArchName().str());
  if (reusable) lowering.machine = lowering.machines.take(key);
  if (!lowering.machine) {
    if (auto error = checkSubtarget(descriptor.triple, lowering)) return error;
    std::unique_ptr<llvm::TargetMachine> fresh(target->createTargetMachine(
        triple, descriptor.processor, lowering.info.features, options, relocation,
        codeModel(descriptor.codegen.codeModel), codeGenLevel(lowering.job.options.optLevel)));
    if (fresh) {
      if (auto error = tryFunction(*fresh, lowering)) return error;
    }
    if (reusable)
      lowering.machine = lowering.machines.lend(key, std::move(fresh));
    else
      lowering.machine.reset(fresh.release());
  }
  if (!lowering.machine) {
    return toLlvm({.code = ErrorCode::Internal,
                   .message = "LLVM makes no target machine for " + triple.str(),
                   .stage = "retarget"});
  }
  if (descriptor.codegen.hostFeatures) recordFeatures(*lowering.machine, lowering.info.features);
  return llvm::Error::success();
}

void moveGlobals(llvm::Module& module, const AddressSpaces& spaces) {
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals())) {
    if (variable.getName().starts_with("llvm.")) continue;
    const unsigned wanted = spaceOf(variable, spaces);
    if (variable.getAddressSpace() != wanted) moveToSpace(variable, wanted);
  }
}

/// A `byval` pointer means a copy on the caller's stack. Back ends whose stack has a space of its own know that only
/// for pointers of that space, and take half of a generic one for the whole. So the callee makes the copy itself.
///
///   before: define i32 @f(ptr byval(%T) %x)     after: define i32 @f(ptr %x) { %copy = alloca %T … memcpy …
void copyByValueArguments(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.hasFnAttribute(attribute::kernel)) {
      for (llvm::Argument& argument : function.args()) {
        if (!argument.hasByValAttr()) continue;
        llvm::Type* const type = argument.getParamByValType();
        const llvm::Align align = argument.getParamAlign().valueOrOne();
        argument.removeAttr(llvm::Attribute::ByVal);
        function.removeFnAttr(llvm::Attribute::Memory);
        if (function.isDeclaration()) continue;
        // Behind the other variables: an expanded copy splits the block, and a variable of a later block is a dynamic
        // one.
        llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
        llvm::AllocaInst* const copy = builder.CreateAlloca(type, 0U, nullptr, argument.getName() + ".copy");
        copy->setAlignment(align);
        argument.replaceAllUsesWith(copy);
        builder.CreateMemCpy(copy, align, &argument, align, module.getDataLayout().getTypeAllocSize(type));
      }
    }
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call) continue;
      for (unsigned i = 0; i < call->arg_size(); ++i) {
        if (!call->isByValArgument(i)) continue;
        call->removeParamAttr(i, llvm::Attribute::ByVal);
        call->removeFnAttr(llvm::Attribute::Memory);
        // `tail` promises that the callee sees no alloca of the caller's, and now it does.
        if (auto* plain = llvm::dyn_cast<llvm::CallInst>(call)) plain->setTailCall(false);
      }
    }
  }
}

void moveAllocas(llvm::Module& module, const AddressSpaces& spaces) {
  for (llvm::Function& function : module) {
    std::vector<llvm::AllocaInst*> slots;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) slots.push_back(slot);
    }
    for (llvm::AllocaInst* slot : slots) {
      llvm::IRBuilder<> builder(slot);
      llvm::AllocaInst* const moved =
          builder.CreateAlloca(slot->getAllocatedType(), spaces.alloca_, slot->getArraySize());
      moved->setAlignment(slot->getAlign());
      moved->takeName(slot);
      llvm::Value* const generic = builder.CreateAddrSpaceCast(moved, slot->getType());
      for (llvm::User* user : llvm::make_early_inc_range(slot->users())) {
        auto* const marker = llvm::dyn_cast<llvm::IntrinsicInst>(user);
        if (!marker || !marker->isLifetimeStartOrEnd()) continue;
        llvm::IRBuilder<> at(marker);  // lifetime markers name the alloca itself
        if (marker->getIntrinsicID() == llvm::Intrinsic::lifetime_start)
          at.CreateLifetimeStart(moved);
        else
          at.CreateLifetimeEnd(moved);
        marker->eraseFromParent();
      }
      slot->replaceAllUsesWith(generic);
      slot->eraseFromParent();
    }
  }
}

/// Triple, data layout and address spaces of the target for `module`.
llvm::Error rewrite(llvm::Module& module, const Lowering& lowering) {
  const AddressSpaces& spaces = lowering.descriptor.addressSpaces;
  module.setTargetTriple(lowering.machine->getTargetTriple());
  module.setDataLayout(lowering.machine->createDataLayout());
  if (spaces.alloca_ != spaces.generic) copyByValueArguments(module);
  if (spaces.generic == 0) {
    if (lowering.descriptor.pipeline != PipelineKind::module) moveGlobals(module, spaces);
  } else if (auto error = moveGenericPointers(module, spaces)) {
    return error;
  }
  if (spaces.alloca_ != spaces.generic) moveAllocas(module, spaces);
  return llvm::Error::success();
}

}  // namespace

llvm::Error retargetLazily(llvm::Module& library, const Lowering& lowering) {
  const AddressSpaces& spaces = lowering.descriptor.addressSpaces;
  const bool moves = spaces.generic != 0 || spaces.alloca_ != spaces.generic ||
                     llvm::any_of(library.globals(), [&](const llvm::GlobalVariable& variable) {
                       return variable.getAddressSpace() != spaceOf(variable, spaces);
                     });
  if (moves) {
    if (llvm::Error error = library.materializeAll()) return error;
  }
  return rewrite(library, lowering);
}

llvm::Error stage::retarget(Lowering& lowering) {
  if (auto error = makeMachine(lowering)) return error;
  llvm::Module& module = *lowering.module;
  recordCallPlaces(module);
  if (const std::uint64_t most = lowering.descriptor.limits.constantBytes) keepConstantsWithin(module, most);
  keepWideFields(module, lowering.machine->createDataLayout());
  if (auto error = rewrite(module, lowering)) return error;
  for (const auto& [name, value] : lowering.descriptor.moduleFlags) {
    std::uint32_t number = 0;
    if (!llvm::StringRef(value).getAsInteger(0, number)) module.setModuleFlag(llvm::Module::Override, name, number);
  }
  TargetContext context = lowering.targetContext();
  return lowering.hooks.afterRetarget(context);
}

}  // namespace lathe::detail
