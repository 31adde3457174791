// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lathe_kernel_fuzz: random kernels, compiled at -O0 and -O3 for a target, against the interpreter. The exit code is 1
// if one differs; it is then made smaller and printed.
//
//   lathe_kernel_fuzz --target cpu --first 1 --count 100
#include <algorithm>
#include <array>
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
  Tester(const Compiler& compiler, const TargetInfo& target, Device device, bool checked)
      : compiler_(compiler), target_(target), device_(std::move(device)), checked_(checked) {}

  [[nodiscard]] const Device& device() const { return device_; }

  /// What is wrong with `program` on the target; empty if nothing is.
  std::string problemOf(const Program& program) {
    std::vector<Memory> expected;
    for (std::size_t entry = 0; entry < program.entries.size(); ++entry) {
      for (const Place& size : program.sizes) {
        Memory memory = initialMemory();
        if (std::string problem = interpret(program, entry, size, memory); !problem.empty())
          return meaningless + ": " + problem;
        expected.push_back(std::move(memory));
      }
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
    for (std::size_t i = 0; i < program.entries.size(); ++i) job.entries.push_back(fmt::format("fuzz{}", i));
    job.target = target_.name;
    job.arch = device_.info().arch;
    job.options.optLevel = level;
    job.options.contract = false;
    job.options.checked = checked_;
    const auto compiled = compiler_.compile(job);
    if (!compiled) return compiled.error().render();
    const auto module = device_.load(compiled->image);
    if (!module) return module.error().render();
    auto wanted = expected.begin();
    for (const std::string& entry : job.entries) {
      const auto kernel = module->rawKernel(entry);
      if (!kernel) return kernel.error().render();
      for (const Place& size : program.sizes) {
        Memory memory = initialMemory();
        if (const auto done = launch(*kernel, program, size, memory); !done) return done.error().render();
        std::string problem;
        forArrays([&](std::string_view name, auto member) {
          const auto &got = memory.*member, &want = (*wanted).*member;
          const auto at = std::mismatch(got.begin(), got.end(), want.begin());
          if (at.first == got.end() || !problem.empty()) return;
          problem = fmt::format("{}: {}[{}] is {:#x}, not {:#x} (groups of {} × {} × {})", entry, name,
                                at.first - got.begin(), *at.first, *at.second, size.x, size.y, size.z);
        });
        if (!problem.empty()) return problem;
        ++wanted;
      }
    }
    return {};
  }

  /// Calls `visit` with the name of each array of a launch and what it is of Memory, in the order of the parameters.
  template <class Visit>
  static void forArrays(Visit&& visit) {
    visit("in", &Memory::in);
    visit("out", &Memory::out);
    visit("cells", &Memory::cells);
    visit("wide", &Memory::wideCells);
    visit("bytes", &Memory::own);
  }

  Result<void> launch(const RawKernel& kernel, const Program& program, const Place& size, Memory& memory) {
    std::vector<lathe::Memory> buffers;
    std::array<void*, 5> addresses{};
    std::vector<const void*> arguments;
    Result<void> out;
    forArrays([&](std::string_view, auto member) {
      auto& array = memory.*member;
      const std::size_t bytes = array.size() * sizeof(array[0]);
      if (!out) return;
      auto buffer = device_.allocateBytes(bytes);
      if (!buffer) return void(out = std::move(buffer).error());
      out = buffer->upload(array.data(), bytes, 0);
      void*& address = addresses.at(buffers.size());
      address = buffer->address();
      arguments.push_back(&address);
      buffers.push_back(*std::move(buffer));
    });
    if (!out) return out;
    arguments.push_back(&parameterValue);
    LaunchOptions options{.grid = {groups}, .group = {size.x, size.y, size.z}};
    if (program.tall) options.grid = {1, groups};
    if (program.dynamic) options.dynamicSharedBytes = mostItems * sizeof(std::uint32_t);
    if (auto done = kernel.launch(options, arguments); !done) return done;
    if (auto done = device_.synchronize(); !done) return done;
    auto buffer = buffers.begin();
    forArrays([&](std::string_view, auto member) {
      auto& array = memory.*member;
      if (out) out = (buffer++)->download(array.data(), array.size() * sizeof(array[0]), 0);
    });
    return out;
  }

  const Compiler& compiler_;
  const TargetInfo& target_;
  Device device_;
  bool checked_ = false;
};

struct Arguments {
  std::string target = "cpu";
  std::uint64_t first = 1, count = 100;
  bool print = false, checked = false;
};

int run(const Arguments& arguments) {
  if (arguments.print) {
    std::fputs(textOf(generate(arguments.first)).c_str(), stdout);
    return 0;
  }
  const auto compiler = Compiler::create({.cache = {.enabled = false}});
  if (!compiler) return std::fputs(compiler.error().render().c_str(), stderr), 1;
  const auto targets = compiler->targets();
  const auto target =
      std::find_if(targets.begin(), targets.end(), [&](const TargetInfo& one) { return one.name == arguments.target; });
  if (target == targets.end()) return fmt::print(stderr, "{}: no such target\n", arguments.target), 2;
  auto device = Device::open(target->runtime);
  if (!device) return fmt::print(stderr, "{}\n", device.error().message), 77;  // ctest: skipped
  Tester tester(*compiler, *target, *std::move(device), arguments.checked);
  unsigned failures = 0, skipped = 0;
  for (std::uint64_t seed = arguments.first; seed < arguments.first + arguments.count; ++seed) {
    const Program program = generate(seed);
    if (arguments.checked && returnsEarly(program)) {
      ++skipped;
      continue;
    }
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
  if (skipped) fmt::print("{} kernels whose items return early left out: checked mode finds their barriers\n", skipped);
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
    if (name == "--checked") {
      arguments.checked = true;
      continue;
    }
    if (name == "--target") {
      arguments.target = value;
    } else if (name == "--first") {
      arguments.first = std::strtoull(value, nullptr, 10);
    } else if (name == "--count") {
      arguments.count = std::strtoull(value, nullptr, 10);
    } else {
      std::fputs("usage: lathe_kernel_fuzz [--target NAME] [--first SEED] [--count N] [--checked] [--print]\n", stderr);
      return 2;
    }
    ++i;
  }
  return lathe::fuzz::run(arguments);
}
