// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One case on one device: compile, load, launch, compare.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <fmt/format.h>

#include "tests/conformance/suite/suite.h"

namespace lathe::conformance {
namespace {

constexpr std::string_view abiPrefix = "__lathe_";

/// The device ABI's entries that `text` declares: after `select` these are the ones that something calls.
std::set<std::string> entriesIn(std::string_view text) {
  std::set<std::string> out;
  for (std::size_t at = text.find("declare "); at != std::string_view::npos; at = text.find("declare ", at + 1)) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    const std::size_t name = line.find(abiPrefix);
    if (name == std::string_view::npos) continue;
    const std::string_view rest = line.substr(name + abiPrefix.size());
    out.emplace(rest.substr(0, rest.find('(')));
  }
  return out;
}

/// The entry that a finding says the target lacks; empty if it says something else.
std::string absentEntry(const Diagnostic& finding) {
  const std::string name = finding.message.substr(0, finding.message.find(' '));
  const bool known = std::ranges::any_of(abiEntries(), [&](const AbiName& entry) { return entry.name == name; });
  const bool absent = finding.message.find("does not exist on") != std::string::npos;
  return finding.code == ErrorCode::Unsupported && known && absent ? name : std::string();
}

/// The construct of a finding that the target's descriptor forbids; empty if it says something else.
std::string forbiddenConstruct(const Diagnostic& finding) {
  if (finding.code != ErrorCode::Unsupported) return {};
  if (finding.message.find("calls itself, directly or not") != std::string::npos) return "recursion";
  for (const char* const known : {"bfloat16", "128-bit integers", "a pointer that may lead to memory of any kind",
                                  "an address in the initial value of"})
    if (finding.message.starts_with(known)) return known;
  return {};
}

/// A failed compile: absent if all that is wrong is that the target lacks entries or forbids constructs.
CaseResult fromCompileError(const Error& error) {
  std::set<std::string> absent, all;
  bool onlyAbsent = !error.diagnostics.empty();
  for (const Diagnostic& finding : error.diagnostics) {
    const std::string entry = absentEntry(finding);
    const std::string name = entry.empty() ? forbiddenConstruct(finding) : entry;
    onlyAbsent &= !name.empty();
    if (!entry.empty()) absent.insert(entry);
    all.insert(name);
  }
  if (onlyAbsent)
    return {.outcome = Outcome::absent, .detail = fmt::format("lacks {}", fmt::join(all, ", ")), .absent = absent};
  return {.detail = error.render()};
}

/// A file that goes with the object.
class TemporaryFile {
 public:
  TemporaryFile(std::string_view text, std::string_view suffix) {
    std::string pattern = (std::filesystem::temp_directory_path() / "lathe-conformance-XXXXXX").string();
    pattern += suffix;
    const int file = ::mkstemps(pattern.data(), static_cast<int>(suffix.size()));
    if (file < 0) return;
    (void)::close(file);
    path_ = pattern;
    std::ofstream(path_, std::ios::binary) << text;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The bytes of a kernel's only parameter, a structure of the values that `members` point to.
Result<std::vector<std::byte>> packed(const RawKernel& kernel, std::span<const void* const> members) {
  const std::vector<Parameter>& parameters = kernel.entry().parameters;
  if (parameters.size() != 1 || parameters[0].type.fields.size() != members.size())
    return Error{.code = ErrorCode::ArgumentMismatch, .message = "no structure of as many members as arguments"};
  std::vector<std::byte> out(parameters[0].type.size);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const TypeLayout::Field& field = parameters[0].type.fields[i];
    std::memcpy(out.data() + field.offset, members[i], field.type.size);
  }
  return out;
}

/// Launches with copies of the arguments and leaves the arrays' new contents in them.
Result<void> launch(const Device& device, const RawKernel& kernel, const LaunchOptions& options, std::size_t margin,
                    bool inStructure, Arguments& arguments) {
  std::vector<Memory> memory;
  std::vector<void*> addresses(arguments.size());
  std::vector<const void*> pointers;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    pointers.push_back(arguments[i].bytes.data());
    if (!arguments[i].array) continue;
    // Whole words: atomics of 8 and 16 bits use the one around them, at which tools that check memory look.
    constexpr std::size_t word = sizeof(std::uint32_t);
    auto buffer = device.allocateBytes((arguments[i].bytes.size() + 2 * margin + word - 1) / word * word);
    if (!buffer) return std::move(buffer).error();
    if (auto done = buffer->upload(arguments[i].bytes.data(), arguments[i].bytes.size(), margin); !done) return done;
    addresses[i] = static_cast<std::byte*>(buffer->address()) + margin;
    pointers[i] = &addresses[i];
    memory.push_back(*std::move(buffer));
  }
  std::vector<std::byte> structure;
  if (inStructure) {
    auto bytes = packed(kernel, pointers);
    if (!bytes) return std::move(bytes).error();
    structure = *std::move(bytes);
    pointers = {structure.data()};
  }
  if (auto done = kernel.launch(options, pointers); !done) return done;
  if (auto done = device.synchronize(); !done) return done;
  auto buffer = memory.begin();
  for (Argument& argument : arguments) {
    if (!argument.array) continue;
    if (auto done = (buffer++)->download(argument.bytes.data(), argument.bytes.size(), margin); !done) return done;
  }
  return {};
}

std::string_view textOf(const CompileResult& result, std::string_view stage) {
  for (const StageDump& dump : result.dumps)
    if (dump.stage == stage) return dump.ir;
  return {};
}

}  // namespace

