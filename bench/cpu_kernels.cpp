// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels on the host: the CUDA text by Lathe's CPU target, the same kernels in OpenCL C by Intel's OpenCL runtime and
// by PoCL, and hand-written OpenMP. All read the same arrays; each launch is waited for. PoCL brings an LLVM of its own
// and takes symbols of any other in the process, so Lathe compiles in the `lathe` tool here and only runs in process.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <sched.h>

#include <lathe/runtime.h>

#include "cpu_reference.h"
#include "kernels.h"
#include "measure.h"
#include "opencl.h"
#include "workload.h"

extern "C" void omp_set_num_threads(int);  // of libgomp, for which not every compiler has a header

namespace lathe::bench {

namespace {

enum Peer : unsigned { ours, openmp, intel, pocl, peerCount };

/// The implementations of OpenCL, by peer; null where they are not installed.
using OpenClPeers = std::array<std::unique_ptr<OpenClPeer>, peerCount>;

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

/// One workload on all peers that are there.
class Contest {
 public:
  Contest(const Device& device, const Module& module, const OpenClPeers& peers, Workload workload)
      : device_(device),
        kernel_(need(module.rawKernel(workload.kernel))),
        peers_(peers),
        workload_(std::move(workload)) {
    const std::size_t last = workload_.buffers.size() - 1;
    for (std::size_t i = 0; i < last; ++i) {
      inputs_.push_back(need(device.allocate<float>(workload_.buffers[i])));
      fillInput({inputs_.back().data(), inputs_.back().size()}, unsigned(i));
    }
    for (Buffer<float>& output : outputs_) {
      output = need(device.allocate<float>(workload_.buffers[last]));
      need(output.zero());
    }
    arguments_ = std::make_unique<ArgumentBlock>(workload_, addresses<void*>(ours));
    for (unsigned peer = 0; peer < peerCount; ++peer)
      if (peers_[peer]) peers_[peer]->bind(workload_, addresses<float*>(Peer(peer)));
    hostAddresses_ = addresses<float*>(openmp);
  }

  /// Whether `peer` takes part.
  [[nodiscard]] bool has(unsigned peer) const { return peer == ours || peer == openmp || peers_[peer]; }

  /// Errors of the peers against the hand-written code.
  [[nodiscard]] double verify() {
    double worst = 0;
    run(openmp);
    for (unsigned peer = 0; peer < peerCount; ++peer) {
      if (peer == openmp || !has(peer)) continue;
      run(Peer(peer));
      if (peers_[peer]) peers_[peer]->readOutput(view(Peer(peer)));
      worst = std::max(worst, difference(workload_, view(Peer(peer)), view(openmp)));
    }
    return worst;
  }

  /// Milliseconds of one launch, by peer; the peers take turns.
  [[nodiscard]] std::array<Summary, peerCount> measure(unsigned samples) {
    std::array<std::vector<double>, peerCount> times;
    std::array<unsigned, peerCount> repeats{};
    for (unsigned peer = 0; peer < peerCount; ++peer) {
      if (!has(peer)) continue;
      run(Peer(peer));
      const double once = milliseconds([&] { run(Peer(peer)); });
      repeats[peer] = unsigned(std::clamp(3.0 / std::max(once, 1e-4), 1.0, 3000.0));
    }
    for (unsigned sample = 0; sample < samples; ++sample) {
      for (unsigned turn = 0; turn < peerCount; ++turn) {
        const unsigned peer = sample % 2 == 0 ? turn : peerCount - 1 - turn;
        if (!has(peer)) continue;
        // Idle workers of the peer before may still spin, libgomp's for almost 20 ms; then this peer's own have to wake
        // up.
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        run(Peer(peer));
        const double all = milliseconds([&] {
          for (unsigned i = 0; i < repeats[peer]; ++i) run(Peer(peer));
        });
        times[peer].push_back(all / repeats[peer]);
      }
    }
    std::array<Summary, peerCount> out;
    for (unsigned peer = 0; peer < peerCount; ++peer)
      if (has(peer)) out[peer] = summarise(times[peer]);
    return out;
  }

 private:
  template <class Pointer>
  std::vector<Pointer> addresses(Peer peer) {
    std::vector<Pointer> out;
    for (Buffer<float>& input : inputs_) out.push_back(input.data());
    out.push_back(outputs_[peer].data());
    return out;
  }
  std::span<float> view(Peer peer) { return {outputs_[peer].data(), outputs_[peer].size()}; }

