// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe compile`: a program of one or several sources. Stages can be timed, dumped and replaced on the way.
#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include <lathe/bundle.h>

#include "tools/lathe/arguments/files.h"
#include "tools/lathe/arguments/interface_options.h"
#include "tools/lathe/arguments/job_options.h"
#include "tools/lathe/arguments/program_options.h"
#include "tools/lathe/commands/command.h"
#include "tools/lathe/commands/executable.h"
#include "tools/lathe/commands/explain.h"
#include "tools/lathe/output/code_resources.h"
#include "tools/lathe/output/report.h"
#include "tools/lathe/output/table.h"

namespace lathe::tool {
namespace {

constexpr std::string_view usageHelp = "lathe compile --help";
/// Of a group, for occupancy where kernels do not fix them.
constexpr std::uint32_t usualItems = 256;

constexpr std::string_view examples = R"(Examples:
  lathe compile saxpy.cpp --target cuda:sm_90 --emit asm -o saxpy.ptx
  lathe compile saxpy.cu -k 'saxpy<float>' -arch=sm_90 -std=c++17 -ptx     options as nvcc spells them
  lathe compile solver.cu tables.cu --target cuda:sm_90 -o solver.limg
  lathe compile blur.cpp --target amdgpu:gfx942 --dump-after all --dump-dir stages
  lathe compile blur.cpp -t cpu:x86-64-v3 -t cuda:sm_80 -t cuda:sm_90 -t amdgpu:gfx942 -o blur.limg
  lathe compile blur.cpp --target x86-64-v3 --emit archive -o libblur.a --c-header blur.h
  lathe compile blur.cpp main.c --emit executable -o blur
  lathe compile blur.cpp -t cuda:sm_80 -t cpu --embed blur_images.c --kernel-header blur.h --depfile blur.d)";

class CompileCommand final : public Command {
 public:
  std::string_view name() const override { return "compile"; }
  bool takesOtherSpellings() const override { return true; }
  std::string_view summary() const override { return "compile a source for a target"; }

  void configure(CLI::App& app) override {
    options_.configure(app, /*manyTargets=*/true);
    app.add_option("-e,--emit", emit_,
                   "portable, relocatable, ir, bitcode, asm, object, executable, image, … (default: by the output "
                   "file's ending .o, .s, .ll, .bc, .so, .a "
                   "or a format of the target's, as .ptx, else image; see 'lathe targets')")
        ->type_name("FORMAT");
    app.add_option("-o,--output", output_, "output file; '-' is standard output (default: the source's name)")
        ->type_name("OUT");
    interfaces_.configure(app);
    app.add_option("--main", main_,
                   "with --emit executable: the kernel that is the program (default: one called …::main)")
        ->type_name("KERNEL");
    app.add_option("--soname", soname_,
                   "with --emit shared: the name by which programs that are linked with the library look for it\n"
                   "(default: the output's name without folders)")
        ->type_name("NAME");
    app.add_option("--host", hosts_,
                   "with --emit executable: a C++ or C source of the program's own, as a file called .c is without it; "
                   "repeatable")
        ->type_name("FILE")
        ->allow_extra_args(false);
    program_.configure(app, /*needsFile=*/false);
    app.add_option("--depfile", depfile_, "write a rule with every file that was read, for make and ninja")
        ->type_name("FILE");
    app.add_option("--depfile-target", depfileTargets_, "what the rule is for (default: the output); repeatable")
        ->type_name("NAME")
        ->allow_extra_args(false);
    app.add_flag("-q,--quiet", quiet_, "say nothing but warnings and errors");
    app.add_flag(
        "--resource-report", resources_,
        "show the registers, spills, memory and occupancy (groups of 256 items) of each kernel, without a device");
    app.add_flag("--explain", explain_, "show what each setting came to and why, and every file read");
    app.add_option("--save-job", saveJob_, "keep the compile with all it read as a job bundle (see 'lathe job')")
        ->type_name("FILE.lathejob");
    app.add_flag("--time-stages", request_.timeStages, "show how long each stage took");
    app.add_flag("--verify-stages", request_.verifyStages, "let LLVM's verifier look at the result of each stage");
    app.add_option("--dump-after", request_.dumpAfter, "write the IR after a stage, or after 'all'; repeatable")
        ->type_name("STAGE")
        ->allow_extra_args(false);
    app.add_option("--dump-dir", dumpDir_, "write dumps as DIR/NN-STAGE.ll, not to standard error")->type_name("DIR");
    app.add_option("--replace-at", replacements_, "take FILE's IR for the result of a stage; repeatable")
        ->type_name("STAGE=FILE")
        ->allow_extra_args(false)
        ->check(CLI::Validator(
            [](std::string& text) {
              return text.find('=') == std::string::npos ? "'" + text + "' is not STAGE=FILE" : std::string();
            },
            ""));
    app.footer(std::string(examples));
  }

