// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lathe_kernel_fuzz: random kernels, compiled at -O0 and -O3 for a target, against the interpreter. The exit code is 1
// if one differs; it is then made smaller and printed.
//
//   lathe_kernel_fuzz --target cpu --first 1 --count 100
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include <lathe/compiler.h>
#include <lathe/runtime.h>

#include "tests/conformance/suite/suite.h"
#include "tests/fuzz/program.h"

namespace lathe::fuzz {
namespace {

class Tester {
 public:
  Tester(const Compiler& compiler, const TargetInfo& target, Device device)
      : compiler_(compiler), target_(target), device_(std::move(device)) {}

  [[nodiscard]] const Device& device() const { return device_; }

  /// What is wrong with `program` on the target; empty if nothing is.
  std::string problemOf(const Program& program) {
    std::vector<Memory> expected;
    for (const Place& size : program.sizes) {
      Memory memory = initialMemory();
      if (std::string problem = interpret(program, size, memory); !problem.empty()) return meaningless + ": " + problem;
      expected.push_back(std::move(memory));
    }
    for (const OptLevel level : {OptLevel::O0, OptLevel::O3}) {
      if (std::string problem = problemAt(program, level, expected); !problem.empty())
        return fmt::format("-O{}: {}", static_cast<int>(level), problem);
    }
    return {};
  }

  inline static const std::string meaningless = "the program means nothing";

 private:
  std::string problemAt(const Program& program, OptLevel level, const std::vector<Memory>& expected) {
    Job job;
    job.source.name = "fuzz.cu";
    job.source.text = textOf(program);
    job.entries = {"fuzz"};
    job.target = target_.name;
    job.arch = device_.info().arch;
    job.options.optLevel = level;
    job.options.contract = false;
    const auto compiled = compiler_.compile(job);
    if (!compiled) return compiled.error().render();
    const auto module = device_.load(compiled->image);
    if (!module) return module.error().render();
    const auto kernel = module->rawKernel("fuzz");
    if (!kernel) return kernel.error().render();
    for (std::size_t i = 0; i < program.sizes.size(); ++i) {
      Memory memory = initialMemory();
      const Place& size = program.sizes[i];
      if (const auto done = launch(*kernel, size, memory); !done) return done.error().render();
      for (const auto& [name, got, want] :
           {std::tuple("out", &memory.out, &expected[i].out), std::tuple("cells", &memory.cells, &expected[i].cells)}) {
        for (std::size_t k = 0; k < want->size(); ++k) {
          if ((*got)[k] == (*want)[k]) continue;
          return fmt::format("{}[{}] is {:#x}, not {:#x} (groups of {} × {} × {})", name, k, (*got)[k], (*want)[k],
                             size.x, size.y, size.z);
        }
      }
    }
    return {};
  }

  Result<void> launch(const RawKernel& kernel, const Place& size, Memory& memory) {
    std::vector<lathe::Memory> buffers;
    std::vector<void*> addresses(3);
    std::vector<std::uint32_t>* const arrays[] = {&memory.in, &memory.out, &memory.cells};
    std::vector<const void*> arguments;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t bytes = arrays[i]->size() * sizeof(std::uint32_t);
      auto buffer = device_.allocateBytes(bytes);
      if (!buffer) return std::move(buffer).error();
      if (auto done = buffer->upload(arrays[i]->data(), bytes, 0); !done) return done;
      addresses[i] = buffer->address();
      arguments.push_back(&addresses[i]);
      buffers.push_back(*std::move(buffer));
    }
    arguments.push_back(&parameterValue);
    const LaunchOptions options{.grid = {groups}, .group = {size.x, size.y, size.z}};
    if (auto done = kernel.launch(options, arguments); !done) return done;
    if (auto done = device_.synchronize(); !done) return done;
    for (std::size_t i = 1; i < 3; ++i) {
      const std::size_t bytes = arrays[i]->size() * sizeof(std::uint32_t);
      if (auto done = buffers[i].download(arrays[i]->data(), bytes, 0); !done) return done;
    }
    return {};
  }

  const Compiler& compiler_;
  const TargetInfo& target_;
  Device device_;
};

struct Arguments {
  std::string target = "cpu";
  std::uint64_t first = 1, count = 100;
  bool print = false;
};

int run(const Arguments& arguments) {
  if (arguments.print) {
    std::fputs(textOf(generate(arguments.first)).c_str(), stdout);
    return 0;
  }
  const auto compiler = Compiler::create();
  if (!compiler) return std::fputs(compiler.error().render().c_str(), stderr), 1;
  const auto targets = compiler->targets();
  const auto target =
      std::find_if(targets.begin(), targets.end(), [&](const TargetInfo& one) { return one.name == arguments.target; });
  if (target == targets.end()) return fmt::print(stderr, "{}: no such target\n", arguments.target), 2;
  auto device = Device::open(target->runtime);
  if (!device) return fmt::print(stderr, "{}\n", device.error().message), 77;  // ctest: skipped
  Tester tester(*compiler, *target, *std::move(device));
  unsigned failures = 0;
  for (std::uint64_t seed = arguments.first; seed < arguments.first + arguments.count; ++seed) {
    const Program program = generate(seed);
    const std::string problem = tester.problemOf(program);
    if (problem.empty()) continue;
    ++failures;
    fmt::print("seed {}: {}\n", seed, problem);
    std::fflush(stdout);
    if (problem.starts_with(Tester::meaningless)) continue;
    if (conformance::isLost(tester.device())) {
      fmt::print("the device is lost: run the rest with --first {}\n", seed + 1);
      return 1;
    }
    const Program small = shrink(program, [&](const Program& candidate) {
      const std::string rest = tester.problemOf(candidate);
      return !rest.empty() && !rest.starts_with(Tester::meaningless);
    });
    fmt::print("made smaller: {}\n{}\n", tester.problemOf(small), textOf(small));
    std::fflush(stdout);
  }
  fmt::print("{} kernels from seed {} on {} ({}): {} differ\n", arguments.count, arguments.first, target->name,
             tester.device().info().name, failures);
  return failures != 0;
}

}  // namespace
}  // namespace lathe::fuzz

int main(int argc, char** argv) {
  lathe::fuzz::Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    const char* const value = i + 1 < argc ? argv[i + 1] : "";
    if (name == "--print") {
      arguments.print = true;
      continue;
    }
    if (name == "--target") {
      arguments.target = value;
    } else if (name == "--first") {
      arguments.first = std::strtoull(value, nullptr, 10);
    } else if (name == "--count") {
      arguments.count = std::strtoull(value, nullptr, 10);
    } else {
      std::fputs("usage: lathe_kernel_fuzz [--target NAME] [--first SEED] [--count N] [--print]\n", stderr);
      return 2;
    }
    ++i;
  }
  return lathe::fuzz::run(arguments);
}
