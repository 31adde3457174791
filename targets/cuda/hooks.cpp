// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What data cannot say of NVIDIA GPUs. Machine code (cubin) is made from PTX by NVIDIA's assembler, which Lathe finds
// on the machine and never ships: nvJitLink is tried first, in process, then ptxas. And the IR is changed where LLVM's
// back end would lose something or the assembler would misread it.
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

#include <lathe/sdk/emit.h>
#include <lathe/sdk/portable_ir.h>
#include <lathe/sdk/target.h>

#include "targets/cuda/address_chains.h"
#include "targets/cuda/addresses.h"
#include "targets/cuda/atomics.h"
#include "targets/cuda/device_runtime.h"
#include "targets/cuda/lives.h"
#include "targets/cuda/logic.h"
#include "targets/cuda/loops.h"
#include "targets/cuda/narrow_addresses.h"

namespace lathe::targets {
namespace {

/// nvJitLink's interface, as far as it is used (nvJitLink 12.0 and later; the symbols carry a version).
class JitLink {
 public:
  static const JitLink* get() {
    static const JitLink library;
    return library.ready_ ? &library : nullptr;
  }

  /// The library's path.
  [[nodiscard]] std::string path() const {
    Dl_info facts{};
    return dladdr(reinterpret_cast<const void*>(create_), &facts) != 0 && facts.dli_fname ? facts.dli_fname : "";
  }

  /// PTX → cubin, linked with the static library at `library` if that is not empty. On failure `log` says why.
  std::optional<std::string> assemble(const std::string& ptx, const std::string& arch, const std::string& library,
                                      std::string& log) const {
    const std::string option = "-arch=" + arch;
    const char* options[] = {option.c_str()};
    void* handle = nullptr;
    if (create_(&handle, 1, options) != 0) return std::nullopt;
    std::optional<std::string> out;
    constexpr int ptxInput = 2, libraryInput = 6;
    std::size_t size = 0;
    if (addData_(handle, ptxInput, ptx.data(), ptx.size() + 1, "kernel.ptx") == 0 &&
        (library.empty() || addFile_(handle, libraryInput, library.c_str()) == 0) && complete_(handle) == 0 &&
        cubinSize_(handle, &size) == 0) {
      out.emplace(size, '\0');
      if (cubin_(handle, out->data()) != 0) out.reset();
    }
    if (!out && logSize_(handle, &size) == 0 && size > 1) {
      log.resize(size);
      (void)log_(handle, log.data());
    }
    (void)destroy_(&handle);
    return out;
  }

 private:
  JitLink() {
    void* library = nullptr;
    for (const char* name : {"libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so"}) {
      if ((library = dlopen(name, RTLD_NOW | RTLD_LOCAL))) break;
    }
    if (!library) return;
    const auto load = [&](auto& function, const char* name) {
      for (const char* suffix : {"_13_0", "_12_9", "_12_8", "_12_6", "_12_4", "_12_0"}) {
        const std::string symbol = std::string("__") + name + suffix;
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol.c_str()));
        if (function) return true;
      }
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    ready_ = load(create_, "nvJitLinkCreate") && load(addData_, "nvJitLinkAddData") &&
             load(addFile_, "nvJitLinkAddFile") && load(complete_, "nvJitLinkComplete") &&
             load(cubinSize_, "nvJitLinkGetLinkedCubinSize") && load(cubin_, "nvJitLinkGetLinkedCubin") &&
             load(destroy_, "nvJitLinkDestroy") && load(logSize_, "nvJitLinkGetErrorLogSize") &&
             load(log_, "nvJitLinkGetErrorLog");
  }

