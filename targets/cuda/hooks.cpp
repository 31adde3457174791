// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What data cannot say of NVIDIA GPUs. Machine code (cubin) is made from PTX by NVIDIA's assembler, which Lathe finds
// on the machine and never ships: nvJitLink is tried first, in process, then ptxas. And the IR is changed where LLVM's
// back end would lose something or the assembler would misread it.
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <lathe/sdk/target.h>

#include "core/descriptor/descriptor.h"
#include "core/emit/emit.h"
#include "core/support/file.h"
#include "core/support/text.h"
#include "targets/cuda/atomics.h"
#include "targets/cuda/loops.h"

namespace lathe::detail {
namespace {

/// nvJitLink's interface, as far as it is used (nvJitLink 12.0 and later; the symbols carry a version).
class JitLink {
 public:
  static const JitLink* get() {
    static const JitLink library;
    return library.ready_ ? &library : nullptr;
  }

  /// PTX → cubin. On failure `log` says why.
  std::optional<std::string> assemble(const std::string& ptx, const std::string& arch, std::string& log) const {
    const std::string option = "-arch=" + arch;
    const char* options[] = {option.c_str()};
    void* handle = nullptr;
    if (create_(&handle, 1, options) != 0) return std::nullopt;
    std::optional<std::string> out;
    constexpr int ptxInput = 2;
    std::size_t size = 0;
    if (addData_(handle, ptxInput, ptx.data(), ptx.size() + 1, "kernel.ptx") == 0 && complete_(handle) == 0 &&
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
             load(complete_, "nvJitLinkComplete") && load(cubinSize_, "nvJitLinkGetLinkedCubinSize") &&
             load(cubin_, "nvJitLinkGetLinkedCubin") && load(destroy_, "nvJitLinkDestroy") &&
             load(logSize_, "nvJitLinkGetErrorLogSize") && load(log_, "nvJitLinkGetErrorLog");
  }

  bool ready_ = false;
  int (*create_)(void**, std::uint32_t, const char**) = nullptr;
  int (*addData_)(void*, int, const void*, std::size_t, const char*) = nullptr;
  int (*complete_)(void*) = nullptr;
  int (*cubinSize_)(void*, std::size_t*) = nullptr;
  int (*cubin_)(void*, void*) = nullptr;
  int (*logSize_)(void*, std::size_t*) = nullptr;
  int (*log_)(void*, char*) = nullptr;
  int (*destroy_)(void**) = nullptr;
};

std::optional<std::string> findPtxas() {
  std::vector<std::string> folders;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* root = std::getenv(name); root && *root) folders.push_back(std::string(root) + "/bin");
  }
  llvm::SmallVector<llvm::StringRef> paths(folders.begin(), folders.end());
  if (auto found = llvm::sys::findProgramByName("ptxas", paths)) return *found;
  if (auto found = llvm::sys::findProgramByName("ptxas")) return *found;
  if (auto found = llvm::sys::findProgramByName("ptxas", {"/usr/local/cuda/bin"})) return *found;
  return std::nullopt;
}

/// A file that is removed with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const char* suffix) { ok_ = !llvm::sys::fs::createTemporaryFile("lathe", suffix, path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (ok_) (void)llvm::sys::fs::remove(path_);
  }
  bool ok() const { return ok_; }
  std::string path() const { return path_.str().str(); }

 private:
  llvm::SmallString<128> path_;
  bool ok_ = false;
};

/// The assembler's report about `path`, a file that nobody else has seen, as one about the PTX.
std::string withoutPath(std::string text, const std::string& path) {
  const std::string prefix = "ptxas " + path;
  for (const std::string& from : {prefix, path}) text = replaced(std::move(text), from, "the PTX");
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

llvm::Expected<std::string> runPtxas(const std::string& ptxas, const std::string& ptx, const std::string& arch,
                                     const Options& options) {
  const TemporaryFile in("ptx"), out("cubin"), log("log");
  if (!in.ok() || !out.ok() || !log.ok())
    return sdk::makeError(
        {.code = ErrorCode::FileUnwritable, .message = "no temporary file can be made for ptxas", .stage = "emit"});
  if (auto written = writeFile(in.path(), ptx); !written) return sdk::makeError(std::move(written).error());
  const std::string level = "-O" + std::to_string(static_cast<int>(options.optLevel));
  const std::string gpu = "-arch=" + arch, inPath = in.path(), outPath = out.path(), logPath = log.path();
  llvm::SmallVector<llvm::StringRef> arguments = {ptxas, gpu, level, inPath, "-o", outPath};
  if (options.debugInfo) arguments.push_back(options.optLevel == OptLevel::O0 ? "-g" : "-lineinfo");
  std::string message;
  const int code = llvm::sys::ExecuteAndWait(ptxas, arguments, std::nullopt, {"", logPath, logPath}, 0, 0, &message);
  if (code != 0) {
    auto log = readFile(logPath);
    const bool silent = !log || log->empty();
    if (silent && message.empty()) message = "it ended with exit code " + std::to_string(code) + " and said nothing";
    return sdk::makeError({.code = ErrorCode::ToolFailed,
                           .message = "ptxas: " + (silent ? message : withoutPath(*log, inPath)),
                           .hint = "the assembler is " + ptxas + "; one that is older than the PTX refuses it",
                           .stage = "emit"});
  }
  auto bytes = readFile(outPath);
  if (!bytes) return sdk::makeError(std::move(bytes).error());
  return *std::move(bytes);
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

class CudaHooks final : public TargetHooks {
 public:
  llvm::Error finishIr(TargetContext& context) override {
    keepBitsOfFloats(context.module);
    convertByInstruction(context.module);
    if (context.job.options.flushDenormals) flushConversions(context.module);
    unsigned architecture = 0;
    (void)llvm::StringRef(context.arch).drop_front(std::strlen("sm_")).consumeInteger(10, architecture);
    keepOrderAndScope(context.module, architecture);
    branchBack(context.module);
    return llvm::Error::success();
  }

  llvm::Expected<std::optional<std::string>> emit(TargetContext& context, std::string_view format) override {
    if (format != "object") return std::nullopt;
    auto ptx = emitModule(context.module, &context.machine, "asm");
    if (!ptx) return ptx.takeError();
    const std::string arch(context.arch);
    std::string log;
    if (const JitLink* library = JitLink::get();
        library && context.job.options.optLevel == OptLevel::O3 && !context.job.options.debugInfo) {
      if (auto cubin = library->assemble(*ptx, arch, log)) return cubin;
    }
    if (const auto ptxas = findPtxas()) {
      auto cubin = runPtxas(*ptxas, *ptx, arch, context.job.options);
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
};

}  // namespace

std::unique_ptr<TargetHooks> lathe_target_cuda_hooks() {
  return std::make_unique<CudaHooks>();
}

}  // namespace lathe::detail
