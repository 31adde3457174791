// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler: jobs in, images out. Link `lathe::lathe`.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/cache.h>
#include <lathe/export.h>
#include <lathe/image.h>
#include <lathe/job.h>
#include <lathe/result.h>

namespace lathe {

struct JobBundle;
namespace detail {
struct WorkerAccess;
}  // namespace detail

/// The process that a compile runs in, and so what a crash of it can take down.
enum class Isolation : std::uint8_t {
  /// In the calling process on a thread of Lathe's own. With CompilerConfig::containCrashes, crashes and stack
  /// overflows inside the compiler become errors too; after 8 of them later compiles move to a worker. A target whose
  /// back end serves one compile a process (`codegen.own_process`: spirv) compiles in a worker even so.
  inProcess,
  /// In a child process. Nothing in it can harm the caller.
  worker,
};

/// A function that returns the text of the header that a source includes as `name`, or nothing. It is called on compile
/// threads, on several at once. It does not reach into workers: a compile in one is refused (InvalidArgument). Give
/// headers to the job (Job::headers) for targets that compile in a worker.
using HeaderResolver = std::function<std::optional<std::string>(std::string_view name)>;

/// The settings of a Compiler, for all of its compiles.
struct CompilerConfig {
  /// Folders with descriptors, searched before $LATHE_TARGET_PATH and the built-in ones; and plugins, files that end in
  /// ".so", whose targets must have new names.
  std::vector<std::filesystem::path> targetPath = {};
  /// Variables that count before the environment's, an empty value as one that is not set: LATHE_TARGET_PATH, and those
  /// that descriptors and assemblers look for files by (LATHE_LIBDEVICE, LATHE_CCCL, CUDA_HOME, …), and
  /// SOURCE_DATE_EPOCH, the time that sources see. What they lead to is part of the cache's keys.
  std::map<std::string, std::string> variables = {};
  HeaderResolver headers = {};  ///< asked after the job's own headers; empty: none
  Isolation isolation = Isolation::inProcess;
  /// Installs handlers for SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT and SIGTRAP that act only on Lathe's compile
  /// threads and pass every other signal to the handlers that were there. They stay for the life of the process, and
  /// serve all its compilers. Off by default: a library does not take signals unasked.
  bool containCrashes = false;
  /// The program that serves worker compiles; empty: the one that an earlier Compiler of the process was given, else
  /// `lathe` beside the library, then on PATH. It is one for the process: the latest that is not empty counts.
  std::filesystem::path workerProgram = {};
  CacheConfig cache = {};
};

/// A file that a compile read besides its source, by the absolute path under which the front end opened it.
struct InputFile {
  std::string path;
  std::string bytes;
  /// The path, recorded before, that names the same file (a link, another spelling); `bytes` is then empty.
  std::string sameAs;
  bool operator==(const InputFile&) const = default;
};

/// A device library that was there for a compile.
struct InputLibrary {
  std::string name;  ///< as the descriptor calls it
  std::string path;  ///< empty: built into Lathe, and `bytes` is empty
  std::string bytes;
  bool operator==(const InputLibrary&) const = default;
};

/// A target's descriptor, or one that it extends.
struct InputDescriptor {
  std::string name;
  std::string origin;  ///< "built in", or the path it was read from
  std::string yaml;
  bool operator==(const InputDescriptor&) const = default;
};

/// The value that one setting of a compile has, and where it comes from.
struct Setting {
  std::string name;    ///< "arch", "options.optLevel", "header", …; a name may come more than once
  std::string value;   ///< as people read it
  std::string origin;  ///< "default", "job", "FILE:LINE" of a descriptor, "kernel attribute", …
  bool operator==(const Setting&) const = default;
};

/// Everything outside of the job and of Lathe itself that decided what a compile produced.
struct CompileRecord {
  std::string workingDirectory;
  std::string arch;  ///< resolved
  /// "NAME VERSION" of the plugin that brought the target's hooks, and "; dialect DIALECT of NAME VERSION" for a source
  /// in a plugin's dialect; empty: none.
  std::string plugin;
  std::vector<InputFile> files;
  std::vector<InputLibrary> libraries;
  std::vector<InputDescriptor> descriptors;  ///< outermost base first, the target's own last
  std::vector<Setting> settings;
  bool operator==(const CompileRecord&) const = default;
};

/// The progress of a compile.
struct CompileProgress {
  std::string step;         ///< what begins: "frontend" or a stage's name
  std::uint32_t done = 0;   ///< steps that are done; some do nothing and are not told
  std::uint32_t steps = 0;  ///< of the whole compile
};

/// Observation and isolation of one compile: timing, dumps, replaced stages, a time limit, progress and its end before
/// its time. None of it is part of the job.
struct CompileRequest {
  bool timeStages = false;
  /// LLVM's verifier looks at the result of each stage; what it refuses is an error (Internal) that names the stage.
  bool verifyStages = false;
  /// Stages whose result is wanted as IR text ("import", …, or "all").
  std::vector<std::string> dumpAfter;
  /// Stage → file with IR that takes the place of that stage's result.
  std::map<std::string, std::filesystem::path> replaceAt;
  std::optional<Isolation> isolation;  ///< empty: CompilerConfig::isolation
  /// Filled with what the compile read and resolved, also when the compile fails (as far as it came). Slower: nothing
  /// is taken from what earlier compiles left in memory. The caller's; it must live until the compile returns.
  CompileRecord* record = nullptr;
  /// A worker that takes longer is ended, with LimitExceeded; 0: no limit. A compile in process cannot be stopped.
  std::chrono::milliseconds timeLimit = std::chrono::minutes(10);
  /// compile() returns when the cache's folder and its servers have the result, as far as they take it. Without, they
  /// get it soon, at the latest when the Compiler ends. For processes that may be killed, and whose results others
  /// want.
  bool durable = false;
  /// Ends the compile with code Cancelled soon after a stop is requested: between two declarations or templates of the
  /// source and between two passes; at once where it runs in a worker or waits for its turn or another compile of the
  /// same job. Code generation is not interrupted. A result that was complete before is returned.
  std::stop_token stop = {};
  /// Called as each step begins, in order, on the thread that compiles, or on the caller's for a worker's compile.
  /// Results from the cache have no steps. It must not throw.
  std::function<void(const CompileProgress&)> progress = {};
};

/// The time that one stage took.
struct StageTime {
  std::string stage;
  double milliseconds = 0;
};

/// A compile that succeeded.
struct CompileResult {
  Image image;
  std::vector<Diagnostic> warnings;  ///< and remarks
  std::vector<StageTime> times;      ///< with timeStages: in order, "total" last
  std::vector<StageDump> dumps;      ///< with dumpAfter: in order
  CacheOrigin origin = CacheOrigin::compiled;
  /// The files of the machine that the result depends on: headers that were read or found, as the source and the job's
  /// folders spell their paths, in the order of the compile; then descriptors of the target and of what it extends,
  /// plugins and device libraries. What Lathe and the job bring is not among them, nor is what was looked for in vain.
  std::vector<std::string> files = {};
};

/// A target that can be compiled for, or the reason why it cannot.
struct TargetInfo {
  std::string name;
  std::string description;
  std::string triple;
  std::string origin;    ///< "built in" or the descriptor's path
  std::string runtime;   ///< the runtime that loads its images; empty: none
  bool hasGrids = true;  ///< entries are kernels of a grid; false: their loader calls them one by one, for events
  std::string defaultArch;
  std::vector<std::string> architectures;
  std::vector<std::string> formats;
  std::string defaultFormat;
  std::string unavailable;  ///< why nothing can be compiled for it (a broken file, no back end in LLVM); empty: it can
};

/// One stage of the lowering core.
struct StageInfo {
  std::string name;
  std::string description;
  /// The lists it is in, by the names that descriptors give them (`pipeline`): "items", "groups", "module".
  std::vector<std::string> pipelines;
};

/// A compile that runs, or waits to run, on another thread. Move-only; one that was moved from can only be assigned to
/// or destroyed. A destroyed one cancels its compile and waits until it has ended. Thread-safe, but for get(), moves
/// and the end.
class LATHE_API PendingCompile {
 public:
  PendingCompile(PendingCompile&&) noexcept;
  PendingCompile& operator=(PendingCompile&&) noexcept;
  ~PendingCompile();

