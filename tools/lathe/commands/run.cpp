// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe run`: any kernel of a source or an image, launched from the shell. The argument types come from the image.
#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "tools/lathe/arguments/arguments.h"
#include "tools/lathe/arguments/files.h"
#include "tools/lathe/arguments/job_options.h"
#include "tools/lathe/arguments/launch.h"
#include "tools/lathe/arguments/npy.h"
#include "tools/lathe/arguments/signed_images.h"
#include "tools/lathe/arguments/value.h"
#include "tools/lathe/commands/bpf/run.h"
#include "tools/lathe/commands/command.h"
#include "tools/lathe/commands/explain.h"
#include "tools/lathe/commands/load_image.h"
#include "tools/lathe/output/crash_report.h"
#include "tools/lathe/output/report.h"
#include "tools/lathe/output/table.h"
#include "tools/options/number_options.h"

namespace lathe::tool {
namespace {

constexpr std::string_view examples = R"(One --arg for each parameter, in order:
  3  -0.5  0x1f  inf  true          a scalar, checked against the parameter's range (--arg=-inf for leading minus)
  @in.npy                           a pointer to an array from a NumPy file
  zeros:f32[64,64]  ones:…  iota:…  a pointer to a new array; random:f32[1024],seed=7 is uniform in [0,1)
  json:{"x":1}  hex:0a0b            an aggregate; json:[…] for a pointer gives the elements it points to
  null                              a null pointer
Examples:
  lathe run saxpy.cpp -k saxpy --grid 4 --group 256 --arg 1024 --arg 2 --arg iota:f32[1024] --arg ones:f32[1024] --print 3:8
  lathe run blur.cpp --target cuda --grid 64,64 --group 16,16 --arg @in.npy --arg zeros:f32[1024,1024] --save 1=out.npy
  lathe run saxpy.limg --grid 4 --group 256 --arg … --repeat 100
  lathe run add.bpf.cpp --arg 'json:[{"a":1,"b":2}]'       a BPF program, once, on this context (docs/bpf.md))";

/// "N=FILE" or "N[:COUNT]" with N resolved.
struct SaveRequest {
  std::size_t index;
  std::string path;
};
struct PrintRequest {
  std::size_t index;
  std::uint64_t count;
};

constexpr std::uint64_t defaultPrintCount = 16;

class RunCommand final : public Command {
 public:
  std::string_view name() const override { return "run"; }
  bool takesOtherSpellings() const override { return true; }
  std::string_view summary() const override { return "run a kernel of a source or an image"; }

  void configure(CLI::App& app) override {
    options_.configure(app);
    app.add_option("--grid", grid_, "groups to launch (kernels need it)")->check(extentsValidator());
    app.add_option("--group", group_, "items in a group (kernels need it)")->check(extentsValidator());
    addNumber(app, "--shared", plan_.options.dynamicSharedBytes, "launch-sized shared memory", "BYTES");
    app.add_flag("--cooperative", plan_.options.cooperative,
                 "run all groups at once, for kernels with barriers over the grid");
    app.add_option("--cluster", cluster_, "groups that share a cluster")->check(extentsValidator());
    app.add_option("-a,--arg", arguments_, "one kernel argument; see below")
        ->type_name("VALUE")
        ->allow_extra_args(false);
    app.add_option("--save", saves_, "write argument N (from 0, or its name) after the launch; repeatable")
        ->type_name("N=FILE.npy")
        ->allow_extra_args(false)
        ->check(CLI::Validator(
            [](std::string& text) {
              return text.find('=') == std::string::npos ? "'" + text + "' is not N=FILE.npy" : std::string();
            },
            ""));
    app.add_option("--print", prints_, "print the first COUNT (default: 16) elements of argument N; repeatable")
        ->type_name("N[:COUNT]")
        ->allow_extra_args(false);
    addNumber(app, "--repeat", plan_.repeat, "launch N times more, timed, on the same inputs", "N");
    program_.configure(app);
    images_.configure(app);
    addNumber(app, "--launch-timeout", launchTimeout_,
              "end kernels that run longer than so many seconds (default: 0, never)", "SECONDS", 0, 1e6);
    addNumber(app, "--stack", plan_.stackBytes,
              "stack of an item, where it recurses deeper than the device's own limit allows (cuda: 1024)", "BYTES", 1);
    addNumber(app, "--device", deviceIndex_, "which device of the target's runtime (default: 0)", "INDEX");
    app.add_flag("--specialise", specialise_,
                 "compile for these values of the scalars and this group size (docs/tool.md)");
    app.add_flag("--explain", explain_, "show what each setting of the compile came to and why");
    app.footer(std::string(examples));
  }