  ExitCode run(Output& out) override {
    const bool toStdout = output_ == "-";
    if (toStdout && out.json()) return out.usage("--json and '-o -' both want standard output", usageHelp);
    if (toStdout) out.reserveStdout();
    options_.prepare(out);
    if (emit_ == "executable") return compileExecutable(out);
    if (!main_.empty() || !hosts_.empty()) return out.usage("--main and --host are for --emit executable", usageHelp);
    auto job = options_.job();
    if (!job) return out.fail(job.error());
    for (const std::string& text : replacements_) {
      const std::size_t at = text.find('=');
      request_.replaceAt[text.substr(0, at)] = text.substr(at + 1);
    }
    auto compiler = options_.compiler();
    if (!compiler) return out.fail(compiler.error());
    request_.timeLimit = options_.request().timeLimit;
    if (options_.hasManyTargets()) return compileFat(*compiler, out);
    const bool targetSays = job->emit != "image";
    if (targetSays && !emit_.empty()) return out.usage(JobOptions::formatsTwice, usageHelp);
    if (emit_.empty()) emit_ = targetSays ? job->emit : impliedBy(output_, job->target, *compiler);
    job->emit = emit_;
    nameLibrary(*job);
    if (program_.any() && !emit_.starts_with("image"))
      return out.usage("--embed and --kernel-header are for images, not for code", usageHelp);
    if (!saveJob_.empty()) {
      auto bundle = compiler->bundle(*job, options_.request());
      if (!bundle) return out.fail(bundle.error());
      if (auto saved = saveBundle(*bundle, saveJob_); !saved) return out.fail(saved.error());
    }
    if (explain_) request_.record = &record_;
    auto result = compiler->compile(*job, request_);
    if (explain_) out.text(explanation(record_, *job, options_, out));
    const auto dumped = writeDumps(result ? result->dumps : result.error().dumps, out);
    if (!result) return out.fail(result.error());
    for (const Diagnostic& warning : result->warnings) out.warning(warning);
    if (explain_) explained_ = explanationJson(record_, *job, options_);
    if (!dumped) return out.fail(dumped.error());
    const std::string path = pathOf(bytesFor(result->image, emit_));
    if (auto done = finish(result->image.bytes(), result->files, path, *compiler, &result->image); !done)
      return out.fail(done.error());
    if (resources_) report_.add(result->image, &*compiler, usualItems);
    return deliver(*result, out);
  }

 private:
  /// The format that a file's ending names, by its usual ending or by its name (".ptx").
  static std::string impliedBy(const std::string& path, const std::string& target, const Compiler& compiler) {
    constexpr std::pair<std::string_view, std::string_view> known[] = {
        {".o", "object"}, {".s", "asm"}, {".ll", "ir"}, {".bc", "bitcode"}};
    for (const auto& [ending, format] : known) {
      if (path.ends_with(ending)) return std::string(format);
    }
    const std::string ending = std::filesystem::path(path).extension().string();
    if (ending.size() < 2 || ending == ".limg") return "image";
    const std::string format = ending == ".so" ? "shared" : ending == ".a" ? "archive" : ending.substr(1);
    // A target that there is not is the compile's error to give.
    const auto info = compiler.target(target);
    return info && std::ranges::find(info->formats, format) != info->formats.end() ? format : "image";
  }

