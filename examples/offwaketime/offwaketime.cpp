// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Off-wake time: who sleeps, for how long, in which call, and whose call wakes them. The program in the kernel
// (offwaketime.bpf.cpp) sums it up; this one compiles and loads it, waits, and writes a line a pair of stacks in the
// folded form that flame graphs are made of:
//
//   sleeper;its stack, outermost first;--;the waker's stack, outermost last;waker MICROSECONDS
//
//   lathe_offwaketime offwaketime.bpf.cpp [--seconds N] [--process PID] [--command NAME] [--least MICROSECONDS] >
//   folded
//
// --svg FILE draws the flame graph itself, --json FILE writes the same as a document. It ends with how many context
// switches it saw of those that a counter of its own saw on each CPU, what was lost, and the time that it took itself.
#include <unistd.h>

#include <array>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <lathe/bpf_host.h>
#include <lathe/compiler.h>

#include "flame_graph.h"
#include "offwaketime.h"
#include "symbols.h"

namespace {

constexpr std::size_t mostFrames = 127;
using Frames = std::array<std::uint64_t, mostFrames>;
using Stacks = std::array<lathe::bpf::Map<std::uint32_t, Frames>, 2>;

struct Settings {
  std::string source;
  double seconds = 1;
  std::uint32_t process = 0;
  std::uint64_t leastMicroseconds = 0;
  std::string command;    ///< empty: all
  std::string svg, json;  ///< files; empty: none
};

volatile std::sig_atomic_t interrupted = 0;

std::string readFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

lathe::Result<lathe::Image> compileProgram(const std::string& path) {
  auto compiler = lathe::Compiler::create();
  if (!compiler) return compiler.error();
  lathe::Job job;
  job.target = "bpf";
  job.source.name = path;
  job.source.text = readFile(path);
  if (job.source.text.empty())
    return lathe::Error{.code = lathe::ErrorCode::FileUnreadable, .message = path + ": there is no program"};
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  job.headers.push_back({"offwaketime.h", readFile(folder + "offwaketime.h")});
  auto compiled = compiler->compile(job);
  if (!compiled) return compiled.error();
  return std::move(compiled->image);
}

/// A frame's name as folded lines take it, where ';' ends a frame and ' ' a stack.
Frame frameOf(const std::string& name, bool isWaker) {
  std::string out = printable(name);
  for (char& letter : out)
    if (letter == ';' || letter == ' ') letter = '_';
  return {std::move(out), isWaker};
}

/// The functions of one stack, innermost first.
template <class NameOf>
std::vector<std::string> framesOf(const Stacks& stacks, int number, NameOf nameOf) {
  std::vector<std::string> out;
  if (number < 0) return out;
  const auto place = static_cast<std::uint32_t>(number);
  const auto frames = stacks[place / placesOfStacks].find(place % placesOfStacks);
  if (!frames || !frames->has_value()) return out;
  for (const std::uint64_t address : **frames) {
    if (address == 0) break;
    std::string name = nameOf(address);
    // What the tracing itself puts on top.
    if (out.empty() && (name.starts_with("bpf_") || name.starts_with("__bpf_") || name.starts_with("__traceiter")))
      continue;
    out.push_back(std::move(name));
  }
  return out;
}

class Report {
 public:
  explicit Report(Stacks stacks) : stacks_(std::move(stacks)) {}

  /// The sleeper's stack, outermost function first, and on its head the waker's, upside down.
  std::vector<Frame> stackOf(const Wake& wake) {
    const auto kernel = [&](std::uint64_t address) { return symbols_.ofKernel(address); };
    const auto userOf = [&](std::uint32_t process) {
      return [this, process](std::uint64_t address) { return symbols_.ofProcess(process, address); };
    };
    std::vector<Frame> out = {frameOf(wake.sleeperName, false)};
    for (const auto& part :
         {framesOf(stacks_, wake.sleeperUser, userOf(wake.sleeper)), framesOf(stacks_, wake.sleeperKernel, kernel)})
      for (auto name = part.rbegin(); name != part.rend(); ++name) out.push_back(frameOf(*name, false));
    out.push_back({"--", true});
    for (const auto& part :
         {framesOf(stacks_, wake.wakerKernel, kernel), framesOf(stacks_, wake.wakerUser, userOf(wake.waker))})
      for (const std::string& name : part) out.push_back(frameOf(name, true));
    out.push_back(frameOf(wake.wakerName[0] ? wake.wakerName : "nobody", true));
    return out;
  }

