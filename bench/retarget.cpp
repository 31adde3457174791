// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Portable images: what lowering one costs beside compiling the source again, and how lowering one for eight targets
// scales from one thread to two. Samples alternate, so that other load meets both alike.
#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <lathe/compiler.h>

#include "kernels.h"
#include "measure.h"

namespace lathe::bench {
namespace {

struct Place {
  const char* target;
  const char* arch;
};

constexpr std::array<Place, 8> places = {{{"cuda", "sm_75"},
                                          {"cuda", "sm_80"},
                                          {"cuda", "sm_90"},
                                          {"cuda", "sm_100"},
                                          {"amdgpu", "gfx90a"},
                                          {"amdgpu", "gfx1100"},
                                          {"cpu", "x86-64-v3"},
                                          {"cpu", "x86-64-v4"}}};

/// Objects and assembly, so that no linker process is part of what is measured.
std::string formatOf(const Place& place) {
  return std::string_view(place.target) == "amdgpu" ? "object" : "image";
}

Job sourceJob(const KernelSource& kernel) {
  Job job;
  job.source = {.name = "bench.cu", .text = uniqueText(kernel), .dialect = "cuda"};
  return job;
}

Job aimed(Job job, const Place& place) {
  job.target = place.target;
  job.arch = place.arch;
  job.emit = formatOf(place);
  return job;
}

Job portable(const Compiler& compiler, const KernelSource& kernel) {
  Job job = sourceJob(kernel);
  job.emit = "portable";
  const CompileResult result = need(compiler.compile(job));
  const auto bytes = result.image.bytes();
  Job out;
  out.source = {.name = "bench.limg",
                .text = std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
                .dialect = "ir"};
  return out;
}

void retargeting(const Compiler& compiler, unsigned samples) {
  header("One portable image lowered for a new target, beside a full compile (ms)",
         std::array<std::string, 5>{"kernel", "target", "full compile", "portable image", "ratio"});
  std::vector<double> ratios;
  for (const KernelSource& kernel : computeKernels()) {
    const Job image = portable(compiler, kernel);
    for (const Place& place : {places[2], places[5], places[6]}) {
      std::vector<double> full, lowered;
      constexpr unsigned warmUps = 2;
      for (unsigned i = 0; i < samples + warmUps; ++i) {
        const Job source = aimed(sourceJob(kernel), place), again = aimed(image, place);
        const double whole = milliseconds([&] { (void)need(compiler.compile(source)); });
        const double rest = milliseconds([&] { (void)need(compiler.compile(again)); });
        if (i < warmUps) continue;
        full.push_back(whole);
        lowered.push_back(rest);
      }
      const Summary whole = summarise(full), rest = summarise(lowered);
      ratios.push_back(rest.median / whole.median);
      row(std::array<std::string, 5>{std::string(kernel.name), std::string(place.target) + ":" + place.arch,
                                     text(whole), text(rest), text(ratios.back())});
    }
  }
  say("Geometric mean: " + atMost(geometricMean(ratios), 0.6) + ".");
}

/// The kernel as text that does not look at the target: by the kernel language, under the names of CUDA.
Job plainJob(const KernelSource& kernel) {
  Job job;
  job.source = {.name = "bench.cpp", .text = "#include <lathe/device.h>\n" + uniqueText(kernel), .dialect = "kernel"};
  job.options.defines = {"__global__=LATHE_KERNEL",      "__shared__=LATHE_SHARED",
                         "__syncthreads=lathe::barrier", "blockIdx=lathe::group_id()",
                         "threadIdx=lathe::item_id()",   "blockDim=lathe::group_size()",
                         "gridDim=lathe::group_count()", "__device__="};
  return job;
}

/// One image for eight targets on one thread, beside a compile for each.
void together(const Compiler& compiler, unsigned samples) {
  header("One file for eight targets (ms), one thread",
         std::array<std::string, 5>{"kernel", "language", "eight compiles", "together", "ratio"});
  std::vector<double> ratios[2];
  for (const KernelSource& kernel : computeKernels()) {
    for (const bool isCuda : {false, true}) {
      std::vector<double> apart, both;
      constexpr unsigned warmUps = 1;
      for (unsigned i = 0; i < samples + warmUps; ++i) {
        const auto jobs = [&] {
          const Job source = isCuda ? sourceJob(kernel) : plainJob(kernel);
          std::vector<Job> out;
          for (const Place& place : places) out.push_back(aimed(source, place));
          return out;
        };
        const auto one = jobs(), other = jobs();
        const double each = milliseconds([&] {
          for (const Job& job : one) (void)need(compiler.compile(job));
        });
        const double all = milliseconds([&] {
          for (auto& result : compiler.compileTogether(other)) (void)need(std::move(result));
        });
        if (i < warmUps) continue;
        apart.push_back(each);
        both.push_back(all);
      }
      const Summary each = summarise(apart), all = summarise(both);
      ratios[isCuda ? 1 : 0].push_back(all.median / each.median);
      row(std::array<std::string, 5>{std::string(kernel.name), isCuda ? "CUDA C++" : "kernel language", text(each),
                                     text(all), text(all.median / each.median)});
    }
  }
  say("Geometric means: kernel language " + atMost(geometricMean(ratios[0]), 0.6) + "; CUDA C++ " +
      atMost(geometricMean(ratios[1]), 0.6) + ".");
}

/// All eight targets, each taken by the next free thread.
double lowerAll(const Compiler& compiler, const Job& image, unsigned threads) {
  return milliseconds([&] {
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < places.size(); i = next++) (void)need(compiler.compile(aimed(image, places[i])));
    };
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
  });
}

void scaling(const Compiler& compiler, unsigned samples) {
  header("One portable image lowered for eight targets (ms)",
         std::array<std::string, 4>{"kernel", "one thread", "two threads", "speed-up"});
  std::vector<double> gains;
  for (const KernelSource& kernel : computeKernels()) {
    const Job image = portable(compiler, kernel);
    std::vector<double> one, two;
    for (unsigned i = 0; i < samples; ++i) {
      one.push_back(lowerAll(compiler, image, 1));
      two.push_back(lowerAll(compiler, image, 2));
    }
    const Summary single = summarise(one), both = summarise(two);
    gains.push_back(single.median / both.median);
    row(std::array<std::string, 4>{std::string(kernel.name), text(single), text(both), text(gains.back())});
  }
  say("Geometric mean: " + atLeast(geometricMean(gains), 1.8) + ".");
}

}  // namespace
}  // namespace lathe::bench

int main(int argc, char** argv) {
  using namespace lathe::bench;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  keepFreedMemory();
  withoutCache();
  const unsigned samples = option(arguments, "--samples", 15);
  const lathe::Compiler compiler = need(lathe::Compiler::create());
  retargeting(compiler, samples);
  scaling(compiler, samples);
  together(compiler, samples);
  return 0;
}
