// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BPF programs compiled in process, opened by libbpf, and, where the kernel permits, loaded and run. What the kernel
// refuses for lack of rights is skipped with the reason; what its verifier refuses is a failure, with its log.
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <lathe/compiler.h>

namespace {

struct Close {
  void operator()(bpf_object* object) const { bpf_object__close(object); }
  void operator()(bpf_link* link) const { bpf_link__destroy(link); }
  void operator()(ring_buffer* buffer) const { ring_buffer__free(buffer); }
};
using Object = std::unique_ptr<bpf_object, Close>;

/// libbpf's messages of the test at hand, the verifier's log among them.
std::string& log() {
  static std::string text;
  return text;
}
int keep(libbpf_print_level level, const char* format, va_list arguments) {
  if (level == LIBBPF_DEBUG) return 0;
  std::array<char, 65536> line{};
  const int size = std::vsnprintf(line.data(), line.size(), format, arguments);
  log() += line.data();
  return size;
}

class Bpf : public testing::Test {
 protected:
  void SetUp() override {
    log().clear();
    libbpf_set_print(keep);
  }

  void compile(const std::string& text, const std::string& name = "test.bpf.cpp", const std::string& arch = "") {
    auto compiler = lathe::Compiler::create();
    ASSERT_TRUE(compiler) << compiler.error().render();
    lathe::Job job;
    job.target = "bpf";
    job.arch = arch;
    job.source = {.name = name, .text = text, .dialect = ""};
    job.options.includeDirs = includeDirs;
    auto compiled = compiler->compile(job);
    ASSERT_TRUE(compiled) << compiled.error().render();
    image = std::move(compiled->image);
    const lathe::Code& code = image->code().front();
    object.reset(bpf_object__open_mem(code.bytes.data(), code.bytes.size(), nullptr));
    ASSERT_NE(object, nullptr) << std::strerror(errno) << '\n' << log();
  }

  /// False where the kernel does not let this process load programs.
  bool load() {
    if (bpf_object__load(object.get()) == 0) return true;
    const int reason = errno;
    refusal = std::strerror(reason);
    if (reason != EPERM || log().find("BEGIN PROG LOAD LOG") != std::string::npos)
      ADD_FAILURE() << refusal << '\n' << log();
    return false;
  }

  /// Runs a program once on `context` and returns its result.
  int run(const char* program, void* context, std::uint32_t size) {
    bpf_test_run_opts options{};
    options.sz = sizeof(options);
    options.ctx_in = context;
    options.ctx_size_in = size;
    EXPECT_EQ(bpf_prog_test_run_opts(descriptor(program), &options), 0) << std::strerror(errno);
    return static_cast<int>(options.retval);
  }

  int descriptor(const char* program) {
    const bpf_program* const found = bpf_object__find_program_by_name(object.get(), program);
    EXPECT_NE(found, nullptr) << program;
    return bpf_program__fd(found);
  }
  int map(const char* name) { return bpf_object__find_map_fd_by_name(object.get(), name); }

  std::vector<std::string> includeDirs;
  std::optional<lathe::Image> image;
  Object object;
  std::string refusal;
};

#define LOAD_OR_SKIP() \
  if (!load()) GTEST_SKIP() << "the kernel does not let this process load BPF programs: " << refusal

struct Arguments {
  std::uint64_t a, b;
  std::int32_t result;
};

TEST_F(Bpf, ImageListsProgramsAndMaps) {
  compile(R"(
    #include <lathe/bpf.h>
    lathe::bpf::array_map<__u64, 4> totals SEC(".maps");
    namespace net { SEC("xdp/first") int first(xdp_md*) { return XDP_PASS; } }
    SEC("?tc") int second(__sk_buff*) { __u32 k = 0; totals.update(k, 1); return 0; }
    LATHE_BPF_LICENSE("GPL");)");
  ASSERT_EQ(image->info().entries.size(), 2U);
  const lathe::EntryPoint& first = image->info().entries[0];
  EXPECT_EQ(first.name, "net::first");
  EXPECT_EQ(first.symbol, "first");
  EXPECT_EQ(first.section, "xdp/first");
  EXPECT_EQ(first.kind, "xdp");
  EXPECT_EQ(image->info().entries[1].kind, "sched_cls");
  ASSERT_EQ(image->info().globals.size(), 2U);
  EXPECT_EQ(image->info().globals[0].name, "totals");
  EXPECT_EQ(image->info().globals[0].space, ".maps");
  const auto again = lathe::Image::fromBytes(image->bytes());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->info(), image->info());
}