  ExitCode run(Output& out) override {
    options_.prepare(out);
    auto done = runKernel(out);
    return done ? *done : out.fail(done.error());
  }

 private:
  static ExitCode usage(Output& out) { return out.usage("kernels need --grid and --group", "lathe run --help"); }
  /// An image, the device it is for, and what it was compiled by, if it was.
  struct Loaded {
    Image image;
    Device device;
    std::optional<Job> job;
  };

  /// Nothing if a source is for a target with grids, and there is no grid or group to launch.
  Result<std::optional<Loaded>> load(Output& out) const {
    if (images_.required() || !options_.isSource() || SignedImages::isBundle(options_.file())) {
      auto fat = images_.open(options_.file());
      if (!fat) return std::move(fat).error();
      auto loaded = loadImage(*fat, options_, deviceIndex_);
      if (!loaded) return std::move(loaded).error();
      return std::optional(Loaded{std::move(loaded->image), std::move(loaded->device), {}});
    }
    auto job = options_.job();
    if (!job) return std::move(job).error();
    auto compiler = options_.compiler();
    if (!compiler) return std::move(compiler).error();
    auto target = compiler->target(job->target);
    if (!target) return std::move(target).error();
    if (target->hasGrids && (grid_.empty() || group_.empty())) return std::optional<Loaded>();
    auto device = openLaunchDevice(target->runtime, job->target, deviceIndex_);
    if (!device) return std::move(device).error();
    if (job->arch.empty()) {
      job->arch = device->info().arch;
      if (!compiler->architecture(job->target, job->arch)) return takesOther(*compiler, *target, device->info());
    }
    auto image = compile(*compiler, *job, out);
    if (!image) return std::move(image).error();
    return std::optional(Loaded{*std::move(image), *std::move(device), *std::move(job)});
  }

  /// A device that a target's runtime has, and that takes other code.
  static Error takesOther(const Compiler& compiler, const TargetInfo& target, const DeviceInfo& device) {
    std::vector<std::string> others;
    for (const TargetInfo& other : compiler.targets())
      if (other.runtime == target.runtime && other.name != target.name) others.push_back(other.name);
    return {.code = ErrorCode::IncompatibleDevice,
            .message = fmt::format("{}: {} takes code for {}, and none of this target's", target.name, device.name,
                                   device.arch),
            .hint = others.empty() ? "run on another device: lathe doctor lists them"
                                   : fmt::format("other targets of its runtime: {}", fmt::join(others, ", ")),
            .target = target.name};
  }

  Result<Image> compile(const Compiler& compiler, const Job& job, Output& out) const {
    CompileRequest request = options_.request();
    CompileRecord record;
    if (explain_) request.record = &record;
    auto result = compiler.compile(job, request);
    if (explain_) out.text(explanation(record, job, options_, out));
    if (!result) return std::move(result).error();
    for (const Diagnostic& warning : result->warnings) out.warning(warning);
    return std::move(result->image);
  }

  /// The kernel, compiled once more for the launch that is to come. `loaded` has its image then.
  Result<RawKernel> specialised(Loaded& loaded, const RawKernel& kernel, const std::vector<Argument>& arguments,
                                Output& out) const {
    if (!loaded.job)
      return Error{ErrorCode::InvalidArgument, fmt::format("--specialise: {} is compiled already", options_.file())};
    std::vector<const void*> values;  // of pointers zero: arrays begin where memory is allocated
    for (const Argument& argument : arguments) values.push_back(argument.value.data());
    auto job = kernel.specialised(*loaded.job, plan_.options, values);
    if (!job) return std::move(job).error();
    auto compiler = options_.compiler();
    if (!compiler) return std::move(compiler).error();
    auto image = compile(*compiler, *job, out);
    if (!image) return std::move(image).error();
    loaded.image = *std::move(image);
    auto module = loaded.device.load(loaded.image);
    if (!module) return std::move(module).error();
    return module->rawKernel(kernel.entry().name);
  }

  /// The kernel asked for; the only one there is, if none was.
  Result<std::string> chooseKernel(const Image& image) const {
    const std::vector<EntryPoint>& entries = image.info().entries;
    if (options_.kernels().size() == 1) return options_.kernels()[0];
    std::string names;
    for (const EntryPoint& entry : entries) names += (names.empty() ? "" : ", ") + entry.name;
    if (options_.kernels().size() > 1)
      return Error{ErrorCode::InvalidArgument, "--kernel: one launch runs one kernel; name one"};
    if (entries.size() == 1) return entries[0].name;
    return Error{ErrorCode::UnknownKernel,
                 fmt::format("{}: name one of its kernels with --kernel: {}", options_.file(), names)};
  }