std::string_view nameOf(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::passed:
      return "passed";
    case Outcome::failed:
      return "FAILED";
    case Outcome::absent:
      return "absent";
    case Outcome::refused:
      return "refused";
    case Outcome::gap:
      return "known gap";
  }
  return "";
}

namespace {

/// How many items a subgroup has, asked in a kernel. 0 if it does not run, unless because of `arch`, which is an error.
Result<unsigned> subgroupSizeOf(const Compiler& compiler, const TargetInfo& target, const std::string& arch,
                                const Device& device) {
  Job job;
  job.source.text =
      "#include <lathe/device.h>\nLATHE_KERNEL void size(unsigned* out) { *out = lathe::subgroup().size(); }";
  job.target = target.name;
  job.arch = arch.empty() ? device.info().arch : arch;
  if (arch.empty() && !compiler.architecture(target.name, job.arch))
    return Error{ErrorCode::IncompatibleDevice,
                 fmt::format("{} takes code for {}, and none of this target's", device.info().name, job.arch)};
  const auto compiled = compiler.compile(job);
  if (!compiled) return arch.empty() ? Result<unsigned>(0U) : compiled.error();
  const auto module = device.load(compiled->image);
  if (!module) return arch.empty() ? Result<unsigned>(0U) : module.error();
  const auto kernel = module->rawKernel("size");
  Arguments arguments = {zeros<unsigned>(1)};
  if (!kernel || !launch(device, *kernel, {}, 0, false, arguments)) return 0U;
  return *arguments[0].as<unsigned>();
}

}  // namespace

bool isLost(const Device& device) {
  return !device.synchronize();
}

bool executes(const TargetInfo& target) {
  if (target.runtime.empty() || target.runtime == "null") return false;
  const auto known = Device::runtimes();
  if (std::ranges::find(known, target.runtime) != known.end()) return true;
  const auto plugged = Device::open(target.runtime);
  return plugged || plugged.error().code != ErrorCode::InvalidArgument;  // which says that there is no such runtime
}

std::vector<TargetInfo> executingTargets(const Compiler& compiler) {
  std::vector<TargetInfo> out = compiler.targets();
  std::erase_if(out, [](const TargetInfo& target) { return !target.hasGrids || !executes(target); });
  return out;
}

Result<Runner> Runner::open(const Compiler& compiler, const TargetInfo& target, std::string arch) {
  auto device = Device::open(target.runtime);
  if (!device) return std::move(device).error();
  // Some cases recurse deeper, unoptimised, than a device's own limit lets them: as of any program that does.
  constexpr std::size_t stackBytes = 16384;
  if (auto set = device->setLimit(DeviceLimit::stackBytes, stackBytes);
      !set && set.error().code != ErrorCode::Unsupported)
    return std::move(set).error();
  Runner out(compiler, target, std::move(arch), *std::move(device));
  const DeviceInfo& info = out.device_->info();
  if (!target.hasGrids) return out;
  const auto asked = subgroupSizeOf(compiler, target, out.arch_, *out.device_);
  if (!asked) return asked.error();
  out.subgroupSize_ = *asked;
  // What the host's subgroups are is a target's choice. Another runtime that is mistaken about its own misleads
  // programs.
  if (info.runtime != "cpu" && out.subgroupSize_ > 1 && out.subgroupSize_ != info.subgroupSize) {
    return Error{
        .code = ErrorCode::Unsupported,
        .message = fmt::format("runtime '{}' says that a subgroup has {} items, and kernels of target '{}' see {}",
                               info.runtime, info.subgroupSize, target.name, out.subgroupSize_),
        .hint = "make DeviceInfo::subgroupSize and the descriptor's `subgroup: {size: N}` agree"};
  }
  return out;
}

Environment Runner::environmentOf(const LaunchOptions& launch) const {
  Environment out{device_->info(), target_.name, launch};
  if (subgroupSize_ != 0) out.subgroupSize = subgroupSize_;
  return out;
}

Job Runner::jobFor(const Case& entry, OptLevel level, const std::string& features) const {
  Job job;
  job.source.name = entry.file;
  job.source.text = entry.before + std::string(sourceOf(entry.file)) + entry.behind;
  job.entries = {entry.kernel};
  job.entries.insert(job.entries.end(), entry.beside.begin(), entry.beside.end());
  job.target = target_.name;
  job.arch = arch_.empty() && device_ ? device_->info().arch : arch_;
  job.options.optLevel = level;
  job.options.checked = checked_;
  job.options.coarsening = coarsening_;
  job.options.debugInfo = debugInfo_;
  job.features = features;
  job.options.parameters = entry.parameters;
  return job;
}

