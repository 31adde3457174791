// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source to PTX and to machine code in process, beside NVRTC on the same text: warm, as the first compile of a process,
// on two threads, and what it costs in memory. Samples of the two compilers alternate, so that other load meets both
// alike. With --processor-time the samples are of processor time, for machines with other work.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <lathe/compiler.h>

#include "kernels.h"
#include "measure.h"
#include "nvrtc.h"

namespace lathe::bench {
namespace {

Job ptxJob(std::string text) {
  Job job;
  job.source = {.name = "bench.cu", .text = std::move(text), .dialect = "cuda"};
  job.target = "cuda";
  job.arch = "sm_90";
  job.emit = "ptx";
  return job;
}

/// Compiles to "ptx" or, by NVIDIA's assembler on this machine, to "cubin".
Result<CompileResult> compiled(const Compiler& compiler, const KernelSource& kernel, const std::string& format) {
  Job job = ptxJob(uniqueText(kernel));
  job.emit = format;
  auto result = compiler.compile(job);
  if (result && !result->image.find(format)) fail("compile: the image holds no " + format);
  return result;
}

void compilePtx(const Compiler& compiler, const KernelSource& kernel) {
  (void)need(compiled(compiler, kernel, "ptx"));
}

std::string nvrtcPtx(const Nvrtc& nvrtc, const KernelSource& kernel) {
  return nvrtc.compile("bench.cu", uniqueText(kernel), "compute_90");
}

/// One row a kernel: `ours` and `theirs`, which may be empty, by turns at going first.
void contest(unsigned samples, bool processorTime, double goal, const std::string& aim,
             const std::function<void(const KernelSource&)>& ours,
             const std::function<void(const KernelSource&)>& theirs) {
  std::vector<double> ratios, best;
  for (const KernelSource& kernel : compileKernels()) {
    std::vector<double> our, their;
    constexpr unsigned warmUps = 3;
    for (unsigned i = 0; i < samples + warmUps; ++i) {
      double mine = 0, peers = 0;
      const auto first = [&] { mine = timed(processorTime, [&] { ours(kernel); }); };
      if (i % 2 == 0) first();
      if (theirs) peers = timed(processorTime, [&] { theirs(kernel); });
      if (i % 2 != 0) first();
      if (i < warmUps) continue;
      our.push_back(mine);
      their.push_back(peers);
    }
    const Summary mine = summarise(our), peers = summarise(their);
    if (theirs) {
      ratios.push_back(mine.median / peers.median);
      best.push_back(mine.least / peers.least);
    }
    row(std::array<std::string, 4>{std::string(kernel.name), text(mine), theirs ? text(peers) : "",
                                   theirs ? text(ratios.back()) : ""});
  }
  if (theirs)
    say("Geometric mean: " + atMost(geometricMean(ratios), goal) + aim + "; of the best times " +
        text(geometricMean(best)) + ".");
}

std::string peerColumn(const std::optional<Nvrtc>& nvrtc) {
  return nvrtc ? "NVRTC " + nvrtc->version() : "NVRTC: not installed";
}

void warm(const Compiler& compiler, const std::optional<Nvrtc>& nvrtc, unsigned samples, bool processorTime) {
  header("Source to PTX, warm, in process (ms)",
         std::array<std::string, 4>{"kernel", "Lathe", peerColumn(nvrtc), "ratio"});
  std::function<void(const KernelSource&)> theirs;
  if (nvrtc) theirs = [&](const KernelSource& kernel) { (void)nvrtcPtx(*nvrtc, kernel); };
  contest(
      samples, processorTime, 0.5, ", aim 0.35", [&](const KernelSource& kernel) { compilePtx(compiler, kernel); },
      theirs);
}

/// Machine code: both sides end in NVIDIA's assembler, Lathe's by nvJitLink or, where that is not installed, by a
/// process of ptxas; NVRTC has its own.
void machineCode(const Compiler& compiler, const std::optional<Nvrtc>& nvrtc, unsigned samples, bool processorTime) {
  header("Source to cubin, warm, in process (ms)",
         std::array<std::string, 4>{"kernel", "Lathe", peerColumn(nvrtc), "ratio"});
  if (const auto tried = compiled(compiler, compileKernels().front(), "cubin"); !tried) {
    say("Left out: " + tried.error().message);
    return;
  }
  std::function<void(const KernelSource&)> theirs;
  if (nvrtc)
    theirs = [&](const KernelSource& kernel) { (void)nvrtc->compile("bench.cu", uniqueText(kernel), "sm_90"); };
  contest(
      samples, processorTime, 0.5, "",
      [&](const KernelSource& kernel) { (void)need(compiled(compiler, kernel, "cubin")); }, theirs);
}

/// A kernel whose source includes headers of the C++ library, each compiler's own.
constexpr KernelSource withLibrary{"withLibrary", R"cuda(
#ifdef __LATHE__
#include <array>
#include <complex>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
namespace library = std;
#else
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
namespace library = cuda::std;
#endif
__device__ library::optional<int> firstAbove(library::span<const float> values, float bound) {
  for (int i = 0; i < int(values.size()); ++i)
    if (values[i] > bound) return i;
  return {};
}
extern "C" __global__ void withLibrary(const float* in, float* out) {
  library::array<float, 8> own{};
  for (unsigned i = 0; i < 8; ++i) own[i] = in[threadIdx.x * 8 + i];
  const auto least = library::make_tuple(library::numeric_limits<float>::max(), 2);
  const library::complex<float> point(own[0], own[1]), square = point * point;
  const auto above = firstAbove(own, 3.0f);
  out[threadIdx.x] = square.real() + square.imag() + (above ? float(*above) : library::get<0>(least));
}
)cuda"};

void library(const Compiler& compiler, const std::optional<Nvrtc>& nvrtc, unsigned samples, bool processorTime) {
  const std::vector<std::string> folders = Nvrtc::libraryFolders();
  const bool compared = nvrtc && !folders.empty();
  header("The same with six headers of the C++ library (ms)",
         std::array<std::string, 4>{"kernel", "Lathe",
                                    compared ? "NVRTC, <cuda/std/…>" : "NVRTC or its library: not installed", "ratio"});
  std::vector<double> ours, theirs;
  for (unsigned i = 0; i < samples + 1; ++i) {
    const double our = timed(processorTime, [&] { compilePtx(compiler, withLibrary); });
    const double their =
        compared ? timed(processorTime,
                         [&] { (void)nvrtc->compile("bench.cu", uniqueText(withLibrary), "compute_90", folders); })
                 : 0;
    if (i == 0) continue;
    ours.push_back(our);
    theirs.push_back(their);
  }
  const Summary our = summarise(ours), their = summarise(theirs);
  const double ratio = our.median / their.median;
  row(std::array<std::string, 4>{std::string(withLibrary.name), text(our), compared ? text(their) : "",
                                 compared ? text(ratio) : ""});
  if (compared) say("Ratio: " + atMost(ratio, 0.1) + ".");
}

/// What this program prints as a `--child` with these arguments: numbers, one a line.
std::vector<double> childNumbers(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {selfPath(), "--child"});
  const ChildResult child = runChild(arguments);
  if (!child.ok) fail("child " + arguments[2] + ": ended with " + std::to_string(child.status));
  std::vector<double> out;
  const char* at = child.output.c_str();
  for (char* end = nullptr;; at = end) {
    const double value = std::strtod(at, &end);
    if (end == at) return out;
    out.push_back(value);
  }
}

void first(const std::optional<Nvrtc>& nvrtc, unsigned samples, bool processorTime) {
  header("First compile of a process (ms)", std::array<std::string, 4>{"kernel", "Lathe", "NVRTC", "ratio"});
  std::vector<double> medians;
  for (const char* name : {"saxpy", "matmul", "nbody"}) {
    std::vector<double> ours, theirs;
    const std::size_t number = processorTime ? 2 : 0;
    for (unsigned i = 0; i < samples; ++i) {
      ours.push_back(childNumbers({"first-lathe", name}).at(number));
      if (nvrtc) theirs.push_back(childNumbers({"first-nvrtc", name}).at(number));
    }
    const Summary our = summarise(ours), their = summarise(theirs);
    medians.push_back(our.median);
    row(std::array<std::string, 4>{name, text(our), nvrtc ? text(their) : "",
                                   nvrtc ? text(our.median / their.median) : ""});
  }
  say("Compiler::create and one compile; the slowest kernel: " +
      atMost(*std::max_element(medians.begin(), medians.end()), 20, "ms") + ".");
}

/// Runs `work` `times` times on each of `threads` threads and returns the calls per millisecond of all of them.
template <class F>
double rate(unsigned threads, unsigned times, const F& work) {
  const double elapsed = milliseconds([&] {
    std::vector<std::jthread> team;
    for (unsigned t = 0; t < threads; ++t)
      team.emplace_back([&] {
        for (unsigned i = 0; i < times; ++i) work(i);
      });
  });
  return threads * times / elapsed;
}

/// A few milliseconds of arithmetic that shares nothing: what two threads of this machine can give at best.
void spin(unsigned seed) {
  static std::atomic<unsigned> sink = 0;
  unsigned state = seed | 1;
  for (unsigned i = 0; i < 4'000'000; ++i) state = state * 1664525u + 1013904223u;
  sink.store(state, std::memory_order_relaxed);
}

void threads(const Compiler& compiler, unsigned samples) {
  const auto compileOne = [&](unsigned i) { compilePtx(compiler, compileKernels()[i % compileKernels().size()]); };
  std::vector<double> ours, yardstick;
  for (unsigned i = 0; i < samples; ++i) {
    ours.push_back(rate(2, 12, compileOne) / rate(1, 12, compileOne));
    yardstick.push_back(rate(2, 12, spin) / rate(1, 12, spin));
  }
  const Summary our = summarise(ours), ideal = summarise(yardstick);
  header("Rate of two threads over that of one", std::array<std::string, 2>{"work", "ratio"});
  row(std::array<std::string, 2>{"compiles", text(our)});
  row(std::array<std::string, 2>{"arithmetic that shares nothing (what the machine gave)", text(ideal)});
  say("Compiles: " + atLeast(our.median, 1.8) + "; " + text(our.median / ideal.median) + " of what the machine gave.");
}

void memory(unsigned compiles) {
  constexpr double megabyte = 1024 * 1024;
  header("Memory", std::array<std::string, 2>{"what", "result"});
  const double peak = childNumbers({"first-lathe", "saxpy"}).at(1) / megabyte;
  row(std::array<std::string, 2>{"peak of a process that compiles saxpy", atMost(peak, 300, "MB")});
  const double slope = childNumbers({"slope", std::to_string(compiles)}).at(0);
  row(std::array<std::string, 2>{"growth over " + std::to_string(compiles) + " compiles, each",
                                 atMost(slope, 200, "bytes")});
  const double crash = childNumbers({"crashes", "7"}).at(0) / megabyte;
  row(std::array<std::string, 2>{"growth for each contained crash", atMost(crash, 8, "MB")});
}

int printFirst(const std::string& compilerName, const KernelSource& kernel) {
  double elapsed = 0;
  const double before = processorMilliseconds();
  if (compilerName == "first-lathe") {
    elapsed = milliseconds([&] { compilePtx(need(Compiler::create()), kernel); });
  } else {
    elapsed = milliseconds([&] {
      const auto nvrtc = Nvrtc::open();
      if (!nvrtc) fail("nvrtc: not installed");
      (void)nvrtcPtx(*nvrtc, kernel);
    });
  }
  std::printf("%.6f\n%zu\n%.6f\n", elapsed, peakResidentBytes(), processorMilliseconds() - before);
  return 0;
}

/// Least-squares slope of resident bytes over the compiles after a first quarter, in which pools and caches fill.
int printSlope(unsigned compiles) {
  const Compiler compiler = need(Compiler::create());
  const unsigned step = std::max(compiles / 100, 1u);
  std::vector<double> x, y;
  for (unsigned i = 0; i < compiles; ++i) {
    compilePtx(compiler, compileKernels()[i % compileKernels().size()]);
    if (i < compiles / 4 || i % step != 0) continue;
    x.push_back(i);
    y.push_back(double(residentBytes()));
  }
  double meanX = 0, meanY = 0, covariance = 0, variance = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    meanX += x[i] / double(x.size());
    meanY += y[i] / double(y.size());
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    covariance += (x[i] - meanX) * (y[i] - meanY);
    variance += (x[i] - meanX) * (x[i] - meanX);
  }
  std::printf("%.3f\n", variance > 0 ? covariance / variance : 0);
  return 0;
}

