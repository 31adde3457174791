// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many processes on one cache folder, in numbers that a unit test has not the time for; ctest runs small ones.
//
//   lathe_cache_fleet rate JOBS PROCESSES    distinct jobs, every fourth asked for by two processes at once: none is
//   compiled twice. Prints
//                                            the rate, and that of one process on a folder of its own, before and
//                                            afterwards
//   lathe_cache_fleet kill KILLS             processes that compile, write and evict are killed at random moments: no
//   result is
//                                            wrong, no entry damaged, and nothing is left after a prune
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <lathe/bundle.h>
#include <lathe/cache.h>
#include <lathe/compiler.h>

namespace {

using Clock = std::chrono::steady_clock;
constexpr unsigned killJobs = 64;
/// Room for about a third of the jobs' entries, so that there is an eviction every few jobs.
constexpr std::uint64_t killBytes = 40'000;
constexpr unsigned killProcesses = 3;

/// Counts of all processes.
struct Shared {
  std::atomic<unsigned> next = 0, served = 0, compiled = 0, failed = 0, wrong = 0;
  std::array<std::array<char, 65>, killJobs> expected{};     ///< hashes of the images
  std::array<std::atomic<unsigned>, killProcesses> begun{};  ///< results that the process in this place has got
};

Shared& shared() {
  static void* const memory =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  static Shared* const out = new (memory) Shared;
  return *out;
}

[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "fleet: %s\n", why.c_str());
  std::exit(1);
}

lathe::Job numbered(const std::string& target, unsigned number) {
  lathe::Job job;
  job.source.text =
      "#include <lathe/device.h>\n"
      "LATHE_KERNEL void twice(int* data) { data[lathe::global_id().x] *= NUMBER; }\n";
  job.target = target;
  job.options.defines = {"NUMBER=" + std::to_string(number)};
  return job;
}

lathe::Compiler makeCompiler(const lathe::CacheConfig& cache) {
  lathe::CompilerConfig config;
  config.cache = cache;
  auto out = lathe::Compiler::create(config);
  if (!out) stop(out.error().render());
  return *std::move(out);
}

void count(const lathe::Result<lathe::CompileResult>& result) {
  ++shared().served;
  if (!result) ++shared().failed;
  if (result && result->origin == lathe::CacheOrigin::compiled) ++shared().compiled;
}

template <class Work>
pid_t start(const Work& work) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  work();
  ::_exit(0);
}

void waitFor(const std::vector<pid_t>& children) {
  for (const pid_t child : children) {
    int status = 0;
    if (::waitpid(child, &status, 0) != child || status != 0) stop("a process failed");
  }
}

/// Jobs by second: of time, and of processors' time, which other work on the machine takes nothing from.
struct Rate {
  double time = 0;
  double processor = 0;
};

/// Processors' time of the children that have ended, in seconds.
double childrenSeconds() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Of `processes` that share jobs `first` to `first + jobs - 1`.
Rate rate(const std::filesystem::path& folder, unsigned first, unsigned jobs, unsigned processes) {
  Shared& all = shared();
  all.next = all.served = all.compiled = 0;
  const unsigned tickets = jobs / 4 * 5;
  const auto begin = Clock::now();
  const double before = childrenSeconds();
  std::vector<pid_t> children;
  for (unsigned i = 0; i < processes; ++i) {
    children.push_back(start([&] {
      const lathe::Compiler compiler = makeCompiler({.folder = folder});
      // Tickets 3 and 4 of each five are for one job.
      for (unsigned ticket = all.next++; ticket < tickets; ticket = all.next++)
        count(compiler.compile(numbered("cuda", first + ticket / 5 * 4 + std::min(ticket % 5, 3U))));
    }));
  }
  waitFor(children);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (all.failed != 0) stop(std::to_string(all.failed) + " jobs failed");
  if (all.served != tickets) stop("not all jobs were served");
  if (all.compiled != jobs) stop(std::to_string(all.compiled) + " compiles of " + std::to_string(jobs) + " jobs");
  return {.time = jobs / seconds, .processor = jobs / (childrenSeconds() - before)};
}

void measureRate(const std::filesystem::path& root, unsigned jobs, unsigned processes) {
  jobs = std::max(4U, jobs / 4 * 4);
  const unsigned alone = std::max(4U, jobs / 40 * 4);
  const Rate before = rate(root / "before", 0, alone, 1);
  const Rate fleet = rate(root / "cache", 0, jobs, processes);
  const Rate after = rate(root / "after", 0, alone, 1);
  auto cache = lathe::Cache::open({.folder = root / "cache"});
  if (!cache) stop(cache.error().render());
  const lathe::CacheStats stats = cache->stats();
  if (stats.misses != jobs || stats.entries != jobs || stats.stores != jobs ||
      stats.diskHits + stats.memoryHits != jobs / 4)
    stop("the counts are wrong: " + std::to_string(stats.misses) + " misses, " + std::to_string(stats.entries) +
         " entries");
  if (cache->verify() != 0) stop("an entry is damaged");
  const unsigned cores = std::max(1U, std::min(processes, std::thread::hardware_concurrency()));
  std::printf("%u jobs by %u processes: none compiled twice, no error; %.1f jobs/s\n", jobs, processes, fleet.time);
  std::printf("one process: %.1f and %.1f jobs/s; %.2f of %u times that\n", before.time, after.time,
              fleet.time * 2 / (before.time + after.time) / cores, cores);
  std::printf("for each second of a processor: %.1f jobs; one process: %.1f and %.1f; %.2f of that\n", fleet.processor,
              before.processor, after.processor, fleet.processor * 2 / (before.processor + after.processor));
}

