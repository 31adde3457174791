// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA language as Clang reads it: what the dialect `cuda` shares with dialects whose language is CUDA by other
// names.
#pragma once

#include <array>
#include <string_view>

#include "clang/Basic/DiagnosticSema.h"
#include "llvm/Support/Error.h"

#include <lathe/sdk/dialect.h>

namespace lathe::dialects {

/// Arguments of Clang's cc1 level. The processor is the newest without arch-specific features: its name only opens
/// Clang's builtins, import strips it again. Macros that tell the compiler are the dialect's own.
inline constexpr auto cudaLanguage = std::to_array<std::string_view>(
    {"-triple", "nvptx64-nvidia-cuda", "-x", "cuda", "-fcuda-is-device", "-target-cpu", "sm_120", "-target-feature",
     "+ptx87",
     // Host code may throw; device code that does is an error. What headers make
     // of it is the device's way: no exceptions.
     "-fexceptions", "-fcxx-exceptions", "-U__cpp_exceptions", "-fdeclspec", "-fcuda-allow-variadic-functions",
     // Names of libraries that the machine lacks: host code may have hundreds, and each search goes through all names.
     "-fspell-checking-limit=8",
     // Kernels have the symbols that CUDA compilers give them, which say nothing of the kinds of template parameters
     // and of constraints. Clang 18 began to.
     "-fclang-abi-compat=17",
     // Casts to integers come as saturating conversions, of which castsAsHardware() makes the hardware's.
     "-fno-strict-float-cast-overflow", "-Wno-builtin-macro-redefined", "-Wno-register",
     "-Wno-reserved-user-defined-literal",
     // Sources in C++17 are read as C++20, of whose warnings they know nothing.
     "-Wno-deprecated-anon-enum-enum-conversion", "-Wno-deprecated-enum-enum-conversion",
     "-Wno-deprecated-enum-float-conversion", "-Wno-deprecated-volatile", "-Wno-deprecated-array-compare",
     "-Wno-deprecated-comma-subscript", "-Wno-ambiguous-reversed-operator", "-Wno-deprecated-this-capture",
     "-Wno-deprecated-enum-compare", "-D_LIBCPP_DISABLE_DEPRECATION_WARNINGS",
     // CUDA compilers warn of these, or take them.
     "-Wno-error=c++11-narrowing", "-Wno-invalid-specialization", "-Wno-expansion-to-defined",
     "-Wno-missing-template-arg-list-after-template-kw",
     // CUDA compilers do not warn of `a << b + c`, which hashes and ciphers are full of, nor of an `else` behind two
     // `if`.
     "-Wno-shift-op-parentheses", "-Wno-dangling-else",
     // Nor of sides of deduction guides, which older Clang asked for.
     "-Wno-deprecated-attributes",
     // Host code asks where it is; CUDA compilers answer for the host on both sides.
     "-D__linux__=1", "-D__linux=1", "-D__gnu_linux__=1", "-D__unix__=1", "-D__unix=1", "-D__x86_64__=1",
     "-D__x86_64=1", "-D__amd64__=1", "-D__amd64=1",
     // The C library, by the one of glibc's names that the C++ library does not ask for, whose C headers are Lathe's.
     "-D__GNU_LIBRARY__=6",
     // As on the host, whose programs pass these by value: the triple has them as long long.
     "-U__INT64_TYPE__", "-U__UINT64_TYPE__", "-U__INT64_C_SUFFIX__", "-U__UINT64_C_SUFFIX__", "-U__INTMAX_TYPE__",
     "-U__UINTMAX_TYPE__", "-U__INT_LEAST64_TYPE__", "-U__UINT_LEAST64_TYPE__", "-U__INT_FAST64_TYPE__",
     "-U__UINT_FAST64_TYPE__", "-D__INT64_TYPE__=long int", "-D__UINT64_TYPE__=long unsigned int",
     "-D__INT64_C_SUFFIX__=L", "-D__UINT64_C_SUFFIX__=UL", "-D__INT_LEAST64_TYPE__=long int",
     "-D__UINT_LEAST64_TYPE__=long unsigned int", "-D__INT_FAST64_TYPE__=long int",
     "-D__UINT_FAST64_TYPE__=long unsigned int", "-D__INTMAX_TYPE__=long int", "-D__UINTMAX_TYPE__=long unsigned int",
     "-Wno-unknown-cuda-version",
     // Kernels launch kernels. The second names the translation unit in symbols: adaptCuda() takes it off them.
     // No source asks for device code that is linked later, of which Clang's macro speaks.
     "-fgpu-rdc", "-U__CLANG_RDC__", "-cuid=lathe",
     // CUDA compilers know `typeof` whatever the standard is.
     "-fgnu-keywords"});

/// `cudaLanguage` and `more`.
template <std::size_t Count>
constexpr auto cudaLanguageWith(const std::string_view (&more)[Count]) {
  std::array<std::string_view, cudaLanguage.size() + Count> out;
  std::size_t at = 0;
  for (const std::string_view argument : cudaLanguage) out[at++] = argument;
  for (const std::string_view argument : more) out[at++] = argument;
  return out;
}

/// Clang's errors in the words of a language of kernels.
inline constexpr sdk::Explanation cudaExplanations[] = {
    {"cannot use 'throw' in", "device code cannot throw an exception",
     "return an error value, or end the kernel with __trap()"},
    {"cannot use 'try' in", "device code cannot catch an exception: nothing throws one there",
     "leave the body of the try block, and let what it calls return an error value"},
    // Clang's parser takes the second for a comparison with a function.
    {"missing 'template' keyword prior",
     "a member template of a type that depends on a parameter is called as a function",
     "write 'template' before its name, which other compilers guess: T::template cast<4>(x)"},
    {"reference to overloaded function could not be resolved",
     "an overloaded function or a template is named, not called",
     "call it; the name of a member template of a type that depends on a parameter needs 'template' before it, which "
     "other "
     "compilers guess: T::template cast<4>(x)"},
};

/// Clang says of try and throw that the device has none, and goes on.
inline constexpr unsigned cudaHarmlessErrors[] = {clang::diag::err_cuda_device_exceptions};

/// True for functions marked `__global__`.
bool isCudaKernel(const clang::FunctionDecl& function);
/// Brings Clang's marks of this language, calling conventions and address spaces, into portable IR's.
llvm::Error adaptCuda(llvm::Module& module);

}  // namespace lathe::dialects
