// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What data cannot say of AMD GPUs: group-shared arrays lie where several of their elements can be read at once,
// conversions to integers saturate by themselves, and reciprocal roots are one instruction.
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <lathe/sdk/approximate_math.h>
#include <lathe/sdk/target.h>

namespace lathe::targets {
namespace {

/// The widest access to group-shared memory (ds_read_b128), in bytes.
constexpr std::uint64_t widestAccess = 16;

/// Portable IR aligns an array as its elements. LLVM 22 merges accesses to neighbours only as far as it knows them
/// aligned, and aligns such variables itself when that is over (AMDGPULowerModuleLDS): no memory is lost.
///
///   before: @tile = addrspace(3) global [16 x float] undef, align 4    after: …, align 16
void alignShared(llvm::Module& module, unsigned space) {
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (variable.getAddressSpace() != space || variable.isDeclaration()) continue;
    const std::uint64_t bytes = module.getDataLayout().getTypeAllocSize(variable.getValueType());
    if (bytes < widestAccess) continue;
    variable.setAlignment(std::max(variable.getAlign().valueOrOne(), llvm::Align(widestAccess)));
  }
}

/// An integer as a number of another kind: LLVM knows what converting it back makes, but for numbers that do not fit.
bool wasInteger(const llvm::Value* value) {
  return llvm::isa<llvm::SIToFPInst, llvm::UIToFPInst, llvm::Constant>(value);
}

/// The instructions saturate and make 0 of a NaN ("RDNA3" and "CDNA3 Instruction Set Architecture", V_CVT_I32_F32 and
/// its like); LLVM 22 selects comparisons around them. What plain conversions make of numbers that do not fit is
/// undefined; freezing it keeps LLVM from drawing conclusions, and leaves the instruction. To be removed with LLVM 23,
/// which selects the instruction (llvm-project#174726).
///
///   before: %i = call i32 @llvm.fptosi.sat.i32.f32(float %x)    after: %p = fptosi float %x to i32
///                                                                      %i = freeze i32 %p
void convertByInstruction(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    const llvm::Intrinsic::ID id = function.getIntrinsicID();
    if (id != llvm::Intrinsic::fptosi_sat && id != llvm::Intrinsic::fptoui_sat) continue;
    llvm::Type* const to = function.getReturnType();
    const llvm::Type* const from = function.getArg(0)->getType()->getScalarType();
    if (!to->getScalarType()->isIntegerTy(32) || (!from->isFloatTy() && !from->isDoubleTy())) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* const call = llvm::cast<llvm::CallInst>(user);
      llvm::Value* const value = call->getArgOperand(0);
      if (wasInteger(value)) continue;
      llvm::IRBuilder<> builder(call);
      llvm::Value* const converted =
          id == llvm::Intrinsic::fptosi_sat ? builder.CreateFPToSI(value, to) : builder.CreateFPToUI(value, to);
      call->replaceAllUsesWith(builder.CreateFreeze(converted));
      call->eraseFromParent();
    }
  }
}

/// LLVM 22 selects a root and a reciprocal, two instructions at a quarter of the rate, and exact to 2 ULP together:
/// v_rsq_f32 is exact to 1. All three take denormal numbers for zero.
///
///   before: %r = call afn float @llvm.sqrt.f32(float %x)    after: %q = call afn float @llvm.amdgcn.rsq.f32(float %x)
///           %q = fdiv afn float 1.0, %r
void rootByInstruction(llvm::Module& module) {
  llvm::SmallVector<llvm::Instruction*> dead;  // deleted at the end: a root may be what is looked at next
  for (llvm::Function& function : module) {
    for (llvm::Instruction& quotient : llvm::instructions(function)) {
      llvm::Value* const x = quotient.getType()->isFloatTy() ? sdk::underReciprocalRoot(quotient) : nullptr;
      if (!x) continue;
      llvm::IRBuilder<> builder(&quotient);
      quotient.replaceAllUsesWith(builder.CreateUnaryIntrinsic(llvm::Intrinsic::amdgcn_rsq, x, &quotient));
      dead.push_back(&quotient);
      dead.push_back(llvm::cast<llvm::Instruction>(quotient.getOperand(1)));
    }
  }
  for (llvm::Instruction* instruction : dead) instruction->eraseFromParent();
}

/// Groups that are to be resident on a compute unit, as waves that each of its execution units is to have room for:
/// LLVM gives a kernel no more registers than that allows. A compute unit of gfx9 has four; so have the two of a
/// work-group processor, in which groups run from gfx10 on.
///
///   before: "lathe-min-groups"="4" "amdgpu-flat-work-group-size"="1,256"    after: "amdgpu-waves-per-eu"="8"
void boundWaves(llvm::Module& module, unsigned wave) {
  constexpr unsigned executionUnits = 4;
  constexpr llvm::StringRef given = "lathe-min-groups";
  for (llvm::Function& function : module) {
    unsigned groups = 0, items = 0;
    if (function.getFnAttribute(given).getValueAsString().getAsInteger(10, groups)) continue;
    function.removeFnAttr(given);
    const llvm::StringRef sizes = function.getFnAttribute("amdgpu-flat-work-group-size").getValueAsString();
    if (sizes.split(',').second.getAsInteger(10, items) || groups == 0) continue;
    const unsigned waves = (groups * ((items + wave - 1) / wave) + executionUnits - 1) / executionUnits;
    function.addFnAttr("amdgpu-waves-per-eu", std::to_string(waves));
  }
}

