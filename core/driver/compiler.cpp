// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lathe::Compiler: the public face of the core.
#include <lathe/compiler.h>

#include <fmt/format.h>

#include <lathe/disassembly.h>

#include "core/cache/compile_cache.h"
#include "core/cache/result_frame.h"
#include "core/cache/why_miss.h"
#include "core/descriptor/llvm_facts.h"
#include "core/driver/compile.h"
#include "core/driver/compiler_impl.h"
#include "core/driver/observe/dump_folder.h"
#include "core/driver/pipelines.h"
#include "core/driver/worker_values.h"
#include "core/emit/dispatch.h"
#include "core/frontend/dialect.h"
#include "core/frontend/files/file_system.h"
#include "core/frontend/reuse/front_reuse.h"
#include "core/lower/lowering.h"
#include "core/process/recovery.h"
#include "core/support/cancelled.h"
#include "core/support/llvm_bridge.h"
#include "core/support/log.h"
#include "core/target/builtin.h"

namespace lathe {
namespace {

constexpr unsigned mostContainedCrashes = 8;

}  // namespace

Compiler::Compiler(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Compiler::Compiler(Compiler&&) noexcept = default;
Compiler& Compiler::operator=(Compiler&&) noexcept = default;
Compiler::~Compiler() = default;

Result<Compiler> Compiler::create(CompilerConfig config) {
  detail::ensureLlvmTargets();
  detail::installFatalErrorHandler();
  if (config.containCrashes) detail::installCrashHandlers();
  auto remotes = detail::remoteAddresses(config.cache);
  if (!remotes) return std::move(remotes).error();
  auto targets = detail::TargetRegistry::create(
      {.targets = detail::builtinTargets, .dialects = detail::builtinDialects()}, config.targetPath,
      detail::Workers(config.workerProgram), sdk::Variables(config.variables));
  if (!targets) return std::move(targets).error();
  return Compiler(std::make_unique<Impl>(std::move(config), *std::move(targets), *std::move(remotes)));
}

Result<CompileResult> Compiler::compile(const Job& job, const CompileRequest& request) const {
  return impl_->compiled(job, request, nullptr);
}

std::vector<Result<CompileResult>> Compiler::compileTogether(std::span<const Job> jobs,
                                                             const CompileRequest& request) const {
  detail::FrontendReuse reuse;
  std::vector<Result<CompileResult>> out;
  for (const Job& job : jobs) out.push_back(impl_->compiled(job, request, jobs.size() > 1 ? &reuse : nullptr));
  return out;
}

Result<CompileResult> Compiler::Impl::compiled(const Job& job, const CompileRequest& request,
                                               detail::FrontendReuse* reuse) {
  auto out = cached(job, request, reuse);
  if (out) llvm::append_range(out->files, detail::filesBesideSources(job, targets, libraries));
  return out;
}

Result<CompileResult> Compiler::Impl::cached(const Job& job, const CompileRequest& request,
                                             detail::FrontendReuse* reuse) {
  if (request.stop.stop_requested()) return detail::cancelled();
  const bool isWatched = request.timeStages || request.verifyStages || request.record || !request.dumpAfter.empty() ||
                         !request.replaceAt.empty();
  if (const std::string folder = variables.get(detail::dumpFolderVariable); !folder.empty() && !isWatched)
    return dumped(job, request, folder);
  if (isWatched || !cache.enabled()) return start(job, request, {.reuse = reuse});
  const auto key = keyOf(job);
  if (!key) return start(job, request, {});  // which says it better
  const auto mayFork = [&] {
    return request.isolation.value_or(config.isolation) == Isolation::worker ||
           detail::needsOwnProcess(targets, job, nullptr);
  };
  const detail::CompileCache::Wish wish{.mayFork = mayFork, .durable = request.durable, .stop = request.stop};
  auto out = cache.get(*key, job, machineFor(job), wish, [&](detail::FileLooks& files) {
    return start(job, request, {.files = &files, .reuse = reuse, .key = key->digest()});
  });
  if (out && out->origin != CacheOrigin::compiled && detail::logs(LogLevel::debug))
    detail::log(LogLevel::debug, "cache", fmt::format("{}: from {}", describe(job), cacheOriginName(out->origin)));
  return out;
}

Result<detail::CompileKey> Compiler::Impl::keyOf(const Job& job) {
  return detail::keyOf(job, targets, libraries, variables, static_cast<bool>(config.headers));
}

detail::MachineNow Compiler::Impl::machineFor(const Job& job) const {
  return {detail::machineFiles(config.headers),
          [this, &job](llvm::StringRef dialect) { return detail::toolkitNow(job, targets, variables, dialect); },
          detail::PathMap(job.options.prefixMap)};
}

Result<CompileResult> Compiler::Impl::dumped(const Job& job, CompileRequest request, const std::string& folder) {
  request.dumpAfter = {"all"};
  auto out = start(job, request, {});
  const auto done = detail::dumpInto(folder, job, out);
  std::vector<Diagnostic>& findings = out ? out->warnings : out.error().diagnostics;
  if (!done)
    findings.push_back({.severity = Severity::warning, .code = done.error().code, .message = done.error().message});
  (out ? out->dumps : out.error().dumps).clear();
  return out;
}

Result<std::vector<std::string>> Compiler::whyMiss(const Job& job) const {
  const auto key = impl_->keyOf(job);
  if (!key) return key.error();
  const auto filesOf = [&] {
    detail::FileLooks looks;
    (void)impl_->start(job, {}, {.scanOnly = true, .files = &looks});
    return detail::filesIn(looks);
  };
  return detail::whyMiss(impl_->cache, *key, job, impl_->machineFor(job), filesOf);
}

Result<std::string> Compiler::dispatchingArchive(std::span<const Image> images) const {
  std::vector<std::shared_ptr<const detail::TargetEntry>> targets;
  std::vector<std::shared_ptr<const detail::Descriptor>> descriptors;
  std::vector<detail::LevelObject> levels;
  for (const Image& image : images) {
    auto target = impl_->targets.find(image.info().target);
    if (!target) return std::move(target).error();
    auto descriptor = (*target)->file.resolved(image.info().arch);
    if (!descriptor) return std::move(descriptor).error();
    levels.push_back({&image, &(*descriptor)->emit});
    targets.push_back(*std::move(target));
    descriptors.push_back(*std::move(descriptor));
  }
  return detail::archiveOfLevels(levels);
}

Result<CompileResult> Compiler::Impl::start(const Job& job, const CompileRequest& request,
                                            const detail::CompileMode& mode) {
  const Isolation asked = request.isolation.value_or(config.isolation);
  const bool crashed = detail::containedCrashes() >= mostContainedCrashes;
  const bool alone = !detail::isWorker() && !mode.scanOnly && detail::needsOwnProcess(targets, job, mode.inputs);
  const Isolation isolation = crashed || alone ? Isolation::worker : asked;
  const auto began = std::chrono::steady_clock::now();
  detail::FileLooks own;
  detail::CompileMode logged = mode;
  if (!logged.files) logged.files = &own;
  auto out = isolation == Isolation::worker ? inWorker(job, request, logged) : inProcess(job, request, logged);
  if (out) out->files = detail::filesIn(*logged.files);
  if (detail::logs(LogLevel::info) && !mode.scanOnly) {
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
    detail::log(LogLevel::info, "compiler",
                fmt::format("{}: {} in {:.1f} ms{}", describe(job), out ? "compiled" : errorName(out.error().code),
                            took.count(), isolation == Isolation::worker ? ", in a worker" : ""));
  }
  if (request.record && !request.record->settings.empty()) {
    std::erase_if(request.record->settings,
                  [](const Setting& setting) { return setting.name == "isolation"; });  // a worker's own
    request.record->settings.push_back({"isolation", isolation == Isolation::worker ? "worker" : "in process",
                                        alone && asked != isolation     ? "descriptor"
                                        : crashed && asked != isolation ? "after too many crashes"
                                        : request.isolation             ? "request"
                                                                        : "configuration"});
  }
  return out;
}

Result<CompileResult> Compiler::Impl::inWorker(const Job& job, const CompileRequest& request,
                                               const detail::CompileMode& mode) {
  if (config.headers) {
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = "a header resolver is a function of this process and cannot serve a worker",
                 .hint =
                     "give the headers to the job (Job::headers); targets without codegen.own_process can also "
                     "compile in process",
                 .target = job.target};
  }
  detail::WorkerLimits limits{.time = request.timeLimit, .stop = request.stop};
  if (request.progress)
    limits.heard = [&](std::string_view message) { detail::tellProgress(message, request.progress); };
  std::string folder = detail::usesFolder(config.cache) ? cacheFolder(config.cache).string() : std::string();
  auto answer =
      workers.run(detail::compileTask, detail::encodeCompile({job, request, config, mode, std::move(folder)}), limits);
  if (!answer) {
    Error error = std::move(answer).error();
    if (error.target.empty()) error.target = job.target;
    return error;
  }
  return detail::decodeCompileResult(*answer, request.record, mode.files, mode.reuse);
}

Result<CompileResult> Compiler::Impl::inProcess(const Job& job, const CompileRequest& request,
                                                const detail::CompileMode& mode) {
  std::optional<Result<CompileResult>> out;
  std::optional<detail::FileLog> log;
  if (mode.files) log.emplace(*mode.files, detail::PathMap(job.options.prefixMap));
  const detail::CompileEnvironment environment{
      targets,        workers,   libraries,   machines,      invocations,
      config.headers, variables, mode.inputs, mode.scanOnly, log ? &*log : nullptr,
      mode.reuse,     &preludes};
  if (auto ran = detail::runContained([&] { out = detail::compileHere(job, request, environment); }); !ran) {
    Error error = std::move(ran).error();
    error.target = job.target;
    return error;
  }
  return *std::move(out);
}

Result<CompileResult> detail::WorkerAccess::start(const Compiler& compiler, const Job& job,
                                                  const CompileRequest& request, const CompileMode& mode) {
  return compiler.impl_->start(job, request, mode);
}

bool detail::WorkerAccess::hasKey(const Compiler& compiler, const Job& job, const std::string& digest) {
  const auto key = compiler.impl_->keyOf(job);
  return key && key->digest() == digest;
}

void detail::WorkerAccess::keepPreludesIn(const Compiler& compiler, const CacheConfig& config) {
  compiler.impl_->preludes.keepIn(config);
}

std::vector<TargetInfo> Compiler::targets() const {
  std::vector<TargetInfo> out;
  for (const std::string& name : impl_->targets.names()) {
    auto info = impl_->targets.info(name);
    if (info) {
      out.push_back(*std::move(info));
      continue;
    }
    TargetInfo broken;
    broken.name = name;
    broken.unavailable = info.error().message;
    out.push_back(std::move(broken));
  }
  return out;
}

Result<TargetInfo> Compiler::target(std::string_view name) const {
  return impl_->targets.info(name);
}

Result<std::string> Compiler::architecture(std::string_view target, std::string_view arch) const {
  const auto entry = impl_->targets.find(target);
  if (!entry) return entry.error();
  const auto descriptor = (*entry)->file.resolved(arch);
  if (!descriptor) return descriptor.error();
  return (*descriptor)->arch;
}

Result<std::string> Compiler::disassembled(const Code& code, const ImageInfo& image) const {
  const auto entry = impl_->targets.find(image.target);
  if (!entry) return entry.error();
  auto text = (*entry)->makeHooks()->disassemble(code, image, impl_->variables);
  if (!text) return detail::fromLlvm(text.takeError());
  if (*text) return **std::move(text);
  return lathe::disassembled(code, image.features);
}

Result<std::optional<std::string>> Compiler::machineCode(const Code& code, const ImageInfo& image) const {
  const auto entry = impl_->targets.find(image.target);
  if (!entry) return entry.error();
  auto out = (*entry)->makeHooks()->machineCode(code, image, impl_->variables);
  if (!out) return detail::fromLlvm(out.takeError());
  return *std::move(out);
}

std::vector<std::string> Compiler::dialects() {
  std::vector<std::string> out;
  for (const detail::Dialect* dialect : detail::builtinDialects()) out.emplace_back(dialect->name);
  return out;
}

std::vector<StageInfo> Compiler::stages() {
  std::vector<StageInfo> out;
  for (const detail::Stage& stage : detail::stages()) {
    std::vector<std::string> lists;
    for (const detail::PipelineKind kind : detail::pipelineKinds) {
      if (stage.isIn(kind)) lists.emplace_back(detail::nameOf(kind));
    }
    if (out.empty() || out.back().name != stage.name)
      out.push_back({std::string(stage.name), std::string(stage.description), std::move(lists)});
    else  // the same step of another list
      llvm::append_range(out.back().pipelines, lists);
  }
  return out;
}

}  // namespace lathe
