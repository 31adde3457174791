// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns of the peers and what they are compared by.
#include "contest.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace lathe::bench {

Contest::Contest(const Device& device, const Module& module, const OpenClPeers& peers, Workload workload)
    : device_(device), kernel_(need(module.rawKernel(workload.kernel))), peers_(peers), workload_(std::move(workload)) {
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

std::array<double, peerCount> Contest::verify() {
  std::array<double, peerCount> errors{};
  run(openmp);
  for (unsigned peer = 0; peer < peerCount; ++peer) {
    if (peer == openmp || !has(peer)) continue;
    run(Peer(peer));
    if (peers_[peer]) peers_[peer]->readOutput(view(Peer(peer)));
    errors[peer] = difference(workload_, view(Peer(peer)), view(openmp));
  }
  return errors;
}

std::array<Summary, peerCount> Contest::measure(unsigned samples, bool processorTime) {
  std::array<std::vector<double>, peerCount> times;
  std::array<unsigned, peerCount> repeats{};
  for (unsigned peer = 0; peer < peerCount; ++peer) {
    if (!has(peer)) continue;
    run(Peer(peer));
    const double once = timed(processorTime, [&] { run(Peer(peer)); });
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
      const double all = timed(processorTime, [&] {
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

void Contest::run(Peer peer) {
  if (peer == ours) {
    need(kernel_.launch(workload_.launch(), arguments_->pointers()));
    need(device_.synchronize());
  } else if (peer == openmp) {
    runOnHost(workload_, hostAddresses_);
  } else {
    peers_[peer]->launch();
  }
}

}  // namespace lathe::bench
