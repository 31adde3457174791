// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lathe_bench: one program for every benchmark, so that a bundle carries the compiler once.
#include <array>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks.h"

namespace {

struct Command {
  std::string_view name;
  int (*run)(lathe::bench::Arguments);
  std::string_view help;
};

constexpr std::array<Command, 5> commands = {{
    {"compile", lathe::bench::compileLatency, "source to PTX in process, beside NVRTC [--samples N] [--slope N]"},
    {"process", lathe::bench::processLatency, "lathe compile as a whole process [--samples N]"},
    {"cpu", lathe::bench::cpuKernels, "kernels on the CPU, beside PoCL and OpenMP [--samples N] [--threads N]"},
    {"gpu", lathe::bench::gpuKernels, "kernels and launches on a GPU, beside nvcc [--samples N] [--device N]"},
    {"compile-child", lathe::bench::compileChild, "used by compile"},
}};

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  for (const Command& command : commands)
    if (!words.empty() && words[0] == command.name) return command.run(std::span(words).subspan(1));
  std::fprintf(stderr, "usage: lathe_bench BENCHMARK [OPTIONS]\n\n");
  for (const Command& command : commands)
    std::fprintf(stderr, "  %-14.*s %.*s\n", int(command.name.size()), command.name.data(), int(command.help.size()),
                 command.help.data());
  return 2;
}
