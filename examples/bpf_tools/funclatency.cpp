// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows how long calls of a function take, of all processes that run it.
//
//   lathe_funclatency funclatency.bpf.cpp libc.so.6 malloc [SECONDS]
#include <algorithm>
#include <numeric>

#include "tool.h"

namespace {

lathe::Result<void> run(const char* source, const std::string& binary, const std::string& function, double seconds) {
  auto object = tool::load(source);
  if (!object) return object.error();
  const auto call = object->program("on_call");
  const auto back = object->program("on_return");
  if (!call) return call.error();
  if (!back) return back.error();
  auto atCall = call->attach(lathe::bpf::UserProbe{.binary = binary, .function = function});
  if (!atCall) return atCall.error();
  auto atReturn = back->attach(lathe::bpf::UserProbe{.binary = binary, .function = function, .onReturn = true});
  if (!atReturn) return atReturn.error();
  tool::waitFor(seconds, [] {});

  const auto histogram = object->map<std::uint32_t, std::uint64_t>("histogram");
  if (!histogram) return histogram.error();
  const auto entries = histogram->allEntries();
  if (!entries) return entries.error();
  std::vector<std::uint64_t> counts;
  for (const auto& [bucket, ofCpus] : *entries)
    counts.push_back(std::accumulate(ofCpus.begin(), ofCpus.end(), std::uint64_t{0}));
  const std::uint64_t most = *std::ranges::max_element(counts);
  const auto total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  std::printf("%s: %llu calls\n%20s %10s\n", function.c_str(), static_cast<unsigned long long>(total), "nanoseconds",
              "calls");
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    constexpr std::uint64_t width = 40;
    const std::string bar(static_cast<std::size_t>(counts[i] * width / most), '#');
    std::printf("%20llu %10llu %s\n", 1ULL << i, static_cast<unsigned long long>(counts[i]), bar.c_str());
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return std::fputs("usage: lathe_funclatency PROGRAM.bpf.cpp BINARY FUNCTION [SECONDS]\n", stderr), 2;
  return tool::report(run(argv[1], argv[2], argv[3], argc > 4 ? std::atof(argv[4]) : 1));
}
