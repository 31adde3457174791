// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is wrong in itself is a usage error at once; what only the compiler can judge (targets, features, kernels) is
// left to it, whose messages know the nearest names.
#include "tools/lathe/arguments/job_options.h"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include <lathe/formats/offload_bundle.h>
#include <lathe/log.h>
#include <lathe/sdk/runtime.h>

#include "tools/lathe/arguments/files.h"
#include "tools/options/number_options.h"

namespace lathe::tool {

void aim(Job& job, const std::string& target) {
  const std::size_t formats = target.find('=');
  const std::string place = target.substr(0, formats);
  const std::size_t colon = place.find(':');
  job.target = place.substr(0, colon);
  job.arch = colon == std::string::npos ? std::string() : place.substr(colon + 1);
  if (formats != std::string::npos) job.emit = "image:" + target.substr(formats + 1);
}

std::filesystem::path ownProgram() {
  std::error_code failed;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? std::filesystem::path() : path;
}

void JobOptions::configure(CLI::App& app, bool manyTargets) {
  app.add_option("file", file_, "source or image file; '-' reads standard input")->type_name("FILE")->required();
  if (manyTargets) {
    app.add_option("further", further_,
                   "further sources of the same program, bitcode, or images made with --emit relocatable;\n"
                   "all are linked before they are optimised")
        ->type_name("FILE");
  } else {
    addList(app, "--link", further_, "a further source of the same program; repeatable", "FILE");
  }
  app.add_option("-k,--kernel", job_.entries,
                 "kernel as a C++ name expression, such as saxpy<float>; repeatable;\n'*': every kernel of the source, "
                 "beside those named")
      ->type_name("NAME")
      ->allow_extra_args(false);
  auto* const target =
      app.add_option("-t,--target", targets_,
                     manyTargets
                         ? "target, and its architecture after a colon (default: cpu, of .bpf.cpp and\n"
                           ".bpf.c bpf), and behind '=' the formats that its image holds, where not the usual\n"
                           "one (cuda:sm_90=cubin,ptx); repeatable: a fat image of all, in which 'portable' is\n"
                           "IR for devices that nothing else fits"
                         : "target, and its architecture after a colon (default: cpu, of .bpf.cpp and\n"
                           ".bpf.c bpf)")
          ->type_name(manyTargets ? "NAME[:ARCH][=FORMAT,…]" : "NAME[:ARCH]")
          ->allow_extra_args(false);
  if (!manyTargets) {
    target->check(CLI::Validator(
        [](std::string& text) {
          return text.find('=') == std::string::npos ? ""
                                                     : "'" + text + "' is not NAME[:ARCH]; --emit chooses a format";
        },
        ""));
  }
  if (!manyTargets) target->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  app.add_option("--features", job_.features, "further features, as in +ptx83,-avx512f")->type_name("LIST");
  app.add_option("-x", job_.source.dialect,
                 "dialect: kernel, cuda, hip, bpf, bpf-c or ir (default: by the file's name and the target)")
      ->type_name("DIALECT");
  addList(app, "--header", headers_, "let the source include FILE as NAME", "NAME=FILE")
      ->check(assignmentValidator(""));
  code_.configure(app);
  configureCompiler(app);
}

void JobOptions::configureCompiler(CLI::App& app, const std::string& isolation) {
  app_ = &app;
  isolation_ = isolation;
  app.add_option("--isolation", isolation_,
                 "compile in a child process that may crash, or in this one (default: " + isolation + ")")
      ->check(CLI::IsMember({"worker", "in-process"}));
  addNumber(app, "--timeout", timeout_, "end a worker after so many seconds, 0: never (default: 600; $LATHE_TIMEOUT)",
            "SECONDS", 0, 1e6)
      ->envname("LATHE_TIMEOUT");
  app.add_flag("--no-cache", noCache_, "compile, whatever is in the cache, and keep nothing there");
  app.add_option("--plugin", plugins_, "load a plugin, or look for targets in a folder; repeatable")
      ->type_name("PATH")
      ->check(CLI::ExistingPath)
      ->allow_extra_args(false);
  app.add_option("--diagnostics", diagnostics_, "form of warnings and errors on standard error: text, json or sarif")
      ->check(CLI::IsMember({"text", "json", "sarif"}))
      ->type_name("FORM");
  app.add_option("--diagnostics-file", diagnosticsFile_, "write json or sarif diagnostics there")->type_name("FILE");
}

bool JobOptions::isSource() const {
  return !job_.source.dialect.empty() || std::filesystem::path(file_).extension() != imageExtension;
}

const std::string& JobOptions::usedTarget() const {
  static const std::string programs = "bpf";
  if (wasGiven("--target")) return targets_.front();
  if (!defaultTarget_.empty()) return defaultTarget_;
  const bool isProgram = file_.ends_with(".bpf.cpp") || file_.ends_with(".bpf.c");
  return isProgram ? programs : targets_.front();
}

Result<Source> JobOptions::read(const std::string& file) const {
  auto text = readFile(file);
  if (!text) return std::move(text).error();
  if (text->starts_with("\x7f"
                        "ELF"))
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = file + " is an ELF object, which is compiled already",
                 .hint = "give its source or an image; 'lathe bpf' takes objects that are programs for the kernel"};
  if (isOffloadBundle(*text))
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = file + " is a bundle of compiled code",
                 .hint = "'lathe run', 'lathe inspect' and 'lathe pack' take it"};
  return Source{file == "-" ? "<stdin>" : file, *std::move(text), job_.source.dialect};
}

