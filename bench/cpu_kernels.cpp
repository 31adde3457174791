// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sixteen kernels on the host: the CUDA text by Lathe's CPU target, the same kernels in OpenCL C by PoCL, and
// hand-written OpenMP. All read the same arrays; each launch is waited for. PoCL brings an
// LLVM of its own and takes symbols of any other in the process, so Lathe compiles in the `lathe` tool here and only
// runs in process.
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

enum Peer : unsigned { ours, pocl, openmp, peerCount };

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
  Contest(const Device& device, const Module& module, Pocl* peer, Workload workload)
      : device_(device), kernel_(need(module.rawKernel(workload.kernel))), pocl_(peer), workload_(std::move(workload)) {
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
    if (pocl_) pocl_->bind(workload_, addresses<float*>(pocl));
    hostAddresses_ = addresses<float*>(openmp);
  }

  /// Errors of the peers against the hand-written code.
  [[nodiscard]] double verify() {
    for (unsigned peer = 0; peer < peerCount; ++peer) run(Peer(peer));
    if (pocl_) pocl_->readOutput(view(pocl));
    const double our = difference(workload_, view(ours), view(openmp));
    return pocl_ ? std::max(our, difference(workload_, view(pocl), view(openmp))) : our;
  }

  /// Milliseconds of one launch, by peer; the peers take turns.
  [[nodiscard]] std::array<Summary, peerCount> measure(unsigned samples) {
    std::array<std::vector<double>, peerCount> times;
    std::array<unsigned, peerCount> repeats{};
    for (unsigned peer = 0; peer < peerCount; ++peer) {
      run(Peer(peer));
      const double once = milliseconds([&] { run(Peer(peer)); });
      repeats[peer] = unsigned(std::clamp(3.0 / std::max(once, 1e-4), 1.0, 3000.0));
    }
    for (unsigned sample = 0; sample < samples; ++sample) {
      for (unsigned peer = 0; peer < peerCount; ++peer) {
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
    for (unsigned peer = 0; peer < peerCount; ++peer) out[peer] = summarise(times[peer]);
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
    } else if (peer == pocl) {
      if (pocl_) pocl_->launch();
    } else {
      runOnHost(workload_, hostAddresses_);
    }
  }

  Device device_;
  RawKernel kernel_;
  Pocl* pocl_;
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
  std::string why;
  const std::unique_ptr<Pocl> peer = Pocl::open(std::string(openclKernels()) + openclHostKernels(), why);
  say("## Kernels on the CPU");
  say(device.info().name + ", " + std::to_string(processors) +
      " processors; PoCL: " + (peer ? peer->description() : why) + "; OpenMP: g++ " + __VERSION__ +
      " -O3 -march=" + cpuReference().march + ".");
  header("Milliseconds of one launch; ratios are speeds, more is better",
         std::array<std::string, 7>{"kernel", "size", "Lathe", "PoCL", "OpenMP", "over PoCL", "over OpenMP"});
  std::vector<double> overPocl, overOpenmp, bestOverPocl, bestOverOpenmp;
  bool right = true;
  const std::string only = option(arguments, "--kernel");
  for (const Sizes& contest : contests) {
    if (!only.empty() && only != contest.kernel) continue;
    const Module module = need(device.load(compileWithTool(folder, kernelNamed(contest.kernel), "cpu:native")));
    for (unsigned size : contest.sizes) {
      const Workload workload = makeWorkload(contest.kernel, size, reduceGroups);
      Contest run(device, module, peer.get(), workload);
      if (const double error = run.verify(); !(error <= workload.tolerance)) {
        say("**Wrong result**: " + workload.kernel + " " + workload.label + " differs by " + std::to_string(error) +
            ".");
        right = false;
      }
      const auto times = run.measure(samples);
      overOpenmp.push_back(times[openmp].median / times[ours].median);
      bestOverOpenmp.push_back(times[openmp].least / times[ours].least);
      if (peer) {
        overPocl.push_back(times[pocl].median / times[ours].median);
        bestOverPocl.push_back(times[pocl].least / times[ours].least);
      }
      row(std::array<std::string, 7>{workload.kernel, workload.label, text(times[ours]), peer ? text(times[pocl]) : "",
                                     text(times[openmp]), peer ? text(overPocl.back()) : "", text(overOpenmp.back())});
    }
  }
  const auto conclude = [](const char* name, const std::vector<double>& medians, const std::vector<double>& best,
                           double goal) {
    say(std::string("Over ") + name + ", geometric mean: " + atLeast(geometricMean(medians), goal) +
        "; of the best times " + text(geometricMean(best)) + ".");
  };
  if (peer) conclude("PoCL", overPocl, bestOverPocl, 1.2);
  conclude("OpenMP", overOpenmp, bestOverOpenmp, 0.9);
  return right ? 0 : 1;
}

}  // namespace
}  // namespace lathe::bench

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  return lathe::bench::cpuKernels(words);
}
