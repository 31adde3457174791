// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What data cannot say of NVIDIA GPUs: machine code (cubin) is made from PTX by NVIDIA's assembler, and the IR is
// changed where LLVM's back end would lose something or the assembler would misread it.
#include <optional>
#include <string>
#include <vector>

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <lathe/sdk/emit.h>
#include <lathe/sdk/portable_ir.h>
#include <lathe/sdk/target.h>

#include "targets/cuda/addresses/accesses.h"
#include "targets/cuda/addresses/chains.h"
#include "targets/cuda/addresses/extensions.h"
#include "targets/cuda/addresses/narrow.h"
#include "targets/cuda/addresses/offsets_of_assembly.h"
#include "targets/cuda/addresses/products.h"
#include "targets/cuda/addresses/shared_parts.h"
#include "targets/cuda/assembler.h"
#include "targets/cuda/atomics.h"
#include "targets/cuda/cache_policies.h"
#include "targets/cuda/comparisons.h"
#include "targets/cuda/elements.h"
#include "targets/cuda/logic.h"
#include "targets/cuda/loops/back_branch.h"
#include "targets/cuda/loops/exits.h"
#include "targets/cuda/loops/remainders.h"
#include "targets/cuda/narrow_stores.h"
#include "targets/cuda/pressure/lives.h"
#include "targets/cuda/private_stores.h"

namespace lathe::targets {
namespace {

/// Whether `user`, of an integer of 32 bits, looks at the lower half only.
bool isLowerHalf(const llvm::User* user) {
  if (llvm::isa<llvm::TruncInst>(user)) return user->getType()->getIntegerBitWidth() <= 16;
  if (!llvm::isa<llvm::Instruction>(user) || llvm::cast<llvm::Instruction>(user)->getOpcode() != llvm::Instruction::And)
    return false;
  const auto* const mask = llvm::dyn_cast<llvm::ConstantInt>(user->getOperand(1));
  return mask && mask->getValue().ule(0xffff);
}

/// `cvt` saturates by itself, which LLVM 22's back end does not make use of. Of a NaN it makes 0, as the intrinsic
/// does; of a double's it makes 2^31, whose lower half is 0 too.
///
///   before: %i = call i32 @llvm.fptoui.sat.i32.f32(float %x)    after: %i = call i32 @llvm.nvvm.f2ui.rz(float %x)
void convertByInstruction(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    const llvm::Intrinsic::ID id = function.getIntrinsicID();
    const bool isSigned = id == llvm::Intrinsic::fptosi_sat;
    if ((!isSigned && id != llvm::Intrinsic::fptoui_sat) || !function.getReturnType()->isIntegerTy(32)) continue;
    const llvm::Type* const from = function.getArg(0)->getType();
    if (!from->isFloatTy() && !from->isDoubleTy()) continue;
    const bool isFloat = from->isFloatTy();
    const llvm::Intrinsic::ID instruction =
        isFloat ? (isSigned ? llvm::Intrinsic::nvvm_f2i_rz : llvm::Intrinsic::nvvm_f2ui_rz)
                : (isSigned ? llvm::Intrinsic::nvvm_d2i_rz : llvm::Intrinsic::nvvm_d2ui_rz);
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* const call = llvm::cast<llvm::CallInst>(user);
      if (isFloat || llvm::all_of(call->users(), isLowerHalf))
        call->setCalledFunction(llvm::Intrinsic::getOrInsertDeclaration(&module, instruction));
    }
  }
}

/// Conversions that sources ask for by name flush denormal floats where everything else does.
///
///   before: %i = call i32 @llvm.nvvm.f2i.rp(float %x)    after: %i = call i32 @llvm.nvvm.f2i.rp.ftz(float %x)
void flushConversions(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    const llvm::StringRef name = function.getName();
    const bool isSaturation = function.getIntrinsicID() == llvm::Intrinsic::nvvm_saturate_f;
    if (!isSaturation && !name.starts_with("llvm.nvvm.f2") && !name.starts_with("llvm.nvvm.d2f.")) continue;
    const llvm::Intrinsic::ID flushing =
        isSaturation ? llvm::Intrinsic::nvvm_saturate_ftz_f : llvm::Intrinsic::lookupIntrinsicID((name + ".ftz").str());
    if (flushing == llvm::Intrinsic::not_intrinsic) continue;
    llvm::Function* const instruction = llvm::Intrinsic::getOrInsertDeclaration(&module, flushing);
    if (instruction->getFunctionType() == function.getFunctionType()) function.replaceAllUsesWith(instruction);
  }
}

