// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One compilation, top to bottom: resolve the target, run the front end, run the stages, wrap the image.
#include <fmt/ranges.h>

#include "core/driver/compile.h"

#include <chrono>

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include "core/emit/emit.h"
#include "core/frontend/dialect.h"
#include "core/frontend/frontend.h"
#include "core/frontend/ir_reader.h"
#include "core/lower/libraries.h"
#include "core/lower/lowering.h"
#include "core/support/llvm_bridge.h"
#include "core/support/nearest.h"
#include "core/target/registry.h"

namespace lathe::detail {
namespace {

using Clock = std::chrono::steady_clock;

/// Stops the time of each step, if asked to.
class StageClock {
 public:
  explicit StageClock(bool enabled) : enabled_(enabled), begin_(Clock::now()), last_(begin_) {}
  void finished(std::string_view stage) {
    if (!enabled_) return;
    const Clock::time_point now = Clock::now();
    times_.push_back({std::string(stage), milliseconds(now - last_)});
    last_ = now;
  }
  std::vector<StageTime> take() {
    if (enabled_) times_.push_back({"total", milliseconds(Clock::now() - begin_)});
    return std::move(times_);
  }

 private:
  static double milliseconds(Clock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

  bool enabled_;
  Clock::time_point begin_;
  Clock::time_point last_;
  std::vector<StageTime> times_;
};

/// What LLVM's back ends say through the context instead of returning it.
class BackendDiagnostics final : public llvm::DiagnosticHandler {
 public:
  BackendDiagnostics(std::vector<Diagnostic>& errors, std::vector<Diagnostic>& warnings)
      : errors_(errors), warnings_(warnings) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error && info.getSeverity() != llvm::DS_Warning) return true;
    std::string message;
    llvm::raw_string_ostream stream(message);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    const bool isError = info.getSeverity() == llvm::DS_Error;
    Diagnostic diagnostic{.severity = isError ? Severity::error : Severity::warning,
                          .code = ErrorCode::Unsupported,
                          .message = std::move(message),
                          .location = {},
                          .snippet = {},
                          .notes = {},
                          .hint = {}};
    (isError ? errors_ : warnings_).push_back(std::move(diagnostic));
    return true;
  }
  /// Remarks of passes nobody asked about are not even built.
  bool isAnyRemarkEnabled() const override { return false; }

 private:
  std::vector<Diagnostic>& errors_;
  std::vector<Diagnostic>& warnings_;
};

class Compilation {
 public:
  Compilation(const Job& job, const CompileRequest& request, const CompileEnvironment& environment)
      : job_(job), request_(request), environment_(environment), clock_(request.timeStages) {}

  Result<CompileResult> run() {
    if (auto ready = checkRequest(); !ready) return std::move(ready).error();
    if (auto ready = resolveTarget(); !ready) return std::move(ready).error();
    clock_.finished("resolve");
    auto out = attempt(job_);
    // Locations cost time on every compile but are wanted only when IR has something wrong: then compile again with
    // them.
    if (!out && lackedLocations(out.error())) {
      Job located = job_;
      located.options.debugInfo = true;
      if (auto again = attempt(located); !again) return again;
    }
    return out;
  }

 private:
  bool lackedLocations(const Error& error) const {
    const bool fromIr = error.stage != "frontend" && error.location.file.empty();
    return fromIr && !job_.options.debugInfo && errorFamily(error.code) == ErrorFamily::caller && dialect_ != nullptr;
  }

  Error located(Error error) const {
    if (error.target.empty()) error.target = job_.target;
    return error;
  }

  Result<void> checkRequest() const {
    std::vector<std::string> names = {"all"};
    for (const Stage& stage : stages()) names.emplace_back(stage.name);
    const auto check = [&](const std::string& name) -> Result<void> {
      if (llvm::is_contained(names, name)) return {};
      return Error{.code = ErrorCode::InvalidArgument,
                   .message = "no stage is called '" + name + "'" + didYouMean(name, names),
                   .hint = "stages: " + fmt::format("{}", fmt::join(names, ", "))};
    };
    for (const std::string& name : request_.dumpAfter) {
      if (auto known = check(name); !known) return known;
    }
    for (const auto& [name, file] : request_.replaceAt) {
      if (auto known = check(name); !known) return known;
    }
    return {};
  }