/// Compiles jobs in any order until it is killed, and looks at what it gets.
void work(const lathe::CacheConfig& config, unsigned place, unsigned seed) {
  std::mt19937 random(seed);
  const lathe::Compiler compiler = makeCompiler(config);
  for (;;) {
    const unsigned number = std::uniform_int_distribution<unsigned>(0, killJobs - 1)(random);
    const auto result = compiler.compile(numbered("null", number));
    count(result);
    ++shared().begun[place];
    if (result && lathe::hashOf(result->image) != shared().expected[number].data()) ++shared().wrong;
  }
}

bool isEmpty(const std::filesystem::path& folder) {
  return !std::filesystem::exists(folder) || std::filesystem::is_empty(folder);
}

void kill(const std::filesystem::path& root, unsigned kills) {
  Shared& all = shared();
  waitFor({start([&] {
    const lathe::Compiler compiler = makeCompiler({.enabled = false});
    for (unsigned i = 0; i < killJobs; ++i) {
      const auto result = compiler.compile(numbered("null", i));
      if (!result) stop(result.error().render());
      lathe::hashOf(result->image).copy(all.expected[i].data(), 64);
    }
  })});
  const lathe::CacheConfig config = {.folder = root / "cache", .diskBytes = killBytes, .memoryBytes = 0};
  std::mt19937 random(1);
  std::vector<pid_t> children;
  for (unsigned i = 0; i < killProcesses; ++i) children.push_back(start([&] { work(config, i, i); }));
  for (unsigned i = 0; i < kills; ++i) {
    const unsigned place = i % killProcesses;
    const unsigned results = std::uniform_int_distribution<unsigned>(1, 8)(random);
    while (all.begun[place] < results) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const unsigned microseconds = std::uniform_int_distribution<unsigned>(0, 40'000)(random);
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
    pid_t& child = children[place];
    int status = 0;
    if (::kill(child, SIGKILL) != 0 || ::waitpid(child, &status, 0) != child || !WIFSIGNALED(status) ||
        WTERMSIG(status) != SIGKILL)
      stop("a process ended before it was killed");
    all.begun[place] = 0;
    child = start([&] { work(config, place, killProcesses + i); });
  }
  for (const pid_t child : children) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  auto cache = lathe::Cache::open(config);
  if (!cache) stop(cache.error().render());
  const lathe::CacheStats stats = cache->stats();
  if (cache->verify() != 0 || stats.damaged != 0) stop("an entry is damaged");
  cache->prune(killBytes);
  if (!isEmpty(config.folder / "tmp") || !isEmpty(config.folder / "locks")) stop("killed processes left files behind");
  if (all.failed != 0 || all.wrong != 0)
    stop(std::to_string(all.failed) + " errors, " + std::to_string(all.wrong) + " wrong results");
  if (stats.evicted == 0 || stats.diskHits == 0) stop("nothing was evicted, or nothing came from the folder");
  std::printf(
      "%u kills: %u results, none wrong, %llu of them from the folder; %llu entries written, %llu files evicted; "
      "nothing left\n",
      kills, all.served.load(), static_cast<unsigned long long>(stats.diskHits),
      static_cast<unsigned long long>(stats.stores), static_cast<unsigned long long>(stats.evicted));
}

}  // namespace

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  const auto number = [&](int at) { return static_cast<unsigned>(std::strtoul(arguments[at], nullptr, 10)); };
  for (const char* variable : {"LATHE_CACHE", "LATHE_CACHE_REMOTE", "LATHE_CACHE_READ_DIRS"}) ::unsetenv(variable);
  std::string pattern = (std::filesystem::temp_directory_path() / "lathe-fleet-XXXXXX").string();
  const std::filesystem::path root = ::mkdtemp(pattern.data());
  if (what == "rate" && count == 4) {
    measureRate(root, number(2), number(3));
  } else if (what == "kill" && count == 3) {
    kill(root, number(2));
  } else {
    std::fprintf(stderr, "usage: lathe_cache_fleet rate JOBS PROCESSES | kill KILLS\n");
    return 2;
  }
  std::filesystem::remove_all(root);
  return 0;
}
