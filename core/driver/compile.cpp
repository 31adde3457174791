// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One compilation, top to bottom: resolve the target, run the front end, run the stages, wrap the image.
#include <fmt/ranges.h>

#include "core/driver/compile.h"

#include <filesystem>

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"

#include "core/driver/errors/backend_diagnostics.h"
#include "core/driver/errors/error_recovery.h"
#include "core/driver/errors/snippets.h"
#include "core/driver/observe/stage_clock.h"
#include "core/driver/pipelines.h"
#include "core/driver/prefix_map.h"
#include "core/driver/program/front_ends.h"
#include "core/driver/progress.h"
#include "core/driver/replace_module.h"
#include "core/driver/settings.h"
#include "core/driver/unlowered.h"
#include "core/emit/emit.h"
#include "core/frontend/dialect.h"
#include "core/frontend/files/file_system.h"
#include "core/frontend/files/toolkit_folder.h"
#include "core/frontend/frontend.h"
#include "core/lower/device_libraries.h"
#include "core/lower/lowering.h"
#include "core/lower/stages.h"
#include "core/support/cancelled.h"
#include "core/support/diagnostics.h"
#include "core/support/llvm_bridge.h"
#include "core/support/nearest.h"
#include "core/target/registry.h"

namespace lathe::detail {
namespace {

constexpr std::string_view dialectSeparator = "; dialect ";

/// The part of CompileRecord::plugin that names the target's plugin; Compilation::dialectMark() is the rest.
std::string targetPlugin(const CompileRecord& record) {
  return record.plugin.substr(0, record.plugin.find(dialectSeparator));
}

class Compilation {
 public:
  Compilation(const Job& job, const CompileRequest& request, const CompileEnvironment& environment)
      : job_(job),
        request_(request),
        environment_(environment),
        clock_(request.timeStages),
        progress_(request.progress),
        ownLibraries_(environment.variables, environment.inputs),
        epoch_(buildEpoch(environment.variables, environment.inputs)) {}

  Result<CompileResult> run() {
    if (auto ready = resolveTarget(); !ready) return std::move(ready).error();
    if (auto ready = checkRequest(); !ready) return std::move(ready).error();
    for (SourceReader& reader : readers_)
      if (reader.dialect)
        reader.toolkit = toolkitFolder(*descriptor_, *reader.dialect, environment_.variables, environment_.inputs);
    clock_.finished("resolve");
    if (request_.record) beginRecord(*request_.record);
    auto out = attempts();
    if (request_.record) request_.record->libraries = withSettings(ownLibraries_.found(), toolkitUsed(), epoch_);
    if (!out) addSnippets(out.error(), job_, environment_.inputs);
    return out;
  }

 private:
  Result<CompileResult> attempts() {
    auto out = attempt(job_);
    if (out || out.error().code == ErrorCode::Cancelled) return out;
    progress_.end();
    auto more = furtherAttempt(std::move(out).error());
    return more || !request_.stop.stop_requested() ? std::move(more) : located(cancelled());
  }

  /// A compile of what failed that tells more of it.
  Result<CompileResult> furtherAttempt(Error first) {
    if (isWorthErrorRecovery(first)) return errorRecovery(std::move(first));
    // Locations cost time on every compile but are wanted only when IR has something wrong: then compile again with
    // them, unless code was generated already and the back end permits that once.
    const bool spent = first.stage == "emit" && descriptor_->codegen.ownProcess;
    if (!spent && first.code != ErrorCode::UnknownKernel && lackedLocations(first)) {
      Job located = job_;
      located.options.debugInfo = true;
      located.options.prefixMap.clear();  // only its diagnostics count
      if (auto again = attempt(located); !again) return withDumps(std::move(again).error(), std::move(first.dumps));
    }
    return first;
  }

  /// Whether everything found so far is in the text of functions, which the rest makes sense without.
  bool isWorthErrorRecovery(const Error& error) const {
    return error.stage == "frontend" && hasDialect() && !error.diagnostics.empty() && !environment_.scanOnly &&
           request_.dumpAfter.empty();
  }

  /// What lowering says of the rest, beside what the front end said, which learns from it which kernels are meant.
  Error errorRecovery(Error first) {
    Job withLocations = job_;
    withLocations.options.debugInfo = true;
    withLocations.options.prefixMap.clear();
    std::vector<ErroneousFunction> erroneousFunctions;
    auto rest = attempt(withLocations, &erroneousFunctions);
    return joined(std::move(first), rest ? nullptr : &rest.error(), erroneousFunctions);
  }

