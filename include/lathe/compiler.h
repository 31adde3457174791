// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler: jobs in, images out. Link `lathe::lathe`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/export.h>
#include <lathe/image.h>
#include <lathe/job.h>
#include <lathe/result.h>

namespace lathe {

/// Where a compile runs, and so what a crash of it can take down.
enum class Isolation : std::uint8_t {
  /// In the calling process on a thread of Lathe's own. With CompilerConfig::containCrashes, crashes and stack
  /// overflows inside the compiler become errors too; after 8 of them later compiles move to a worker.
  inProcess,
  /// In a child process. Nothing in it can harm the caller.
  worker,
};

/// Given a name as the source includes it, the header's text, or nothing. Called on compile threads, any number at
/// once.
using HeaderResolver = std::function<std::optional<std::string>(std::string_view name)>;

struct CompilerConfig {
  /// Folders searched for descriptors and plugins, before $LATHE_TARGET_PATH and the built-in ones.
  std::vector<std::filesystem::path> targetPath;
  HeaderResolver headers;
  Isolation isolation = Isolation::inProcess;
  /// Installs handlers for SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT and SIGTRAP that act only on Lathe's compile
  /// threads and pass every other signal to the handlers that were there. Off by default: a library does not take
  /// signals unasked.
  bool containCrashes = false;
  /// The program that serves worker compiles; empty: `lathe` beside the library, then on PATH.
  std::filesystem::path workerProgram;
};

/// What to observe or replace in one compile. None of it is part of the job.
struct CompileRequest {
  bool timeStages = false;
  /// Stages whose result is wanted as IR text ("import", …, or "all").
  std::vector<std::string> dumpAfter;
  /// stage → file with IR that takes the place of that stage's result.
  std::map<std::string, std::filesystem::path> replaceAt;
  std::optional<Isolation> isolation;
};

struct StageTime {
  std::string stage;
  double milliseconds = 0;
};
struct StageDump {
  std::string stage;
  std::string ir;
};

struct CompileResult {
  Image image;
  std::vector<Diagnostic> warnings;
  std::vector<StageTime> times;  ///< with timeStages: in order, "total" last
  std::vector<StageDump> dumps;
};

struct TargetInfo {
  std::string name;
  std::string description;
  std::string triple;
  std::string origin;  ///< "built in" or the descriptor's path
  std::string runtime;
  std::string defaultArch;
  std::vector<std::string> architectures;
  std::vector<std::string> formats;
  std::string defaultFormat;
  std::string unavailable;  ///< why nothing can be compiled for it (a broken file, no back end in LLVM); empty: it can
};

struct StageInfo {
  std::string name;
  std::string description;
};

/// Compiles jobs. Every member is safe to call from any number of threads; compiles share no lock and run in parallel.
class LATHE_API Compiler {
 public:
  /// Errors: DescriptorInvalid, PluginInvalid (a broken file on the search path is only an error when it is asked for).
  [[nodiscard]] static Result<Compiler> create(CompilerConfig config = {});
  Compiler(Compiler&&) noexcept;
  Compiler& operator=(Compiler&&) noexcept;
  ~Compiler();

  [[nodiscard]] Result<CompileResult> compile(const Job& job, const CompileRequest& request = {}) const;

  /// All that were found; of those that are unavailable only the name and the reason.
  [[nodiscard]] std::vector<TargetInfo> targets() const;
  /// Errors: UnknownTarget (with the nearest names), DescriptorInvalid.
  [[nodiscard]] Result<TargetInfo> target(std::string_view name) const;
  /// The stages of the lowering core, in order.
  [[nodiscard]] static std::vector<StageInfo> stages();

 private:
  struct Impl;
  explicit Compiler(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// "0.1.0"
[[nodiscard]] LATHE_API std::string_view version() noexcept;
/// "clang 22.1.8"
[[nodiscard]] LATHE_API std::string compilerVersion();

}  // namespace lathe
