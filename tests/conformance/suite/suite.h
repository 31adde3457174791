// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conformance suite: every case, and how one is run on a device. The tests and `lathe conformance` share it.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/compiler.h>
#include <lathe/runtime.h>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {

/// Every case, file by file.
[[nodiscard]] std::vector<Case> allCases();
/// The text of a kernel file, from the copy built in; empty if there is none.
[[nodiscard]] std::string_view sourceOf(std::string_view file);
/// The files with kernels, in the order of allCases().
[[nodiscard]] std::vector<std::string> sourceFiles();

/// An entry of the device ABI.
struct AbiName {
  std::string_view name;
  std::string_view group;
};
/// All of them, in the vocabulary's order.
[[nodiscard]] std::span<const AbiName> abiEntries();

enum class Outcome {
  passed,
  failed,
  absent,   ///< the target's descriptor says that it lacks a device function which the kernel calls
  refused,  ///< the machine's verifier does not take the program, although it is right
  gap,      ///< wrong on an emulated device, whose known errors (emulator_gaps.txt) account for it
};
[[nodiscard]] std::string_view nameOf(Outcome outcome) noexcept;

struct CaseResult {
  Outcome outcome = Outcome::failed;
  std::string detail = {};             ///< why, unless it passed
  std::set<std::string> entries = {};  ///< the device ABI's entries that the kernel calls, in its unoptimised form
  std::set<std::string> absent = {};   ///< those of them that the target lacks
  bool launched = false;               ///< the kernel ran, or began to
  bool deviceLost = false;             ///< the kernel ended the device's context: nothing more can run in this process
};

/// After a launch that failed: whether the failure stays, so that nothing more can run on `device` in this process.
[[nodiscard]] bool isLost(const Device& device);

/// How a case failed: it computed something else, or it did not end as it should.
enum class Symptom { value, fault };
/// Of the known errors of an emulated device's instructions, the first that fits the code of a failed case.
struct EmulatorGap {
  std::string arch;         ///< a regular expression for the whole name
  std::string instruction;  ///< a regular expression for a line of assembly; "ONE with OTHER"; or "without FEATURE"
  Symptom symptom;
  std::string reason;
  /// The feature without which the case would have to pass; empty: `instruction` has to be in its code.
  [[nodiscard]] std::string feature() const;
  /// The expressions of lines that the code has to have; the second may be empty.
  [[nodiscard]] std::pair<std::string, std::string> instructions() const;
};
/// The lines of emulator_gaps.txt.
[[nodiscard]] std::vector<EmulatorGap> emulatorGaps();

/// A case that a device of some driver gets wrong.
struct DeviceGap {
  std::string target, driver;  ///< regular expressions for the whole name of the target and the driver's version
  std::string name;            ///< the case's full name
  std::string reason;
};
/// The lines of device_gaps.txt.
[[nodiscard]] std::vector<DeviceGap> deviceGaps();

/// Told what a run of a case does from now on ("the kernel ran at O3"), and what is known of its result so far.
using Progress = std::function<void(std::string_view what, const CaseResult& soFar)>;

/// Changes the module as it is after the stage `select`, as IR text, before the target sees it.
using Rewrite = std::function<std::string(std::string)>;

/// Runs cases on one device of one target. Not for more than one thread at once.
class Runner {
 public:
  /// `arch`: what is compiled for; empty: the device's own. Errors: what Device::open() gives; those of compiling for
  /// `arch`, and of a device that does not take such code.
  [[nodiscard]] static Result<Runner> open(const Compiler& compiler, const TargetInfo& target, std::string arch = {});
  /// For a target without a device: run() only compiles, for `arch` or the default architecture.
  [[nodiscard]] static Runner compiling(const Compiler& compiler, const TargetInfo& target, std::string arch = {}) {
    return {compiler, target, std::move(arch), std::nullopt};
  }

  /// Not of one that only compiles.
  [[nodiscard]] const Device& device() const noexcept { return *device_; }
  /// Bytes before and after each array that a wrong kernel may overwrite. None by default: there a device may notice.
  void setMargin(std::size_t bytes) noexcept { margin_ = bytes; }
  /// Compiles in checked mode from now on, where what it finds is a failure of the case, with that Options::coarsening,
  /// or with debug information.
  void setModes(bool checked, std::uint32_t coarsening, bool debugInfo) noexcept {
    checked_ = checked;
    coarsening_ = coarsening;
    debugInfo_ = debugInfo;
  }
  void setProgress(Progress progress) { progress_ = std::move(progress); }
  [[nodiscard]] const TargetInfo& target() const noexcept { return target_; }
  /// Compiles and launches `entry` at each of `levels`; the first failure ends it.
  [[nodiscard]] CaseResult run(const Case& entry, std::span<const OptLevel> levels, const Rewrite& rewrite = {}) const;
  /// The device ABI's entries that the case calls.
  [[nodiscard]] Result<std::set<std::string>> entriesCalledBy(const Case& entry) const;
  /// The case's module after the stage `select`, as text.
  [[nodiscard]] Result<std::string> portableText(const Case& entry) const;

