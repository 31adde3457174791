// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels on the host: the CUDA text by Lathe's CPU target, the same kernels in OpenCL C by Intel's OpenCL runtime and
// by PoCL, and hand-written OpenMP. All read the same arrays; each launch is waited for. PoCL brings an LLVM of its own
// and takes symbols of any other in the process, so Lathe compiles in the `lathe` tool here and only runs in process.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <sched.h>

#include <lathe/runtime.h>

#include "cases/cases.h"
#include "contest.h"
#include "launch_cost.h"
#include "reference/reference.h"

extern "C" void omp_set_num_threads(int);  // of libgomp, for which not every compiler has a header

namespace lathe::bench {

namespace {

struct Goal {
  const char* name;
  double ratio;
};
constexpr std::array<Goal, peerCount> goals = {{{"Lathe", 1}, {"OpenMP", 1.0}, {"Intel's OpenCL", 1.2}, {"PoCL", 1.2}}};

/// Leaves the process `count` of its processors, before any library counts them.
unsigned limitProcessors(unsigned count) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) fail("cpu: the processors cannot be counted");
  unsigned kept = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    if (count != 0 && kept == count)
      CPU_CLR(cpu, &allowed);
    else
      ++kept;
  }
  if (sched_setaffinity(0, sizeof(allowed), &allowed) != 0) fail("cpu: the processors cannot be limited");
  // PoCL counts the machine's, not the process's.
  for (const char* name : {"POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT"})
    setenv(name, std::to_string(kept).c_str(), 1);
  omp_set_num_threads(int(kept));  // libgomp has counted when it was loaded
  return kept;
}

/// Of reduceTree and histogram, for each processor: they walk their array with the grid's stride so that the grid can
/// fit the device. `--reduce-groups N` sets the number of all groups, for comparison.
constexpr unsigned reduceGroupsEach = 32;

int cpuKernels(Arguments arguments) {
  const unsigned samples = std::max(option(arguments, "--samples", 25), 1u);
  const bool processorTime = std::ranges::find(arguments, "--processor-time") != arguments.end();
  const unsigned processors = limitProcessors(option(arguments, "--threads", 0));
  const unsigned reduceGroups = std::max(option(arguments, "--reduce-groups", reduceGroupsEach * processors), 1u);
  const Device device = need(Device::open("cpu"));
  const ScratchFolder folder;
  OpenClPeers peers;
  std::array<std::string, peerCount> descriptions;
  const std::string source = openclText();
  const char* const intelLibrary = std::getenv("LATHE_BENCH_INTEL_OPENCL");
  const std::array<std::pair<Peer, OpenClVendor>, 2> vendors = {{
      {intel, {"Intel's", "Intel(R) OpenCL", intelLibrary ? intelLibrary : ""}},
      {pocl, {"PoCL", "Portable Computing Language", "libOpenCL.so.1"}},
  }};
  for (const auto& [peer, vendor] : vendors) {
    std::string why;
    peers[peer] = OpenClPeer::open(vendor, source, why);
    descriptions[peer] = peers[peer] ? peers[peer]->description() : "absent: " + why;
  }
  say("## Kernels on the CPU");
  say(device.info().name + ", " + std::to_string(processors) + " processors; Intel's OpenCL: " + descriptions[intel] +
      "; PoCL: " + descriptions[pocl] + "; OpenMP: g++ " + __VERSION__ + " -O3 -march=" + cpuReference().march + ".");
  header(std::string("Milliseconds of one launch") + (processorTime ? ", of processor time" : "") +
             "; ratios are speeds, more is better",
         std::array<std::string, 9>{"kernel", "size", "Lathe", "OpenMP", "Intel", "PoCL", "over OpenMP", "over Intel",
                                    "over PoCL"});
  std::array<std::vector<double>, peerCount> medians, best;
  bool right = true;
  const std::string only = option(arguments, "--kernel");
  const auto compare = [&](const CpuCase& entry) {
    const std::string code = cudaText(entry);
    const Module module = need(device.load(compileWithTool(folder, {entry.name, code}, "cpu:native")));
    for (unsigned size : entry.sizes) {
      Workload workload = entry.workload(size, reduceGroups);
      workload.kernel = entry.name;
      workload.size = size;
      if (workload.label.empty()) workload.label = std::to_string(size);
      Contest run(device, module, peers, workload);
      const auto errors = run.verify();
      for (unsigned peer = ours; peer < peerCount; ++peer) {
        if (errors[peer] <= workload.tolerance) continue;
        say("**Wrong result**: " + workload.kernel + " " + workload.label + ": " + goals[peer].name + " differs by " +
            std::to_string(errors[peer]) + ".");
        right = false;
      }
      const auto times = run.measure(samples, processorTime);
      std::array<std::string, 9> cells = {workload.kernel, workload.label, text(times[ours])};
      for (unsigned peer = openmp; peer < peerCount; ++peer) {
        if (!run.has(peer)) continue;
        medians[peer].push_back(times[peer].median / times[ours].median);
        best[peer].push_back(times[peer].least / times[ours].least);
        cells[2 + peer] = text(times[peer]);
        cells[5 + peer] = text(medians[peer].back());
      }
      row(cells);
    }
  };
  for (const std::span<const CpuCase> kind : cpuCases()) {
    for (const CpuCase& entry : kind)
      if (only.empty() || only == entry.name) compare(entry);
  }
  for (unsigned peer = openmp; peer < peerCount; ++peer) {
    if (medians[peer].empty()) continue;
    say(std::string("Over ") + goals[peer].name +
        ", geometric mean: " + atLeast(geometricMean(medians[peer]), goals[peer].ratio) + "; least " +
        text(*std::ranges::min_element(medians[peer])) + "; of the best times " + text(geometricMean(best[peer])) +
        ".");
  }
  if (only.empty() || only == "launch") launchCost(device, folder, samples);
  return right ? 0 : 1;
}

}  // namespace
}  // namespace lathe::bench

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  return lathe::bench::cpuKernels(words);
}
