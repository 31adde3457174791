// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the benchmarks share: samples and their medians, markdown tables, child processes with their time and memory,
// libraries opened at run time. Benchmarks are programs, not libraries: they print, and end on what they cannot mend.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lathe/result.h>

namespace lathe::bench {

/// Prints "bench: MESSAGE" on standard error and ends with exit code 1.
[[noreturn]] void fail(std::string_view message);

/// The value, or the end of the program with the error's report.
template <class T>
T need(Result<T> result) {
  if (!result) fail(result.error().render());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

struct Summary {
  double median = 0, least = 0, most = 0;
  std::size_t count = 0;
};
[[nodiscard]] Summary summarise(std::vector<double> samples);
[[nodiscard]] double geometricMean(std::span<const double> values);

template <class F>
[[nodiscard]] double milliseconds(F&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Milliseconds of processor time that this process has taken, on all its threads.
[[nodiscard]] double processorMilliseconds();

/// Milliseconds of `work`: of the clock or, for machines with other work, of processor time.
template <class F>
[[nodiscard]] double timed(bool processorTime, F&& work) {
  if (!processorTime) return milliseconds(work);
  const double start = processorMilliseconds();
  work();
  return processorMilliseconds() - start;
}

/// Has malloc keep what is freed, as docs/performance.md advises to programs that compile more than once.
void keepFreedMemory();

/// Turns the cache of compiles off, in this process and its children: what is measured is the compiler.
void withoutCache();

/// "1.234 (1.200 … 1.402)"
[[nodiscard]] std::string text(const Summary& summary);
/// Three significant digits.
[[nodiscard]] std::string text(double value);
/// "0.412 × (goal ≤ 0.5: met)"
[[nodiscard]] std::string atMost(double value, double goal, std::string_view unit = "×");
[[nodiscard]] std::string atLeast(double value, double goal, std::string_view unit = "×");

/// Prints one row of a markdown table; `header` adds the line below it.
void row(std::span<const std::string> cells);
void header(std::string_view title, std::span<const std::string> cells);
/// Prints one paragraph.
void say(std::string_view paragraph);

struct ChildResult {
  bool ok = false;  ///< exited with 0
  int status = 0;   ///< exit code, or minus the signal's number
  double wallMs = 0;
  std::string output;  ///< standard output; standard error stays this program's unless `quiet`
};
/// Runs a program found on PATH or by path and waits for it.
[[nodiscard]] ChildResult runChild(const std::vector<std::string>& command, bool quiet = false);
/// This program's own path.
[[nodiscard]] std::string selfPath();
/// The `lathe` tool: $LATHE_TOOL, else beside this program, else on PATH.
[[nodiscard]] std::string toolPath();
/// Resident bytes of this process, now and at most.
[[nodiscard]] std::size_t residentBytes();
[[nodiscard]] std::size_t peakResidentBytes();

/// A folder that is removed with the object.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  /// Writes a file and returns its path.
  [[nodiscard]] std::string write(std::string_view name, std::string_view text) const;
  [[nodiscard]] std::string path(std::string_view name) const;

 private:
  std::string path_;
};
[[nodiscard]] std::string readFile(const std::string& path);

/// A library opened at run time and kept open.
class Library {
 public:
  /// The first of `names` that opens. Error: a message that names all of them.
  [[nodiscard]] static std::optional<Library> open(std::span<const std::string> names);
  /// Sets `function` to the symbol; ends the program if the library lacks it.
  template <class F>
  void bind(F*& function, const char* symbol) const {
    function = reinterpret_cast<F*>(find(symbol));
  }

 private:
  explicit Library(void* handle) : handle_(handle) {}
  [[nodiscard]] void* find(const char* symbol) const;
  void* handle_;
};

/// What stands on the command line after the program's name.
using Arguments = std::span<const std::string>;
/// The word after "--name"; empty if there is none.
[[nodiscard]] std::string option(Arguments arguments, std::string_view name);
/// The same as a number, or `fallback`.
[[nodiscard]] unsigned option(Arguments arguments, std::string_view name, unsigned fallback);

}  // namespace lathe::bench