  Result<ExitCode> runKernel(Output& out) {
    program_.arguments = arguments_;
    program_.repeat = plan_.repeat;
    if (options_.isSource() && isProgramObject(options_.file()))
      return runProgramOfObject(options_.file(), options_.kernels(), program_, out);
    auto opened = load(out);
    if (!opened || !*opened) return opened ? usage(out) : Result<ExitCode>(std::move(opened).error());
    Loaded* const loaded = &**opened;
    auto name = chooseKernel(loaded->image);
    if (!name) return std::move(name).error();
    auto found = loaded->image.entry(*name);
    if (!found) return std::move(found).error();
    const EntryPoint entry = **found;
    if (loaded->image.info().runtime == "bpf") return runProgram(loaded->image, entry, program_, out);
    if (grid_.empty() || group_.empty()) return usage(out);
    if (auto done = resolveRequests(entry); !done) return std::move(done).error();
    auto arguments = parseArguments(arguments_, entry);
    if (!arguments) return std::move(arguments).error();
    auto module = loaded->device.load(loaded->image);
    if (!module) return std::move(module).error();
    auto kernel = module->rawKernel(*name);
    if (!kernel) return std::move(kernel).error();
    const auto grid = parseExtents(grid_), group = parseExtents(group_), cluster = parseExtents(cluster_);
    if (!grid || !group || !cluster)
      return Error{ErrorCode::InvalidArgument, "--grid, --group and --cluster: X[,Y,Z] with each 1 or more"};
    plan_.options.grid = *grid;
    plan_.options.group = *group;
    plan_.options.cluster = *cluster;
    if (specialise_) kernel = specialised(*loaded, *kernel, *arguments, out);
    if (!kernel) return std::move(kernel).error();
    const std::vector<std::size_t> outputs(outputs_.begin(), outputs_.end());
    auto times = launchGuarded(out, *loaded, *kernel, *arguments, outputs);
    if (!times) return std::move(times).error();
    for (const SaveRequest& save : saveRequests_)
      if (auto done = writeFile(save.path, npyBytes(*(*arguments)[save.index].array)); !done)
        return std::move(done).error();
    if (out.json())
      out.document(describeRun(*loaded, entry, *arguments, *times));
    else
      reportRun(out, *loaded, entry, *arguments, *times);
    return ExitCode::ok;
  }

  Result<LaunchTimes> launchGuarded(const Output& out, const Loaded& loaded, const RawKernel& kernel,
                                    std::vector<Argument>& arguments, std::span<const std::size_t> outputs) const {
    const CrashReport report(out, {.code = ErrorCode::DeviceFault,
                                   .message = fmt::format("{}: the kernel crashed on {}", kernel.entry().name,
                                                          targetName(loaded.image.info())),
                                   .hint = "an index outside an array is the usual cause: compare --grid and --group "
                                           "with the arrays' sizes; others are integers divided by zero and recursion "
                                           "that is too deep (--stack)"});
    const std::string& kernelName = kernel.entry().name;
    const LaunchLimit limit(
        out, launchTimeout_,
        {.code = ErrorCode::LimitExceeded,
         .message = fmt::format("{}: the kernel ran longer than {} s on {} and was ended", kernelName, launchTimeout_,
                                targetName(loaded.image.info())),
         .hint = "raise the limit (--launch-timeout), or look for a loop that some items never leave"},
        fmt::format("\n{}: interrupted; the kernel was still running, and what it wrote is lost\n", kernelName));
    return launch(loaded.device, kernel, plan_, arguments, outputs);
  }

  Result<void> resolveRequests(const EntryPoint& entry) {
    for (const std::string& text : saves_) {
      const std::size_t at = text.find('=');
      auto index = parameterNamed(text.substr(0, at), entry);
      if (!index) return std::move(index).error();
      saveRequests_.push_back({*index, text.substr(at + 1)});
      outputs_.insert(*index);
    }
    for (const std::string& text : prints_) {
      const std::size_t at = std::min(text.find(':'), text.size());
      auto index = parameterNamed(std::string_view(text).substr(0, at), entry);
      if (!index) return std::move(index).error();
      PrintRequest request{*index, defaultPrintCount};
      if (at < text.size()) {
        const auto [end, status] = std::from_chars(text.data() + at + 1, text.data() + text.size(), request.count);
        if (status != std::errc() || end != text.data() + text.size())
          return Error{ErrorCode::InvalidArgument, fmt::format("--print: '{}' is not N[:COUNT]", text)};
      }
      printRequests_.push_back(request);
      outputs_.insert(*index);
    }
    return {};
  }