  /// True if get() would return at once.
  [[nodiscard]] bool isReady() const;
  /// Waits until then, for at most `time`. Returns isReady().
  [[nodiscard]] bool waitFor(std::chrono::nanoseconds time) const;
  /// Ends the compile as CompileRequest::stop does. Returns at once.
  void cancel() const noexcept;
  /// The step it is at. An empty one: it has not begun, or its result is in the cache.
  [[nodiscard]] CompileProgress progress() const;
  /// Waits for the result and takes it. Errors: as Compiler::compile(); InvalidArgument, of a second call.
  [[nodiscard]] Result<CompileResult> get();

 private:
  friend class Compiler;
  struct State;
  explicit PendingCompile(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

/// Compiles jobs. Move-only. Every const member is safe to call from any number of threads; compiles run in parallel. A
/// Compiler that was moved from can only be assigned to or destroyed.
class LATHE_API Compiler {
 public:
  /// Errors: PluginInvalid, of a plugin that targetPath names; InvalidArgument: the address of a remote cache is wrong.
  /// A broken descriptor is an error when its target is asked for.
  [[nodiscard]] static Result<Compiler> create(CompilerConfig config = {});
  Compiler(Compiler&&) noexcept;
  Compiler& operator=(Compiler&&) noexcept;
  ~Compiler();

  /// The image of `job` for one target, out of the cache if it is there (CompilerConfig::cache). Requests that watch
  /// the compile (timeStages, verifyStages, dumpAfter, replaceAt, record) always compile, and leave nothing in the
  /// cache. An error has every finding with its place in Error::diagnostics. Errors: of the request, UnknownTarget,
  /// UnknownArchitecture, UnknownFeature, DescriptorInvalid, PluginInvalid, FormatUnsupported, InvalidArgument; of the
  /// source, SourceError, HeaderNotFound, UnknownKernel, InvalidModule, PortableRule, UndefinedFunction, Unsupported,
  /// ParametersTooLarge, ResourceLimit, LimitExceeded, ImageCorrupt, ImageVersion (of portable images); of the machine,
  /// FileUnreadable, FileUnwritable, ToolMissing, ToolFailed, OutOfHostMemory; Cancelled (CompileRequest::stop);
  /// CompilerCrash and Internal.
  [[nodiscard]] Result<CompileResult> compile(const Job& job, const CompileRequest& request = {}) const;

  /// compile() on another thread. At most as many run at once as the machine has processors; others wait their turn.
  /// Those that have not ended when the Compiler is destroyed are cancelled, and it waits for that. `request.progress`
  /// is called on the compile's thread. Errors: as compile(), from PendingCompile::get().
  [[nodiscard]] PendingCompile compileAsync(Job job, CompileRequest request = {}) const;

  /// compile() of each of `jobs` in turn, with the same results. Jobs whose source Clang sees in one way, as those that
  /// differ in target alone mostly do, share the front end's work. Errors: as compile(), of each.
  [[nodiscard]] std::vector<Result<CompileResult>> compileTogether(std::span<const Job> jobs,
                                                                   const CompileRequest& request = {}) const;

  /// A static library of one program for several architectures of one kind of processor, from `images` of its jobs with
  /// emit "object", the least architecture first. When a program is loaded, each function becomes that of the last
  /// image whose architecture the processor has; the first is taken unasked. Errors: InvalidArgument (an image without
  /// an object, of another program or machine), Unsupported (the target's descriptor does not say how programs find out
  /// about an architecture; variables that other code could reach would be there once for each).
  [[nodiscard]] Result<std::string> dispatchingArchive(std::span<const Image> images) const;

  /// Compiles `job` and keeps everything that the compile read (<lathe/bundle.h>). A compile that fails, or crashes the
  /// compiler, makes a bundle too: the bundle has the error's name, and `failure`, if not null, is set to the error.
  /// `request.record` is not used. Errors: those before the target's descriptor is read: UnknownTarget,
  /// DescriptorInvalid, PluginInvalid, InvalidArgument, ToolMissing.
  [[nodiscard]] Result<JobBundle> bundle(const Job& job, const CompileRequest& request = {},
                                         std::optional<Error>* failure = nullptr) const;
  /// Compiles a bundle's job with the files, descriptors and libraries in the bundle and no others: the image is that
  /// of the first compile, byte for byte, on any machine, if this Lathe is of the same version. The target's hooks and
  /// what is built in are this process's. Errors: as compile(); PluginInvalid if the hooks came from a plugin that is
  /// not here.
  [[nodiscard]] Result<CompileResult> replay(const JobBundle& bundle, const CompileRequest& request = {}) const;

  /// Why compile() of `job` would compile rather than take a result from the cache's folder: one line for each thing
  /// that differs from the nearest job there; empty: it would not compile. Errors: InvalidArgument if there is no
  /// cache; those of compile() that come before the source is read.
  [[nodiscard]] Result<std::vector<std::string>> whyMiss(const Job& job) const;

  /// All targets that were found, by name; of those that are unavailable only the name and the reason.
  [[nodiscard]] std::vector<TargetInfo> targets() const;
  /// The target of that name. Errors: UnknownTarget (with the nearest names), DescriptorInvalid, PluginInvalid.
  [[nodiscard]] Result<TargetInfo> target(std::string_view name) const;
  /// The name that images of a target have for its architecture `arch`: "" is the default, aliases are replaced.
  /// Errors: those of target(); UnknownArchitecture: the target has no code for it.
  [[nodiscard]] Result<std::string> architecture(std::string_view target, std::string_view arch) const;
  /// A code of the image that `image` describes as text: machine code of NVIDIA GPUs, of PTX too, by nvdisasm where the
  /// machine has it, other machine code as lathe::disassembled() has it. Errors: as there; UnknownTarget, ToolMissing,
  /// ToolFailed.
  [[nodiscard]] Result<std::string> disassembled(const Code& code, const ImageInfo& image) const;
  /// The machine code of a code that a driver makes machine code of when it loads it (NVIDIA's, of PTX): what the
  /// vendor's own assembler makes of it here at the image's level, to be looked at. Nothing: it is machine code
  /// already, or nobody but a driver can make it. Errors: UnknownTarget, ToolMissing, ToolFailed.
  [[nodiscard]] Result<std::optional<std::string>> machineCode(const Code& code, const ImageInfo& image) const;
  /// The stages of the lowering core, in order.
  [[nodiscard]] static std::vector<StageInfo> stages();
  /// The names of the source dialects that are built in, for Source::dialect.
  [[nodiscard]] static std::vector<std::string> dialects();

 private:
  friend struct detail::WorkerAccess;
  struct Impl;
  explicit Compiler(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The version of this library: "0.1.0".
[[nodiscard]] LATHE_API std::string_view version() noexcept;
/// The version of the Clang in this library: "clang 22.1.8".
[[nodiscard]] LATHE_API std::string compilerVersion();

}  // namespace lathe
