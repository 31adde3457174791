// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks and timing of one kernel by both compilers.
#include "contest.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <sstream>

#include <unistd.h>

#include <lathe/compiler.h>
#include "../measure.h"

#include "code.h"
#include "cuda_driver.h"
#include "device_arrays.h"

namespace lathe::bench::gpu {
namespace {

constexpr const char* outcomeMark = "@outcome";
constexpr unsigned secondsForOne = 120;

/// A kernel's failure: its words, and that later kernels cannot be run in this process.
struct Failure {
  std::string words;
  bool spoilt = true;
};
using Checked = std::optional<Failure>;

double quantile(const std::vector<double>& sorted, double share) {
  return sorted[std::size_t(share * double(sorted.size() - 1) + 0.5)];
}

class Contest {
 public:
  Contest(const CudaDriver& driver, const Device& device, Stream& stream, const KindCode& code, std::string kernel)
      : driver_(driver), device_(device), stream_(stream), code_(code), kernelName_(std::move(kernel)) {}
  /// From now on Lathe's side is compiled for each case's launch. Of the code only the registers are reported.
  void specialise(const Compiler& compiler, const Kind& kind) {
    compiler_ = &compiler;
    kind_ = &kind;
  }

  /// Loads both sides' code. Lathe's is launched by Lathe's runtime, as a user's is.
  [[nodiscard]] Checked load(Outcome& out) {
    auto module = device_.load(code_.lathe);
    if (!module) return Failure{module.error().render()};
    auto kernel = module->rawKernel(kernelName_);
    if (!kernel) return Failure{kernel.error().render()};
    kernel_ = *std::move(kernel);
    const auto used = kernel_->resources();
    if (!used) return Failure{used.error().render()};
    out.sides[lathe].registers = int(used->registers);
    out.sides[lathe].localBytes = int(used->localBytes);
    out.sides[lathe].instructions = instructionCount(code_.latheCubin, kernel_->entry().symbol);
    function_ = driver_.load(code_.peerCubin, kernelName_);
    const CudaDriver::Use use = driver_.resources(function_);
    out.sides[peer].registers = use.registers;
    out.sides[peer].localBytes = use.localBytes;
    out.sides[peer].instructions = instructionCount(code_.peerCubin, kernelName_);
    return std::nullopt;
  }

  /// The results of both sides against the host's.
  [[nodiscard]] Checked checkSmall(const Case& subject) {
    Host contents = initialContents(subject), expected = contents;
    subject.reference(expected);
    auto arrays = DeviceArrays::make(device_, subject, contents);
    if (!arrays) return Failure{arrays.error().render()};
    if (auto done = fit(subject, *arrays, nullptr); !done) return Failure{done.error().render(), false};
    for (const Side side : {lathe, peer}) {
      auto result = resultOf(side, subject, *arrays, contents);
      if (!result) return Failure{result.error().render()};
      if (const auto wrong = difference(subject, *result, expected)) return wrongResult(side, *wrong);
    }
    return std::nullopt;
  }

  /// The results of both sides against each other; then their times.
  [[nodiscard]] Checked checkAndMeasure(const Case& subject, unsigned samples, Outcome& out) {
    Host contents = initialContents(subject);
    auto arrays = DeviceArrays::make(device_, subject, contents);
    if (!arrays) return Failure{arrays.error().render()};
    if (auto done = fit(subject, *arrays, &out); !done) return Failure{done.error().render(), false};
    auto theirs = resultOf(peer, subject, *arrays, contents);
    if (!theirs) return Failure{theirs.error().render()};
    auto ours = resultOf(lathe, subject, *arrays, contents);
    if (!ours) return Failure{ours.error().render()};
    if (const auto wrong = difference(subject, *ours, *theirs))
      return Failure{"Lathe's and the peer's results differ: " + *wrong, false};
    return measure(subject, *arrays, samples, out);
  }

 private:
  static Failure wrongResult(Side side, const std::string& words) {
    return {(side == lathe ? "Lathe's result: " : "the peer's result: ") + words, false};
  }

  /// Lathe's kernel for one launch, if it is to be specialised.
  [[nodiscard]] Result<void> fit(const Case& subject, const DeviceArrays& arrays, Outcome* out) {
    if (!compiler_) return {};
    Job job;
    job.source = {.name = std::string(kind_->name) + ".cu", .text = std::string(kind_->text), .dialect = {}};
    job.target = "cuda";
    job.arch = device_.info().arch;
    auto special = kernel_->specialised(job, {.grid = subject.grid, .group = subject.group}, arrays.arguments());
    if (!special) return std::move(special).error();
    auto compiled = compiler_->compile(*special);
    if (!compiled) return std::move(compiled).error();
    auto module = device_.load(compiled->image);
    if (!module) return std::move(module).error();
    auto kernel = module->rawKernel(kernelName_);
    if (!kernel) return std::move(kernel).error();
    kernel_ = *std::move(kernel);
    if (!out) return {};
    const auto used = kernel_->resources();
    if (!used) return std::move(used).error();
    out->sides[lathe] = {.registers = int(used->registers), .localBytes = int(used->localBytes)};
    return {};
  }

  [[nodiscard]] Result<void> launch(Side side, const Case& subject, const DeviceArrays& arrays) {
    if (side == lathe)
      return kernel_->launch({.grid = subject.grid, .group = subject.group, .stream = &stream_}, arrays.arguments());
    driver_.launch(function_, subject.grid, subject.group, stream_.nativeHandle(), arrays.arguments());
    return {};
  }

