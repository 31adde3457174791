// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One workload on all peers, on the same input arrays.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include <lathe/runtime.h>

#include "opencl.h"
#include "workload.h"

namespace lathe::bench {

enum Peer : unsigned { ours, openmp, intel, pocl, peerCount };

/// The implementations of OpenCL, by peer; null where they are not installed.
using OpenClPeers = std::array<std::unique_ptr<OpenClPeer>, peerCount>;

class Contest {
 public:
  Contest(const Device& device, const Module& module, const OpenClPeers& peers, Workload workload);

  /// Whether `peer` takes part.
  [[nodiscard]] bool has(unsigned peer) const { return peer == ours || peer == openmp || peers_[peer]; }
  /// Errors against the hand-written code, by peer.
  [[nodiscard]] std::array<double, peerCount> verify();
  /// Milliseconds of one launch, by peer; the peers take turns. With `processorTime` they are those that the process
  /// had a processor: on one thread, what others do on the machine does not count.
  [[nodiscard]] std::array<Summary, peerCount> measure(unsigned samples, bool processorTime);

 private:
  template <class Pointer>
  std::vector<Pointer> addresses(Peer peer) {
    std::vector<Pointer> out;
    for (Buffer<float>& input : inputs_) out.push_back(input.data());
    out.push_back(outputs_[peer].data());
    return out;
  }
  std::span<float> view(Peer peer) { return {outputs_[peer].data(), outputs_[peer].size()}; }
  void run(Peer peer);

  Device device_;
  RawKernel kernel_;
  const OpenClPeers& peers_;
  Workload workload_;
  std::vector<Buffer<float>> inputs_;
  std::array<Buffer<float>, peerCount> outputs_;
  std::unique_ptr<ArgumentBlock> arguments_;
  std::vector<float*> hostAddresses_;
};

}  // namespace lathe::bench