// Classes with methods, bases, static and private members; templates; references; lambdas; namespaces; nullptr: what
// LLVM's BTF emitter crashes on or the kernel refuses unless it is rewritten.
TEST_F(Bpf, TypesOfCxxReachTheKernel) {
  compile(R"(
    #include <lathe/bpf.h>
    struct Arguments { __u64 a, b; __s32 result; };
    class Shape {
     public:
      Shape(int a, int b) : x(a), y(b) {}
      int area() const { return x * y; }
      static int count;
      int x, y;
     private:
      int hidden = 1;
    };
    struct Named : Shape { Named() : Shape(2, 3) {} const int& ref() const { return x; } __u64 more = 7; };
    template <class T> struct Pair { T first, second; T sum() const { return first + second; } };
    struct Value { Pair<unsigned long long> pair; decltype(nullptr) none; int Shape::*member; Shape* shape; };
    lathe::bpf::hash_map<__u32, Pair<unsigned long long>, 16> pairs SEC(".maps");
    lathe::bpf::array_map<Named, 4> shapes SEC(".maps");
    lathe::bpf::array_map<Value, 4> values SEC(".maps");
    const volatile int factor = 3;
    int total;
    enum class Colour : __u8 { red, green };
    Colour colour = Colour::green;
    namespace deep { __u64 counter = 5; }
    inline __u64 shared_count = 1;
    struct Counter { __attribute__((noinline)) __u64 add(__u64 by) { return value += by; } __u64 value; };
    template <class F> __attribute__((noinline)) __u64 apply(__u64 v, F f) { return f(v); }
    __attribute__((noinline)) __u64 twice(__u64 v) { return v * 2 + deep::counter; }
    SEC("syscall") int compute(Arguments* args) {
      const Pair<unsigned long long> pair{args->a, args->b};
      pairs.update(1, pair);
      auto* const found = pairs.lookup(1);
      if (!found) return -1;
      args->result = static_cast<int>(found->sum()) * factor;
      if (Named* shape = shapes.lookup(2)) { shape->x = 5; shape->y = 2; total += shape->area(); }
      if (Value* value = values.lookup(2)) value->pair.first++;
      Counter counter{shared_count};
      args->a = twice(args->a) + counter.add(3);
      args->b = apply(args->b, [](__u64 v) { return v + 100; });
      return colour == Colour::green ? 42 : 0;
    }
    LATHE_BPF_LICENSE("GPL");)");
  LOAD_OR_SKIP();
  Arguments arguments{10, 4, 0};
  EXPECT_EQ(run("compute", &arguments, sizeof(arguments)), 42);
  EXPECT_EQ(arguments.result, 42);
  EXPECT_EQ(arguments.a, 29U);
  EXPECT_EQ(arguments.b, 104U);
}

TEST_F(Bpf, TracepointCountsIntoHashMap) {
  compile(R"(
    #include <lathe/bpf.h>
    lathe::bpf::hash_map<__u32, __u64, 4096> switches SEC(".maps");
    SEC("raw_tp/sched_switch") int BPF_PROG(on_switch, bool preempted, void* previous, void* next) {
      const __u32 process = bpf_get_current_pid_tgid() >> 32;
      if (previous == next) return 0;
      if (__u64* count = switches.lookup_or_insert(process, 0)) __sync_fetch_and_add(count, 1);
      return 0;
    }
    LATHE_BPF_LICENSE("GPL");)");
  LOAD_OR_SKIP();
  const std::unique_ptr<bpf_link, Close> link(
      bpf_program__attach(bpf_object__find_program_by_name(object.get(), "on_switch")));
  if (!link && errno == EPERM) GTEST_SKIP() << "raw tracepoints are not permitted here";
  ASSERT_NE(link, nullptr) << std::strerror(errno) << log();
  for (int i = 0; i < 20; ++i) usleep(1000);
  const auto process = static_cast<std::uint32_t>(getpid());
  std::uint64_t count = 0;
  ASSERT_EQ(bpf_map_lookup_elem(map("switches"), &process, &count), 0);
  EXPECT_GE(count, 20U);
}