/// The operand of `call` that names the items which make it, or none.
const llvm::Value* maskOf(const llvm::CallBase& call) {
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::nvvm_shfl_sync_bfly_i32:
    case llvm::Intrinsic::nvvm_shfl_sync_down_i32:
    case llvm::Intrinsic::nvvm_shfl_sync_idx_i32:
    case llvm::Intrinsic::nvvm_shfl_sync_up_i32:
    case llvm::Intrinsic::nvvm_vote_all_sync:
    case llvm::Intrinsic::nvvm_vote_any_sync:
    case llvm::Intrinsic::nvvm_vote_ballot_sync:
    case llvm::Intrinsic::nvvm_bar_warp_sync:
      return call.getArgOperand(0);
    case llvm::Intrinsic::nvvm_redux_sync_add:
    case llvm::Intrinsic::nvvm_redux_sync_and:
    case llvm::Intrinsic::nvvm_redux_sync_max:
    case llvm::Intrinsic::nvvm_redux_sync_min:
    case llvm::Intrinsic::nvvm_redux_sync_or:
    case llvm::Intrinsic::nvvm_redux_sync_umax:
    case llvm::Intrinsic::nvvm_redux_sync_umin:
    case llvm::Intrinsic::nvvm_redux_sync_xor:
      return call.getArgOperand(1);
    default:
      return nullptr;
  }
}

/// Where nothing launches kernels, no launch failed, and the device's runtime is not needed to say so: macros that
/// check for errors ask in kernels that launch none.
void dropIdleStatus(llvm::Module& module) {
  llvm::Function* const status = module.getFunction("__cudaCDP2GetLastError");
  if (!status || module.getFunction("__cudaCDP2LaunchDeviceV2")) return;
  for (llvm::User* const user : llvm::make_early_inc_range(status->users())) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call) continue;
    call->replaceAllUsesWith(llvm::Constant::getNullValue(call->getType()));
    call->eraseFromParent();
  }
  if (status->use_empty()) status->eraseFromParent();
}

/// Tells LLVM which variables get `.attribute(.managed)`: the driver gives those addresses that the host uses too.
void markManaged(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (!variable.hasAttribute(sdk::attribute::managed)) continue;
    llvm::Metadata* const one =
        llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 1));
    module.getOrInsertNamedMetadata("nvvm.annotations")
        ->addOperand(llvm::MDNode::get(
            context, {llvm::ConstantAsMetadata::get(&variable), llvm::MDString::get(context, "managed"), one}));
  }
}

/// Has the back end say where instructions stand in the source, as directives of the PTX (nvcc's "-lineinfo"), and no
/// more: with the rest the assembler takes no level but 0, and drivers would translate without optimising.
void keepLinesOnly(llvm::Module& module) {
  llvm::NamedMDNode* const units = module.getNamedMetadata("llvm.dbg.cu");
  if (!units) return;
  llvm::DenseMap<const llvm::DICompileUnit*, llvm::DICompileUnit*> made;
  const auto ofLines = [&](const llvm::DICompileUnit& unit) {
    llvm::DICompileUnit*& out = made[&unit];
    if (!out)
      out = llvm::DICompileUnit::getDistinct(
          module.getContext(), unit.getSourceLanguage(), unit.getFile(), unit.getProducer(), unit.isOptimized(),
          unit.getFlags(), unit.getRuntimeVersion(), unit.getSplitDebugFilename(),
          llvm::DICompileUnit::DebugDirectivesOnly, unit.getEnumTypes(), unit.getRetainedTypes(),
          unit.getGlobalVariables(), unit.getImportedEntities(), unit.getMacros(), unit.getDWOId(),
          unit.getSplitDebugInlining(), unit.getDebugInfoForProfiling(), unit.getNameTableKind(),
          unit.getRangesBaseAddress(), unit.getSysRoot(), unit.getSDK());
    return out;
  };
  for (unsigned i = 0; i < units->getNumOperands(); ++i)
    units->setOperand(i, ofLines(*llvm::cast<llvm::DICompileUnit>(units->getOperand(i))));
  llvm::DebugInfoFinder finder;
  finder.processModule(module);
  for (llvm::DISubprogram* const function : finder.subprograms())
    if (const llvm::DICompileUnit* const unit = function->getUnit()) function->replaceUnit(ofLines(*unit));
}

