// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe run` of a BPF program: one run on given input, and what came of it.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <lathe/image.h>

#include "tools/lathe/output/output.h"

namespace lathe::tool {

/// The options of `lathe run` that only programs have, and those that they share with kernels.
struct ProgramRun {
  std::string packet;                  ///< a file, "-": standard input, or "hex:…"
  std::string context;                 ///< the same
  std::vector<std::string> arguments;  ///< at most one: what the context or packet is made of
  std::string savePacket, saveContext;
  unsigned repeat = 0;

  /// Declares those that only programs have.
  void configure(CLI::App& app);
};

/// Loads the image's object, runs the program of `entry` and reports its result. Errors: those of bpf::Object and
/// bpf::Program; ArgumentMismatch, FileUnreadable, FileUnwritable.
[[nodiscard]] Result<ExitCode> runProgram(const Image& image, const EntryPoint& entry, const ProgramRun& run,
                                          Output& out);

/// The same for an object that any compiler for the kernel wrote: its program of this name, or its only one if that is
/// empty. Without the types of an image, --arg has nothing to go by. Errors: as above, UnknownKernel, InvalidArgument.
[[nodiscard]] Result<ExitCode> runProgramOfObject(const std::string& file, const std::vector<std::string>& names,
                                                  const ProgramRun& run, Output& out);

/// True for a file that is an ELF object for the kernel's BPF machine.
[[nodiscard]] bool isProgramObject(const std::string& file);

}  // namespace lathe::tool