TEST_F(Bpf, XdpReadsPackets) {
  compile(R"(
    #include <lathe/bpf.h>
    struct Ethernet { __u8 to[6], from[6]; __be16 protocol; };
    SEC("xdp") int drop_ipv6(xdp_md* ctx) {
      const auto* const begin = reinterpret_cast<const char*>(static_cast<unsigned long>(ctx->data));
      const auto* const end = reinterpret_cast<const char*>(static_cast<unsigned long>(ctx->data_end));
      if (begin + sizeof(Ethernet) > end) return XDP_ABORTED;
      const auto* const header = reinterpret_cast<const Ethernet*>(begin);
      return header->protocol == __builtin_bswap16(0x86dd) ? XDP_DROP : XDP_PASS;
    }
    LATHE_BPF_LICENSE("GPL");)");
  LOAD_OR_SKIP();
  for (const bool six : {true, false}) {
    std::array<unsigned char, 64> packet{};
    packet[12] = six ? 0x86 : 0x08;
    packet[13] = six ? 0xdd : 0x00;
    bpf_test_run_opts options{};
    options.sz = sizeof(options);
    options.data_in = packet.data();
    options.data_size_in = packet.size();
    ASSERT_EQ(bpf_prog_test_run_opts(descriptor("drop_ipv6"), &options), 0) << std::strerror(errno);
    EXPECT_EQ(options.retval, six ? 1U : 2U);
  }
}

TEST_F(Bpf, RingBufferReachesUserSpace) {
  compile(R"(
    #include <lathe/bpf.h>
    struct Event { __u32 number; char text[12]; };
    lathe::bpf::ring_buffer<4096> events SEC(".maps");
    SEC("syscall") int send(__u32* context) {
      for (__u32 i = 0; i < 5; ++i) {
        Event* const event = events.reserve<Event>();
        if (!event) return -1;
        event->number = i * *context;
        __builtin_memcpy(event->text, "hello world", 12);
        if (i == 3) { events.discard(event); continue; }
        events.submit(event);
      }
      return 0;
    }
    LATHE_BPF_LICENSE("GPL");)");
  LOAD_OR_SKIP();
  std::vector<std::uint32_t> seen;
  const auto take = [](void* context, void* data, std::size_t size) {
    std::uint32_t number = 0;
    std::memcpy(&number, data, sizeof(number));
    if (size == 16 && std::strcmp(static_cast<char*>(data) + 4, "hello world") == 0)
      static_cast<std::vector<std::uint32_t>*>(context)->push_back(number);
    return 0;
  };
  const std::unique_ptr<ring_buffer, Close> buffer(ring_buffer__new(map("events"), take, &seen, nullptr));
  ASSERT_NE(buffer, nullptr) << std::strerror(errno);
  std::uint32_t context = 3;
  EXPECT_EQ(run("send", &context, sizeof(context)), 0);
  EXPECT_EQ(ring_buffer__consume(buffer.get()), 4);
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{0, 3, 6, 12}));
}

TEST_F(Bpf, FieldsAreFoundInTheRunningKernel) {
  if (access("/sys/kernel/btf/vmlinux", R_OK) != 0) GTEST_SKIP() << "this kernel has no BTF";
  // The fields stand in another order than in any kernel, with one that none has.
  compile(R"(
    #include <lathe/bpf.h>
    struct task_struct { int no_such_field; int tgid; task_struct* group_leader; int pid; char comm[16]; };
    struct Out { int tgid, leader, has_comm, has_none, comm_size; };
    SEC("syscall") int look(Out* out) {
      auto* const task = reinterpret_cast<task_struct*>(bpf_get_current_task());
      out->tgid = BPF_CORE_READ(task, tgid);
      out->leader = BPF_CORE_READ(task, group_leader, group_leader, pid);
      out->has_comm = bpf_core_field_exists(task->comm);
      out->has_none = bpf_core_field_exists(task->no_such_field);
      out->comm_size = bpf_core_field_size(task->comm);
      return 0;
    }
    LATHE_BPF_LICENSE("GPL");)");
  LOAD_OR_SKIP();
  struct {
    int tgid, leader, hasComm, hasNone, commSize;
  } out{};
  EXPECT_EQ(run("look", &out, sizeof(out)), 0);
  EXPECT_EQ(out.tgid, getpid());
  EXPECT_EQ(out.leader, getpid());
  EXPECT_EQ(out.hasComm, 1);
  EXPECT_EQ(out.hasNone, 0);
  EXPECT_EQ(out.commSize, 16);
}

TEST_F(Bpf, CallbacksLoopsAndPrint) {
  compile(R"(
    #include <lathe/bpf.h>
    lathe::bpf::hash_map<__u32, __u32, 8> squares SEC(".maps");
    static long step(__u32 i, __u64* sum) { *sum += i; return 0; }
    SEC("syscall") int sum(__u64* context) {
      __u64 total = 0;
      bpf_loop(1000, reinterpret_cast<void*>(&step), &total, 0);
      for (__u32 i = 0; i < 4; ++i) squares.update(i, i * i);
      squares.for_each<__u64>([](auto*, const __u32*, __u32* value, __u64* to) -> long { *to += *value; return 0; }, &total);
      bpf_printk("total %d of %d", static_cast<int>(total), 1000);
      *context = total;
      return 0;
    }
    LATHE_BPF_LICENSE("GPL");)");
  LOAD_OR_SKIP();
  std::uint64_t total = 0;
  EXPECT_EQ(run("sum", &total, sizeof(total)), 0);
  EXPECT_EQ(total, 499500U + 14U);
}

