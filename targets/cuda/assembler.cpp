// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/cuda/assembler.h"

#include <dlfcn.h>

#include <cstring>
#include <filesystem>

#include <lathe/sdk/emit.h>

#include "targets/cuda/device_runtime.h"

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

  /// PTX → cubin at the third level, with lines if that has them, linked with the static library at `library` if that
  /// is not empty. On failure `log` says why.
  std::optional<std::string> assemble(const Assembly& source, const std::string& library, std::string& log) const {
    const std::string arch = "-arch=" + source.arch, &ptx = source.ptx;
    const char* options[] = {arch.c_str(), "-lineinfo"};
    void* handle = nullptr;
    if (create_(&handle, source.debugInfo ? 2 : 1, options) != 0) {
      log = "it does not take " + arch;
      return std::nullopt;
    }
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
      log.resize(std::strlen(log.c_str()));
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

std::optional<std::string> findOfToolkit(const char* tool, const sdk::Variables& variables) {
  std::vector<std::string> folders;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const std::string root = variables.get(name); !root.empty()) folders.push_back(root + "/bin");
  }
  const std::string usual[] = {"/usr/local/cuda/bin"};
  return sdk::findTool(tool, folders, usual);
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
llvm::Expected<std::string> runPtxas(const std::string& ptxas, const Assembly& source, const std::string& library,
                                     const std::stop_token& stop) {
  auto in = sdk::TemporaryFile::create("ptx");
  if (!in) return in.takeError();
  auto out = sdk::TemporaryFile::create("cubin");
  if (!out) return out.takeError();
  if (auto error = in->write(source.ptx)) return error;
  sdk::ToolCall call{.program = ptxas,
                     .arguments = {"-arch=" + source.arch, "-O" + std::to_string(static_cast<int>(source.optLevel)),
                                   in->path(), "-o", out->path()},
                     .renamed = {{"ptxas " + in->path(), "the PTX"}, {in->path(), "the PTX"}},
                     .stop = stop};
  if (source.debugInfo) call.arguments.push_back(source.optLevel == OptLevel::O0 ? "-g" : "-lineinfo");
  if (!library.empty()) call.arguments.push_back("-c");
  if (auto error = sdk::runTool(call, "the assembler is " + ptxas + "; one that is older than the PTX refuses it"))
    return error;
  return library.empty() ? out->read() : runNvlink(ptxas, *out, source.arch, library, stop);
}

}  // namespace

llvm::Expected<std::string> assemble(const Assembly& source, const sdk::Variables& variables,
                                     const std::stop_token& stop) {
  std::string log, library;
  if (callsDeviceRuntime(source.ptx)) {
    library = findDeviceRuntime(variables);
    if (library.empty()) {
      return sdk::makeError({.code = ErrorCode::ToolMissing,
                             .message = "a cubin of " + source.name + ": " + std::string(noDeviceRuntime),
                             .hint = std::string(deviceRuntimeHint),
                             .stage = "emit"});
    }
  }
  if (const JitLink* linker = JitLink::get(); linker && source.optLevel == OptLevel::O3) {
    if (auto cubin = linker->assemble(source, library, log)) return *std::move(cubin);
  }
  if (const auto ptxas = findOfToolkit("ptxas", variables)) return runPtxas(*ptxas, source, library, stop);
  if (!log.empty())
    return sdk::makeError({.code = ErrorCode::ToolFailed, .message = "nvJitLink: " + log, .stage = "emit"});
  return sdk::makeError({.code = ErrorCode::ToolMissing,
                         .message = "a cubin needs NVIDIA's assembler, and neither nvJitLink nor ptxas was found",
                         .hint = "install one (the Python package nvidia-nvjitlink is enough), set CUDA_HOME, or "
                                 "emit ptx: the driver assembles it when it loads",
                         .stage = "emit"});
}

std::vector<std::string> assemblers(const sdk::Variables& variables) {
  std::vector<std::string> out;
  if (const JitLink* library = JitLink::get()) out.push_back(library->path());
  if (auto ptxas = findOfToolkit("ptxas", variables)) out.push_back(*std::move(ptxas));
  if (auto library = findDeviceRuntime(variables); !library.empty()) out.push_back(std::move(library));
  return out;
}

llvm::Expected<std::optional<std::string>> assembled(const Code& code, const ImageInfo& image,
                                                     const sdk::Variables& variables) {
  if (code.format != "ptx") return std::nullopt;
  const std::string bytes(reinterpret_cast<const char*>(code.bytes.data()), code.bytes.size());
  const std::string ptx(bytes.c_str());  // without the zero that may end it
  auto cubin = assemble({.ptx = ptx,
                         .name = "the image",
                         .arch = std::string(code.arch),
                         .optLevel = static_cast<OptLevel>(image.optLevel)},
                        variables, {});
  if (!cubin) return cubin.takeError();
  return std::optional(*std::move(cubin));
}

llvm::Expected<std::optional<std::string>> disassembleFor(const Code& code, const ImageInfo& image,
                                                          const sdk::Variables& variables) {
  auto made = assembled(code, image, variables);
  if (!made) return made.takeError();
  if (!*made && code.format != "cubin") return std::nullopt;
  const auto tool = findOfToolkit("nvdisasm", variables);
  if (!tool) {
    return sdk::makeError({.code = ErrorCode::ToolMissing,
                           .message = "machine code of NVIDIA GPUs as text needs nvdisasm, which was not found",
                           .hint = "it comes with the CUDA toolkit (set CUDA_HOME or PATH) and with the Python package "
                                   "nvidia-cuda-nvdisasm"});
  }
  const std::string_view own(reinterpret_cast<const char*>(code.bytes.data()), code.bytes.size());
  const std::string_view cubin = *made ? std::string_view(**made) : own;
  auto file = sdk::TemporaryFile::create("cubin");
  if (!file) return file.takeError();
  if (auto error = file->write(cubin)) return error;
  std::string text;
  const sdk::ToolCall call{.program = *tool,
                           .arguments = {"--print-code", file->path()},
                           .renamed = {{file->path(), "the cubin"}},
                           .output = &text};
  if (auto error = sdk::runTool(call, "the disassembler is " + *tool)) return error;
  return std::optional(std::move(text));
}

}  // namespace lathe::targets
