// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs in the kernel cost, by Lathe and by clang with libbpf: the time of an event, from a source or an object
// to a loaded program, and taking records out of a ring buffer. Needs the rights to load programs, libbpf with its
// headers, and clang:
//
//   bench_bpf FOLDER_OF_PAIRS [CLANG]          default: clang-22
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <lathe/bpf_host.h>
#include <lathe/compiler.h>

namespace {

using Clock = std::chrono::steady_clock;
using Bytes = std::vector<std::byte>;

double microsecondsSince(Clock::time_point from) {
  return std::chrono::duration<double, std::micro>(Clock::now() - from).count();
}

double median(std::vector<double> times) {
  std::ranges::sort(times);
  return times[times.size() / 2];
}

[[noreturn]] void fail(const std::string& text) {
  std::fputs((text + "\n").c_str(), stderr);
  std::exit(1);
}

template <class T>
T must(lathe::Result<T> result) {
  if (!result) fail(result.error().render());
  return *std::move(result);
}
void must(const lathe::Result<void>& result) {
  if (!result) fail(result.error().render());
}

Bytes bytesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (text.empty()) fail(path + ": cannot be read");
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string textOf(const std::string& path) {
  const Bytes bytes = bytesOf(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Runs a command with its output dropped. False if it fails.
bool runCommand(const std::vector<std::string>& words) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<char*> pointers;
    for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, 1);
    ::execvp(pointers[0], pointers.data());
    ::_exit(127);
  }
  int status = 0;
  return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

/// Two processes that wake each other over pipes, and a few that execute a program: every event of the pairs.
void makeEvents(int rounds, int executions) {
  std::array<int, 2> there{}, back{};
  if (::pipe(there.data()) != 0 || ::pipe(back.data()) != 0) fail("there are no pipes");
  const pid_t child = ::fork();
  char byte = 0;
  if (child == 0) {
    for (int i = 0; i < rounds; ++i)
      if (::read(there[0], &byte, 1) != 1 || ::write(back[1], &byte, 1) != 1) break;
    ::_exit(0);
  }
  for (int i = 0; i < rounds; ++i)
    if (::write(there[1], &byte, 1) != 1 || ::read(back[0], &byte, 1) != 1) fail("a pipe ended");
  ::waitpid(child, nullptr, 0);
  for (const int end : {there[0], there[1], back[0], back[1]}) ::close(end);
  for (int i = 0; i < executions; ++i) (void)runCommand({"true"});
}

lathe::Job jobFor(const std::string& source, const std::string& arch = {}) {
  lathe::Job job;
  job.target = "bpf";
  job.arch = arch;
  job.source.name = source;
  job.source.text = textOf(source);
  return job;
}

struct Cost {
  double nanoseconds = 0;
  double runs = 0;
};

/// The time of a run of each program on packets or a context, as the kernel measures it.
double timedRun(const lathe::bpf::Program& program) {
  std::vector<std::byte> packet(64), context(64);
  packet[12] = std::byte{8};
  packet[14] = std::byte{0x45};
  packet[23] = std::byte{17};
  lathe::bpf::TestRun run;
  if (lathe::bpf::takesPacket(program.kind())) {
    run.packet = packet;
    run.repeat = 1000000;
    return must(program.testRun(run)).nanoseconds;
  }
  run.context = context;
  const auto before = must(program.counts());
  for (int i = 0; i < 100000; ++i) (void)must(program.testRun(run));
  const auto after = must(program.counts());
  return static_cast<double>(after.nanoseconds - before.nanoseconds) / static_cast<double>(after.runs - before.runs);
}

/// Both sets of programs are attached at once, in both orders by turns: every event runs one of each.
void compareCosts(const Bytes& ours, const Bytes& theirs) {
  const auto statistics = must(lathe::bpf::Statistics::enable());
  std::map<std::string, std::array<Cost, 2>> costs;
  std::map<std::string, std::array<std::vector<double>, 2>> timed;
  constexpr int rounds = 6;
  for (int round = 0; round < rounds; ++round) {
    std::vector<lathe::bpf::Object> objects;
    for (const int which : {round % 2, 1 - round % 2}) {
      objects.push_back(must(lathe::bpf::Object::open(which == 0 ? ours : theirs)));
      must(objects.back().load());
    }
    std::vector<lathe::bpf::Link> links;
    for (const auto& object : objects)
      for (auto& link : must(object.attachAll())) links.push_back(std::move(link));
    makeEvents(50000, 100);
    links.clear();
    for (std::size_t i = 0; i < objects.size(); ++i) {
      const std::size_t which = (i + static_cast<std::size_t>(round)) % 2;
      for (const auto& program : objects[i].programs()) {
        if (program.section().find('/') == std::string::npos) {
          timed[program.name()][which].push_back(timedRun(program));
          continue;
        }
        const auto counts = must(program.counts());
        costs[program.name()][which].nanoseconds += static_cast<double>(counts.nanoseconds);
        costs[program.name()][which].runs += static_cast<double>(counts.runs);
      }
    }
  }
  std::printf("| program | C++ by Lathe, ns | C by clang, ns | ratio |\n|---|---|---|---|\n");
  double logs = 0;
  std::size_t n = 0;
  const auto row = [&](const std::string& name, double a, double b) {
    std::printf("| `%s` | %.1f | %.1f | %.3f |\n", name.c_str(), a, b, a / b);
    logs += std::log(a / b);
    ++n;
  };
  for (const auto& [name, both] : costs)
    row(name, both[0].nanoseconds / both[0].runs, both[1].nanoseconds / both[1].runs);
  for (const auto& [name, both] : timed) row(name, median(both[0]), median(both[1]));
  std::printf("| geometric mean of %zu | | | %.3f |\n", n, std::exp(logs / static_cast<double>(n)));
}

void loadByLibbpf(const Bytes& elf) {
  bpf_object_open_opts options{};
  options.sz = sizeof(options);
  options.object_name = "program";
  bpf_object* const object = bpf_object__open_mem(elf.data(), elf.size(), &options);
  if (!object || bpf_object__load(object) != 0) fail("libbpf does not load the object");
  bpf_object__close(object);
}

void loadByLathe(const Bytes& elf) {
  auto object = must(lathe::bpf::Object::open(elf));
  must(object.load());
}

void compareLoads(const std::string& what, const Bytes& elf) {
  std::vector<double> ours, theirs;
  for (int i = 0; i < 31; ++i) {
    auto begin = Clock::now();
    loadByLathe(elf);
    ours.push_back(microsecondsSince(begin));
    begin = Clock::now();
    loadByLibbpf(elf);
    theirs.push_back(microsecondsSince(begin));
  }
  // The least times: what other processes take away is in the others.
  const double least[] = {*std::ranges::min_element(ours), *std::ranges::min_element(theirs)};
  std::printf("%s -> loaded: Lathe %.2f ms, libbpf %.2f ms, difference %.2f ms (medians %.2f and %.2f ms)\n",
              what.c_str(), least[0] / 1000, least[1] / 1000, (least[0] - least[1]) / 1000, median(ours) / 1000,
              median(theirs) / 1000);
}

/// The programs of a file one by one, each with what stands before the first of them; then the whole file.
std::vector<std::string> sourcesOf(const std::string& text) {
  constexpr std::string_view begin = "\nSEC(", end = "\nLATHE_BPF_LICENSE(", endInC = "\nchar ";
  std::vector<std::string> out;
  const std::size_t head = text.find(begin);
  const std::size_t tail = std::min(text.rfind(end), text.rfind(endInC));
  for (std::size_t at = head; at < tail;) {
    const std::size_t next = std::min(text.find(begin, at + 1), tail);
    out.push_back(text.substr(0, head) + text.substr(at, next - at) + text.substr(tail));
    at = next;
  }
  out.push_back(text);
  return out;
}

/// The function that follows the last SEC() of a source for one program.
std::string nameIn(const std::string& source) {
  const std::size_t from = source.find(") int ", source.find("\nSEC(")) + 6;
  return source.substr(from, source.find('(', from) - from);
}

/// From a source to a loaded program, in this process without the cache, and by a process of clang and libbpf, by
/// turns.
void compareSources(const std::string& folder, const std::string& clang) {
  const std::vector<std::string> ours = sourcesOf(textOf(folder + "/pairs.bpf.cpp")),
                                 theirs = sourcesOf(textOf(folder + "/pairs.bpf.c"));
  if (ours.size() != theirs.size()) fail("the pairs are not as many in C++ as in C");
  const std::string object = "/tmp/bench_bpf." + std::to_string(::getpid()) + ".o", file = object + ".bpf.c";
  lathe::CompilerConfig config;
  config.cache.enabled = false;
  const auto compiler = must(lathe::Compiler::create(config));
  double logs = 0;
  std::printf("| source -> loaded | C++ by Lathe, ms | C by clang and libbpf, ms | ratio |\n|---|---|---|---|\n");
  for (std::size_t which = 0; which < ours.size(); ++which) {
    std::ofstream(file) << theirs[which];
    std::array<std::vector<double>, 2> times;
    constexpr int rounds = 15;
    for (int i = 0; i < rounds; ++i) {
      auto begin = Clock::now();
      lathe::Job job;
      job.target = "bpf";
      job.source.name = "pairs.bpf.cpp";
      job.source.text = ours[which] + "// " + std::to_string(i);  // nothing of an earlier compile serves
      const auto compiled = must(compiler.compile(job));
      auto loaded = must(lathe::bpf::Object::open(compiled.image));
      must(loaded.load());
      times[0].push_back(microsecondsSince(begin));
      begin = Clock::now();
      if (!runCommand({clang, "-O2", "-g", "--target=bpf", "-mcpu=v3", "-D__TARGET_ARCH_x86", "-I", "/usr/include",
                       "-I", "/usr/include/x86_64-linux-gnu", "-c", file, "-o", object}))
        fail("clang does not compile the pair in C");
      loadByLibbpf(bytesOf(object));
      times[1].push_back(microsecondsSince(begin));
    }
    const double a = median(times[0]) / 1000, b = median(times[1]) / 1000;
    const bool isWhole = which + 1 == ours.size();
    if (isWhole) {
      const double mean = std::exp(logs / static_cast<double>(which));
      std::printf("| geometric mean of %zu | | | %.3f |\n", which, mean);
    } else {
      logs += std::log(a / b);
    }
    const std::string name = isWhole ? "all in one file" : '`' + nameIn(ours[which]) + '`';
    std::printf("| %s | %.1f | %.1f | %.2f |\n", name.c_str(), a, b, a / b);
  }
  for (const std::string& written : {object, file}) ::unlink(written.c_str());
}

constexpr const char* ringSource = R"(
#include <lathe/bpf.h>
struct Record { __u64 number, time, more[2]; };
lathe::bpf::ring_buffer<16777216, Record> events SEC(".maps");
static long put(__u32 i, void*) {
  Record* const record = events.reserve();
  if (!record) return 1;
  record->number = i;
  record->time = 1;
  events.submit(record, 1 /* BPF_RB_NO_WAKEUP */);
  return 0;
}
SEC("syscall") int fill(__u64* context) { return static_cast<int>(bpf_loop(*context, reinterpret_cast<void*>(&put), nullptr, 0)); }
LATHE_BPF_LICENSE("GPL");
)";