  /// A shared library without a name is looked for at the path by which the linker of a program was given it.
  void nameLibrary(Job& job) const {
    if (soname_.empty() && (emit_ != "shared" || output_ == "-")) return;
    const std::filesystem::path path = output_.empty() ? derivedName(".so") : output_;
    job.options.parameters.try_emplace("link.soname", soname_.empty() ? path.filename().string() : soname_);
  }

  /// Whether something is wanted of one compile beside its output.
  bool watchesStages() const {
    return explain_ || !saveJob_.empty() || request_.timeStages || request_.verifyStages || !request_.dumpAfter.empty();
  }

  ExitCode compileExecutable(Output& out) {
    if (options_.hasManyTargets() || program_.any() || watchesStages() || !replacements_.empty())
      return out.usage("an executable is for one target; dumps, times and the like are for --emit object", usageHelp);
    request_.timeLimit = options_.request().timeLimit;
    auto sources = options_.takeHostSources(hosts_);
    if (!sources) return out.fail(sources.error());
    auto objects = options_.takeObjects();
    if (!objects) return out.fail(objects.error());
    auto job = options_.job();
    if (!job) return out.fail(job.error());
    if (!options_.wasGiven("--target")) job->target = "object";
    auto compiler = options_.compiler();
    if (!compiler) return out.fail(compiler.error());
    const std::string path = output_.empty() ? derivedName("") : output_;
    if (auto apart = checkOutputs(std::array{path}, options_.inputFiles(*compiler)); !apart)
      return out.fail(apart.error());
    const auto result = writeExecutable(*compiler, *job, request_, {*std::move(objects), main_, ownProgram()},
                                        {.sources = *std::move(sources), .header = interfaces_.cHeader()}, path, out);
    if (!result) return out.fail(result.error());
    for (const Diagnostic& warning : result->warnings) out.warning(warning);
    if (auto done = finish({}, result->files, path, *compiler, &result->image); !done) return out.fail(done.error());
    if (path != "-" && !quiet_) out.text(fmt::format("{}: a program for this machine\n", path));
    return ExitCode::ok;
  }

  /// One image for each target, in one file.
  ExitCode compileFat(const Compiler& compiler, Output& out) {
    const bool isArchive = emit_ == "archive";
    if (!emit_.empty() && emit_ != "image" && !isArchive)
      return out.usage(fmt::format("'--emit {}' is for one target; several make an image, or an archive", emit_),
                       usageHelp);
    if (watchesStages() || !request_.replaceAt.empty() || interfaces_.hasSkeleton() ||
        (isArchive ? program_.any() : interfaces_.any()))
      return out.usage("several targets make an image, or an archive: dumps, times and the like are for one",
                       usageHelp);
    if (isArchive) return compileLevels(compiler, out);
    auto jobs = options_.jobs();
    if (!jobs) return out.fail(jobs.error());
    std::vector<Image> images;
    std::vector<std::string> files;
    Json warnings = Json::array();
    std::vector<Diagnostic> told;
    for (auto& result : compiler.compileTogether(*jobs, request_)) {
      if (!result) return out.fail(result.error());
      files.insert(files.end(), result->files.begin(), result->files.end());
      for (Diagnostic& warning : result->warnings) {
        if (std::ranges::find(told, warning) != told.end()) continue;  // each target has its own reading of the source
        out.warning(warning);
        warnings.push_back(tool::toJson(warning));
        told.push_back(std::move(warning));
      }
      images.push_back(std::move(result->image));
      if (resources_) report_.add(images.back(), &compiler, usualItems);
    }
    const auto fat = FatImage::build(images);
    if (!fat) return out.fail(fat.error());
    const std::string path = output_.empty() ? derivedName(imageExtension) : output_;
    if (auto done = finish(fat->bytes(), files, path, compiler); !done) return out.fail(done.error());
    if (output_ == "-") {
      out.raw({reinterpret_cast<const char*>(fat->bytes().data()), fat->bytes().size()});
      return ExitCode::ok;
    }
    if (auto done = fat->save(path); !done) return out.fail(done.error());
    if (out.json()) {
      Json document = fatImageJson(*fat);
      document["output"] = path;
      document["warnings"] = std::move(warnings);
      if (resources_) document["resources"] = report_.json();
      out.document(document);
    } else if (!quiet_) {
      out.text(fmt::format("{}: {} images, {}\n{}", path, images.size(),
                           humanBytes(static_cast<double>(fat->bytes().size())), fatImageTable(*fat).render(out)));
      if (resources_) out.text("\n" + report_.table().render(out));
    }
    return ExitCode::ok;
  }

