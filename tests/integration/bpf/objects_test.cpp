// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects for the kernel: functions that one calls and another defines, and compiles on several threads.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <filesystem>

#include "machine.h"

namespace {

using lathe::ErrorCode;
using lathe::bpf::Object;
using Bytes = std::vector<std::byte>;

Bytes objectOf(const lathe::Compiler& compiler, const std::string& name, const std::string& text) {
  lathe::Job job;
  job.target = "bpf";
  job.emit = "object";
  job.source = {.name = name, .text = text, .dialect = ""};
  const auto compiled = compiler.compile(job);
  EXPECT_TRUE(compiled) << compiled.error().render();
  if (!compiled) return {};
  const auto code = compiled->image.code().front().bytes;
  return {code.begin(), code.end()};
}

lathe::Compiler uncached() {
  lathe::CompilerConfig config;
  config.cache.enabled = false;
  auto compiler = lathe::Compiler::create(config);
  EXPECT_TRUE(compiler) << compiler.error().render();
  return *std::move(compiler);
}

using BpfObjects = lathe::test::LoadedProgram;

TEST_F(BpfObjects, callFunctionsOfEachOther) {
  const lathe::Compiler compiler = uncached();
  const Bytes caller = objectOf(compiler, "caller.bpf.cpp", R"(
    #include <lathe/bpf.h>
    namespace sums { int ofDigits(__u32 number); }
    extern "C" int squared(int number);
    SEC("syscall") int digits(__u64* context) {
      *context = squared(sums::ofDigits(*context));
      return 0;
    }
    LATHE_BPF_LICENSE("GPL");)");
  const Bytes inCxx = objectOf(compiler, "functions.bpf.cpp", R"(
    #include <lathe/bpf.h>
    namespace sums {
    __noinline int ofDigits(__u32 number) {
      int sum = 0;
      for (int i = 0; i < 10; ++i) sum += number % 10, number /= 10;
      return sum;
    }
    })");
  const Bytes inC = objectOf(compiler, "functions.bpf.c", R"(
    #include <lathe/bpf.h>
    __noinline int squared(int number) { return number * number; })");
  const lathe::bpf::LinkInput parts[] = {{"caller", caller}, {"C++", inCxx}, {"C", inC}};
  const auto linked = lathe::bpf::linkObjects(parts);
  if (!linked && linked.error().code == ErrorCode::DriverMissing) GTEST_SKIP() << linked.error().message;
  ASSERT_TRUE(linked) << linked.error().render();
  load(*linked);
  if (IsSkipped() || HasFatalFailure()) return;
  std::uint64_t context = 1234;
  ASSERT_TRUE(object->program("digits")->testRun(context));
  EXPECT_EQ(context, 100U);

  const auto missing = lathe::bpf::linkObjects(std::span(parts).first(2));
  if (missing) {
    auto open = Object::open(*missing);
    EXPECT_TRUE(!open || !open->load());
  }
}

/// C as clang reads it with glibc's headers: plain names are builtins, comparisons of few bytes become loads, longs
/// have 64 bits, types are told apart.
TEST_F(BpfObjects, ofCUseTheMachinesLibrary) {
  if (!std::filesystem::exists("/usr/include/string.h")) GTEST_SKIP() << "no headers of a C library";
  const Bytes bytes = objectOf(uncached(), "library.bpf.c", R"(
    #include <linux/bpf.h>
    #include <errno.h>
    #include <inttypes.h>
    #include <limits.h>
    #include <netinet/in.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/socket.h>
    #include <bpf/bpf_helpers.h>
    _Static_assert(sizeof(intptr_t) == 8 && LONG_MAX == INT64_MAX && AF_INET6 == 10 && IPPROTO_UDP == 17, "glibc's");
    struct names { char first[15], second[15]; __u64 answers; };
    // Known only when it is inlined.
    static __always_inline unsigned long lengthOf(const char* text) { return __builtin_strlen(text); }
    SEC("syscall") int compare(struct names* context) {
      struct names copy;
      memcpy(&copy, context, sizeof copy);
      const int order = memcmp(copy.first, copy.second, sizeof copy.first);
      context->answers = (order < 0) | (order > 0) << 1 | (memcmp(copy.first, copy.second, 7) == 0) << 2 |
                         (strcmp("same", "same") == 0) << 3 | lengthOf("12345") << 4 | abs(-ENOENT) << 8;
      return 0;
    }
    char _license[] SEC("license") = "GPL";)");
  load(bytes);
  if (IsSkipped() || HasFatalFailure()) return;
  struct Names {
    char first[15], second[15];
    std::uint64_t answers;
  };
  const std::pair<const char*, const char*> pairs[] = {
      {"", ""}, {"a", "b"}, {"b", "a"}, {"lathe a", "lathe b"}, {"lathe ab", "lathe ac"}, {"\x80", "\x7f"}};
  for (const auto& [first, second] : pairs) {
    Names context = {};
    std::strncpy(context.first, first, 14);
    std::strncpy(context.second, second, 14);
    ASSERT_TRUE(object->program("compare")->testRun(context));
    const int order = std::memcmp(context.first, context.second, 15);
    const unsigned expected = unsigned(order < 0) | unsigned(order > 0) << 1 |
                              unsigned(std::memcmp(context.first, context.second, 7) == 0) << 2 | 1U << 3 | 5U << 4 |
                              2U << 8;
    EXPECT_EQ(context.answers, expected) << first << ", " << second;
  }
}

/// Members of a context that conditions choose between: addresses that meet would be a moved pointer to the kernel.
TEST_F(BpfObjects, readMembersOfContextsWhereTheyAre) {
  const std::string programs = R"(
    #include <lathe/bpf.h>
    int wanted = 1;
    __u64 seen;
    SEC("xdp") int chosen(struct xdp_md* c) { return (wanted ? c->rx_queue_index : c->ingress_ifindex) & 1; }
    SEC("tc") int written(struct __sk_buff* c) {
      __u32 value;
      if (wanted) value = c->mark, seen += value;
      else value = c->priority, seen += value;
      if (wanted > 3) c->mark = value + 1;
      else c->priority = value + 1;
      switch (wanted) {
        case 1: value = c->len; break;
        case 2: value = c->protocol; break;
        case 3: value = c->hash; break;
        case 4: value = c->ifindex; break;
        default: value = c->queue_mapping;
      }
      return value & 1;
    }
    LATHE_BPF_LICENSE("GPL");)";
  for (const char* name : {"context.bpf.c", "context.bpf.cpp"}) {
    SCOPED_TRACE(name);
    load(objectOf(uncached(), name, programs));
    if (IsSkipped()) return;
  }
}

