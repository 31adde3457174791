// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compile-time checks against this kernel's verifier: what they warn of it refuses, and of what it takes they say
// nothing. Where newer kernels take what older ones refuse, the entry says so.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "machine.h"

namespace {

using lathe::ErrorCode;
using lathe::Severity;
using lathe::bpf::Object;

constexpr const char* begin = R"(
  #include <lathe/bpf.h>
  struct Key { __u32 a; __u64 b; };
  struct Event { __u8 kind; __u32 number; };
  struct Ethernet { __u8 to[6], from[6]; __be16 type; };
  struct Node { Node* next; int value; };
  lathe::bpf::hash_map<__u32, __u64, 16> counts SEC(".maps");
  lathe::bpf::hash_map<Key, __u64, 16> keyed SEC(".maps");
  lathe::bpf::array_map<__u64, 16> numbers SEC(".maps");
  lathe::bpf::ring_buffer<4096> events SEC(".maps");
  const volatile bool always = true;
  __u64 total;
  #define BYTES(field) reinterpret_cast<unsigned char*>(static_cast<unsigned long>(c->field))
)";

struct Case {
  const char* name;
  const char* code;
  const char* check;           ///< that warns; empty: none does
  bool isTakenByThis = false;  ///< although it warns: the check is for older kernels
};