  /// One static library of objects for several architectures, of which a program takes one when it is loaded.
  ExitCode compileLevels(const Compiler& compiler, Output& out) {
    auto jobs = options_.jobs();
    if (!jobs) return out.fail(jobs.error());
    for (Job& job : *jobs) {
      if (job.emit != "image") return out.usage("an archive holds objects; -t names no formats", usageHelp);
      job.emit = "object";
    }
    std::vector<Image> images;
    std::vector<std::string> files;
    for (auto& result : compiler.compileTogether(*jobs, request_)) {
      if (!result) return out.fail(result.error());
      files.insert(files.end(), result->files.begin(), result->files.end());
      for (const Diagnostic& warning : result->warnings) out.warning(warning);
      images.push_back(std::move(result->image));
    }
    const auto archive = compiler.dispatchingArchive(images);
    if (!archive) return out.fail(archive.error());
    const std::string path = output_.empty() ? derivedName(".a") : output_;
    if (auto done = finish({}, files, path, compiler, &images.front()); !done) return out.fail(done.error());
    if (output_ == "-") {
      out.raw(*archive);
      return ExitCode::ok;
    }
    if (auto done = writeFile(path, *archive); !done) return out.fail(done.error());
    if (out.json())
      out.document({{"output", path}, {"bytes", archive->size()}, {"architectures", images.size()}});
    else if (!quiet_)
      out.text(fmt::format("{}: {} architectures, {}\n", path, images.size(),
                           humanBytes(static_cast<double>(archive->size()))));
    return ExitCode::ok;
  }

  Result<void> writeDumps(const std::vector<StageDump>& dumps, Output& out) const {
    if (dumps.empty()) return {};
    if (dumpDir_.empty()) {
      for (const StageDump& dump : dumps) out.note(fmt::format("; *** after {} ***\n{}\n", dump.stage, dump.ir));
      return {};
    }
    std::error_code failed;
    std::filesystem::create_directories(dumpDir_, failed);
    if (failed)
      return Error{ErrorCode::FileUnwritable, fmt::format("{}: cannot be created: {}", dumpDir_, failed.message())};
    for (const StageDump& dump : dumps) {
      if (auto done = writeFile(std::filesystem::path(dumpDir_) / dump.fileName(), dump.ir); !done) return done;
    }
    return {};
  }

  [[nodiscard]] std::string pathOf(const OutputBytes& bytes) const {
    return output_.empty() ? derivedName(bytes.extension) : output_;
  }

