// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The HIP dialect: AMD's CUDA by other names (rocm.docs.amd.com, "HIP C++ language extensions"), read as the CUDA
// dialect reads its sources, host code included. The prelude puts HIP's names on top of CUDA's headers; a warp is a
// whole subgroup here, of 32 or 64 items as the target has them.
#include <cstdint>
#include <iterator>
#include <string>

#include "llvm/IR/Module.h"

#include <lathe/sdk/dialect.h>
#include <lathe/sdk/portable_ir.h>

#include "dialects/cuda/header_overrides.h"
#include "dialects/cuda/inline_assembly.h"
#include "dialects/cuda/language.h"
#include "dialects/cuda/sides/host_code.h"
#include "dialects/cuda/standards/older_aggregates.h"
#include "dialects/hip/assembly/statements.h"
#include "dialects/hip/kernel_attributes.h"

namespace lathe::dialects {
namespace {

constexpr std::string_view extensions[] = {".hip"};

constexpr auto arguments = cudaLanguageWith({"-D__HIP__=1", "-D__HIPCC__=1", "-D__HIP_DEVICE_COMPILE__=1"});

/// Architectures of one generation share a macro.
std::string generationOf(std::string_view arch) {
  const std::size_t digits = arch.find_first_of("0123456789");
  if (digits == std::string_view::npos) return {};
  const std::string_view number = arch.substr(digits, arch.find_first_not_of("0123456789abcdef", digits) - digits);
  return number.size() < 3 ? std::string() : std::string(number.substr(0, number.size() - 2));
}

/// What the compiler of the platform defines: AMD's, or NVIDIA's where HIP is a layer on CUDA. Other targets take what
/// sources have for AMD's GPUs in plain HIP, but none of these GPUs' own code.
std::string preamble(const Job& job, const sdk::TargetFacts& target) {
  std::string out = "#undef __CUDA_ARCH__\n#undef __CUDACC__\n" + olderStandardMark(job.options);
  const auto define = [&](const std::string& name, const std::string& value = "1") {
    out += "#define " + name + " " + value + "\n";
  };
  define("LATHE_HIP_WARP", std::to_string(target.subgroupSize));
  out += "namespace lathe::detail { constexpr int constantWarpSize() { return LATHE_HIP_WARP; } }\n";
  if (target.triple.starts_with("nvptx")) {
    define("__HIP_PLATFORM_NVIDIA__");
    define("__HIP_PLATFORM_NVCC__");
    define("__CUDACC__");
    define("__CUDA_ARCH__", std::to_string(target.archMacro));
    // HIP on NVIDIA's GPUs takes CUDA's header, whose second bound counts groups of a multiprocessor.
    return out +
           "#undef __launch_bounds__\n#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))\n";
  }
  define("__HIP_PLATFORM_AMD__");
  define("__HIP_PLATFORM_HCC__");
  if (!target.triple.starts_with("amdgcn")) return out;
  for (const char* name : {"__AMD__", "__AMDGPU__", "__AMDGCN__", "__amdgcn__"}) define(name);
  for (const char* name : {"__AMDGCN_WAVEFRONT_SIZE", "__AMDGCN_WAVEFRONT_SIZE__"})
    define(name, std::to_string(target.subgroupSize));
  std::string arch(target.arch);
  define("__amdgcn_processor__", '"' + arch + '"');
  define("__amdgcn_target_id__", '"' + arch + '"');
  for (char& letter : arch) letter = letter == '-' ? '_' : letter;
  define("__" + arch + "__");
  if (const std::string generation = generationOf(target.arch); !generation.empty())
    define("__GFX" + generation + "__");
  return out;
}

constexpr std::string_view toolkitMark = "hip/hip_version.h";

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> openFiles(sdk::DialectFiles files) {
  return withHeaderOverrides(std::move(files), toolkitMark, {});
}

constexpr sdk::Explanation explanations[] = {
    cudaExplanations[0],
    cudaExplanations[1],
    cudaExplanations[2],
    cudaExplanations[3],
    {"undeclared identifier '__builtin_amdgcn_", "",
     "docs/hip.md says which of AMD's builtins there are; guard this one with the preprocessor, or write it in C++"},
};
static_assert(std::size(explanations) == std::size(cudaExplanations) + 1);

constexpr LanguageOnCuda language = {
    .assembly = {.takes = amd::isAboutStatement, .mayTake = amd::mayBeAboutStatement, .mend = amd::mendStatement},
    .impliedHeaders = "LATHE_HIP_IMPLIED_HEADERS"};

sdk::DialectHooks* createHooks() {
  return createHostCodeHooks(language);
}

/// Takes away bounds on groups that say nothing, because no device of HIP's runs larger groups: AMD's back end does not
/// look at them, and programs have them in kernels for other processors (24 waves of 64).
void dropIdleBounds(llvm::Module& module) {
  constexpr std::uint64_t largestGroup = 1024;
  for (llvm::Function& function : module) {
    std::uint64_t items = 0;
    const llvm::Attribute bound = function.getFnAttribute(sdk::attribute::maxItems);
    if (bound.isValid() && !bound.getValueAsString().getAsInteger(10, items) && items > largestGroup)
      function.removeFnAttr(sdk::attribute::maxItems);
  }
}

llvm::Error adaptHip(llvm::Module& module) {
  amd::markStatements(module);
  llvm::Error error = adaptCuda(module);
  dropIdleBounds(module);
  return error;
}

}  // namespace

extern const sdk::Dialect hipDialect;
const sdk::Dialect hipDialect = {
    .name = "hip",
    .description = "HIP C++ (kernels and device functions)",
    .extensions = extensions,
    .clangArguments = arguments,
    .kernelMarker = "__global__",
    .isKernel = isCudaKernel,
    .prelude = "lathe/hip/prelude.h",
    .preludeOnRequest = false,
    .preamble = preamble,
    .adapt = adaptHip,
    .assemblyArchitecture = "amdgcn",
    .replaceAssembly = amd::replaceStatement,
    .oldestStandard = "c++20",
    .copiesArguments = true,
    .explanations = explanations,
    .harmlessErrors = cudaHarmlessErrors,
    .createHooks = createHooks,
    .openFiles = openFiles,
    .markKernel = markTuning,
};

}  // namespace lathe::dialects