  bool ready_ = false;
  int (*create_)(void**, std::uint32_t, const char**) = nullptr;
  int (*addData_)(void*, int, const void*, std::size_t, const char*) = nullptr;
  int (*addFile_)(void*, int, const char*) = nullptr;
  int (*complete_)(void*) = nullptr;
  int (*cubinSize_)(void*, std::size_t*) = nullptr;
  int (*cubin_)(void*, void*) = nullptr;
  int (*logSize_)(void*, std::size_t*) = nullptr;
  int (*log_)(void*, char*) = nullptr;
  int (*destroy_)(void**) = nullptr;
};

std::optional<std::string> findPtxas(const sdk::Variables& variables) {
  std::vector<std::string> folders;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const std::string root = variables.get(name); !root.empty()) folders.push_back(root + "/bin");
  }
  const std::string usual[] = {"/usr/local/cuda/bin"};
  return sdk::findTool("ptxas", folders, usual);
}

/// The linker beside the assembler: `object` with the static library at `library`.
llvm::Expected<std::string> runNvlink(const std::string& ptxas, const sdk::TemporaryFile& object,
                                      const std::string& arch, const std::string& library,
                                      const std::stop_token& stop) {
  auto out = sdk::TemporaryFile::create("cubin");
  if (!out) return out.takeError();
  const std::string folder[] = {std::filesystem::path(ptxas).parent_path().string()};
  const auto nvlink = sdk::findTool("nvlink", folder, {});
  if (!nvlink) {
    return sdk::makeError({.code = ErrorCode::ToolMissing,
                           .message = "kernels that launch kernels need NVIDIA's linker, and neither nvJitLink nor "
                                      "nvlink was found beside " +
                                      ptxas,
                           .hint = "install the Python package nvidia-nvjitlink, or emit ptx",
                           .stage = "emit"});
  }
  const sdk::ToolCall call{.program = *nvlink,
                           .arguments = {"-arch=" + arch, object.path(), library, "-o", out->path()},
                           .renamed = {{object.path(), "the kernels"}},
                           .stop = stop};
  if (auto error = sdk::runTool(call, "the linker is " + *nvlink)) return error;
  return out->read();
}

/// `library`: a static library to link with; empty for none.
llvm::Expected<std::string> runPtxas(const std::string& ptxas, const std::string& ptx, const std::string& arch,
                                     const std::string& library, const Options& options, const std::stop_token& stop) {
  auto in = sdk::TemporaryFile::create("ptx");
  if (!in) return in.takeError();
  auto out = sdk::TemporaryFile::create("cubin");
  if (!out) return out.takeError();
  if (auto error = in->write(ptx)) return error;
  sdk::ToolCall call{.program = ptxas,
                     .arguments = {"-arch=" + arch, "-O" + std::to_string(static_cast<int>(options.optLevel)),
                                   in->path(), "-o", out->path()},
                     .renamed = {{"ptxas " + in->path(), "the PTX"}, {in->path(), "the PTX"}},
                     .stop = stop};
  if (options.debugInfo) call.arguments.push_back(options.optLevel == OptLevel::O0 ? "-g" : "-lineinfo");
  if (!library.empty()) call.arguments.push_back("-c");
  if (auto error = sdk::runTool(call, "the assembler is " + ptxas + "; one that is older than the PTX refuses it"))
    return error;
  return library.empty() ? out->read() : runNvlink(ptxas, *out, arch, library, stop);
}

/// NVIDIA's assembler (ptxas 13.0) takes `st.b16 [a], %r` and `st.b8` for a conversion where an instruction for floats
/// wrote %r, and stores the number's whole part. LLVM's registers have no types, and its stores narrow what they store:
/// a move in between keeps the bits.
///
///   before: %bits = bitcast float %x to i32                   %low = trunc i32 %bits to i16
///   after:  %kept = call i32 asm "mov.b32 $0, $1;"(i32 %bits)  %low = trunc i32 %kept to i16
void keepBitsOfFloats(llvm::Module& module) {
  llvm::SmallVector<llvm::TruncInst*> narrowed;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const cut = llvm::dyn_cast<llvm::TruncInst>(&instruction);
      const auto* const bits = cut ? llvm::dyn_cast<llvm::BitCastInst>(cut->getOperand(0)) : nullptr;
      if (bits && bits->getSrcTy()->isFloatTy() && cut->getSrcTy()->isIntegerTy(32)) narrowed.push_back(cut);
    }
  }
  for (llvm::TruncInst* cut : narrowed) {
    llvm::IRBuilder<> builder(cut);
    llvm::Type* const type = builder.getInt32Ty();
    llvm::InlineAsm* const move =
        llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, false), "mov.b32 $0, $1;", "=r,r", false);
    cut->setOperand(0, builder.CreateCall(move, {cut->getOperand(0)}));
  }
}

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
    if (!name.starts_with("llvm.nvvm.f2") && !name.starts_with("llvm.nvvm.d2f.")) continue;
    const llvm::Intrinsic::ID flushing = llvm::Intrinsic::lookupIntrinsicID((name + ".ftz").str());
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