/// What a source says for these GPUs alone takes the place of what launch bounds became.
///
///   before: "lathe.amdgpu-waves-per-eu"="2,4" "amdgpu-waves-per-eu"="8"    after: "amdgpu-waves-per-eu"="2,4"
void takeOwnAttributes(llvm::Module& module) {
  constexpr llvm::StringRef mark = "lathe.";
  for (llvm::Function& function : module) {
    for (const llvm::Attribute& attribute : function.getAttributes().getFnAttrs()) {
      if (!attribute.isStringAttribute() || !attribute.getKindAsString().starts_with("lathe.amdgpu-")) continue;
      function.removeFnAttr(attribute.getKindAsString());
      function.addFnAttr(attribute.getKindAsString().drop_front(mark.size()), attribute.getValueAsString());
    }
  }
}

/// Device code's question whether a value is a constant where it was inlined, which simplification answers.
void askForConstants(llvm::Module& module) {
  llvm::Function* const marker = module.getFunction("lathe_amdgpu_is_constant");
  if (!marker) return;
  llvm::Type* const type = marker->getArg(0)->getType();
  llvm::Function* const question =
      llvm::Intrinsic::getOrInsertDeclaration(&module, llvm::Intrinsic::is_constant, {type});
  for (llvm::User* user : llvm::make_early_inc_range(marker->users())) {
    auto* const call = llvm::cast<llvm::CallInst>(user);
    call->replaceAllUsesWith(llvm::IRBuilder<>(call).CreateCall(question, {call->getArgOperand(0)}));
    call->eraseFromParent();
  }
  marker->eraseFromParent();
}

/// The size of waves, which LLVM would tell only when it optimises: branches for processors that have other
/// instructions must go at every level.
void tellWaveSize(llvm::Module& module, unsigned wave) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (function.getIntrinsicID() != llvm::Intrinsic::amdgcn_wavefrontsize) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* const call = llvm::cast<llvm::CallInst>(user);
      call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), wave));
      call->eraseFromParent();
    }
  }
}

/// The job's parameter by which the version of the code object is chosen where it is not the descriptor's. Hidden
/// arguments, which device.cpp reads, are the same in 5 and 6; older versions have others.
llvm::Error chooseCodeObject(sdk::TargetContext& context) {
  constexpr const char* parameter = "amdgpu.code_object";
  const auto asked = context.job.options.parameters.find(parameter);
  if (asked == context.job.options.parameters.end()) return llvm::Error::success();
  unsigned version = 0;
  const bool isNumber = !llvm::StringRef(asked->second).getAsInteger(10, version);
  const bool isGeneric = context.arch.ends_with("-generic");
  if (!isNumber || (version != 5 && version != 6) || (isGeneric && version == 5)) {
    return sdk::makeError(
        {.code = ErrorCode::InvalidArgument,
         .message = "parameter '" + std::string(parameter) + "' is '" + asked->second + "'" +
                    (isGeneric && version == 5 ? ", but code for generic processors has version 6" : ""),
         .hint =
             isGeneric ? "leave it out, or set it to 6" : "code objects of version 5, the default, and 6 are made"});
  }
  context.module.setModuleFlag(llvm::Module::Override, "amdhsa_code_object_version", version * 100);
  return llvm::Error::success();
}

/// LLVM takes waves of a processor before gfx10 as 64 items, and others as 32 unless a feature says otherwise.
bool hasWideInstructions(const sdk::TargetContext& context) {
  return !context.machine.getTargetCPU().starts_with("gfx1");
}
unsigned waveSize(const sdk::TargetContext& context) {
  const bool isWide =
      hasWideInstructions(context) || context.machine.getTargetFeatureString().contains("+wavefrontsize64");
  return isWide ? 64 : 32;
}

/// From gfx10 on ds_bpermute reads within 32 lanes, also in waves of 64 ("RDNA3 Instruction Set Architecture",
/// DS_BPERMUTE_B32): a shuffle of all lanes would give others' values.
llvm::Error refuseHalfShuffles(const sdk::TargetContext& context) {
  if (waveSize(context) == 32 || hasWideInstructions(context)) return llvm::Error::success();
  for (const llvm::Function& function : context.module) {
    if (function.getIntrinsicID() != llvm::Intrinsic::amdgcn_ds_bpermute || function.use_empty()) continue;
    return sdk::makeError({.code = ErrorCode::Unsupported,
                           .message = "shuffles by distances known at run time reach 32 lanes of " +
                                      context.machine.getTargetCPU().str() + ", and waves have 64",
                           .hint = "leave feature +wavefrontsize64 out"});
  }
  return llvm::Error::success();
}

class AmdgpuHooks final : public sdk::TargetHooks {
 public:
  llvm::Error afterRetarget(sdk::TargetContext& context) override {
    alignShared(context.module, context.descriptor.addressSpaces().group);
    return chooseCodeObject(context);
  }

  llvm::Error afterKernelAbi(sdk::TargetContext& context) override {
    askForConstants(context.module);
    const unsigned wave = waveSize(context);
    tellWaveSize(context.module, wave);
    boundWaves(context.module, wave);
    takeOwnAttributes(context.module);
    return llvm::Error::success();
  }

  llvm::Error afterLate(sdk::TargetContext& context) override {
    convertByInstruction(context.module);
    rootByInstruction(context.module);
    return refuseHalfShuffles(context);
  }
};

}  // namespace
}  // namespace lathe::targets

LATHE_TARGET_HOOKS(amdgpu, lathe::targets::AmdgpuHooks)