int countRecord(void* context, void* data, std::size_t bytes) {
  *static_cast<std::uint64_t*>(context) += bytes + *static_cast<const std::uint64_t*>(data) % 2;
  return 0;
}

void compareRings() {
  const auto compiler = must(lathe::Compiler::create());
  lathe::Job job;
  job.target = "bpf";
  job.source.text = ringSource;
  const auto compiled = must(compiler.compile(job));
  auto object = must(lathe::bpf::Object::open(compiled.image));
  must(object.load());
  const auto program = must(object.program("fill"));
  const auto map = must(object.rawMap("events"));
  std::uint64_t ourSum = 0, theirSum = 0;
  auto ours = must(lathe::bpf::RingBuffer::open(map, [&](std::span<const std::byte> record) {
    (void)countRecord(&ourSum, const_cast<std::byte*>(record.data()), record.size());
  }));
  ring_buffer* const theirs = ring_buffer__new(map.descriptor(), countRecord, &theirSum, nullptr);
  if (!theirs) fail("libbpf does not open the ring buffer");
  constexpr std::uint64_t records = 200000;
  std::vector<double> a, b;
  // Both read the same buffer by turns: the position is the kernel's.
  for (int i = 0; i < 80; ++i) {
    std::uint64_t context = records;
    (void)must(program.testRun(context));
    const auto begin = Clock::now();
    const long taken = i % 2 == 0 ? static_cast<long>(must(ours.consume())) : ring_buffer__consume(theirs);
    const double time = microsecondsSince(begin);
    if (taken != static_cast<long>(records)) fail("records are lost: " + std::to_string(taken));
    (i % 2 == 0 ? a : b).push_back(static_cast<double>(records) / time);
  }
  ring_buffer__free(theirs);
  if (ourSum != theirSum) fail("the records differ");
  std::printf("ring buffer: Lathe takes %.1f million records a second, libbpf's own loop %.1f: ratio %.3f\n", median(a),
              median(b), median(a) / median(b));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) fail("usage: bench_bpf FOLDER_OF_PAIRS [CLANG]");
  const std::string folder = argv[1], clang = argc > 2 ? argv[2] : "clang-22", source = folder + "/pairs.bpf.cpp";
  libbpf_set_print([](libbpf_print_level, const char*, va_list) { return 0; });
  const auto compiled = must(must(lathe::Compiler::create()).compile(jobFor(source)));
  const auto code = compiled.image.code().front().bytes;
  const Bytes ours(code.begin(), code.end());
  const std::string object = "/tmp/bench_bpf.pairs." + std::to_string(::getpid()) + ".o";
  if (!runCommand({clang, "-O2", "-g", "--target=bpf", "-D__TARGET_ARCH_x86", "-I", "/usr/include", "-I",
                   "/usr/include/x86_64-linux-gnu", "-c", folder + "/pairs.bpf.c", "-o", object}))
    fail("clang does not compile the pairs in C");
  const Bytes theirs = bytesOf(object);
  ::unlink(object.c_str());
  compareCosts(ours, theirs);
  compareLoads("object of 16 programs", ours);
  compareSources(folder, clang);
  compareRings();
}
