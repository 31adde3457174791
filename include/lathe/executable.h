// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs of compiled kernels: an object that a target for C programs made, linked with a `main` and the C library to
// a static executable of this machine. Link `lathe::lathe`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <lathe/export.h>
#include <lathe/image.h>
#include <lathe/job.h>
#include <lathe/result.h>

namespace lathe {

/// A file for the linker.
struct LinkInput {
  std::string name;   ///< for messages
  std::string bytes;  ///< of an object or a static library
};

/// The parts of a program beside its kernels.
struct ExecutableOptions {
  /// Objects and libraries, one of which may define `main`.
  std::vector<LinkInput> inputs = {};
  /// The kernel that is the program, by its name in the image: `main` runs it as one group of one item, or of its fixed
  /// group size. It takes none or the first of int argc, char** argv, int* exitCode. Empty: the kernel whose name is or
  /// ends with "::main", if there is one and no input defines `main`.
  std::string mainKernel = {};
  std::filesystem::path workerProgram = {};  ///< as CompilerConfig::workerProgram: LLD works in a child process
};

/// Host sources of a program: C or C++ for this machine, which calls kernels by the header that objects have.
struct HostRequest {
  /// Each is C if its name ends with ".c" or its dialect is "c", else C++ (dialect "c++"). No dialect of kernels is
  /// known.
  std::vector<Source> sources;
  /// The kernels' header, by a name or a path that need not exist: a file that is there is not read. Empty: as the
  /// image's source is called, "blur.h" for blur.cpp. The name is found before any folder but the including file's own.
  std::string header = {};
  /// Level, debug information, defines, undefines, folders of headers and prefix map are used.
  Options options = {};
  std::filesystem::path workerProgram = {};  ///< as CompilerConfig::workerProgram: Clang works in a child process
};

/// Compiled host sources.
struct HostObjects {
  std::vector<LinkInput> objects;    ///< one for each source, named as it is
  std::vector<Diagnostic> warnings;  ///< in the sources' order
  std::vector<std::string> files;    ///< headers that were read, without the system's
};

/// Compiles C and C++ sources with the Clang that is part of Lathe, for the C library that the system's compiler uses.
/// `kernels` is the image that executable() is given. Errors: InvalidArgument (an image without a header, an option
/// that Clang refuses, another dialect), SourceError, HeaderNotFound, Unsupported (no compiler for this platform),
/// CompilerCrash, ToolMissing.
[[nodiscard]] LATHE_API Result<HostObjects> compileHostSources(const Image& kernels, const HostRequest& request);

/// A static ELF executable of `image`, which was compiled with emit "object" for this machine by a target that makes
/// objects. The platform's start files and C library, and where an input needs it the C++ library, are found as Clang
/// finds them. Equal input gives equal output on one machine. Errors: InvalidArgument (an image without an object; two
/// `main`, or none); UnknownKernel; ArgumentMismatch: the kernel has other parameters than a `main`; Unsupported: the
/// object is for another machine; ToolFailed: LLD's text, with every undefined symbol; ToolMissing, FileUnwritable.
[[nodiscard]] LATHE_API Result<std::string> executable(const Image& image, const ExecutableOptions& options = {});

}  // namespace lathe
