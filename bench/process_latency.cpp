// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe compile` as a whole process, from exec to exit, beside what a user would start instead, nvcc, where it is
// installed. `true` shows what starting any process costs.
#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "kernels.h"
#include "measure.h"

namespace lathe::bench {
namespace {

struct Peer {
  std::string name;
  std::vector<std::string> command;  ///< what stands before SOURCE -o OUTPUT
  std::vector<std::string> probe;    ///< succeeds where the peer is installed
};

std::vector<Peer> peers() {
  const std::string tool = toolPath();
  const std::vector<std::string> lathe = {tool, "compile", "--target", "cuda:sm_90", "--emit", "ptx"};
  std::vector<std::string> inProcess = lathe;
  inProcess.insert(inProcess.end(), {"--isolation", "in-process"});
  const std::vector<std::string> version = {tool, "--version"};
  return {
      {"lathe compile", lathe, version},
      {"lathe compile --isolation in-process", inProcess, version},
      {"nvcc -ptx -arch=sm_90", {"nvcc", "-ptx", "-arch=sm_90"}, {"nvcc", "--version"}},
      {"true", {"true"}, {"true"}},
  };
}

int processLatency(Arguments arguments) {
  const unsigned samples = std::max(option(arguments, "--samples", 30), 1u);
  const ScratchFolder folder;
  say("## Process latency");
  std::vector<Peer> present;
  for (Peer& peer : peers()) {
    if (runChild(peer.probe, true).ok)
      present.push_back(std::move(peer));
    else
      say(peer.name + ": not installed.");
  }
  if (present.empty() || present[0].command[0] != toolPath())
    fail("process: no lathe; set LATHE_TOOL to the tool's path");
  header("Source to PTX as a whole process, matmul (ms)",
         std::array<std::string, 3>{"command", "time", "ratio to lathe compile"});
  std::vector<std::vector<double>> times(present.size());
  for (unsigned i = 0; i < samples; ++i) {
    for (std::size_t p = 0; p < present.size(); ++p) {
      std::vector<std::string> command = present[p].command;
      command.push_back(folder.write("bench.cu", uniqueText(kernelNamed("matmul"))));
      command.insert(command.end(), {"-o", folder.path("bench.ptx")});
      const ChildResult child = runChild(command, true);
      if (!child.ok) fail("process: " + present[p].name + " failed:\n" + child.output);
      times[p].push_back(child.wallMs);
    }
  }
  const Summary ours = summarise(times[0]);
  for (std::size_t p = 0; p < present.size(); ++p) {
    const Summary time = summarise(times[p]);
    row(std::array<std::string, 3>{present[p].name, text(time), text(time.median / ours.median)});
  }
  say("lathe compile: " + atMost(ours.median, 120, "ms") + ", aim 60.");
  return 0;
}

/// From a process's start to the end of one launch, beside the same program by the host's compiler.
void programs(unsigned samples) {
  const std::string folder = std::filesystem::path(selfPath()).parent_path().string();
  const std::string ours = folder + "/bench_start_lathe", theirs = folder + "/bench_start_plain";
  if (!std::filesystem::exists(ours) || !std::filesystem::exists(theirs))
    return say("The programs of bench/start are not here.");
  header("A process with one launch of an image that is linked in (ms)",
         std::array<std::string, 4>{"elements", "Lathe", "g++", "ratio"});
  for (const char* const elements : {"1024", "1048576", "16777216"}) {
    std::vector<double> embedded, plain;
    for (unsigned i = 0; i < samples; ++i) {
      for (const bool isOurs : {i % 2 == 0, i % 2 != 0}) {
        const ChildResult child = runChild({isOurs ? ours : theirs, elements}, true);
        if (!child.ok) fail("process: a program of bench/start failed");
        (isOurs ? embedded : plain).push_back(child.wallMs);
      }
    }
    const Summary lathe = summarise(embedded), host = summarise(plain);
    row(std::array<std::string, 4>{elements, text(lathe), text(host), text(lathe.median / host.median)});
  }
}

}  // namespace
}  // namespace lathe::bench

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  lathe::bench::withoutCache();
  const int code = lathe::bench::processLatency(words);
  lathe::bench::programs(std::max(lathe::bench::option(words, "--samples", 30), 1u));
  return code;
}