class CudaHooks final : public sdk::TargetHooks {
 public:
  bool joinsSubgroup(const llvm::CallBase& call) const override {
    const auto* const mask = llvm::dyn_cast_or_null<llvm::ConstantInt>(maskOf(call));
    return mask && mask->isMinusOne();
  }

  llvm::Error afterLate(sdk::TargetContext& context) override {
    dropIdleStatus(context.module);
    keepBitsOfFloats(context.module);
    convertByInstruction(context.module);
    if (context.job.options.flushDenormals) flushConversions(context.module);
    keepOrderAndScope(context.module, context.descriptor.archOrdinal());
    if (context.job.options.optLevel != OptLevel::O0) {
      keepIndicesWhole(context.module);
      mergeAccesses(context.module, context.machine);
      chainAddresses(context.module);
      narrowAddresses(context.module);
      mergeLogic(context.module);
      shortenLives(context.module);
    }
    branchBack(context.module);
    markManaged(context.module);
    return llvm::Error::success();
  }

  llvm::Expected<std::optional<std::string>> emit(sdk::TargetContext& context, std::string_view format) override {
    if (format != "object") return std::nullopt;
    auto ptx = sdk::emitModule(context.module, &context.machine, "asm", context.stop);
    if (!ptx) return ptx.takeError();
    const std::string arch(context.arch);
    std::string log, library;
    if (callsDeviceRuntime(*ptx)) {
      library = findDeviceRuntime(context.variables);
      if (library.empty()) {
        return sdk::makeError({.code = ErrorCode::ToolMissing,
                               .message = "a cubin of " + context.job.source.name + ": " + std::string(noDeviceRuntime),
                               .hint = std::string(deviceRuntimeHint),
                               .stage = "emit"});
      }
    }
    if (const JitLink* linker = JitLink::get();
        linker && context.job.options.optLevel == OptLevel::O3 && !context.job.options.debugInfo) {
      if (auto cubin = linker->assemble(*ptx, arch, library, log)) return cubin;
    }
    if (const auto ptxas = findPtxas(context.variables)) {
      auto cubin = runPtxas(*ptxas, *ptx, arch, library, context.job.options, context.stop);
      if (!cubin) return cubin.takeError();
      return std::optional(*std::move(cubin));
    }
    if (!log.empty())
      return sdk::makeError({.code = ErrorCode::ToolFailed, .message = "nvJitLink: " + log, .stage = "emit"});
    return sdk::makeError({.code = ErrorCode::ToolMissing,
                           .message = "a cubin needs NVIDIA's assembler, and neither nvJitLink nor ptxas was found",
                           .hint = "install one (the Python package nvidia-nvjitlink is enough), set CUDA_HOME, or "
                                   "emit ptx: the driver assembles it when it loads",
                           .stage = "emit"});
  }

  std::vector<std::string> toolsOf(std::string_view format, const sdk::Variables& variables) const override {
    std::vector<std::string> out;
    if (format != "object") return out;
    if (const JitLink* library = JitLink::get()) out.push_back(library->path());
    if (auto ptxas = findPtxas(variables)) out.push_back(*std::move(ptxas));
    if (auto library = findDeviceRuntime(variables); !library.empty()) out.push_back(std::move(library));
    return out;
  }
};

}  // namespace
}  // namespace lathe::targets

LATHE_TARGET_HOOKS(cuda, lathe::targets::CudaHooks)
