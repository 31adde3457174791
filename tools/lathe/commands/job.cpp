// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe job save|replay|show`: compiles that travel. A bundle holds a job and everything it read (<lathe/bundle.h>).
#include <set>

#include <fmt/format.h>

#include <lathe/bundle.h>

#include "tools/lathe/arguments/files.h"
#include "tools/lathe/arguments/job_options.h"
#include "tools/lathe/commands/command.h"
#include "tools/lathe/commands/explain.h"
#include "tools/lathe/output/report.h"
#include "tools/lathe/output/table.h"

namespace lathe::tool {
namespace {

constexpr std::string_view examples = R"(Examples:
  lathe job save blur.cpp --target cuda:sm_90 -I include -o blur.lathejob
  lathe job show blur.lathejob
  lathe job replay blur.lathejob -o blur.limg        on any machine, without the original files)";

class JobCommand final : public Command {
 public:
  std::string_view name() const override { return "job"; }
  std::string_view summary() const override { return "save a compile with all it reads, and repeat it elsewhere"; }

  void configure(CLI::App& app) override {
    app.require_subcommand(1);
    save_ = app.add_subcommand("save", "compile, and keep what that took in one file");
    options_.configure(*save_);
    save_->add_option("-e,--emit", emit_, "format to compile to (default: image)")->type_name("FORMAT");
    save_->add_option("-o,--output", output_, "the bundle (default: the source's name with .lathejob)")
        ->type_name("OUT.lathejob");
    replay_ = app.add_subcommand("replay", "compile a bundle's job with nothing but what is in the bundle");
    bundleArgument(*replay_);
    replay_->add_option("-o,--output", output_, "output file; '-' is standard output; without it, only compare")
        ->type_name("OUT");
    options_.configureCompiler(*replay_);
    show_ = app.add_subcommand("show", "show what a bundle holds");
    bundleArgument(*show_);
    show_->add_option("--extract", extract_, "write the source and the files that were read under DIR")
        ->type_name("DIR");
    for (CLI::App* sub : {save_, replay_, show_}) sub->fallthrough();
    app.footer(std::string(examples));
  }

  ExitCode run(Output& out) override {
    if (*save_) return save(out);
    return *replay_ ? replay(out) : show(out);
  }

 private:
  void bundleArgument(CLI::App& app) { app.add_option("bundle", bundle_, "the bundle")->type_name("FILE")->required(); }

  ExitCode save(Output& out) {
    auto job = options_.job();
    if (!job) return out.fail(job.error());
    job->emit = emit_;
    auto compiler = options_.compiler();
    if (!compiler) return out.fail(compiler.error());
    const std::string path =
        output_.empty() ? (options_.file() == "-" ? "kernel" : std::filesystem::path(options_.file()).stem().string()) +
                              std::string(bundleExtension)
                        : output_;
    return saveJob(*compiler, *job, options_.request(), path, out);
  }

  ExitCode replay(Output& out) {
    const bool toStdout = output_ == "-";
    if (toStdout && out.json())
      return out.usage("--json and '-o -' both want standard output", "lathe job replay --help");
    if (toStdout) out.reserveStdout();
    auto bundle = loadBundle(bundle_);
    if (!bundle) return out.fail(bundle.error());
    auto compiler = options_.compiler();
    if (!compiler) return out.fail(compiler.error());
    const std::string difference = versionDifference(*bundle);
    if (!difference.empty()) out.warning({.severity = Severity::warning, .message = bundle_ + ": " + difference});
    auto result = compiler->replay(*bundle, options_.request());
    if (!result) {
      const bool same = bundle->failure == errorName(result.error().code);
      out.note(same ? fmt::format("note: the compile that was saved failed in the same way ({})\n", bundle->failure)
                    : fmt::format("note: the compile that was saved {}\n", outcome(*bundle)));
      return out.fail(result.error());
    }
    for (const Diagnostic& warning : result->warnings) out.warning(warning);
    const bool same = hashOf(result->image) == bundle->imageHash;
    if (!same && difference.empty()) {
      return out.fail(
          {ErrorCode::Internal,
           fmt::format("{}: the image differs from the one that was saved, by the same version of Lathe", bundle_)});
    }
    const OutputBytes bytes = bytesFor(result->image, bundle->job.emit);
    if (toStdout) {
      out.raw(bytes.content);
      return ExitCode::ok;
    }
    if (!output_.empty()) {
      if (auto done = writeFile(output_, bytes.content); !done) return out.fail(done.error());
    }
    if (out.json()) {
      Json document = {{"identical", same}, {"image", Json::parse(toJson(result->image))}};
      if (!output_.empty()) document["output"] = output_;
      out.document(document);
    } else {
      out.text(fmt::format("{}: {} {}the image that was saved\n", output_.empty() ? bundle_ : output_,
                           targetName(result->image.info()), same ? "is identical to " : "differs from "));
    }
    return ExitCode::ok;
  }

  static std::string outcome(const JobBundle& bundle) {
    return bundle.failure.empty() ? "gave image " + bundle.imageHash.substr(0, 16) + "…"
                                  : "failed with " + bundle.failure;
  }