  Result<void> resolveTarget() {
    auto target = environment_.targets.find(job_.target);
    if (!target) return std::move(target).error();
    target_ = *std::move(target);
    auto descriptor = target_->file.resolved(job_.arch);
    if (!descriptor) return located(std::move(descriptor).error());
    descriptor_ = *std::move(descriptor);
    if (job_.emit == "portable" && descriptor_->frontend == "plain") {
      return located(
          {.code = ErrorCode::FormatUnsupported,
           .message = "target '" + descriptor_->name + "' compiles sources for its own triple and has no portable IR",
           .hint = "emit portable IR for any target with 'frontend: device', such as cpu"});
    }
    auto dialect = dialectOf(job_.source);
    if (!dialect) return std::move(dialect).error();
    dialect_ = *dialect;
    return {};
  }

  Result<CompileResult> attempt(const Job& job) {
    llvm::LLVMContext context;
    context.setDiscardValueNames(dialect_ && request_.dumpAfter.empty() && request_.replaceAt.empty() &&
                                 job.emit != "ir" && job.emit != "portable");
    auto front = runFrontend(job, context);
    if (!front) return located(std::move(front).error());
    clock_.finished("frontend");

    const std::unique_ptr<TargetHooks> hooks = target_->makeHooks();
    Lowering lowering{.job = job,
                      .descriptor = *descriptor_,
                      .arch = descriptor_->arch,
                      .archOrdinal = descriptor_->ordinal.value_or(0),
                      .hooks = *hooks,
                      .deviceLibrary = target_->deviceBitcode,
                      .libraries = environment_.libraries,
                      .module = std::move(front->module),
                      .namedEntries = std::move(front->entries),
                      .machine = nullptr,
                      .info = {},
                      .interface = {},
                      .code = {},
                      .findings = {},
                      .warnings = std::move(front->warnings)};
    context.setDiagnosticHandler(std::make_unique<BackendDiagnostics>(lowering.findings, lowering.warnings));
    lowering.info.provenance.jobHash = hashOf(job_).hex();
    lowering.info.provenance.description = describe(job_);
    std::vector<StageDump> dumps;
    for (const Stage& stage : stages()) {
      if (job.emit == "portable" && stage.name == "specialise") {
        if (auto error = finishPortable(lowering)) return located(fromLlvm(std::move(error)));
        break;
      }
      if (auto error = runStage(stage, lowering, dumps)) {
        Error failed = fromLlvm(std::move(error));
        if (failed.stage.empty()) failed.stage = std::string(stage.name);
        return located(std::move(failed));
      }
    }
    return CompileResult{Image::build(std::move(lowering.info), std::move(lowering.code)), std::move(lowering.warnings),
                         clock_.take(), std::move(dumps)};
  }

  Result<FrontendResult> runFrontend(const Job& job, llvm::LLVMContext& context) const {
    const FrontendRequest request{job, *descriptor_, descriptor_->ordinal.value_or(0), environment_.headers};
    return dialect_ ? compileWithClang(request, *dialect_, context) : readIr(request, context);
  }

  /// Portable IR is what select leaves: the kernels asked for, unoptimised, for any target.
  llvm::Error finishPortable(Lowering& lowering) {
    auto bytes = emitModule(*lowering.module, nullptr, "portable");
    if (!bytes) return bytes.takeError();
    lowering.code.push_back({"portable", "", std::move(*bytes)});
    return stage::image(lowering);
  }

