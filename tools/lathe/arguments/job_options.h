// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that say what to compile and how, shared by `compile` and `run`, and the job they make.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <lathe/compiler.h>
#include <lathe/executable.h>
#include <lathe/runtime.h>

#include "tools/lathe/output/output.h"
#include "tools/options/code_options.h"

namespace lathe::tool {

class JobOptions {
 public:
  /// `manyTargets`: the target may be given more than once, for jobs().
  void configure(CLI::App& app, bool manyTargets = false);

  /// Only how to compile, not what: isolation, time limit, plugins, form of diagnostics. `isolation` is the default.
  void configureCompiler(CLI::App& app, const std::string& isolation = "worker");

  /// Reads the source and the headers. `emit` is left at "image". Errors: FileUnreadable, InvalidArgument.
  [[nodiscard]] Result<Job> job() const;
  /// The same for each target that was named, in order; at least one. Errors: as job().
  [[nodiscard]] Result<std::vector<Job>> jobs() const;
  /// Takes objects and static libraries out of the further files, for a linker. Errors: FileUnreadable.
  [[nodiscard]] Result<std::vector<LinkInput>> takeObjects();
  /// Takes what is a program's own out of the files: those called .c, and `named`. Errors: FileUnreadable,
  /// InvalidArgument (no kernels are left).
  [[nodiscard]] Result<std::vector<Source>> takeHostSources(const std::vector<std::string>& named);
  /// The files that the job is made of: source, headers given by name, descriptors and plugins outside of Lathe.
  [[nodiscard]] std::vector<std::string> inputFiles(const Compiler& compiler) const;
  /// A compiler of the isolation asked for, whose workers are this same program.
  [[nodiscard]] Result<Compiler> compiler() const;
  /// A request with the time limit asked for.
  [[nodiscard]] CompileRequest request() const;
  /// Tells `out` how to write diagnostics.
  void prepare(Output& out) const;
  /// Whether an option ("--ftz", "-O") stands on the command line.
  [[nodiscard]] bool wasGiven(const std::string& option) const;

  /// The target as it was named.
  [[nodiscard]] const std::string& target() const { return targets_.front(); }
  /// The target of sources for which none is named; without it, cpu, or bpf for a file called .bpf.cpp or .bpf.c.
  void setDefaultTarget(std::string target) { defaultTarget_ = std::move(target); }
  /// The target of a source, by all of this.
  [[nodiscard]] const std::string& usedTarget() const;
  /// The mistake of --emit beside a target that has formats, as in -t cuda:sm_90=cubin,ptx.
  static constexpr const char* formatsTwice = "-t says what the image holds; --emit is for code without one";
  /// True if a fat image is wanted: of several targets, or of portable IR, which is no target's.
  [[nodiscard]] bool hasManyTargets() const { return targets_.size() > 1 || targets_.front() == "portable"; }
  [[nodiscard]] const std::string& file() const { return file_; }
  /// The same for another file.
  [[nodiscard]] JobOptions withFile(std::string file) const {
    JobOptions out = *this;
    out.file_ = std::move(file);
    return out;
  }
  [[nodiscard]] const std::vector<std::string>& kernels() const { return job_.entries; }
  /// True if the file is to be compiled: -x was given, or its name is not an image's.
  [[nodiscard]] bool isSource() const;

 private:
  /// A file as a source in the dialect that -x names. Errors: FileUnreadable, InvalidArgument.
  [[nodiscard]] Result<Source> read(const std::string& file) const;

  Job job_;
  std::string file_;
  std::vector<std::string> further_;
  std::vector<std::string> objects_;  ///< what takeObjects() and takeHostSources() took
  std::vector<std::string> targets_ = {"cpu"};
  std::string defaultTarget_;
  CodeOptions code_;
  const CLI::App* app_ = nullptr;
  std::string isolation_ = "worker";
  double timeout_ = 600;
  bool noCache_ = false;
  std::vector<std::string> plugins_;
  std::string diagnostics_ = "text";
  std::string diagnosticsFile_;
  std::vector<std::string> headers_;
};

/// Makes "NAME[:ARCH][=FORMAT,…]" a job's target and architecture, and what its image holds.
void aim(Job& job, const std::string& target);

/// The ending of image files.
inline constexpr std::string_view imageExtension = ".limg";

/// The path of this program.
[[nodiscard]] std::filesystem::path ownProgram();

}  // namespace lathe::tool