  void run(Peer peer) {
    if (peer == ours) {
      need(kernel_.launch(workload_.launch(), arguments_->pointers()));
      need(device_.synchronize());
    } else if (peer == openmp) {
      runOnHost(workload_, hostAddresses_);
    } else {
      peers_[peer]->launch();
    }
  }

  Device device_;
  RawKernel kernel_;
  const OpenClPeers& peers_;
  Workload workload_;
  std::vector<Buffer<float>> inputs_;
  std::array<Buffer<float>, peerCount> outputs_;
  std::unique_ptr<ArgumentBlock> arguments_;
  std::vector<float*> hostAddresses_;
};

struct Sizes {
  std::string_view kernel;
  std::array<unsigned, 3> sizes;
};
constexpr Sizes contests[] = {
    {"saxpy", {1u << 16, 1u << 20, 1u << 24}},
    {"stencil", {256, 1024, 4096}},
    {"matmul", {256, 512, 1024}},
    {"reduceTree", {1u << 16, 1u << 20, 1u << 24}},
    {"transpose", {256, 1024, 4096}},
    {"convolve", {1u << 16, 1u << 20, 1u << 24}},
    {"scanBlocks", {1u << 16, 1u << 20, 1u << 22}},
    {"bitonicSort", {1u << 14, 1u << 18, 1u << 21}},
    {"softmaxRows", {256, 1024, 8192}},
    {"blackScholes", {1u << 16, 1u << 20, 1u << 22}},
    {"nbodyStep", {1024, 2048, 8192}},
    {"escapeTime", {256, 512, 1024}},
    {"histogram", {1u << 16, 1u << 20, 1u << 24}},
    {"spmv", {1u << 14, 1u << 18, 1u << 20}},
    {"heatSteps", {1u << 14, 1u << 18, 1u << 21}},
    {"dct8", {256, 1024, 2048}},
};

/// Of reduceTree and histogram, for each processor: they walk their array with the grid's stride so that the grid can
/// fit the device.
/// `--reduce-groups N` sets the number of all groups, for comparison.
constexpr unsigned reduceGroupsEach = 32;

int cpuKernels(Arguments arguments) {
  const unsigned samples = std::max(option(arguments, "--samples", 25), 1u);
  const unsigned processors = limitProcessors(option(arguments, "--threads", 0));
  const unsigned reduceGroups = std::max(option(arguments, "--reduce-groups", reduceGroupsEach * processors), 1u);
  const Device device = need(Device::open("cpu"));
  const ScratchFolder folder;
  OpenClPeers peers;
  std::array<std::string, peerCount> descriptions;
  const std::string source = std::string(openclKernels()) + openclHostKernels();
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
  header("Milliseconds of one launch; ratios are speeds, more is better",
         std::array<std::string, 9>{"kernel", "size", "Lathe", "OpenMP", "Intel", "PoCL", "over OpenMP", "over Intel",
                                    "over PoCL"});
  std::array<std::vector<double>, peerCount> medians, best;
  bool right = true;
  const std::string only = option(arguments, "--kernel");
  for (const Sizes& contest : contests) {
    if (!only.empty() && only != contest.kernel) continue;
    const Module module = need(device.load(compileWithTool(folder, kernelNamed(contest.kernel), "cpu:native")));
    for (unsigned size : contest.sizes) {
      const Workload workload = makeWorkload(contest.kernel, size, reduceGroups);
      Contest run(device, module, peers, workload);
      if (const double error = run.verify(); !(error <= workload.tolerance)) {
        say("**Wrong result**: " + workload.kernel + " " + workload.label + " differs by " + std::to_string(error) +
            ".");
        right = false;
      }
      const auto times = run.measure(samples);
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
  }
  for (unsigned peer = openmp; peer < peerCount; ++peer) {
    if (medians[peer].empty()) continue;
    say(std::string("Over ") + goals[peer].name +
        ", geometric mean: " + atLeast(geometricMean(medians[peer]), goals[peer].ratio) + "; least " +
        text(*std::ranges::min_element(medians[peer])) + "; of the best times " + text(geometricMean(best[peer])) +
        ".");
  }
  return right ? 0 : 1;
}

}  // namespace
}  // namespace lathe::bench

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  return lathe::bench::cpuKernels(words);
}