class CudaHooks final : public sdk::TargetHooks {
 public:
  bool joinsSubgroup(const llvm::CallBase& call) const override {
    const auto* const mask = llvm::dyn_cast_or_null<llvm::ConstantInt>(maskOf(call));
    return mask && mask->isMinusOne();
  }

  llvm::Error afterLate(sdk::TargetContext& context) override {
    // For one more level, LLVM 22 numbers the values of the whole function again (GVN), twice: 2 to 5 percent of a
    // compile, for code that has more instructions and registers as often as fewer.
    if (context.machine.getOptLevel() == llvm::CodeGenOptLevel::Aggressive)
      context.machine.setOptLevel(llvm::CodeGenOptLevel::Default);
    dropIdleStatus(context.module);
    convertByInstruction(context.module);
    if (context.job.options.flushDenormals) flushConversions(context.module);
    keepOrderAndScope(context.module, context.descriptor.archOrdinal());
    if (context.job.options.optLevel != OptLevel::O0) {
      chooseElements(context.module);
      mergeExits(context.module, context.machine);
      splitProducts(context.module);
      extendAlike(context.module);
      keepIndicesWhole(context.module);
      mergeAccesses(context.module, context.machine);
      applyCachePolicies(context.module, context.machine);
      addOffsetsLast(context.module, context.machine);
      chainAddresses(context.module);
      narrowAddresses(context.module);
      shareAddresses(context.module, context.machine);
      mergeLogic(context.module);
      shortenLives(context.module);
      hideRemainders(context.module);
      storeByElements(context.module);
      if (context.descriptor.archOrdinal() >= 70) keepFieldsApart(context.module);
    }
    if (context.job.options.optLevel != OptLevel::O0) keepLinesOnly(context.module);
    branchBack(context.module);
    markManaged(context.module);
    return llvm::Error::success();
  }

  /// MachineSink moves computations to their uses, in branches too, and keeps all that they are made of up to there.
  /// NVIDIA's assembler does that itself where it is worth the registers.
  std::span<const std::string_view> passesLeftOut() const override {
    static constexpr std::string_view leftOut[] = {"machine-sink"};
    return leftOut;
  }

  bool beforeSelection(llvm::Function& function) const override { return shortenLivesLast(function); }
  bool beforePrinting(llvm::MachineFunction& function) const override { return storeUntyped(function); }

  llvm::Expected<std::optional<std::string>> emit(sdk::TargetContext& context, std::string_view format) override {
    if (format != "object" && format != "asm") return std::nullopt;
    auto ptx = sdk::emitModule(context.module, &context.machine, "asm", context.stop, this);
    if (!ptx) return ptx.takeError();
    if (context.job.options.optLevel != OptLevel::O0) compareWithSigns(*ptx);
    if (format == "asm") return std::optional(*std::move(ptx));
    const Options& options = context.job.options;
    auto cubin = assemble({.ptx = *ptx,
                           .name = context.job.source.name,
                           .arch = std::string(context.arch),
                           .optLevel = options.optLevel,
                           .debugInfo = options.debugInfo},
                          context.variables, context.stop);
    if (!cubin) return cubin.takeError();
    return std::optional(*std::move(cubin));
  }

  std::vector<std::string> toolsOf(std::string_view format, const sdk::Variables& variables) const override {
    return format == "object" ? assemblers(variables) : std::vector<std::string>();
  }

  llvm::Expected<std::optional<std::string>> machineCode(const Code& code, const ImageInfo& image,
                                                         const sdk::Variables& variables) const override {
    return assembled(code, image, variables);
  }

  llvm::Expected<std::optional<std::string>> disassemble(const Code& code, const ImageInfo& image,
                                                         const sdk::Variables& variables) const override {
    return disassembleFor(code, image, variables);
  }
};

}  // namespace
}  // namespace lathe::targets

LATHE_TARGET_HOOKS(cuda, lathe::targets::CudaHooks)