  /// The pointee that elements of this argument are shown as; arrays of bytes behind records are shown as records.
  static const TypeLayout* recordPointee(const Parameter& parameter, const Array& array) {
    if (parameter.type.element.empty()) return nullptr;
    const TypeLayout& pointee = parameter.type.element[0];
    const bool asBytes = array.type.bytes() == 1 && pointee.size > 1;
    return asBytes && !scalarWithin(pointee) ? &pointee : nullptr;
  }

  static Json elementsJson(const Parameter& parameter, const Array& array, std::uint64_t count) {
    Json list = Json::array();
    if (const TypeLayout* record = recordPointee(parameter, array)) {
      for (std::uint64_t i = 0; i < std::min(count, array.bytes.size() / record->size); ++i)
        list.push_back(decodeJson(*record, std::span(array.bytes).subspan(i * record->size, record->size)));
      return list;
    }
    ElementType scalar = array.type;
    scalar.lanes = 1;
    const std::uint64_t scalars = std::min(count, array.count()) * array.type.lanes;
    for (std::uint64_t i = 0; i < scalars; ++i)
      list.push_back(scalarJson(scalar, array.bytes.data() + i * scalar.scalarBytes));
    return list;
  }

  static std::string elementsText(const Parameter& parameter, const Array& array, std::uint64_t count) {
    std::string text;
    if (recordPointee(parameter, array)) {
      text = elementsJson(parameter, array, count).dump(-1, ' ', false, Json::error_handler_t::replace);
    } else {
      ElementType scalar = array.type;
      scalar.lanes = 1;
      const std::uint64_t scalars = std::min(count, array.count()) * array.type.lanes;
      for (std::uint64_t i = 0; i < scalars; ++i)
        text += fmt::format("{}{}", i ? " " : "", scalarText(scalar, array.bytes.data() + i * scalar.scalarBytes));
      if (array.count() > count) text += " …";
    }
    return text;
  }

  void reportRun(Output& out, const Loaded& loaded, const EntryPoint& entry, const std::vector<Argument>& arguments,
                 const LaunchTimes& times) const {
    for (const PrintRequest& print : printRequests_) {
      const Parameter& parameter = entry.parameters[print.index];
      const Array& array = *arguments[print.index].array;
      out.text(fmt::format("{} {}: {}\n", parameter.name.empty() ? std::to_string(print.index) : parameter.name,
                           describe(array), elementsText(parameter, array, print.count)));
    }
    out.text(out.paint(Style::dim, fmt::format("{} on {} ({}): {:.4f} ms", entry.name, targetName(loaded.image.info()),
                                               loaded.device.info().name, times.first)) +
             "\n");
    if (!times.repeats.empty())
      out.text(fmt::format("{} launches: median {:.4f} ms, min {:.4f} ms, max {:.4f} ms\n", times.repeats.size(),
                           medianOf(times.repeats), times.repeats.front(), times.repeats.back()));
  }

  Json describeRun(const Loaded& loaded, const EntryPoint& entry, const std::vector<Argument>& arguments,
                   const LaunchTimes& times) const {
    Json document = {{"kernel", entry.name},
                     {"target", targetName(loaded.image.info())},
                     {"device", loaded.device.info().name},
                     {"milliseconds", {{"first", times.first}}},
                     {"resources", resourceJson(entry.resources)}};
    if (!times.repeats.empty()) {
      Json& milliseconds = document["milliseconds"];
      milliseconds["repeat"] = times.repeats.size();
      milliseconds["median"] = medianOf(times.repeats);
      milliseconds["min"] = times.repeats.front();
      milliseconds["max"] = times.repeats.back();
    }
    for (const SaveRequest& save : saveRequests_)
      document["saved"].push_back({{"argument", save.index}, {"file", save.path}});
    for (const PrintRequest& print : printRequests_) {
      const Array& array = *arguments[print.index].array;
      document["printed"].push_back({{"argument", print.index},
                                     {"type", nameOf(array.type)},
                                     {"shape", array.shape},
                                     {"elements", elementsJson(entry.parameters[print.index], array, print.count)}});
    }
    return document;
  }

  JobOptions options_;
  SignedImages images_;
  ProgramRun program_;
  LaunchPlan plan_;
  std::string grid_;
  std::string group_;
  std::string cluster_ = "1";
  int deviceIndex_ = 0;
  double launchTimeout_ = 0;
  bool explain_ = false;
  bool specialise_ = false;
  std::vector<std::string> arguments_;
  std::vector<std::string> saves_;
  std::vector<std::string> prints_;
  std::vector<SaveRequest> saveRequests_;
  std::vector<PrintRequest> printRequests_;
  std::set<std::size_t> outputs_;
};

}  // namespace

std::unique_ptr<Command> makeRunCommand() {
  return std::make_unique<RunCommand>();
}

}  // namespace lathe::tool