const Case cases[] = {
    {"lookup_used", R"(SEC("syscall") int f(__u32* c) { return *counts.lookup(*c); })", "null"},
    {"trie_of_a_sleeper",
     R"(lathe::bpf::lpm_trie<__u64, __u64, 4> trie SEC(".maps");
        SEC("syscall") int f(__u64* c) { return trie.lookup(*c) ? 1 : 0; })",
     "sleep"},
    {"filter_of_a_sleeper",
     R"(lathe::bpf::bloom_filter<__u64, 4> seen SEC(".maps");
        SEC("uprobe.s") int f(void*) { return seen.may_contain(3) ? 1 : 0; })",
     "sleep"},
    {"maps_of_a_sleeper",
     R"(lathe::bpf::queue_map<__u64, 4> queue SEC(".maps"); lathe::bpf::user_ring_buffer<4096> orders SEC(".maps");
        SEC("syscall") int f(__u64* c) { void* p = &orders; asm volatile("" :: "r"(p)); return queue.push(*c); })",
     ""},
    {"trie_of_others",
     R"(lathe::bpf::lpm_trie<__u64, __u64, 4> trie SEC(".maps");
        SEC("raw_tp/sys_enter") int f(__u64* c) { return trie.lookup(*c) ? 1 : 0; })",
     ""},
    {"lookup_compared", R"(SEC("syscall") int f(__u32* c) { auto* v = counts.lookup(*c); return v ? *v : 0; })", ""},
    {"lookup_compared_in_a_condition",
     R"(SEC("syscall") int f(__u32* c) { auto* v = counts.lookup(*c); if (v && *v > 3) return 1; return 0; })", ""},
    {"lookup_compared_with_another",
     R"(SEC("syscall") int f(__u32* c) { auto* v = counts.lookup(c[0]); auto* w = counts.lookup(c[1]);
        if (!v || !w) return 1; *v += *w; return 0; })",
     ""},
    {"lookup_compared_on_one_way",
     R"(SEC("syscall") int f(__u32* c) { auto* v = counts.lookup(*c); if (c[1] > 5 && !v) return 1; *v += 1; return 0; })",
     "null"},
    {"lookup_after_insertion",
     R"(SEC("syscall") int f(__u32* c) { auto* v = counts.lookup(*c);
        if (!v) { counts.update(*c, 1); v = counts.lookup(*c); } *v += 1; return 0; })",
     "null"},
    {"lookup_after_insertion_compared",
     R"(SEC("syscall") int f(__u32* c) { auto* v = counts.lookup(*c);
        if (!v) { counts.update(*c, 1); v = counts.lookup(*c); } if (v) *v += 1; return 0; })",
     ""},
    {"lookup_behind_a_flag",
     R"(SEC("syscall") int f(__u32* c) { auto* v = counts.lookup(*c); bool there = false;
        if (v) { there = true; total += 1; } if (c[1] == 7) total += 2; if (there) *v += 1; return 0; })",
     ""},
    {"lookup_of_a_constant_index", R"(SEC("syscall") int f(__u32*) { *numbers.lookup(0) += 1; return 0; })", ""},
    {"lookup_of_an_index", R"(SEC("syscall") int f(__u32* c) { *numbers.lookup(*c) += 1; return 0; })", "null"},
    {"lookup_where_the_loader_says_no",
     R"(const volatile bool never = false;
        SEC("syscall") int f(__u32* c) { if (never) return *counts.lookup(*c); return 0; })",
     ""},
    {"record_used",
     R"(SEC("syscall") int f(__u32*) { auto* e = events.reserve<Event>(); e->kind = 1; events.submit(e); return 0; })",
     "null"},
    {"record_compared",
     R"(SEC("syscall") int f(__u32*) { auto* e = events.reserve<Event>(); if (!e) return 1; e->kind = 1;
        events.submit(e); return 0; })",
     ""},

    {"packet_read", R"(SEC("xdp") int f(xdp_md* c) { return BYTES(data)[0] ? XDP_DROP : XDP_PASS; })", "packet"},
    {"packet_compared",
     R"(SEC("xdp") int f(xdp_md* c) { auto* p = BYTES(data); if (p + 14 > BYTES(data_end)) return XDP_PASS;
        return p[13] ? XDP_DROP : XDP_PASS; })",
     ""},
    {"packet_compared_the_other_way",
     R"(SEC("tc") int f(__sk_buff* c) { auto* p = BYTES(data); if (p + 14 <= BYTES(data_end)) return p[13]; return 0; })",
     ""},
    {"packet_compared_with_less",
     R"(SEC("xdp") int f(xdp_md* c) { auto* p = BYTES(data); if (p + 13 < BYTES(data_end)) return p[13]; return 0; })",
     ""},
    {"packet_beyond_the_comparison",
     R"(SEC("xdp") int f(xdp_md* c) { auto* p = BYTES(data); if (p + 14 > BYTES(data_end)) return XDP_PASS;
        return p[20] ? XDP_DROP : XDP_PASS; })",
     "packet"},
    {"packet_of_two_headers",
     R"(SEC("xdp") int f(xdp_md* c) { auto* p = BYTES(data); if (p + 14 > BYTES(data_end)) return 0;
        if (p[12] != 8) return 1; if (p + 34 > BYTES(data_end)) return 0; return p[23] + p[33]; })",
     ""},
    {"packet_after_it_moved",
     R"(SEC("xdp") int f(xdp_md* c) { auto* p = BYTES(data); if (p + 14 > BYTES(data_end)) return 0;
        if (bpf_xdp_adjust_head(c, 4)) return 0; return p[0]; })",
     "packet"},
    {"packet_taken_again_after_it_moved",
     R"(SEC("xdp") int f(xdp_md* c) { if (bpf_xdp_adjust_head(c, 4)) return 0; auto* p = BYTES(data);
        if (p + 14 > BYTES(data_end)) return 0; return p[0]; })",
     ""},
    {"packet_by_the_class",
     R"(SEC("xdp") int f(xdp_md* c) { lathe::bpf::packet p(c);
        const auto* e = p.next<Ethernet>(); return e && e->type ? XDP_DROP : XDP_PASS; })",
     ""},

    {"loop_to_an_unknown_end",
     R"(SEC("syscall") int f(__u32* c) { for (__u32 i = 0; i < c[0]; ++i) total += bpf_get_prandom_u32(); return 0; })",
     "loop"},
    {"loop_to_a_bounded_end",
     R"(SEC("syscall") int f(__u32* c) { for (__u32 i = 0; i < c[0] && i < 100; ++i) total += bpf_get_prandom_u32();
        return 0; })",
     ""},
    {"loop_to_a_compared_end",
     R"(SEC("syscall") int f(__u32* c) { const __u32 n = c[0]; if (n > 100) return 0;
        for (__u32 i = 0; i < n; ++i) total += bpf_get_prandom_u32(); return 0; })",
     ""},
    {"loop_to_a_masked_end",
     R"(SEC("syscall") int f(__u32* c) { const __u32 n = c[0] & 255;
        for (__u32 i = 0; i < n; ++i) total += bpf_get_prandom_u32(); return 0; })",
     ""},
    {"loop_to_the_loaders_end",
     R"(const volatile __u32 rounds = 20;
        SEC("syscall") int f(__u32*) { for (__u32 i = 0; i < rounds; ++i) total += bpf_get_prandom_u32(); return 0; })",
     ""},
    {"loop_of_a_shift",
     R"(SEC("syscall") int f(__u32* c) { for (__u32 n = c[0]; n; n >>= 1) total += bpf_get_prandom_u32(); return 0; })",
     ""},
    {"loop_over_a_list",
     R"(SEC("raw_tp/sys_enter") int f(void*) {
        auto* p = reinterpret_cast<Node*>(bpf_get_current_task());
        while (p) { Node n; bpf_probe_read_kernel(&n, sizeof(n), p); p = n.next; total += n.value; } return 0; })",
     "loop"},
    {"loop_over_a_bounded_list",
     R"(SEC("raw_tp/sys_enter") int f(void*) {
        auto* p = reinterpret_cast<Node*>(bpf_get_current_task());
        for (int i = 0; i < 8 && p; ++i) { Node n; bpf_probe_read_kernel(&n, sizeof(n), p); p = n.next; total += n.value; }
        return 0; })",
     ""},
    {"loop_of_two_million",
     R"(SEC("syscall") int f(__u32*) { for (__u32 i = 0; i < 2000000; ++i) total += bpf_get_prandom_u32(); return 0; })",
     "loop"},
    {"loop_of_ten_thousand",
     R"(SEC("syscall") int f(__u32*) { for (__u32 i = 0; i < 10000; ++i) total += bpf_get_prandom_u32(); return 0; })",
     ""},
    {"loop_by_the_kernel",
     R"(SEC("syscall") int f(__u32* c) { for (int i : lathe::bpf::numbers(0, static_cast<int>(c[0]))) total += i;
        lathe::bpf::loop(c[1], [](__u32 i) { total += i; }); return 0; })",
     ""},

    {"key_with_padding",
     R"(SEC("raw_tp/sys_enter") int f(void*) { Key k; k.a = 1; k.b = bpf_ktime_get_ns(); keyed.update(k, 1); return 0; })",
     "uninitialised", true},
    {"key_that_is_cleared",
     R"(SEC("raw_tp/sys_enter") int f(void*) { Key k; __builtin_memset(&k, 0, sizeof(k)); k.a = 1; k.b = bpf_ktime_get_ns();
        keyed.update(k, 1); return 0; })",
     ""},
    {"key_from_a_helper",
     R"(SEC("raw_tp/sys_enter") int f(void* c) { Key k; bpf_probe_read_kernel(&k, sizeof(k), c); keyed.update(k, 1);
        return 0; })",
     ""},

    {"stack_of_two_functions_on_packets",
     R"(__noinline int inner() { char t[400]; bpf_get_current_comm(t, sizeof(t)); return t[7]; }
        SEC("raw_tp/sys_enter") int f(void*) { char t[200]; bpf_get_current_comm(t, sizeof(t)); return t[3] + inner(); })",
     "stack", true},
    {"calls_ten_deep",
     R"(template <int N> __noinline int down(__u32* c) { if constexpr (N == 0) return *c; else return down<N - 1>(c) + N; }
        SEC("syscall") int f(__u32* c) { return down<9>(c); })",
     "calls"},
    {"seventy_maps",
     R"(#define ONE(n) lathe::bpf::array_map<__u64, 1> map##n SEC(".maps");
        #define TEN(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
        TEN(0) TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6)
        #undef ONE
        #define ONE(n) map##n.update(0, 1);
        SEC("syscall") int f(__u32*) { TEN(0) TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) return 0; })",
     "size"},
    {"table_of_texts",
     R"(extern "C" { extern const char* const words[]; const char* const words[] = {"one", "two", "three"}; }
        SEC("syscall") int f(__u32* c) { 
          return reinterpret_cast<__u64>(*const_cast<const char* const volatile*>(&words[*c & 1])) < 4096 ? 42 : 0; })",
     "relocation", true},
    {"map_of_an_unnamed_structure",
     R"(struct { __uint(type, BPF_MAP_TYPE_ARRAY); __type(key, __u32); __type(value, __u64); __uint(max_entries, 1); }
          unnamed SEC(".maps");
        SEC("syscall") int f(__u32* c) { return bpf_map_lookup_elem(&unnamed, c) != nullptr; })",
     "map"},
    {"context_of_others", R"(SEC("xdp") int f(const __sk_buff* c) { return c->mark ? XDP_DROP : XDP_PASS; })",
     "context", true},
    {"context_of_others_beyond_its_own", R"(SEC("xdp") int f(__sk_buff* c) { return c->cb[0] ? XDP_DROP : XDP_PASS; })",
     "context"},
    {"context_of_a_probe", R"(SEC("raw_tp/sys_enter") int f(pt_regs* c) { return PT_REGS_FP(c) > 7; })", "context",
     true},
    {"context_of_perf_events", R"(SEC("perf_event") int f(pt_regs* c) { return PT_REGS_FP(c) > 7; })", ""},
    {"context_of_a_cgroup", R"(SEC("cgroup/skb") int f(__sk_buff* c) { return c->len > 1000; })", ""},
    {"context_of_ones_own", R"(struct Arguments { __u64 first, second; };
        SEC("raw_tp/sys_enter") int f(Arguments* c) { return c->second > 7; })",
     ""},
    {"table_of_characters",
     R"(const char words[][6] = {"one", "two", "three"};
        SEC("syscall") int f(__u32* c) { return words[*c & 1][0]; })",
     ""},
};