  [[nodiscard]] Result<Host> resultOf(Side side, const Case& subject, DeviceArrays& arrays, Host& contents) {
    if (auto done = arrays.reset(subject, contents); !done) return std::move(done).error();
    if (auto done = launch(side, subject, arrays); !done) return std::move(done).error();
    if (auto done = stream_.synchronize(); !done) return std::move(done).error();
    return arrays.read(subject);
  }

  /// Keeps the device busy with both sides until its clocks are up; gives the milliseconds of a launch.
  [[nodiscard]] Result<double> warmUp(const Case& subject, const DeviceArrays& arrays) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds least{200};
    const auto start = Clock::now();
    double once = 0;
    do {
      once = milliseconds([&] {
        for (unsigned i = 0; i < 8; ++i)
          for (const Side side : {lathe, peer}) need(launch(side, subject, arrays));
        driver_.synchronize(stream_.nativeHandle());
      });
    } while (Clock::now() - start < least);
    return once / 16;
  }

  [[nodiscard]] Checked measure(const Case& subject, const DeviceArrays& arrays, unsigned samples, Outcome& out) {
    const auto once = warmUp(subject, arrays);
    if (!once) return Failure{once.error().render()};
    const auto launches = unsigned(std::clamp(0.3 / std::max(*once, 1e-4), 1.0, 30.0));
    const auto begin = driver_.createEvent(), end = driver_.createEvent();
    const auto native = stream_.nativeHandle();
    std::array<std::vector<double>, 2> times;
    for (unsigned sample = 0; sample < samples; ++sample) {
      for (unsigned turn = 0; turn < 2; ++turn) {
        const Side side = (sample + turn) % 2 == 0 ? lathe : peer;
        driver_.record(begin, native);
        for (unsigned i = 0; i < launches; ++i)
          if (auto done = launch(side, subject, arrays); !done) return Failure{done.error().render()};
        driver_.record(end, native);
        times[side].push_back(1000 * driver_.elapsed(begin, end) / launches);
      }
    }
    for (const Side side : {lathe, peer}) {
      std::ranges::sort(times[side]);
      out.sides[side].median = summarise(times[side]).median;
      out.sides[side].lowerQuartile = quantile(times[side], 0.25);
      out.sides[side].upperQuartile = quantile(times[side], 0.75);
    }
    return std::nullopt;
  }

  const CudaDriver& driver_;
  const Device& device_;
  Stream& stream_;
  const KindCode& code_;
  std::string kernelName_;
  std::optional<RawKernel> kernel_;
  CudaDriver::Function function_ = nullptr;
  const Compiler* compiler_ = nullptr;  ///< to specialise with; null: the code as it is
  const Kind* kind_ = nullptr;
};

void printOutcome(const Outcome& outcome) {
  std::ostringstream line;
  line.precision(9);
  line << outcomeMark << '\t' << outcome.kernel;
  for (const SideResult& side : outcome.sides)
    line << '\t' << side.median << '\t' << side.lowerQuartile << '\t' << side.upperQuartile << '\t' << side.registers
         << '\t' << side.localBytes << '\t' << side.instructions;
  std::string failure = outcome.failure;
  std::ranges::replace(failure, '\n', ' ');
  std::printf("%s\t%s\n", line.str().c_str(), failure.c_str());
  std::fflush(stdout);
}

}  // namespace

std::optional<Outcome> readOutcome(std::string_view line) {
  std::istringstream words{std::string(line)};
  Outcome out;
  std::string mark;
  words >> mark >> out.kernel;
  if (mark != outcomeMark) return std::nullopt;
  for (SideResult& side : out.sides)
    words >> side.median >> side.lowerQuartile >> side.upperQuartile >> side.registers >> side.localBytes >>
        side.instructions;
  words.ignore();
  std::getline(words, out.failure);
  return out;
}

void runContests(const Kind& kind, const std::vector<std::string>& kernels, const ContestOptions& options) {
  std::string why;
  const auto driver = CudaDriver::open(options.device, why);
  if (!driver) fail(why);
  const Device device = need(Device::open("cuda", options.device));
  Stream stream = need(device.createStream());
  const auto code = readCode(options.code, kind.name, why);
  const std::optional<Compiler> compiler = options.specialise ? std::optional(need(Compiler::create())) : std::nullopt;
  for (const std::string& kernel : kernels) {
    Outcome outcome;
    outcome.kernel = kernel;
    Checked failure;
    if (!code) {
      failure = Failure{why, false};
    } else {
      alarm(secondsForOne);
      const auto make =
          *std::ranges::find_if(kind.cases, [&](MakeCase one) { return one(Scale::small).kernel == kernel; });
      Contest contest(*driver, device, stream, *code, kernel);
      failure = contest.load(outcome);
      if (compiler) contest.specialise(*compiler, kind);
      if (!failure) failure = contest.checkSmall(make(Scale::small));
      if (!failure) failure = contest.checkAndMeasure(make(Scale::full), options.samples, outcome);
    }
    if (failure) outcome.failure = failure->words;
    printOutcome(outcome);
    if (failure && failure->spoilt) return;
  }
}

}  // namespace lathe::bench::gpu
