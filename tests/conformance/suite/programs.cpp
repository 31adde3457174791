// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A case on a target without grids, whose loader calls programs one by one (Linux's BPF): the kernel file is compiled
// behind program_items.h, and the program runs once for each item. What needs items side by side is absent there, and
// what the machine's verifier cannot follow is refused; both say so.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/conformance/suite/suite.h"

extern "C" const char lathe_conformance_program_items[];
extern "C" const char lathe_conformance_program_items_end[];

namespace lathe::conformance {
namespace {

constexpr std::string_view dialect = "bpf";
constexpr std::string_view programName = "lathe_program";
constexpr std::size_t mostArrays = 16;

/// program_items.h's context of a run.
struct Run {
  std::uint32_t item[3], group[3], size[3], count[3];
  std::uint64_t arrays[mostArrays];
};

/// The program that calls the case's kernel: its arrays by their addresses, its values as constants.
std::string programOf(const Case& entry) {
  std::vector<std::string> arguments;
  unsigned array = 0;
  for (const Argument& argument : entry.arguments) {
    if (argument.array) {
      arguments.push_back(fmt::format("lathe_array<{}>", array++));
      continue;
    }
    std::vector<unsigned> bytes;
    for (const std::byte byte : argument.bytes) bytes.push_back(std::to_integer<unsigned>(byte));
    arguments.push_back(fmt::format("lathe_value<{}>", fmt::join(bytes, ",")));
  }
  return fmt::format(
      "\nSEC(\"syscall\") int {}(lathe_run* run) {{ return lathe_launch<{}>::call({}, run); }}\n"
      "LATHE_BPF_LICENSE(\"GPL\");\n",
      programName, fmt::join(arguments, ", "), entry.kernel);
}

/// Why the case is no program; empty if it may be one.
std::string missing(const Case& entry) {
  if (!entry.file.ends_with(".cpp")) return "its dialect is compiled for targets with grids only";
  for (const std::string_view type : {"_Float16", "__bf16", "half2", "bf16x2"})
    if (entry.kernel.find(type) != std::string::npos) return "it computes with floating-point numbers";
  if (entry.packed) return "its arguments are pointers in a structure";
  if (entry.launch.dynamicSharedBytes != 0) return "it has launch-sized shared memory";
  const auto arrays = std::ranges::count_if(entry.arguments, [](const Argument& argument) { return argument.array; });
  return static_cast<std::size_t>(arrays) > mostArrays ? "it has too many arrays" : std::string();
}

/// A compile error in a few words that many cases share; empty if it is none of those that say what the machine lacks.
std::string lackIn(const Diagnostic& finding) {
  if (finding.message.find("built-in function") != std::string::npos || finding.message.starts_with("floating-point"))
    return "it calls arithmetic that is no instruction: floating-point numbers, or products of 128 bits";
  if (finding.message.find("stack limit") != std::string::npos ||
      finding.message.find("bytes of local variables") != std::string::npos)
    return "its variables exceed the stack of 512 bytes";
  const bool noInstruction = finding.message.find("Cannot select") != std::string::npos;
  if (noInstruction && finding.message.find("(s8)") != std::string::npos) return "it has atomics of 8 bits";
  if (noInstruction && finding.message.find("(s16)") != std::string::npos) return "it has atomics of 16 bits";
  if (finding.message.find("Runtime fence") != std::string::npos) return "it has a fence";
  if (finding.code == ErrorCode::UndefinedFunction || finding.code == ErrorCode::Unsupported) return finding.message;
  return {};
}

/// Calls the program for every item, each group's after the other's.
Result<void> runItems(const Device& device, const RawKernel& program, const LaunchOptions& options,
                      Arguments& arguments) {
  std::vector<Memory> memory;
  Run run{};
  for (const Argument& argument : arguments) {
    if (!argument.array) continue;
    auto buffer = device.allocateBytes(argument.bytes.size());
    if (!buffer) return std::move(buffer).error();
    if (auto done = buffer->upload(argument.bytes.data(), argument.bytes.size()); !done) return done;
    run.arrays[memory.size()] = reinterpret_cast<std::uintptr_t>(buffer->address());
    memory.push_back(*std::move(buffer));
  }
  auto context = device.allocateBytes(sizeof(Run));
  if (!context) return std::move(context).error();
  void* const address = context->address();
  const void* const pointers[] = {&address};
  const auto fill = [](std::uint32_t (&out)[3], const Extent3& from) {
    out[0] = from.x, out[1] = from.y, out[2] = from.z;
  };
  const auto at = [](std::uint64_t linear, const Extent3& in) {
    return Extent3{static_cast<std::uint32_t>(linear % in.x), static_cast<std::uint32_t>(linear / in.x % in.y),
                   static_cast<std::uint32_t>(linear / in.x / in.y)};
  };
  fill(run.size, options.group);
  fill(run.count, options.grid);
  for (std::uint64_t group = 0; group < options.grid.count(); ++group) {
    for (std::uint64_t item = 0; item < options.group.count(); ++item) {
      fill(run.group, at(group, options.grid));
      fill(run.item, at(item, options.group));
      if (auto done = context->upload(&run, sizeof(Run)); !done) return done;
      if (auto done = program.launch({}, pointers); !done) return done;
    }
  }
  auto buffer = memory.begin();
  for (Argument& argument : arguments) {
    if (!argument.array) continue;
    if (auto done = (buffer++)->download(argument.bytes.data(), argument.bytes.size()); !done) return done;
  }
  return {};
}

}  // namespace

std::optional<CaseResult> Runner::runAsProgram(const Case& entry, OptLevel level, CaseResult& soFar) const {
  const auto report = [&](std::string_view what) {
    if (progress_) progress_(fmt::format("{} at O{}", what, static_cast<int>(level)), soFar);
  };
  if (const std::string lack = missing(entry); !lack.empty())
    return CaseResult{.outcome = Outcome::absent, .detail = lack};
  report("the program was compiled");
  Job job = jobFor(entry, level);
  job.source.dialect = dialect;
  job.source.text = std::string(lathe_conformance_program_items, lathe_conformance_program_items_end) +
                    job.source.text + programOf(entry);
  job.entries = {std::string(programName)};
  const auto compiled = compiler_->compile(job);
  if (!compiled) {
    std::set<std::string> lacks;
    std::vector<Diagnostic> findings = compiled.error().diagnostics;
    if (findings.empty()) findings.push_back({.code = compiled.error().code, .message = compiled.error().message});
    for (const Diagnostic& finding : findings) {
      const std::string lack = lackIn(finding);
      if (lack.empty()) return CaseResult{.detail = compiled.error().render()};
      lacks.insert(lack);
    }
    if (lacks.empty()) return CaseResult{.detail = compiled.error().render()};
    return CaseResult{.outcome = Outcome::absent, .detail = *lacks.begin()};
  }
  if (!device_) return std::nullopt;
  report("the program was loaded");
  const auto module = device_->load(compiled->image);
  if (!module && module.error().code == ErrorCode::ProgramRefused)
    return CaseResult{.outcome = Outcome::refused, .detail = module.error().message};
  // libm's functions become calls of what nothing defines only in code generation.
  if (!module && module.error().message.find("failed to find BTF for extern") != std::string::npos)
    return CaseResult{.outcome = Outcome::absent, .detail = "it calls mathematical functions"};
  if (!module && module.error().message.find(".addr_space.3") != std::string::npos)
    return CaseResult{.outcome = Outcome::absent, .detail = "it has group-shared memory"};
  if (!module) return CaseResult{.detail = module.error().render()};
  const auto program = module->rawKernel(programName);
  if (!program) return CaseResult{.detail = program.error().render()};
  return compareLaunches(entry, "the program ran", report, soFar,
                         [&](const LaunchOptions& options, Arguments& arguments) {
                           return runItems(*device_, *program, options, arguments);
                         });
}

}  // namespace lathe::conformance
