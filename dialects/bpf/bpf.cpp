// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The BPF dialects: C++ and C on the target's own triple (bpfel, or bpfeb), because BTF and CO-RE relocations come from
// Clang's and LLVM's own support of it. Sources written for libbpf need no change; programs and maps are what stands in
// sections of their own. <lathe/bpf.h> replaces libbpf's headers and vmlinux.h where neither is at hand, and is all
// there is for C++.
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <lathe/sdk/dialect.h>
#include <lathe/sdk/hidden_files.h>

#include "dialects/bpf/kernel_types.h"

namespace lathe::dialects {
namespace {

constexpr std::string_view cxxExtensions[] = {".bpf.cpp", ".bpf.cc", ".bpf.cxx", ".cpp", ".cc", ".cxx", ".hpp"};
constexpr std::string_view cExtensions[] = {".bpf.c", ".c", ".h"};

// Members of BTF types have to be known where only a pointer is used: map definitions name their types so.
constexpr std::string_view debugInfoKind = "standalone";

// The machine's headers are searched last. C++ sources find only these there, since Lathe has a C++ library; C sources
// find the machine's C library, as libbpf's users know it.
constexpr std::string_view machineFolder = "/usr/include";
#if defined(__x86_64__)
#define LATHE_BPF_PROCESSOR_FOLDER "x86_64-linux-gnu"
#define LATHE_BPF_MACHINE "__TARGET_ARCH_x86"
#elif defined(__aarch64__)
#define LATHE_BPF_PROCESSOR_FOLDER "aarch64-linux-gnu"
#define LATHE_BPF_MACHINE "__TARGET_ARCH_arm64"
#else
#define LATHE_BPF_PROCESSOR_FOLDER "riscv64-linux-gnu"
#define LATHE_BPF_MACHINE "__TARGET_ARCH_riscv"
#endif
/// The machine that runs the programs, as <lathe/bpf.h> and libbpf's tracing headers ask for it.
constexpr std::string_view thisMachine = LATHE_BPF_MACHINE "=1";
constexpr std::string_view processorFolder =
    "/usr/include/" LATHE_BPF_PROCESSOR_FOLDER;  // as Debian and its kin have it
constexpr std::string_view machineHeaders[] = {"/linux/", "/asm/", "/asm-generic/", "/bpf/",
                                               "/" LATHE_BPF_PROCESSOR_FOLDER "/asm/"};

bool isHidden(llvm::StringRef path) {
  if (path == llvm::StringRef(processorFolder) || !path.consume_front(machineFolder) || path.empty()) return false;
  return llvm::none_of(machineHeaders, [&](std::string_view part) {
    return path.starts_with(part) || llvm::StringRef(part).drop_back() == path;
  });
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> openFiles(sdk::DialectFiles files) {
  // A job that names the folder wants all of it.
  const auto isNamed = [](const std::string& folder) { return folder.starts_with(machineFolder); };
  if (llvm::any_of(files.includeDirs, isNamed)) return std::move(files.files);
  return llvm::makeIntrusiveRefCnt<sdk::HiddenFiles>(std::move(files.files), isHidden);
}

// What glibc's headers ask the processor for, which they do not know: longs are of 64 bits, and no function of the
// library is a stub, because none is called.
constexpr sdk::DialectHeader cHeaders[] = {{"bits/wordsize.h", "#define __WORDSIZE 64\n"}, {"gnu/stubs.h", "\n"}};

// Behind maps and kernel types, one type is often read through another: no optimisation by type in C++. In C there is,
// as libbpf's users have it.
// clang-format off
constexpr std::string_view cxxArguments[] = {"-triple", "bpfel", "-mrelocation-model", "static", "-target-cpu", "v3", "-x", "c++", "-fno-rtti", "-relaxed-aliasing",
                                             "-D", thisMachine, "-D", bpf::preservedMacro, "-D", bpf::typeTagMacro, "-D", bpf::declTagMacro, "-idirafter", machineFolder, "-idirafter", processorFolder};
constexpr std::string_view cArguments[] = {"-triple", "bpfel", "-mrelocation-model", "static", "-target-cpu", "v3", "-x", "c",
                                           "-D", thisMachine, "-idirafter", machineFolder, "-idirafter", processorFolder};
// clang-format on

/// A job that names another machine than this one means that one only.
std::string preamble(const Job& job, const sdk::TargetFacts&) {
  for (const std::string& define : job.options.defines) {
    if (define.starts_with("__TARGET_ARCH_") && define.substr(0, define.find('=')) != LATHE_BPF_MACHINE)
      return "#undef " LATHE_BPF_MACHINE "\n";
  }
  return {};
}

class CxxHooks final : public sdk::DialectHooks {
 public:
  std::unique_ptr<clang::ASTConsumer> begin(clang::CompilerInstance&) override { return bpf::kernelTypes(); }
};
sdk::DialectHooks* cxxHooks() {
  return new CxxHooks;
}

/// Programs stand in sections of their own; those say everything that a loader asks, so there is no adapt.
bool isProgram(const clang::FunctionDecl& function) {
  return function.hasAttr<clang::SectionAttr>();
}

/// The definition of the C++ and the C dialect, which differ in these arguments only.
constexpr sdk::Dialect dialect(std::string_view name, std::string_view description, std::string_view standard,
                               std::span<const std::string_view> extensions,
                               std::span<const std::string_view> arguments, bool isC) {
  return {.name = name,
          .description = description,
          .extensions = extensions,
          .clangArguments = arguments,
          .kernelMarker = "SEC(\"…\")",
          .isKernel = isProgram,
          .prelude = "lathe/bpf.h",
          .preludeOnRequest = true,
          .preludeLeads = true,
          .headers = isC ? std::span<const sdk::DialectHeader>(cHeaders) : std::span<const sdk::DialectHeader>(),
          .preamble = preamble,
          .portable = false,
          .standard = standard,
          .debugInfo = debugInfoKind,
          .createHooks = isC ? nullptr : cxxHooks,
          .openFiles = isC ? nullptr : openFiles,
          .hasLibrary = !isC,
          .hasItems = false};
}

}  // namespace

extern const sdk::Dialect bpfDialect;
constinit const sdk::Dialect bpfDialect =
    dialect("bpf", "C++20 for BPF, with <lathe/bpf.h>", "gnu++20", cxxExtensions, cxxArguments, false);

extern const sdk::Dialect bpf_cDialect;
constinit const sdk::Dialect bpf_cDialect =
    dialect("bpf-c", "C for BPF, with <lathe/bpf.h> or libbpf's headers", "gnu17", cExtensions, cArguments, true);

}  // namespace lathe::dialects
