// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The BPF dialects: C++ and C on the bpfel triple itself, because BTF and CO-RE relocations come from Clang's and
// LLVM's own support of it. Sources written for libbpf need no change; programs and maps are what stands in sections of
// their own. <lathe/bpf.h> replaces libbpf's headers and vmlinux.h where neither is at hand, and is all there is for
// C++.
#include "core/frontend/dialect.h"

#include "core/descriptor/descriptor.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

namespace lathe::detail {
namespace {

constexpr std::string_view cxxExtensions[] = {".bpf.cpp", ".bpf.cc", ".bpf.cxx", ".cpp", ".cc", ".cxx", ".hpp"};
constexpr std::string_view cExtensions[] = {".bpf.c", ".c", ".h"};

// Members of BTF types have to be known where only a pointer is used: map definitions name their types so.
constexpr std::string_view debugInfoKind = "standalone";

// Hidden behind maps and kernel types, one type is often read through another: no optimisation by type.
constexpr std::string_view cxxArguments[] = {"-triple", "bpfel", "-x", "c++", "-fno-rtti", "-relaxed-aliasing"};
constexpr std::string_view cArguments[] = {"-triple", "bpfel", "-x", "c", "-relaxed-aliasing"};

/// The machine that runs the programs, as libbpf's tracing headers ask for it; this one unless the job says otherwise.
std::string preamble(const Job& job, const Descriptor&, unsigned) {
  for (const std::string& define : job.options.defines) {
    if (define.starts_with("__TARGET_ARCH_")) return {};
  }
  switch (llvm::Triple(llvm::sys::getDefaultTargetTriple()).getArch()) {
    case llvm::Triple::x86_64:
      return "#define __TARGET_ARCH_x86 1\n";
    case llvm::Triple::aarch64:
      return "#define __TARGET_ARCH_arm64 1\n";
    case llvm::Triple::riscv64:
      return "#define __TARGET_ARCH_riscv 1\n";
    default:
      return {};
  }
}

/// Sections say everything.
llvm::Error adapt(llvm::Module&) {
  return llvm::Error::success();
}

/// What C++ and C share.
constexpr Dialect dialect(std::string_view name, std::string_view description, std::string_view standard,
                          std::span<const std::string_view> extensions, std::span<const std::string_view> arguments) {
  return {.name = name,
          .description = description,
          .extensions = extensions,
          .clangArguments = arguments,
          .kernelMarker = "SEC(\"…\")",
          .prelude = {},
          .preludeOnRequest = true,
          .preamble = preamble,
          .adapt = adapt,
          .portable = false,
          .standard = standard,
          .debugInfo = debugInfoKind,
          .entriesInSections = true};
}

}  // namespace

extern const Dialect bpfDialect;
constinit const Dialect bpfDialect =
    dialect("bpf", "C++20 for BPF, with <lathe/bpf.h>", "gnu++20", cxxExtensions, cxxArguments);

extern const Dialect bpf_cDialect;
constinit const Dialect bpf_cDialect =
    dialect("bpf-c", "C for BPF, with <lathe/bpf.h> or libbpf's headers", "gnu17", cExtensions, cArguments);

}  // namespace lathe::detail