  /// Set before anything can fail, so that a compile that fails, or dies, leaves what it read.
  void beginRecord(CompileRecord& record) const {
    std::error_code unknown;
    record.workingDirectory =
        environment_.inputs ? environment_.inputs->workingDirectory : std::filesystem::current_path(unknown).string();
    record.arch = descriptor_->arch;
    record.plugin = target_->pluginVersion + dialectMark();
    record.descriptors = target_->sources;
    for (std::size_t i = 0; i < readers_.size(); ++i) {
      const Dialect* const dialect = readers_[i].dialect;
      const Source& source = sourceOf(job_, i);
      const ResolvedJob resolved{job_, source, *target_, *descriptor_, dialect, pluginOf(dialect), readers_[i].toolkit};
      if (i == 0) record.settings = settingsBefore(resolved);
      if (i != 0) llvm::append_range(record.settings, settingsOfFurther(resolved));
    }
  }

  bool hasDialect() const {
    return llvm::any_of(readers_, [](const SourceReader& one) { return one.dialect; });
  }

  /// The folder of the toolkit's headers, which is the machine's; empty if no source uses it.
  std::string toolkitUsed() const {
    const auto found = llvm::find_if(readers_, [](const SourceReader& one) { return !one.toolkit.empty(); });
    return found == readers_.end() ? std::string() : found->toolkit;
  }

  std::string pluginOf(const Dialect* dialect) const {
    return dialect ? environment_.targets.pluginOf(*dialect) : std::string();
  }

  /// The end of CompileRecord::plugin for sources in plugins' dialects; empty for others.
  std::string dialectMark() const {
    std::string out;
    for (const SourceReader& reader : readers_) {
      const std::string plugin = pluginOf(reader.dialect);
      const std::string mark =
          plugin.empty() ? plugin : std::string(dialectSeparator) + std::string(reader.dialect->name) + " of " + plugin;
      if (out.find(mark) == std::string::npos) out += mark;
    }
    return out;
  }

  /// What is built up over compiles is not what one compile used: recorded and replayed ones have their own.
  LibraryStore& libraries() { return request_.record || environment_.inputs ? ownLibraries_ : environment_.libraries; }

  bool lackedLocations(const Error& error) const {
    return error.stage != "frontend" && error.location.file.empty() && !job_.options.debugInfo &&
           !descriptor_->codegen.debugInfo && errorFamily(error.code) == ErrorFamily::caller && hasDialect();
  }

  Error located(Error error) const {
    if (error.target.empty()) error.target = job_.target;
    return error;
  }

  Result<void> checkRequest() const {
    if (auto sound = checkPrefixMap(job_.options.prefixMap); !sound) return sound;
    if (auto sound = checkHeaders(job_.headers); !sound) return sound;
    if (request_.dumpAfter.empty() && request_.replaceAt.empty()) return checkParameters();
    std::vector<std::string> names = {"all"}, others;
    for (const Stage& stage : stages()) (stage.isIn(descriptor_->pipeline) ? names : others).emplace_back(stage.name);
    const auto check = [&](const std::string& name) -> Result<void> {
      if (llvm::is_contained(names, name)) return {};
      const std::string known = llvm::is_contained(others, name)
                                    ? "target '" + descriptor_->name + "' has no stage '" + name + "'"
                                    : "no stage is called '" + name + "'" + didYouMean(name, names);
      return Error{.code = ErrorCode::InvalidArgument,
                   .message = known,
                   .hint = "stages: " + fmt::format("{}", fmt::join(names, ", "))};
    };
    for (const std::string& name : request_.dumpAfter)
      if (auto known = check(name); !known) return known;
    for (const auto& [name, file] : request_.replaceAt)
      if (auto known = check(name); !known) return known;
    return checkParameters();
  }

  Result<void> checkParameters() const {
    for (const auto& [name, text] : job_.options.parameters) {
      std::int64_t value = 0;
      if (name == sonameParameter || !llvm::StringRef(text).getAsInteger(0, value)) continue;
      return Error{.code = ErrorCode::InvalidArgument,
                   .message = "parameter '" + name + "': '" + text + "' is no whole number of 64 bits",
                   .hint = "parameters (--param, Options::parameters) are decimal, or begin with 0x, 0b or 0o"};
    }
    return {};
  }