TEST_F(Bpf, SignedDivisionInVersion4) {
  const std::string text = R"(
    #include <lathe/bpf.h>
    SEC("syscall") int divide(__s64* v) { v[0] = v[0] / v[1]; return static_cast<int>(v[0] % 7); }
    LATHE_BPF_LICENSE("GPL");)";
  compile(text, "divide.bpf.cpp", "v4");
  LOAD_OR_SKIP();
  std::array<std::int64_t, 2> values = {-100, 3};
  EXPECT_EQ(run("divide", values.data(), sizeof(values)), -33 % 7);
  EXPECT_EQ(values[0], -33);
}

#ifdef LATHE_LIBBPF_HEADERS
// A C source as it is written for clang and libbpf.
TEST_F(Bpf, SourcesForLibbpfCompileAsTheyAre) {
  includeDirs = {LATHE_LIBBPF_HEADERS, "/usr/include/x86_64-linux-gnu", "/usr/include/aarch64-linux-gnu"};
  compile(R"(
    #include <stdbool.h>
    #include <linux/bpf.h>
    #include <bpf/bpf_helpers.h>
    #include <bpf/bpf_tracing.h>
    #include <bpf/bpf_core_read.h>

    struct task_struct { int tgid; } __attribute__((preserve_access_index));
    struct event { __u32 tgid; __u32 noise; };
    struct {
      __uint(type, BPF_MAP_TYPE_HASH);
      __uint(max_entries, 128);
      __type(key, __u32);
      __type(value, struct event);
    } seen SEC(".maps");
    static __noinline int remember(__u32 tgid) {
      struct event e = { .tgid = tgid, .noise = bpf_get_prandom_u32() };
      return bpf_map_update_elem(&seen, &tgid, &e, BPF_ANY);
    }
    int calls;
    SEC("syscall")
    int look(__u32 *context) {
      struct task_struct *task = (void *)bpf_get_current_task();
      __u32 tgid = BPF_CORE_READ(task, tgid);
      bpf_printk("looked at %d", tgid);
      __sync_fetch_and_add(&calls, 1);
      return remember(tgid);
    }
    SEC("raw_tp/sched_switch")
    int BPF_PROG(on_switch, bool preempt) { return remember(preempt); }
    char LICENSE[] SEC("license") = "GPL";
  )",
          "look.bpf.c");
  LOAD_OR_SKIP();
  std::uint32_t context = 0;
  EXPECT_EQ(run("look", &context, sizeof(context)), 0);
  const auto process = static_cast<std::uint32_t>(getpid());
  std::array<std::uint32_t, 2> event{};
  ASSERT_EQ(bpf_map_lookup_elem(map("seen"), &process, event.data()), 0);
  EXPECT_EQ(event[0], process);
}
#endif

/// LLVM keeps the records of relocated accesses in a map of the process: a second module must not meet the first's.
TEST_F(Bpf, AccessesAreRelocatedInEveryCompileOfAProcess) {
  const std::string text =
      "#include <lathe/bpf.h>\nstruct task_struct { int tgid; task_struct* real_parent; };\n"
      "SEC(\"tp_btf/sched_process_exit\") int BPF_PROG(look, task_struct* task) { return BPF_CORE_READ(task, "
      "real_parent, "
      "tgid); }\nLATHE_BPF_LICENSE(\"GPL\");\n";
  auto compiler = lathe::Compiler::create({.cache = {.enabled = false}});
  ASSERT_TRUE(compiler) << compiler.error().render();
  std::vector<std::byte> first;
  for (int i = 0; i < 3; ++i) {
    lathe::Job job;
    job.target = "bpf";
    job.source = {.name = "look.bpf.cpp", .text = text, .dialect = ""};
    const auto compiled = compiler->compile(job);
    ASSERT_TRUE(compiled) << compiled.error().render();
    const auto& code = compiled->image.code().front().bytes;
    if (i == 0) first.assign(code.begin(), code.end());
    EXPECT_EQ(first, std::vector<std::byte>(code.begin(), code.end())) << "compile " << i;
  }
}

}  // namespace
