// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verifier's log without a kernel: what is read from it, in the forms of several kernels, what is made of it, and
// damaged BTF. Whole refusals by the running kernel are in tests/bad_input/refused_programs.
#include <gtest/gtest.h>

#include <cstring>

#include "runtimes/bpf/types/btf.h"
#include "runtimes/bpf/load_failure.h"
#include "runtimes/bpf/verifier/log.h"
#include "runtimes/bpf/verifier/rules.h"

namespace lathe::bpf::detail {
namespace {

constexpr std::string_view refused = R"(0: R1=ctx() R10=fp0
; u32 key = *ctx; @ look.bpf.cpp:8
0: (61) r1 = *(u32 *)(r1 +0)          ; R1=scalar(smin=0,smax=umax=0xffffffff,var_off=(0x0; 0xffffffff))
1: (63) *(u32 *)(r10 -4) = r1         ; R1=scalar() R10=fp0 fp-8=mmmm????
; u64 *v = lookup(&counts, &key); @ look.bpf.cpp:9
6: (85) call bpf_map_lookup_elem#1    ; R0=map_value_or_null(id=1,map=counts,ks=4,vs=8)
; if (key > 7) return 3; @ look.bpf.cpp:10
9: (26) if w2 > 0x7 goto pc+4         ; R2=scalar(umax=7)
; *v += 1; @ look.bpf.cpp:11
10: (79) r1 = *(u64 *)(r0 +0)
R0 invalid mem access 'map_value_or_null'
processed 10 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
)";

TEST(VerifierLog, HasThePathAndTheReason) {
  const VerifierLog log = readVerifierLog(refused);
  ASSERT_EQ(log.steps.size(), 5U);
  EXPECT_EQ(log.steps[2].code, "call bpf_map_lookup_elem#1");
  EXPECT_EQ(log.steps[2].source, (SourceLine{"look.bpf.cpp", "u64 *v = lookup(&counts, &key);", 9, 0}));
  EXPECT_EQ(log.steps[4].instruction, 10U);
  EXPECT_EQ(log.verdict, std::vector<std::string>{"R0 invalid mem access 'map_value_or_null'"});
  EXPECT_EQ(log.processed, 10U);
}

TEST(VerifierLog, IsReadInOlderForms) {
  // Linux 5.15: no places, states in front, `inv` for numbers.
  const VerifierLog log = readVerifierLog(
      "; return *v;\n12: (79) r0 = *(u64 *)(r0 +0)\n R0=map_value_or_null(id=1,off=0,ks=4,vs=8,imm=0) R10=fp0\n"
      "R0 invalid mem access 'map_value_or_null'\nprocessed 7 insns (limit 1000000) x\n");
  ASSERT_EQ(log.steps.size(), 1U);
  EXPECT_EQ(log.steps[0].source.text, "return *v;");
  EXPECT_EQ(log.steps[0].source.line, 0U);
  EXPECT_EQ(log.verdict, std::vector<std::string>{"R0 invalid mem access 'map_value_or_null'"});
  EXPECT_EQ(stateOf("R1_w=inv7 R2_rw=ctx()", 1), "inv7");
  EXPECT_EQ(inWords("inv7"), "the number 7");
}

TEST(VerifierLog, TakesAnything) {
  EXPECT_TRUE(readVerifierLog("").steps.empty());
  EXPECT_TRUE(readVerifierLog(";\n; @ :\n:\n1:\n1: (\n(85)\n").steps.empty());
  EXPECT_TRUE(stateOf("R1", 1).empty());
  EXPECT_TRUE(stateOf("R1=", 1).empty());
  for (const std::string_view text :
       {"(", ")", "x(", "x(a", "x(a=", "x(a=b", "x(a=(", "fp", "ptr_", "_or_null", "P", "inv"})
    (void)inWords(text);
}

TEST(VerifierWords, SayWhatARegisterHolds) {
  EXPECT_EQ(inWords("map_value_or_null(id=1,map=counts,ks=4,vs=8)"),
            "a pointer to a value of map 'counts' (8 bytes), or null");
  EXPECT_EQ(inWords("scalar(smin=0,smax=umax=255,var_off=(0x0; 0xff))"), "a number from 0 to 255");
  EXPECT_EQ(inWords("scalar()"), "a number of which nothing is known");
  EXPECT_EQ(inWords("7"), "the number 7");
  EXPECT_EQ(inWords("fp-16"), "the address of a local variable");
  EXPECT_EQ(inWords("ctx()"), "the program's context");
  EXPECT_EQ(inWords("pkt(r=14)"), "a pointer into the packet, of which 14 bytes are checked");
  EXPECT_EQ(inWords("trusted_ptr_task_struct()"), "a pointer to the kernel's task_struct");
  EXPECT_EQ(inWords("something_new(x=1)"), "something_new(x=1)");
}

TEST(VerifierRules, FillInWhatTheMessageSays) {
  const auto known = explain("invalid access to map value, value_size=8 off=16 size=4", "");
  ASSERT_TRUE(known);
  EXPECT_EQ(known->words, "4 bytes at offset 16 lie outside the map's value, which has 8");
  EXPECT_FALSE(explain("a message of a kernel that is to come", ""));
  EXPECT_EQ(registerNamedIn("R10 something"), 10U);
  EXPECT_EQ(registerNamedIn("no register"), 11U);
}

TEST(Refusal, IsAnErrorWithPlaceWayAndHint) {
  const Error error = refusal("look", refused, {}, true);
  EXPECT_EQ(error.code, ErrorCode::ProgramRefused);
  EXPECT_EQ(error.message, "program 'look': the result of a map look-up is used without being compared with null");
  EXPECT_EQ(error.location.line, 11U);
  ASSERT_EQ(error.notes.size(), 4U) << error.render();
  EXPECT_EQ(error.notes[0].message,
            "the result of bpf_map_lookup_elem is a pointer to a value of map 'counts' (8 bytes), or null");
  EXPECT_EQ(error.notes[0].location.line, 9U);
  EXPECT_EQ(error.notes[1].message, "on this path w2 > 0x7 is false");
  EXPECT_NE(error.notes[3].snippet.find("processed 10 insns"), std::string::npos);
  EXPECT_FALSE(error.hint.empty());
}

TEST(Refusal, GivesTheKernelsWordsWhereTheTableHasNone) {
  const Error error = refusal("p", "0: (95) exit\nsomething new went wrong\nprocessed 1 insns (limit 1)\n", {}, false);
  EXPECT_EQ(error.message, "program 'p': the kernel's verifier refuses it: something new went wrong");
}

/// A header and one pointer type without a name.
std::vector<std::byte> smallBtf() {
  const std::uint32_t words[] = {0x0001eb9f, 24, 0, 12, 12, 1, 0, 2U << 24, 0, 0};
  std::vector<std::byte> out(sizeof(words) - 3);
  std::memcpy(out.data(), words, out.size());
  return out;
}

TEST(Btf, IsReadOrRefused) {
  const auto good = Btf::parse(smallBtf());
  ASSERT_TRUE(good) << good.error().message;
  EXPECT_EQ(good->count(), 1U);
  EXPECT_EQ(good->type(1).kind, BtfKind::pointer);
  EXPECT_EQ(good->sizeOf(1), 8U);
  EXPECT_EQ(good->type(7).kind, BtfKind::none);
  for (std::size_t size = 0; size < smallBtf().size(); ++size) {
    auto cut = smallBtf();
    cut.resize(size);
    const auto read = Btf::parse(std::move(cut));
    ASSERT_FALSE(read) << size;
    EXPECT_EQ(read.error().code, ErrorCode::ImageCorrupt);
  }
}

TEST(Btf, SurvivesEveryChangedByte) {
  for (std::size_t at = 0; at < smallBtf().size(); ++at) {
    for (const unsigned value : {0U, 1U, 0x7fU, 0xffU}) {
      auto bytes = smallBtf();
      bytes[at] = static_cast<std::byte>(value);
      const auto read = Btf::parse(std::move(bytes));
      if (!read) continue;
      for (std::uint32_t i = 0; i <= read->count() + 1; ++i) {
        (void)read->members(i);
        (void)read->enumerators(i);
        (void)read->sizeOf(i);
      }
    }
  }
  EXPECT_FALSE(elfSection({}, ".BTF"));
  EXPECT_TRUE(btfLines(smallBtf(), Btf()).empty());
}

}  // namespace
}  // namespace lathe::bpf::detail