 private:
  Runner(const Compiler& compiler, TargetInfo target, std::string arch, std::optional<Device> device)
      : compiler_(&compiler), target_(std::move(target)), arch_(std::move(arch)), device_(std::move(device)) {}
  [[nodiscard]] Job jobFor(const Case& entry, OptLevel level, const std::string& features = {}) const;
  [[nodiscard]] Environment environmentOf(const LaunchOptions& launch) const;
  [[nodiscard]] std::optional<CaseResult> runAt(const Case& entry, OptLevel level, const Rewrite& rewrite,
                                                CaseResult& soFar, const std::string& features = {}) const;
  /// runAt() on a target without grids: the program runs once for each item.
  [[nodiscard]] std::optional<CaseResult> runAsProgram(const Case& entry, OptLevel level, CaseResult& soFar) const;
  /// Runs every launch of the case by `run`, and compares what it leaves with the reference; nothing if all are right.
  /// `ran`: what to report before each.
  [[nodiscard]] std::optional<CaseResult> compareLaunches(
      const Case& entry, std::string_view ran, const std::function<void(std::string_view)>& report, CaseResult& soFar,
      const std::function<Result<void>(const LaunchOptions&, Arguments&)>& run) const;
  /// Why an emulated device gets the case wrong at that level; empty where no known error accounts for it.
  [[nodiscard]] std::string gapBehind(const Case& entry, OptLevel level, const CaseResult& failed) const;

  /// Why the device is known to get the case wrong, by device_gaps.txt; empty: it is not.
  [[nodiscard]] std::string knownOfDevice(const Case& entry) const;

  const Compiler* compiler_;
  TargetInfo target_;
  std::string arch_;  ///< empty: the device's, or the target's default
  std::optional<Device> device_;
  unsigned subgroupSize_ = 0;  ///< as a kernel sees it; 0: as the device says
  std::size_t margin_ = 0;
  bool checked_ = false;
  std::uint32_t coarsening_ = 0;
  bool debugInfo_ = false;
  Progress progress_;
};

/// Every case on one target.
struct TargetRun {
  std::string target;
  std::string device;                              ///< "NVIDIA H200, sm_90"; empty if there is none
  std::string reason;                              ///< why cases did not run; empty if all did
  std::vector<std::optional<CaseResult>> results;  ///< one a case; nothing where it was not run
  bool compiledOnly = false;                       ///< there is nothing that could run them: "passed" is "compiled"
  /// Of a run on another machine: what it said of each entry, and nothing else.
  std::map<std::string, std::string, std::less<>> recorded = {};
  [[nodiscard]] std::size_t count(Outcome outcome) const;
};
/// The levels at which cases are run: where nothing and where everything is optimised.
inline constexpr OptLevel levels[] = {OptLevel::O0, OptLevel::O3};

/// What a run is of, by the target and the architecture that is asked for: "amdgpu" for none, or "amdgpu:gfx942".
[[nodiscard]] std::string placeOf(const TargetInfo& target, const std::string& arch);

struct RunOptions {
  std::string arch = {};         ///< what is compiled for; empty: the device's own
  bool checked = false;          ///< compiled in checked mode: what it finds is a failure
  std::uint32_t coarsening = 0;  ///< as Options::coarsening
  bool debugInfo = false;        ///< as Options::debugInfo
  bool compileOnly = false;      ///< for a target without a device: "passed" is "compiled"
  std::span<const OptLevel> levels = conformance::levels;
  std::chrono::milliseconds caseLimit = std::chrono::minutes(5);  ///< for one case, at all levels; 0: none
  /// Called with the number of a case and its result, as results come.
  std::function<void(std::size_t which, const CaseResult& result)> heard = {};
};
/// Runs every case contained: in child processes, so that a case which crashes, exits or exceeds its limit is one that
/// failed, and the others run. The calling process must not have opened a device.
[[nodiscard]] TargetRun runAll(const Compiler& compiler, const TargetInfo& target, std::span<const Case> cases,
                               const RunOptions& options = {});
/// What is known of one entry of the device ABI on one target.
[[nodiscard]] std::string coverageOf(const AbiName& entry, const TargetRun& run);
/// Entry × target as a table in Markdown, with the cases that call each entry.
[[nodiscard]] std::string coverageTable(std::span<const Case> cases, std::span<const TargetRun> runs);

/// True for a target whose runtime executes kernels, or programs; the skeleton's does not.
[[nodiscard]] bool executes(const TargetInfo& target);
/// All of these that have grids.
[[nodiscard]] std::vector<TargetInfo> executingTargets(const Compiler& compiler);

}  // namespace lathe::conformance