class BpfChecks : public testing::TestWithParam<Case> {};

std::string textOf(const Case& one) {
  return std::string(begin) + one.code + "\nLATHE_BPF_LICENSE(\"GPL\");\n";
}

lathe::Result<lathe::CompileResult> compile(const Case& one, std::map<std::string, std::string> parameters = {}) {
  auto compiler = lathe::Compiler::create();
  if (!compiler) return compiler.error();
  lathe::Job job;
  job.target = "bpf";
  job.source = {.name = "f.bpf.cpp", .text = textOf(one), .dialect = ""};
  job.options.parameters = std::move(parameters);
  return compiler->compile(job);
}

TEST_P(BpfChecks, SayWhatTheVerifierSays) {
  const Case& one = GetParam();
  const std::string mark = "[warn." + std::string(one.check) + "]";
  const auto compiled = compile(one);
  ASSERT_TRUE(compiled) << compiled.error().render();
  for (const lathe::Diagnostic& found : compiled->warnings) {
    if (*one.check == '\0') ADD_FAILURE() << lathe::render(found);
    EXPECT_EQ(found.severity, Severity::warning);
    EXPECT_NE(found.message.find(mark), std::string::npos) << lathe::render(found);
    EXPECT_GT(found.location.line, 0U);
    EXPECT_FALSE(found.hint.empty());
  }
  if (*one.check != '\0') {
    EXPECT_FALSE(compiled->warnings.empty());
    const std::string parameter = "warn." + std::string(one.check);
    const auto quiet = compile(one, {{parameter, "0"}});
    ASSERT_TRUE(quiet) << quiet.error().render();
    EXPECT_TRUE(quiet->warnings.empty());
    const auto strict = compile(one, {{parameter, "2"}});
    ASSERT_FALSE(strict);
    EXPECT_NE(strict.error().render().find(mark), std::string::npos) << strict.error().render();
  }
  auto object = Object::open(compiled->image);
  if (!object && object.error().code == ErrorCode::DriverMissing) GTEST_SKIP() << object.error().message;
  if (!object && *one.check != '\0') return;  // libbpf's rule
  ASSERT_TRUE(object) << object.error().render();
  const auto loaded = object->load();
  if (!loaded && loaded.error().code == ErrorCode::PermissionDenied) GTEST_SKIP() << loaded.error().message;
  if (*one.check == '\0') {
    EXPECT_TRUE(loaded) << loaded.error().render();
  } else if (!one.isTakenByThis) {
    EXPECT_FALSE(loaded) << "this kernel takes it";
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, BpfChecks, testing::ValuesIn(cases),
                         [](const testing::TestParamInfo<Case>& info) { return std::string(info.param.name); });

/// What the relocation check says of the loader.
using BpfChecksOfLoaders = lathe::test::LoadedProgram;
TEST_F(BpfChecksOfLoaders, LeavePointersAsTheyAre) {
  const auto table = std::ranges::find(cases, std::string_view("table_of_texts"), &Case::name);
  ASSERT_NE(table, std::end(cases));
  load(textOf(*table));
  if (IsSkipped() || HasFatalFailure()) return;
  std::uint32_t index = 1;
  const auto ran = object->program("f")->testRun(index);
  ASSERT_TRUE(ran) << ran.error().render();
  EXPECT_EQ(ran->value, 42);
}

TEST(BpfChecksOfLicences, AreNamed) {
  for (const char* code : {R"(SEC("lsm/file_open") int f(void*) { return 0; })",
                           R"(extern "C" void bpf_rcu_read_lock() __ksym; extern "C" void bpf_rcu_read_unlock() __ksym;
                              SEC("syscall") int f(void*) { bpf_rcu_read_lock(); bpf_rcu_read_unlock(); return 0; })"}) {
    for (const bool isGpl : {false, true}) {
      auto compiler = lathe::Compiler::create();
      ASSERT_TRUE(compiler) << compiler.error().render();
      lathe::Job job;
      job.target = "bpf";
      job.source = {.name = "f.bpf.cpp",
                    .text = std::string("#include <lathe/bpf.h>\n") + code +
                            (isGpl ? "\nLATHE_BPF_LICENSE(\"GPL\");\n" : "\nLATHE_BPF_LICENSE(\"MIT\");\n"),
                    .dialect = ""};
      const auto compiled = compiler->compile(job);
      ASSERT_TRUE(compiled) << compiled.error().render();
      EXPECT_EQ(compiled->warnings.empty(), isGpl) << code;
      auto object = Object::open(compiled->image);
      if (!object && object.error().code == ErrorCode::DriverMissing) GTEST_SKIP() << object.error().message;
      if (!isGpl) {
        EXPECT_FALSE(object->load()) << code;
      }
    }
  }
}

}  // namespace
