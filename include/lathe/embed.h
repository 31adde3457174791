// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images as parts of programs: their bytes as C, assembly or an object, and the header with which host code launches
// their kernels as functions. For build tools; link `lathe::lathe`. What is generated needs `lathe::runtime` only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lathe/export.h>
#include <lathe/fat_image.h>
#include <lathe/result.h>

namespace lathe {

/// The form in which bytes become part of a program.
enum class EmbedForm : std::uint8_t {
  c,         ///< source text that is C11 and C++
  assembly,  ///< for the assembler of `triple`, with the bytes in it
  object,    ///< for the linker of `triple`
};

/// The symbols and the place of bytes in a program.
struct EmbedOptions {
  EmbedForm form = EmbedForm::c;
  /// A C identifier. The bytes are `const unsigned char SYMBOL[]` with C linkage, aligned to 16 and followed by a zero,
  /// and their number is `const size_t SYMBOL_size`; both are visible inside one program or shared library only.
  std::string symbol = {};
  std::string section = {};  ///< of the bytes; empty: the platform's for constants
  std::string triple = {};   ///< for assembly and objects, LLVM's name of the machine; empty: this one
};

/// `bytes` in that form. Equal input gives equal output. Errors: InvalidArgument (the symbol, the section, the triple),
/// Unsupported (LLVM makes none for the triple).
[[nodiscard]] LATHE_API Result<std::string> embedded(std::span<const std::byte> bytes, const EmbedOptions& options);

/// The contents of a generated header.
struct KernelHeaderOptions {
  std::string nameSpace = "kernels";  ///< "a::b" nests
  std::string symbol = {};            ///< EmbedOptions::symbol of the image, if it is linked into the program
  std::string file = {};              ///< else the image's path, as EmbeddedImages takes it
  /// Headers that declare the structures which kernels take, as "name" or <name> or name. None: the generated header
  /// declares structures like them.
  std::vector<std::string> includes = {};
};

/// A C++20 header that declares each kernel in `images` as a function `NAME(device, launch, arguments…)`. Errors:
/// InvalidArgument (the namespace; two kernels with one name in C++; a kernel whose parameters differ between targets;
/// nothing in it can be launched), ImageCorrupt, ImageVersion.
[[nodiscard]] LATHE_API Result<std::string> kernelHeader(const FatImage& images, const KernelHeaderOptions& options);

}  // namespace lathe