Result<std::string> Runner::portableText(const Case& entry) const {
  Job job = jobFor(entry, OptLevel::O0);
  job.emit = "portable";
  // A target that compiles sources for its own triple has none: the calls of a kernel are those that it has elsewhere.
  if (std::ranges::find(target_.formats, "portable") == target_.formats.end()) {
    job.target = "cpu";
    job.arch = {};
  }
  CompileRequest request;
  request.dumpAfter = {"select"};
  auto compiled = compiler_->compile(job, request);
  if (!compiled) return std::move(compiled).error();
  return std::string(textOf(*compiled, "select"));
}

Result<std::set<std::string>> Runner::entriesCalledBy(const Case& entry) const {
  const auto text = portableText(entry);
  if (!text) return text.error();
  return entriesIn(*text);
}

std::optional<CaseResult> Runner::runAt(const Case& entry, OptLevel level, const Rewrite& rewrite, CaseResult& soFar,
                                        const std::string& features) const {
  const auto report = [&](std::string_view what) {
    if (progress_) progress_(fmt::format("{} at O{}", what, static_cast<int>(level)), soFar);
  };
  report("the source was compiled");
  auto portable = portableText(entry);
  if (!portable) return fromCompileError(portable.error());
  soFar.entries.merge(entriesIn(*portable));
  report("the kernel was compiled");
  CompileRequest request;
  request.verifyStages = true;
  std::optional<TemporaryFile> changed;
  if (rewrite) {
    changed.emplace(rewrite(*std::move(portable)), ".ll");
    request.replaceAt["select"] = changed->path();
  }
  const auto compiled = compiler_->compile(jobFor(entry, level, features), request);
  if (!compiled) return fromCompileError(compiled.error());
  if (!device_) return std::nullopt;
  report("the image was loaded");
  const auto module = device_->load(compiled->image);
  if (!module) return CaseResult{.detail = module.error().render()};
  const auto kernel = module->rawKernel(entry.kernel);
  if (!kernel) return CaseResult{.detail = kernel.error().render()};
  return compareLaunches(entry, "the kernel ran", report, soFar,
                         [&](const LaunchOptions& options, Arguments& arguments) {
                           return launch(*device_, *kernel, options, margin_, entry.packed, arguments);
                         });
}

std::optional<CaseResult> Runner::compareLaunches(
    const Case& entry, std::string_view ran, const std::function<void(std::string_view)>& report, CaseResult& soFar,
    const std::function<Result<void>(const LaunchOptions&, Arguments&)>& run) const {
  std::vector<LaunchOptions> launches = {entry.launch};
  launches.insert(launches.end(), entry.otherLaunches.begin(), entry.otherLaunches.end());
  for (const LaunchOptions& options : launches) {
    Arguments got = entry.arguments, want = entry.arguments;
    report("the host computed what is expected");
    entry.reference(want, environmentOf(options));
    soFar.launched = true;
    report(ran);
    if (const auto done = run(options, got); !done)
      return CaseResult{.detail = done.error().render(), .launched = true, .deviceLost = isLost(*device_)};
    std::string difference = firstDifference(entry, std::move(got), std::move(want));
    if (difference.empty()) continue;
    const Extent3& size = options.group;
    if (launches.size() > 1) difference += fmt::format(" (groups of {} × {} × {})", size.x, size.y, size.z);
    return CaseResult{.detail = std::move(difference), .launched = true};
  }
  return std::nullopt;
}

CaseResult Runner::run(const Case& entry, std::span<const OptLevel> atLevels, const Rewrite& rewrite) const {
  CaseResult out;
  for (const OptLevel level : atLevels) {
    auto ended = target_.hasGrids ? runAt(entry, level, rewrite, out) : runAsProgram(entry, level, out);
    if (!ended) continue;
    ended->entries = std::move(out.entries);
    if (ended->outcome == Outcome::failed) {
      ended->detail = fmt::format("O{}: {}", static_cast<int>(level), ended->detail);
      std::string gap = rewrite ? std::string() : knownOfDevice(entry);
      if (gap.empty() && !rewrite) gap = gapBehind(entry, level, *ended);
      if (!gap.empty()) {
        ended->outcome = Outcome::gap;
        ended->detail = gap + "; " + ended->detail;
      }
    }
    return *std::move(ended);
  }
  // Whoever asks for one level only does not learn of the other.
  if (const std::string gap = rewrite || atLevels.size() < 2 ? std::string() : knownOfDevice(entry); !gap.empty()) {
    out.detail = fmt::format("it passes, although device_gaps.txt says: {}; remove the line", gap);
    return out;
  }
  out.outcome = Outcome::passed;
  out.launched = false;
  return out;
}

}  // namespace lathe::conformance