  ExitCode show(Output& out) {
    auto bundle = loadBundle(bundle_);
    if (!bundle) return out.fail(bundle.error());
    if (!extract_.empty()) {
      if (auto done = extract(*bundle); !done) return out.fail(done.error());
    }
    const CompileRecord& inputs = bundle->inputs;
    if (out.json()) {
      Json document = {{"producer", bundle->producer},
                       {"compiler", bundle->compiler},
                       {"arch", inputs.arch},
                       {"workingDirectory", inputs.workingDirectory},
                       {"imageHash", bundle->imageHash},
                       {"failure", bundle->failure},
                       {"job", Json::parse(toJson(bundle->job))}};
      for (const InputFile& file : inputs.files) document["files"].push_back(fileJson(file));
      for (const InputLibrary& library : inputs.libraries)
        document["libraries"].push_back({{"name", library.name}, {"path", library.path}});
      for (const InputDescriptor& one : inputs.descriptors)
        document["descriptors"].push_back({{"name", one.name}, {"origin", one.origin}, {"bytes", one.yaml.size()}});
      out.document(document);
      return ExitCode::ok;
    }
    out.text(fmt::format("{}\nsaved by {} ({}) in {}; {}\n", describe(bundle->job), bundle->producer, bundle->compiler,
                         inputs.workingDirectory, outcome(*bundle)));
    Table table({{"kind"}, {"name"}, {"bytes", Table::Align::right}, {"from"}});
    table.add({"source", bundle->job.source.name, std::to_string(bundle->job.source.text.size()), "job"});
    for (const Source& further : bundle->job.furtherSources)
      table.add({"source", further.name, std::to_string(further.text.size()), "job"});
    for (const Header& header : bundle->job.headers)
      table.add({"header", header.name, std::to_string(header.text.size()), "job"});
    for (const InputFile& file : inputs.files)
      table.add({"file", file.path, std::to_string(file.bytes.size()), file.sameAs.empty() ? "disk" : file.sameAs});
    for (const InputLibrary& library : inputs.libraries)
      table.add({"library", library.name, std::to_string(library.bytes.size()),
                 library.path.empty() ? "built in" : library.path});
    for (const InputDescriptor& one : inputs.descriptors)
      table.add({"descriptor", one.name, std::to_string(one.yaml.size()), one.origin});
    out.text(table.render(out));
    return ExitCode::ok;
  }

  static Json fileJson(const InputFile& file) {
    Json out = {{"path", file.path}, {"bytes", file.bytes.size()}};
    if (!file.sameAs.empty()) out["sameAs"] = file.sameAs;
    return out;
  }

  /// Below DIR under their absolute paths, which a bundle has without ".." in them.
  Result<void> extract(const JobBundle& bundle) const {
    const std::filesystem::path root(extract_);
    const auto write = [&](const std::filesystem::path& name, const std::string& bytes) -> Result<void> {
      const std::filesystem::path path = root / name.lexically_normal().relative_path();
      if (const auto inside = path.lexically_relative(root); inside.empty() || *inside.begin() == "..")
        return Error{ErrorCode::FileInvalid, fmt::format("{}: '{}' points out of the folder", bundle_, name.string())};
      std::error_code failed;
      std::filesystem::create_directories(path.parent_path(), failed);
      return writeFile(path, bytes);
    };
    std::vector<const Source*> sources = {&bundle.job.source};
    for (const Source& further : bundle.job.furtherSources) sources.push_back(&further);
    std::set<std::string> written;
    for (const Source* source : sources) {
      const auto path = std::filesystem::path(bundle.inputs.workingDirectory) / source->name;
      if (auto done = write(path, source->text); !done) return done;
      written.insert(path.lexically_normal().string());
    }
    for (const InputFile& file : bundle.inputs.files) {
      if (!file.sameAs.empty() || written.contains(file.path)) continue;
      if (auto done = write(file.path, file.bytes); !done) return done;
    }
    for (const InputDescriptor& one : bundle.inputs.descriptors) {
      if (auto done = write("targets/" + one.name + ".yaml", one.yaml); !done) return done;
    }
    return {};
  }

  CLI::App* save_ = nullptr;
  CLI::App* replay_ = nullptr;
  CLI::App* show_ = nullptr;
  JobOptions options_;
  std::string emit_ = "image";
  std::string bundle_;
  std::string output_;
  std::string extract_;
};

}  // namespace

ExitCode saveJob(const Compiler& compiler, const Job& job, const CompileRequest& request, const std::string& path,
                 Output& out) {
  std::optional<Error> failure;
  auto bundle = compiler.bundle(job, request, &failure);
  if (!bundle) return out.fail(bundle.error());
  if (auto done = saveBundle(*bundle, path); !done) return out.fail(done.error());
  std::size_t bytes = 0;
  for (const InputFile& file : bundle->inputs.files) bytes += file.bytes.size();
  if (out.json()) {
    Json document = {{"output", path}, {"files", bundle->inputs.files.size()}, {"imageHash", bundle->imageHash}};
    if (failure) document["failure"] = toJson(*failure);
    out.document(document);
    return ExitCode::ok;
  }
  if (failure) out.note(failure->render());
  out.text(fmt::format("{}: {}, {} file{} read ({}){}\n", path, describe(job), bundle->inputs.files.size(),
                       bundle->inputs.files.size() == 1 ? "" : "s", humanBytes(static_cast<double>(bytes)),
                       failure ? "; the compile fails, and so will its replay" : ""));
  return ExitCode::ok;
}

std::unique_ptr<Command> makeJobCommand() {
  return std::make_unique<JobCommand>();
}

}  // namespace lathe::tool
