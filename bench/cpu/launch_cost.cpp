// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch and its end against tbb::parallel_for with one call a group, in turns.
#include "launch_cost.h"

#include <array>
#include <string>
#include <vector>

#include "workload.h"

#ifdef LATHE_BENCH_TBB
#include <tbb/parallel_for.h>
#endif

namespace lathe::bench {

#ifdef LATHE_BENCH_TBB

namespace {

constexpr std::array<unsigned, 7> groupCounts = {1, 2, 4, 8, 16, 32, 64};
/// Launches of one sample.
constexpr unsigned together = 500;
constexpr double goal = 1.5;

/// Microseconds of one call of `work`.
template <class F>
double microseconds(const F& work) {
  return milliseconds([&] {
           for (unsigned i = 0; i < together; ++i) work();
         }) *
         1000 / together;
}

/// One row of the table: both ways by turns; returns the ratio of the medians.
template <class Launch, class Bare>
double compare(std::string_view kernel, unsigned groups, unsigned samples, const Launch& launch, const Bare& bare) {
  std::array<std::vector<double>, 2> times;
  for (unsigned sample = 0; sample < samples; ++sample) {
    for (unsigned turn = 0; turn < 2; ++turn) {
      const bool ours = (sample + turn) % 2 == 0;
      // Once more than counted: the first wakes the threads.
      if (ours)
        (void)microseconds(launch), times[0].push_back(microseconds(launch));
      else
        (void)microseconds(bare), times[1].push_back(microseconds(bare));
    }
  }
  const Summary mine = summarise(times[0]), theirs = summarise(times[1]);
  const double ratio = mine.median / theirs.median;
  row(std::array<std::string, 5>{std::string(kernel), std::to_string(groups), text(mine), text(theirs), text(ratio)});
  return ratio;
}

}  // namespace

void launchCost(const Device& device, const ScratchFolder& folder, unsigned samples) {
  say("## Launches of few groups on the CPU");
  header("Microseconds of a launch and its end, and of tbb::parallel_for with one call a group",
         std::array<std::string, 5>{"kernel", "groups", "Lathe", "parallel_for", "ratio"});
  std::vector<double> ratios;

  const Module nothing = need(device.load(compileWithTool(folder, emptyKernel(), "cpu:native")));
  const RawKernel empty = need(nothing.rawKernel(std::string(emptyKernel().name)));
  Buffer<float> place = need(device.allocate<float>(1));
  Workload idle = rows(1, lineGroup, {1}, {value(1u), value(1.0f), buffer(0)}, 0);
  const ArgumentBlock idleArguments(idle, std::array<void*, 1>{place.data()});
  for (const unsigned groups : groupCounts) {
    idle.grid = {groups};
    const LaunchOptions options = idle.launch();
    ratios.push_back(compare(
        emptyKernel().name, groups, samples,
        [&] {
          need(empty.launch(options, idleArguments.pointers()));
          need(device.synchronize());
        },
        [&] { tbb::parallel_for(0u, groups, [](unsigned group) {
                asm volatile("" : : "r"(group));
              }); }));
  }

  const Module line = need(device.load(compileWithTool(folder, kernelNamed("saxpy"), "cpu:native")));
  const RawKernel saxpy = need(line.rawKernel("saxpy"));
  std::array<Buffer<float>, 3> arrays;
  for (Buffer<float>& array : arrays) {
    array = need(device.allocate<float>(groupCounts.back() * lineGroup));
    fillInput({array.data(), array.size()}, 0);
  }
  float* const x = arrays[0].data();
  float* const y = arrays[1].data();
  float* const out = arrays[2].data();
  for (const unsigned groups : groupCounts) {
    const unsigned n = groups * lineGroup;
    const Workload work = lines(n, {n, n, n}, {value(n), value(2.5f), buffer(0), buffer(1), buffer(2)}, 0);
    const ArgumentBlock arguments(work, std::array<void*, 3>{x, y, out});
    const LaunchOptions options = work.launch();
    ratios.push_back(compare(
        "saxpy", groups, samples,
        [&] {
          need(saxpy.launch(options, arguments.pointers()));
          need(device.synchronize());
        },
        [&] {
          tbb::parallel_for(0u, groups, [&](unsigned group) {
            for (unsigned i = group * lineGroup; i < (group + 1) * lineGroup; ++i) out[i] = 2.5f * x[i] + y[i];
          });
        }));
  }
  say("Over parallel_for, geometric mean: " + atMost(geometricMean(ratios), goal) + "; most " +
      text(summarise(ratios).most) + ".");
}

#else

void launchCost(const Device&, const ScratchFolder&, unsigned) {
  say("Launches of few groups: this build has no oneTBB to compare with.");
}

#endif

}  // namespace lathe::bench