  /// Writes what goes with an image that will lie at `path`: its forms for programs, what other code calls it by (of
  /// `called`, if that is there), and the depfile.
  [[nodiscard]] Result<void> finish(std::span<const std::byte> image, const std::vector<std::string>& files,
                                    const std::string& path, const Compiler& compiler,
                                    const Image* called = nullptr) const {
    std::vector<std::string> inputs = options_.inputFiles(compiler);
    std::set<std::filesystem::path> known;
    const auto isNew = [&](const std::string& file) {
      return known.insert(std::filesystem::path(file).lexically_normal()).second;
    };
    for (const std::string& input : inputs) isNew(input);
    std::ranges::copy_if(files, std::back_inserter(inputs), isNew);
    std::vector<std::string> outputs = {path, depfile_};
    for (const auto& more : {program_.outputs(), interfaces_.outputs()})
      outputs.insert(outputs.end(), more.begin(), more.end());
    if (auto apart = checkOutputs(outputs, inputs); !apart) return apart;
    if (called) {
      if (auto done = interfaces_.write(*called, called->info().target, options_.file()); !done) return done;
    }
    const std::string stem = std::filesystem::path(options_.file()).stem().string();
    if (auto done = program_.write(image, path, stem); !done || depfile_.empty()) return done;
    const std::vector<std::string> targets = depfileTargets_.empty() ? std::vector{path} : depfileTargets_;
    return writeFile(depfile_, depfile(targets, inputs));
  }

  /// Writes the file and reports it.
  ExitCode deliver(const CompileResult& result, Output& out) const {
    const OutputBytes bytes = bytesFor(result.image, emit_);
    if (bytes.content.empty())
      return out.fail({ErrorCode::Internal, fmt::format("{}: the compile gave no {} code", options_.file(), emit_)});
    if (output_ == "-") {
      out.raw(bytes.content);
      out.text(timesTable(result.times, out));
      return ExitCode::ok;
    }
    const std::string path = pathOf(bytes);
    if (auto done = writeFile(path, bytes.content); !done) return out.fail(done.error());
    if (out.json()) {
      Json document = describe(result, path, bytes.content.size());
      if (explain_) document["explain"] = explained_;
      if (resources_) document["resources"] = report_.json();
      out.document(document);
      return ExitCode::ok;
    }
    if (quiet_) return ExitCode::ok;
    const ImageInfo& info = result.image.info();
    out.text(fmt::format("{}: {}, {} kernel{}, {}{}\n", path, targetName(info), info.entries.size(),
                         info.entries.size() == 1 ? "" : "s", humanBytes(static_cast<double>(bytes.content.size())),
                         result.origin == CacheOrigin::compiled ? "" : ", from the cache"));
    if (resources_) out.text(report_.table().render(out));
    out.text(timesTable(result.times, out));
    return ExitCode::ok;
  }

  std::string derivedName(std::string_view extension) const {
    const std::string stem = options_.file() == "-" ? "kernel" : std::filesystem::path(options_.file()).stem().string();
    // Libraries are found by the linker's -l under this name only.
    const bool library = extension == ".a" || extension == ".so";
    return (library ? "lib" : "") + stem + std::string(extension);
  }

  static Json describe(const CompileResult& result, const std::string& path, std::size_t bytes) {
    Json document = {{"output", path}, {"bytes", bytes}, {"image", Json::parse(toJson(result.image))}};
    document["cached"] = result.origin != CacheOrigin::compiled;
    document["warnings"] = Json::array();
    for (const Diagnostic& warning : result.warnings) document["warnings"].push_back(tool::toJson(warning));
    for (const StageTime& time : result.times)
      document["times"].push_back({{"stage", time.stage}, {"milliseconds", time.milliseconds}});
    return document;
  }

  JobOptions options_;
  ProgramOptions program_;
  InterfaceOptions interfaces_;
  std::string depfile_;
  std::vector<std::string> depfileTargets_;
  CompileRequest request_;
  CompileRecord record_;
  bool quiet_ = false;
  bool resources_ = false;
  ResourceReport report_;
  bool explain_ = false;
  Json explained_;
  std::string saveJob_;
  std::string emit_;
  std::string output_;
  std::string main_;
  std::string soname_;
  std::vector<std::string> hosts_;
  std::string dumpDir_;
  std::vector<std::string> replacements_;
};

}  // namespace

std::unique_ptr<Command> makeCompileCommand() {
  return std::make_unique<CompileCommand>();
}

}  // namespace lathe::tool