  Result<void> resolveTarget() {
    const CompileRecord* const inputs = environment_.inputs;
    auto target = inputs ? environment_.targets.restored(inputs->descriptors, targetPlugin(*inputs))
                         : environment_.targets.find(job_.target);
    if (!target) return std::move(target).error();
    target_ = *std::move(target);
    auto descriptor = target_->file.resolved(inputs ? inputs->arch : job_.arch);
    if (!descriptor) return located(std::move(descriptor).error());
    descriptor_ = *std::move(descriptor);
    if (job_.emit == "portable" && descriptor_->frontend == FrontEnd::native) {
      return located(
          {.code = ErrorCode::FormatUnsupported,
           .message = "target '" + descriptor_->name + "' compiles sources for its own triple and has no portable IR",
           .hint = "emit portable IR for any target with 'frontend: device', such as cpu"});
    }
    const std::string recorded = inputs ? inputs->plugin.substr(targetPlugin(*inputs).size()) : std::string();
    // A replay takes no other dialect because a plugin is here now.
    const auto known =
        inputs && recorded.empty() ? environment_.targets.builtinDialects() : environment_.targets.dialects();
    std::optional<Error> unreadable;
    for (std::size_t i = 0; i <= job_.furtherSources.size(); ++i) {
      auto dialect = dialectOf(sourceOf(job_, i), *descriptor_, known);
      readers_.push_back({dialect ? *dialect : nullptr});
      if (!dialect && !unreadable) unreadable = std::move(dialect).error();
    }
    if (inputs && dialectMark() != recorded) {
      return Error{.code = ErrorCode::PluginInvalid,
                   .message = "the recorded compile used dialect " + recorded.substr(dialectSeparator.size()) +
                              ", which is not here",
                   .hint = "name the plugin by its path (--plugin)"};
    }
    if (unreadable) return *std::move(unreadable);
    return {};
  }

  /// With `erroneousFunctions`: looks for what is wrong beside functions that have errors, which it names there.
  Result<CompileResult> attempt(const Job& job, std::vector<ErroneousFunction>* erroneousFunctions = nullptr) {
    llvm::LLVMContext context;
    context.setDiscardValueNames(hasDialect() && request_.dumpAfter.empty() && request_.replaceAt.empty() &&
                                 job.emit != "ir" && !isUnlowered(job));
    progress_.begins(descriptor_->pipeline);
    auto front = runFrontend(job, context, erroneousFunctions != nullptr);
    if (!front) return located(std::move(front).error());
    if (environment_.scanOnly)
      return located({.code = ErrorCode::Internal, .message = "only the files were asked for", .stage = "frontend"});
    clock_.finished("frontend");
    if (erroneousFunctions) {
      *erroneousFunctions = front->erroneousFunctions;
      keepCalls(*front->module, *erroneousFunctions);
      const bool named = !front->entries.empty();
      llvm::erase_if(front->entries, [&](const NamedEntry& entry) {
        const llvm::Function* const kernel = front->module->getFunction(entry.symbol);
        return (!kernel || kernel->isDeclaration()) && isErroneous(*erroneousFunctions, entry.symbol);
      });
      if (named && front->entries.empty())
        return located({.code = ErrorCode::SourceError, .message = "no kernel is left", .stage = "frontend"});
    }

    const std::unique_ptr<TargetHooks> hooks = target_->makeHooks();
    Lowering lowering{.job = job,
                      .descriptor = *descriptor_,
                      .arch = descriptor_->arch,
                      .archOrdinal = descriptor_->ordinal.value_or(0),
                      .entryAbi = entryAbiOf(job),
                      .hooks = *hooks,
                      .deviceLibrary = target_->deviceBitcode,
                      .libraries = libraries(),
                      .machines = environment_.machines,
                      .workers = environment_.workers,
                      .variables = environment_.variables,
                      .module = std::move(front->module),
                      .namedEntries = std::move(front->entries),
                      .namesAll = front->namesAll,
                      .kernelNames = std::move(front->kernelNames),
                      .machine = nullptr,
                      .info = {},
                      .interface = {},
                      .code = {},
                      .diagnostics = std::move(front->diagnostics),
                      .warnings = std::move(front->warnings)};
    lowering.erroneousFunctions = std::move(front->erroneousFunctions);
    lowering.dialects = environment_.targets.dialects();
    lowering.stop = request_.stop;
    lowering.targetsWith = std::ref(targetsWith_);
    context.setDiagnosticHandler(
        std::make_unique<BackendDiagnostics>(lowering.module, lowering.diagnostics, lowering.warnings));
    describeOrigin(job_, lowering.info.provenance);
    if (!job.options.prefixMap.empty()) lowering.module->setSourceFileName(lowering.info.provenance.sourceName);
    lowering.info.optLevel = static_cast<std::uint8_t>(job_.options.optLevel);
    std::vector<StageDump> dumps;
    keepRelocatable(lowering);
    for (const Stage& stage : stages()) {
      if (!stage.isIn(descriptor_->pipeline) || (stage.wanted && !stage.wanted(lowering))) continue;
      if (request_.stop.stop_requested()) return located(cancelled(stage.name));
      progress_.begins(stage, descriptor_->pipeline);
      if (isUnlowered(job) && endsBefore(job, stage.name)) {
        if (auto error = finishUnlowered(lowering)) return located(fromLlvm(std::move(error)));
        break;
      }
      // Nobody wants the code of half a source.
      if (erroneousFunctions && stage.name == "emit") break;
      if (auto error = runStage(stage, lowering, dumps)) {
        Error failed = fromLlvm(std::move(error));
        // What it found may come of what it left undone.
        if (request_.stop.stop_requested()) return located(cancelled(stage.name));
        if (failed.stage.empty()) failed.stage = std::string(stage.name);
        if (erroneousFunctions) *erroneousFunctions = std::move(lowering.erroneousFunctions);
        // Why there is no kernel, what was not understood of the source may tell.
        auto& found = failed.code == ErrorCode::UnknownKernel ? lowering.warnings : lowering.diagnostics;
        return withDumps(located(withDiagnostics(std::move(failed), std::move(found))), std::move(dumps));
      }
    }
    if (erroneousFunctions) *erroneousFunctions = std::move(lowering.erroneousFunctions);
    if (request_.record) settingsAfter(job_, lowering, front->readings, *request_.record);
    return CompileResult{Image::build(std::move(lowering.info), std::move(lowering.code)), std::move(lowering.warnings),
                         clock_.take(), std::move(dumps), CacheOrigin::compiled};
  }