/// Fewer crashes than move the compiler to a worker. The compile between two crashes must still work.
int printCrashes(unsigned crashes) {
  CompilerConfig config;
  config.containCrashes = true;
  const Compiler compiler = need(Compiler::create(config));
  for (unsigned i = 0; i < 20; ++i) compilePtx(compiler, compileKernels()[i % compileKernels().size()]);
  const std::size_t before = residentBytes();
  for (unsigned i = 0; i < crashes; ++i) {
    const std::string broken = uniqueText(kernelNamed("matmul")) + "#pragma clang __debug crash\n";
    if (compiler.compile(ptxJob(broken))) fail("child: a source that crashes the compiler was compiled");
    compilePtx(compiler, kernelNamed("saxpy"));
  }
  const std::size_t after = residentBytes();
  std::printf("%.0f\n", (double(after) - double(before)) / crashes);
  return 0;
}

int runAsChild(Arguments arguments) {
  if (arguments.size() != 2) fail("child: wants what to measure and of what");
  const std::string& what = arguments[0];
  if (what == "slope") return printSlope(option(arguments, "slope", 0));
  if (what == "crashes") return printCrashes(option(arguments, "crashes", 0));
  return printFirst(what, kernelNamed(arguments[1]));
}

int compileLatency(Arguments arguments) {
  const unsigned samples = std::max(option(arguments, "--samples", 30), 1u);
  const auto nvrtc = Nvrtc::open();
  const bool processorTime = std::ranges::find(arguments, "--processor-time") != arguments.end();
  say(std::string("## Compile latency") +
      (processorTime ? ", in milliseconds of processor time up to the rates of threads" : ""));
  warm(need(Compiler::create()), nvrtc, samples, processorTime);
  machineCode(need(Compiler::create()), nvrtc, samples, processorTime);
  library(need(Compiler::create()), nvrtc, std::min(samples, 11u), processorTime);
  first(nvrtc, samples, processorTime);
  threads(need(Compiler::create()), samples);
  memory(option(arguments, "--slope", 1000));
  return 0;
}

}  // namespace
}  // namespace lathe::bench

int main(int argc, char** argv) {
  lathe::bench::keepFreedMemory();
  lathe::bench::withoutCache();
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0] == "--child") return lathe::bench::runAsChild(std::span(words).subspan(1));
  return lathe::bench::compileLatency(words);
}