  llvm::Error runStage(const Stage& stage, Lowering& lowering, std::vector<StageDump>& dumps) {
    if (auto error = stage.run(lowering)) return error;
    // A back end that could not go on says so through the context and returns.
    if (stage.name == "emit" && !lowering.findings.empty()) {
      Error error{.code = ErrorCode::Unsupported,
                  .message = lowering.findings.front().message,
                  .stage = "emit",
                  .target = descriptor_->name};
      error.diagnostics = std::move(lowering.findings);
      return toLlvm(std::move(error));
    }
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

  static llvm::Error verify(const Stage& stage, const Lowering& lowering) {
#ifdef LATHE_VERIFY_STAGES
    std::string broken;
    llvm::raw_string_ostream stream(broken);
    if (stage.name != "emit" && stage.name != "link" && stage.name != "image" &&
        llvm::verifyModule(*lowering.module, &stream)) {
      return toLlvm({.code = ErrorCode::Internal,
                     .message = "stage " + std::string(stage.name) + " left an invalid module: " + broken});
    }
#else
    (void)stage;
    (void)lowering;
#endif
    return llvm::Error::success();
  }

  static llvm::Error replaceModule(Lowering& lowering, const std::filesystem::path& path) {
    llvm::SMDiagnostic diagnostic;
    auto module = llvm::parseAssemblyFile(path.string(), diagnostic, lowering.module->getContext());
    if (!module) {
      return toLlvm({.code = ErrorCode::InvalidModule,
                     .message = path.string() + ": " + diagnostic.getMessage().str(),
                     .location = {path.string(), static_cast<std::uint32_t>(std::max(diagnostic.getLineNo(), 0)),
                                  static_cast<std::uint32_t>(std::max(diagnostic.getColumnNo() + 1, 0))}});
    }
    std::string broken;
    llvm::raw_string_ostream stream(broken);
    if (llvm::verifyModule(*module, &stream))
      return toLlvm({.code = ErrorCode::InvalidModule, .message = path.string() + ": does not verify: " + broken});
    for (const EntryPoint& entry : lowering.info.entries) {
      const llvm::Function* const function = module->getFunction(entry.symbol);
      if (!function || function->isDeclaration()) {
        return toLlvm({.code = ErrorCode::UnknownKernel,
                       .message = path.string() + " does not define the entry point '" + entry.symbol + "'"});
      }
    }
    if (lowering.machine) {
      module->setTargetTriple(lowering.machine->getTargetTriple());
      module->setDataLayout(lowering.machine->createDataLayout());
    }
    lowering.module = std::move(module);
    return llvm::Error::success();
  }

  const Job& job_;
  const CompileRequest& request_;
  const CompileEnvironment& environment_;
  StageClock clock_;
  std::shared_ptr<const TargetEntry> target_;
  std::shared_ptr<const Descriptor> descriptor_;
  const Dialect* dialect_ = nullptr;
};

}  // namespace

llvm::Error stage::image(Lowering& lowering) {
  ImageInfo& info = lowering.info;
  const bool lowered = lowering.machine != nullptr;
  info.target = lowered ? lowering.descriptor.name : "portable";
  info.arch = lowered ? lowering.arch : "";
  info.runtime = lowered ? lowering.descriptor.runtime : "";
  info.globals.clear();
  for (const llvm::GlobalVariable& variable : lowering.module->globals()) {
    const bool constant = variable.hasAttribute(attribute::constant);
    if (!constant && !variable.hasAttribute(attribute::global)) continue;
    TypeLayout type;
    llvm::raw_string_ostream(type.name) << *variable.getValueType();
    type.size = lowering.module->getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue();
    type.align = static_cast<std::uint32_t>(variable.getAlign().valueOrOne().value());
    info.globals.push_back(
        {demangled(variable.getName()), variable.getName().str(), constant ? "constant" : "global", std::move(type)});
  }
  info.provenance.producer = "lathe " + std::string(version());
  info.provenance.compiler = compilerVersion();
  info.provenance.sourceName = lowering.job.source.name;
  return llvm::Error::success();
}

Result<CompileResult> compileHere(const Job& job, const CompileRequest& request,
                                  const CompileEnvironment& environment) {
  return Compilation(job, request, environment).run();
}

}  // namespace lathe::detail
