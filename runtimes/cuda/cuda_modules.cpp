// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code for the driver. What it makes of PTX is kept in the cache's folder, by all that decides it: text, level, device
// and driver. A module that the driver compiles itself cannot be asked for its machine code; a link can ("Linker
// functions" in the driver's reference), so that where something is to be kept PTX is linked with nothing.
#include <array>
#include <fstream>

#include <fmt/format.h>

#include "core/store/surroundings.h"
#include "core/support/bytes.h"
#include "core/support/log.h"
#include "runtimes/common/kept_code.h"
#include "runtimes/cuda/cuda_api.h"
#include "targets/cuda/device_runtime.h"

namespace lathe::detail {
namespace {

std::string_view textOf(const Code& code) {
  return {reinterpret_cast<const char*>(code.bytes.data()), code.bytes.size()};
}

/// The kernel module's version, "550.54.15": the library's functions tell that of CUDA alone. Empty: unknown.
std::string kernelModuleVersion() {
  std::ifstream file("/sys/module/nvidia/version");
  std::string out;
  std::getline(file, out);
  return out;
}

}  // namespace

/// The options of a compile by the driver, and the texts that it fills.
struct CudaApi::JitOptions {
  explicit JitOptions(unsigned optLevel) {
    // Numbers travel in the pointers themselves: that is the interface.
    const auto number = [](std::uintptr_t value) { return reinterpret_cast<void*>(value); };
    // The level matters for more than speed. Unoptimised PTX holds an address in a register for each of many locals;
    // NVIDIA's assembler (13.0) at its own default keeps them in uniform registers and, in one arm of a divergent
    // branch, writes over some that the other arm still reads. The driver's default, 4, is the assembler's -O3.
    values = {errors.data(), number(errors.size() - 1), number(optLevel >= 3 ? 4 : optLevel),
              words.data(),  number(words.size() - 1),  number(1)};
  }

  std::array<char, 8192> errors{}, words{};
  std::array<CuJitOption, 6> names = {CuJitOption::errorLogBuffer,     CuJitOption::errorLogBufferBytes,
                                      CuJitOption::optimisationLevel,  CuJitOption::infoLogBuffer,
                                      CuJitOption::infoLogBufferBytes, CuJitOption::logVerbose};
  std::array<void*, 6> values;
  /// Those behind the level are for whoever listens.
  unsigned count = logs(LogLevel::debug) ? 6 : 3;
};

/// All that decides what the driver makes of PTX; empty: nothing is to be kept. So it is of code with calls: what the
/// linker of driver 13.0 makes of recursive functions computes something else than what a module is made of (an H100,
/// conformance case kernels_library_stable).
std::string CudaApi::jitQuestion(const Code& code, unsigned optLevel, const std::string& library) const {
  if (!KeptBytes::isEnabled() || (library.empty() && textOf(code).find("\tcall") != std::string_view::npos)) return {};
  CuDevice device = 0;
  std::array<char, 256> name{};
  int version = 0, major = 0, minor = 0;
  if (CtxGetDevice(&device) != 0 || DriverGetVersion(&version) != 0 ||
      DeviceGetName(name.data(), static_cast<int>(name.size() - 1), device) != 0 ||
      DeviceGetAttribute(&major, CuDeviceAttribute::computeCapabilityMajor, device) != 0 ||
      DeviceGetAttribute(&minor, CuDeviceAttribute::computeCapabilityMinor, device) != 0)
    return {};
  ByteWriter out;
  out.text("cuda: machine code of the driver");
  out.text(fmt::format("{}, sm_{}{}, CUDA {}, driver {}, level {}", name.data(), major, minor, version,
                       kernelModuleVersion(), optLevel));
  out.text(library);
  out.text(textOf(code));
  return out.take();
}

GpuApi::Status CudaApi::loadModule(Handle& out, const Code& code, unsigned optLevel, std::string& said) const {
  constexpr CuResult notFound = 221;  // CUDA_ERROR_JIT_COMPILER_NOT_FOUND
  const auto plainly = [&] {
    JitOptions options(optLevel);
    // PTX is read up to a zero byte: the image format puts one behind every section.
    const CuResult status =
        ModuleLoadDataEx(&out, code.bytes.data(), options.count, options.names.data(), options.values.data());
    said = options.errors.data();
    if (options.words[0] != 0) log(LogLevel::debug, "runtime", options.words.data());
    return status;
  };
  if (code.format != "ptx") return plainly();
  const bool launches = targets::callsDeviceRuntime(textOf(code));
  const std::string library = launches ? targets::findDeviceRuntime() : std::string();
  if (launches && library.empty()) {
    said = fmt::format("{}; {}", targets::noDeviceRuntime, targets::deviceRuntimeHint);
    return notFound;
  }
  std::string question = jitQuestion(code, optLevel, library);
  const bool isKept = !question.empty();
  const KeptBytes kept(std::move(question));
  if (const auto cubin = kept.find(); cubin && ModuleLoadDataEx(&out, cubin->data(), 0, nullptr, nullptr) == 0) {
    log(LogLevel::debug, "runtime", "cuda: machine code of the driver, from the cache");
    return 0;
  }
  if (!launches && !isKept) return plainly();
  JitOptions options(optLevel);
  const CuResult status = loadLinked(out, code, library, options, kept);
  if (said.empty()) said = options.errors.data();
  // What a link cannot do, or says less of.
  return status != 0 && !launches ? plainly() : status;
}

GpuApi::Status CudaApi::loadLinked(Handle& out, const Code& code, const std::string& library, JitOptions& options,
                                   const KeptBytes& kept) const {
  CuLink link = nullptr;
  if (const CuResult failed = LinkCreate(options.count, options.names.data(), options.values.data(), &link);
      failed != 0)
    return failed;
  void* cubin = nullptr;
  std::size_t bytes = 0;
  // The driver reads the code, whatever its signature says; a zero byte is behind it.
  auto* const text = const_cast<std::byte*>(code.bytes.data());
  CuResult status = LinkAddData(link, CuJitInput::ptx, text, code.bytes.size() + 1, "kernels", 0, nullptr, nullptr);
  if (status == 0 && !library.empty())
    status = LinkAddFile(link, CuJitInput::library, library.c_str(), 0, nullptr, nullptr);
  if (status == 0) status = LinkComplete(link, &cubin, &bytes);
  if (status == 0) status = ModuleLoadDataEx(&out, cubin, 0, nullptr, nullptr);
  if (status == 0) {
    Surroundings surroundings;
    if (!library.empty()) surroundings.file(library);
    kept.keep({static_cast<const char*>(cubin), bytes}, surroundings.text(), /*make=*/true);
  }
  (void)LinkDestroy(link);
  return status;
}

}  // namespace lathe::detail