/// libbpf 1.1 gives these no type, and names of places that it has no call for are none of attachAll()'s.
TEST_F(BpfObjects, ofLaterSectionsAreLoaded) {
  load(R"(
    #include <lathe/bpf.h>
    struct sk_buff { unsigned len; };
    struct nf_hook_state { unsigned char hook; };
    struct bpf_nf_ctx { const nf_hook_state* state; sk_buff* skb; };
    SEC("tcx/ingress") int in(__sk_buff* packet) { return packet->len > 100 ? 0 : -1; }
    SEC("tc/egress") int out(__sk_buff*) { return -1; }
    SEC("netkit/peer") int peer(__sk_buff*) { return 0; }
    SEC("cgroup_skb/egress") int group(__sk_buff*) { return 1; }
    SEC("?netfilter") int filter(bpf_nf_ctx* c) { return c->skb->len > 1000 && c->state->hook == 1 ? 0 : 1; }
    LATHE_BPF_LICENSE("GPL");)");
  if (IsSkipped() || HasFatalFailure()) return;
  EXPECT_EQ(object->program("in")->kind(), "sched_cls");
  EXPECT_EQ(object->program("filter")->kind(), "netfilter");
  EXPECT_FALSE(object->program("in")->namesPlace());
  const auto links = object->attachAll();
  ASSERT_TRUE(links) << links.error().render();
  EXPECT_TRUE(links->empty());
}

/// A program with relocated accesses, whose records LLVM keeps in a map of the process, and others of its own.
std::string relocating(int number) {
  return R"(
    #include <lathe/bpf.h>
    struct mm_struct { unsigned long start_code, end_code; };
    struct task_struct { int pid, tgid; task_struct* real_parent; mm_struct* mm; };
    lathe::bpf::hash_map<__u32, __u64, 64> counts SEC(".maps");
    SEC("raw_tp/sched_switch") int BPF_PROG(count, bool, task_struct* from, task_struct* to) {
      const __u32 parent = BPF_CORE_READ(to, real_parent, tgid);
      const __u64 code = BPF_CORE_READ(from, mm, start_code) + )" +
         std::to_string(number) + R"(;
      if (bpf_core_field_exists(from->pid)) counts.update(parent, code);
      return 0;
    }
    LATHE_BPF_LICENSE("GPL");)";
}

TEST_F(BpfObjects, areTheSameWhenManyThreadsCompile) {
  const lathe::Compiler compiler = uncached();
  constexpr int programs = 6;
  std::array<Bytes, programs> alone;
  for (int i = 0; i < programs; ++i)
    alone[static_cast<std::size_t>(i)] = objectOf(compiler, "p.bpf.cpp", relocating(i));
  std::vector<std::thread> threads;
  std::array<int, 4> equal{};
  for (std::size_t t = 0; t < equal.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2 * programs; ++i) {
        const int number = (i + static_cast<int>(t)) % programs;
        equal[t] += objectOf(compiler, "p.bpf.cpp", relocating(number)) == alone[static_cast<std::size_t>(number)];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : equal) EXPECT_EQ(count, 2 * programs);
}

}  // namespace
