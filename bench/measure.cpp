// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Medians, tables, children and libraries.
#include "measure.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace lathe::bench {

void fail(std::string_view message) {
  std::fflush(stdout);
  std::fprintf(stderr, "bench: %.*s\n", int(message.size()), message.data());
  std::exit(1);
}

double processorMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
}

void keepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

void withoutCache() {
  ::setenv("LATHE_CACHE", "off", 1);
}

Summary summarise(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const std::size_t middle = samples.size() / 2;
  const double median = samples.size() % 2 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
  return {median, samples.front(), samples.back(), samples.size()};
}

double geometricMean(std::span<const double> values) {
  double sum = 0;
  for (double value : values) sum += std::log(value);
  return values.empty() ? 0 : std::exp(sum / double(values.size()));
}

std::string text(double value) {
  std::array<char, 64> buffer{};
  const int magnitude = value == 0 ? 0 : int(std::floor(std::log10(std::abs(value))));
  const int decimals = std::clamp(2 - magnitude, 0, 6);
  const int length = std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
  return {buffer.data(), std::size_t(length)};
}

std::string text(const Summary& summary) {
  return text(summary.median) + " (" + text(summary.least) + " … " + text(summary.most) + ")";
}

namespace {
std::string verdict(double value, double goal, std::string_view unit, const char* sign, bool met) {
  return text(value) + " " + std::string(unit) + " (goal " + sign + " " + text(goal) + ": " + (met ? "met" : "missed") +
         ")";
}
}  // namespace

std::string atMost(double value, double goal, std::string_view unit) {
  return verdict(value, goal, unit, "≤", value <= goal);
}
std::string atLeast(double value, double goal, std::string_view unit) {
  return verdict(value, goal, unit, "≥", value >= goal);
}

void row(std::span<const std::string> cells) {
  for (const std::string& cell : cells) std::printf("| %s ", cell.c_str());
  std::printf("|\n");
  std::fflush(stdout);
}

void header(std::string_view title, std::span<const std::string> cells) {
  std::printf("\n### %.*s\n\n", int(title.size()), title.data());
  row(cells);
  for (std::size_t i = 0; i < cells.size(); ++i) std::printf(i == 0 ? "|---" : "|---:");
  std::printf("|\n");
}

void say(std::string_view paragraph) {
  std::printf("\n%.*s\n", int(paragraph.size()), paragraph.data());
  std::fflush(stdout);
}

ChildResult runChild(const std::vector<std::string>& command, bool quiet) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::array<int, 2> channel{};
  if (pipe2(channel.data(), O_CLOEXEC) != 0) fail("pipe: " + std::system_category().message(errno));
  std::fflush(stdout);
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = vfork();
  if (child < 0) fail("fork: " + std::system_category().message(errno));
  if (child == 0) {
    dup2(channel[1], STDOUT_FILENO);
    if (quiet) dup2(channel[1], STDERR_FILENO);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  close(channel[1]);
  ChildResult result;
  std::array<char, 65536> buffer;
  for (ssize_t got; (got = read(channel[0], buffer.data(), buffer.size())) != 0;) {
    if (got > 0)
      result.output.append(buffer.data(), std::size_t(got));
    else if (errno != EINTR)
      break;
  }
  close(channel[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.wallMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  result.ok = result.status == 0;
  return result;
}

std::string selfPath() {
  return std::filesystem::read_symlink("/proc/self/exe");
}

std::string toolPath() {
  if (const char* set = std::getenv("LATHE_TOOL")) return set;
  const std::filesystem::path beside = std::filesystem::path(selfPath()).parent_path() / "lathe";
  return std::filesystem::exists(beside) ? beside.string() : "lathe";
}

std::size_t residentBytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * std::size_t(sysconf(_SC_PAGESIZE));
}

std::size_t peakResidentBytes() {
  // Not getrusage: its maximum survives exec and so counts the parent's memory too.
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::size_t kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
  }
  fail("/proc/self/status: no VmHWM; peak memory cannot be measured");
}

ScratchFolder::ScratchFolder() {
  std::string pattern = std::filesystem::temp_directory_path() / "lathe_bench_XXXXXX";
  if (!mkdtemp(pattern.data())) fail(pattern + ": cannot be created: " + std::system_category().message(errno));
  path_ = pattern;
}
ScratchFolder::~ScratchFolder() {
  std::error_code ignored;  // a left-over folder in the temporary folder harms nobody
  std::filesystem::remove_all(path_, ignored);
}
std::string ScratchFolder::path(std::string_view name) const {
  return path_ + "/" + std::string(name);
}
std::string ScratchFolder::write(std::string_view name, std::string_view text) const {
  const std::string at = path(name);
  std::ofstream(at, std::ios::binary) << text;
  return at;
}

std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path + ": cannot be read");
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return std::move(bytes).str();
}

std::optional<Library> Library::open(std::span<const std::string> names) {
  for (const std::string& name : names)
    if (void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return Library(handle);
  return std::nullopt;
}

void* Library::find(const char* symbol) const {
  void* found = dlsym(handle_, symbol);
  if (!found) fail(std::string(symbol) + ": the library lacks it; a newer version is needed");
  return found;
}

std::string option(Arguments arguments, std::string_view name) {
  const auto at = std::ranges::find(arguments, name);
  return at == arguments.end() || at + 1 == arguments.end() ? std::string() : at[1];
}

unsigned option(Arguments arguments, std::string_view name, unsigned fallback) {
  const std::string word = option(arguments, name);
  if (word.empty()) return fallback;
  unsigned value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size())
    fail(std::string(name) + ": '" + word + "' is not a number");
  return value;
}

}  // namespace lathe::bench