  EntryAbi entryAbiOf(const Job& job) const {
    if (job.options.entryAbi != EntryAbi::automatic) return job.options.entryAbi;
    return descriptor_->kernel.stateByDefault && asksForImage(job.emit) ? EntryAbi::state : EntryAbi::bare;
  }

  Result<FrontendResult> runFrontend(const Job& job, llvm::LLVMContext& context, bool errorRecovery) const {
    if (request_.record) request_.record->files.clear();  // of an attempt before: this one reads all again
    const NamedKernels named(job);
    const FrontendRequest request{
        .job = named.job(),
        .descriptor = *descriptor_,
        .headers = environment_.headers,
        .invocations = environment_.invocations,
        .files = {request_.record ? &request_.record->files : nullptr, 0, environment_.log, environment_.inputs},
        .scanOnly = environment_.scanOnly,
        .errorRecovery = errorRecovery,
        .reuse = request_.record ? nullptr : environment_.reuse,
        .stop = request_.stop,
        .epoch = epoch_,
        .preludes = environment_.preludes};
    return named.amongAll(compileSources(request, readers_, context));
  }

  llvm::Error runStage(const Stage& stage, Lowering& lowering, std::vector<StageDump>& dumps) {
    if (auto error = stage.run(lowering)) return error;
    // A back end that could not go on says so through the context and returns.
    if (stage.name == "emit" && !lowering.diagnostics.empty())
      return toLlvm(combined(std::move(lowering.diagnostics), "emit", descriptor_->name));
    if (const auto file = request_.replaceAt.find(std::string(stage.name)); file != request_.replaceAt.end()) {
      if (auto error = replaceModule(lowering, file->second)) return error;
    }
    clock_.finished(stage.name);
    if (auto error = verify(stage, lowering)) return error;
    if (llvm::is_contained(request_.dumpAfter, stage.name) || llvm::is_contained(request_.dumpAfter, "all")) {
      dumps.push_back({std::string(stage.name), printed(*lowering.module)});
    }
    return llvm::Error::success();
  }

  llvm::Error verify(const Stage& stage, const Lowering& lowering) const {
    if (!LATHE_VERIFY_STAGES && !request_.verifyStages) return llvm::Error::success();
    std::string broken;
    llvm::raw_string_ostream stream(broken);
    if (stage.name != "emit" && stage.name != "link" && stage.name != "image" &&
        llvm::verifyModule(*lowering.module, &stream)) {
      return toLlvm({.code = ErrorCode::Internal,
                     .message = "stage " + std::string(stage.name) + " left an invalid module: " + broken});
    }
    return llvm::Error::success();
  }

  const Job& job_;
  const CompileRequest& request_;
  const CompileEnvironment& environment_;
  StageClock clock_;
  ProgressReport progress_;
  LibraryStore ownLibraries_;
  TargetsWith targetsWith_{environment_.targets};
  std::string epoch_;  ///< as FrontendRequest::epoch
  std::shared_ptr<const TargetEntry> target_;
  std::shared_ptr<const Descriptor> descriptor_;
  std::vector<SourceReader> readers_;  ///< of Job::source, then of the further sources
};

}  // namespace

bool needsOwnProcess(const TargetRegistry& targets, const Job& job, const CompileRecord* inputs) {
  if (isUnlowered(job) || job.emit == "ir" || job.emit == "bitcode") return false;
  const auto target = inputs ? targets.restored(inputs->descriptors, targetPlugin(*inputs)) : targets.find(job.target);
  if (!target) return false;  // the compile says why
  const auto descriptor = (*target)->file.resolved(inputs ? inputs->arch : job.arch);
  return descriptor && (*descriptor)->codegen.ownProcess;
}

Result<CompileResult> compileHere(const Job& job, const CompileRequest& request,
                                  const CompileEnvironment& environment) {
  return Compilation(job, request, environment).run();
}

}  // namespace lathe::detail