 private:
  Stacks stacks_;
  Symbols symbols_;
};

std::string folded(const std::vector<Frame>& stack, const Total& total) {
  std::string out;
  for (const Frame& frame : stack) out += (out.empty() ? "" : ";") + frame.name;
  return out + " " + std::to_string(total.nanoseconds / 1000) + "\n";
}

/// JSON of a printable() text.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

/// One pair of stacks as an object.
std::string jsonOf(const Wake& wake, const std::vector<Frame>& stack, const Total& total) {
  std::string sleeper, waker;
  for (const Frame& frame : stack) {
    if (frame.name == "--") continue;
    std::string& list = frame.isWaker ? waker : sleeper;
    list += (list.empty() ? "" : ", ") + quoted(frame.name);
  }
  return "{\"nanoseconds\": " + std::to_string(total.nanoseconds) + ", \"count\": " + std::to_string(total.count) +
         ", \"sleeper\": " + std::to_string(wake.sleeper) + ", \"waker\": " + std::to_string(wake.waker) +
         ", \"sleeperStack\": [" + sleeper + "], \"wakerStack\": [" + waker + "]}";
}

lathe::Result<void> writeFile(const std::string& path, const std::string& text) {
  if (path.empty()) return {};
  std::ofstream file(path);
  if (file << text << std::flush) return {};
  return lathe::Error{lathe::ErrorCode::FileUnwritable, path + ": cannot be written"};
}

/// What the counter of each CPU saw. Errors: those of Lathe.
lathe::Result<std::uint64_t> switchesOfCpus(const lathe::bpf::Object& object) {
  const auto map = object.map<std::uint32_t, std::uint64_t>("switches_of_cpu");
  if (!map) return map.error();
  const auto values = map->findAll(0);
  if (!values) return values.error();
  std::uint64_t sum = 0;
  for (const std::uint64_t value : *values) sum += value;
  return sum;
}

/// Traces, and writes the folded lines, the picture and the document. Errors: those of Lathe.
lathe::Result<void> trace(const Settings& settings) {
  const auto image = compileProgram(settings.source);
  if (!image) return image.error();
  auto object = lathe::bpf::Object::open(*image);
  if (!object) return object.error();
  const auto process = object->global<std::uint32_t>("only_process");
  const auto command = object->global<std::array<char, 16>>("only_command");
  const auto least = object->global<std::uint64_t>("least_nanoseconds");
  if (!process) return process.error();
  if (!command) return command.error();
  if (!least) return least.error();
  **process = settings.process;
  settings.command.copy((*command)->data(), (*command)->size() - 1);
  **least = settings.leastMicroseconds * 1000;
  if (auto loaded = object->load(); !loaded) return loaded;
  const auto statistics = lathe::bpf::Statistics::enable();  // without it the time of the programs is not known
  auto links = object->attachAll();
  if (!links) return links.error();
  const auto running = object->global<std::uint32_t>("running");
  if (!running) return running.error();
  **running = 1;
  const auto count = [&](const char* name) {
    return static_cast<unsigned long long>(**object->global<std::uint64_t>(name));
  };

  const auto begin = std::chrono::steady_clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  for (int steps = 1; !interrupted && passed() < settings.seconds; ++steps) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (steps % 100 == 0 && ::isatty(STDERR_FILENO))
      std::fprintf(stderr, "\r%.0f s, %llu context switches", passed(), count("switches"));
  }
  if (::isatty(STDERR_FILENO)) std::fputs("\r", stderr);
  **running = 0;
  const double seconds = passed();
  links->clear();