Result<std::vector<LinkInput>> JobOptions::takeObjects() {
  std::vector<LinkInput> out;
  std::vector<std::string> sources;
  for (const std::string& file : further_) {
    auto bytes = readFile(file);
    if (!bytes) return std::move(bytes).error();
    if (bytes->starts_with("\x7f"
                           "ELF") ||
        bytes->starts_with("!<arch>\n") || (bytes->starts_with("BC\xC0\xDE") && file.ends_with(".o"))) {
      out.push_back({file, *std::move(bytes)});
      objects_.push_back(file);
    } else {
      sources.push_back(file);
    }
  }
  further_ = std::move(sources);
  return out;
}

Result<std::vector<Source>> JobOptions::takeHostSources(const std::vector<std::string>& named) {
  std::vector<std::string> hosts, kernels;
  further_.insert(further_.begin(), file_);
  for (std::string& file : further_)
    (std::filesystem::path(file).extension() == ".c" ? hosts : kernels).push_back(std::move(file));
  if (kernels.empty())
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = hosts.front() + ": a program's own source, and no kernels beside it",
                 .hint = "name the source of the kernels too: lathe compile blur.cpp main.c --emit executable"};
  hosts.insert(hosts.end(), named.begin(), named.end());
  file_ = kernels.front();
  further_.assign(kernels.begin() + 1, kernels.end());
  std::vector<Source> out;
  for (const std::string& file : hosts) {
    auto text = readFile(file);
    if (!text) return std::move(text).error();
    out.push_back({file, *std::move(text), {}});
    objects_.push_back(file);
  }
  return out;
}

Result<Job> JobOptions::job() const {
  Job job = job_;
  auto source = read(file_);
  if (!source) return std::move(source).error();
  job.source = isSource() ? code_.withHeadersFirst(*std::move(source)) : *std::move(source);
  // A portable image is a form of IR: "compile once, lower anywhere".
  if (!isSource()) job.source.dialect = "ir";
  for (const std::string& file : further_) {
    auto more = read(file);
    if (!more) return std::move(more).error();
    // -x is of those that are written in some language.
    const std::string ending = std::filesystem::path(file).extension().string();
    if (ending == imageExtension || ending == ".bc" || ending == ".ll") more->dialect = "ir";
    job.furtherSources.push_back(*std::move(more));
  }
  for (const std::string& header : headers_) {
    const auto [name, path] = splitAssignment(header);
    auto content = readFile(path);
    if (!content) return std::move(content).error();
    job.headers.push_back({name, *std::move(content)});
  }
  auto options = code_.options();
  if (!options) return std::move(options).error();
  job.options = *std::move(options);
  aim(job, usedTarget());
  return job;
}

Result<std::vector<Job>> JobOptions::jobs() const {
  const auto first = job();
  if (!first) return first.error();
  std::vector<Job> out;
  if (targets_.size() == 1 && targets_.front() != "portable") return std::vector<Job>{*first};
  Job any = *first;
  any.emit = Job().emit;  // what the first target says of its image is not the others'
  for (const std::string& target : targets_) {
    // Portable IR beside images for targets; it is no target's.
    if (target == "portable") {
      aim(out.emplace_back(any), "cpu");
      out.back().emit = target;
    } else {
      aim(out.emplace_back(any), target);
    }
  }
  return out;
}

std::vector<std::string> JobOptions::inputFiles(const Compiler& compiler) const {
  std::vector<std::string> out;
  if (file_ != "-") out.push_back(file_);
  out.insert(out.end(), further_.begin(), further_.end());
  out.insert(out.end(), objects_.begin(), objects_.end());
  for (const std::string& header : headers_) out.push_back(splitAssignment(header).second);
  for (const std::string& plugin : plugins_) {
    if (std::filesystem::path(plugin).extension() == ".so") out.push_back(plugin);
  }
  for (const std::string& target : targets_) {
    const auto info = compiler.target(target.substr(0, target.find_first_of(":=")));
    std::error_code failed;
    if (info && std::filesystem::is_regular_file(info->origin, failed)) out.push_back(info->origin);
  }
  return out;
}

CompileRequest JobOptions::request() const {
  CompileRequest request;
  request.timeLimit = std::chrono::milliseconds(static_cast<std::int64_t>(timeout_ * 1000));
  return request;
}

void JobOptions::prepare(Output& out) const {
  const auto format = diagnostics_ == "sarif"  ? DiagnosticFormat::sarif
                      : diagnostics_ == "json" ? DiagnosticFormat::json
                                               : DiagnosticFormat::text;
  out.useDiagnostics(format, diagnosticsFile_, file_ == "-" ? "<stdin>" : file_);
}

bool JobOptions::wasGiven(const std::string& option) const {
  const CLI::Option* const found = app_ ? app_->get_option_no_throw(option) : nullptr;
  return found && found->count() > 0;
}

Result<Compiler> JobOptions::compiler() const {
  CompilerConfig config;
  config.targetPath.assign(plugins_.begin(), plugins_.end());
  for (const std::string& plugin : plugins_) {
    const std::filesystem::path path(plugin);
    sdk::addRuntimeFolder(path.extension() == ".so" ? path.parent_path() : path);
  }
  config.isolation = isolation_ == "worker" ? Isolation::worker : Isolation::inProcess;
  config.containCrashes = true;
  config.workerProgram = ownProgram();
  config.cache.enabled = !noCache_;
  // A cache that is not used is no error, and said to the log alone: who reads none is told here, by text.
  const bool warns = !std::getenv("LATHE_LOG") && diagnostics_ == "text";
  if (warns) {
    const auto say = [](const LogRecord& record) {
      fmt::print(stderr, "warning: {}: {}\n", record.component, record.message);
    };
    setLog(say, LogLevel::warning);
  }
  auto out = Compiler::create(std::move(config));
  if (warns) setLog({});
  return out;
}

}  // namespace lathe::tool