  const auto totals = object->map<Wake, Total>("totals");
  if (!totals) return totals.error();
  const auto stacks = object->map<std::uint32_t, Frames>("stacks");
  const auto moreStacks = object->map<std::uint32_t, Frames>("more_stacks");
  if (!stacks || !moreStacks) return stacks ? moreStacks.error() : stacks.error();
  const auto entries = totals->entries();
  if (!entries) return entries.error();
  Report report({*stacks, *moreStacks});
  FlameGraph graph;
  std::string pairs;
  for (const auto& [wake, total] : *entries) {
    const std::vector<Frame> stack = report.stackOf(wake);
    std::fputs(folded(stack, total).c_str(), stdout);
    graph.add(stack, total.nanoseconds / 1000);
    pairs += (pairs.empty() ? "\n" : ",\n") + jsonOf(wake, stack, total);
  }

  const auto all = switchesOfCpus(*object);
  if (!all) return all.error();
  std::uint64_t nanoseconds = 0;
  for (const auto& program : object->programs())
    if (const auto counts = program.counts()) nanoseconds += counts->nanoseconds;
  const double share = static_cast<double>(nanoseconds) / 1e9 / seconds * 100;
  std::fprintf(stderr,
               "%llu of %llu context switches, %zu pairs of stacks; lost: %llu sleeps, %llu pairs, %llu stacks\n",
               count("switches"), static_cast<unsigned long long>(*all), entries->size(), count("lost_sleeps"),
               count("lost_totals"), count("lost_stacks"));
  std::fprintf(stderr, "the programs took %.1f %% of a CPU\n", share);
  if (auto done = writeFile(settings.svg, graph.svg("Off-CPU time, and who ended it")); !done) return done;
  return writeFile(settings.json,
                   "{\"switches\": " + std::to_string(count("switches")) + ", \"switchesOfCpus\": " +
                       std::to_string(*all) + ", \"lostSleeps\": " + std::to_string(count("lost_sleeps")) +
                       ", \"lostPairs\": " + std::to_string(count("lost_totals")) +
                       ", \"lostStacks\": " + std::to_string(count("lost_stacks")) +
                       ", \"percentOfCpu\": " + std::to_string(share) + ", \"pairs\": [" + pairs + "]}\n");
}

int usage(int code) {
  std::fputs(
      "usage: lathe_offwaketime PROGRAM.bpf.cpp [--seconds N] [--process PID] [--command NAME] "
      "[--least MICROSECONDS] [--svg FILE] [--json FILE]\n",
      code == 0 ? stdout : stderr);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  if (argc == 2 && std::string_view(argv[1]) == "--help") return usage(0);
  if (argc < 2 || argc % 2 != 0) return usage(2);
  settings.source = argv[1];
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    const double value = std::atof(argv[i + 1]);
    if ((option == "--seconds" || option == "--process" || option == "--least") &&
        !(value >= 0 && value < 4294967296.0 && std::isdigit(static_cast<unsigned char>(argv[i + 1][0])))) {
      std::fprintf(stderr, "%s: '%s' is no number\n", argv[i], argv[i + 1]);
      return 2;
    }
    if (option == "--seconds")
      settings.seconds = value;
    else if (option == "--process")
      settings.process = static_cast<std::uint32_t>(value);
    else if (option == "--command")
      settings.command = argv[i + 1];
    else if (option == "--least")
      settings.leastMicroseconds = static_cast<std::uint64_t>(value);
    else if (option == "--svg")
      settings.svg = argv[i + 1];
    else if (option == "--json")
      settings.json = argv[i + 1];
    else
      return usage(2);
  }
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { interrupted = 1; });
  const auto done = trace(settings);
  if (done) return 0;
  // What a kernel or a container refuses is not the program's fault.
  std::fprintf(stderr, "skipped: %s", done.error().render().c_str());
  return lathe::errorFamily(done.error().code) == lathe::ErrorFamily::environment ? 77 : 1;
}
