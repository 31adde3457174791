// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The model of litmus outcomes against what the literature says of each shape, and the kernels' source on a target
// without a device.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/litmus/model.h"
#include "tests/litmus/report.h"

namespace lathe::litmus {
namespace {

const Program& programNamed(std::string_view name) {
  return *std::ranges::find(programs(), name, &Program::name);
}

bool forbidsAllWeak(const Program& program, Form form) {
  return std::ranges::includes(interleavedOutcomes(program), allowedOutcomes(program, form).outcomes);
}

/// Maranget et al. (2012), table of the test family; C++ draft [intro.races] for release sequences.
TEST(LitmusModel, AgreesWithTheLiterature) {
  for (const Program& program : programs()) {
    const bool racy = allowedOutcomes(program, Form::relaxed).races;
    EXPECT_EQ(racy, program.name.ends_with("+plain")) << program.name;
    if (!racy) {
      EXPECT_EQ(forbidsAllWeak(program, Form::relaxed), program.from == Forbidden::always) << program.name;
    }
    for (const Form form : {Form::acqRelAccess, Form::acqRelFence, Form::acqRelUpdate}) {
      EXPECT_EQ(forbidsAllWeak(program, form), program.from != Forbidden::sequentialConsistency)
          << program.name << ", " << nameOf(form);
      EXPECT_FALSE(allowedOutcomes(program, form).races) << program.name << ", " << nameOf(form);
    }
    for (const Form form : {Form::seqCstAccess, Form::seqCstFence, Form::seqCstUpdate})
      EXPECT_TRUE(forbidsAllWeak(program, form)) << program.name << ", " << nameOf(form);
  }
}

TEST(LitmusModel, WeakerFormsAllowMore) {
  for (const Program& program : programs()) {
    const auto relaxed = allowedOutcomes(program, Form::relaxed).outcomes;
    const auto ordered = allowedOutcomes(program, Form::acqRelAccess).outcomes;
    EXPECT_TRUE(std::ranges::includes(relaxed, ordered)) << program.name;
    EXPECT_TRUE(std::ranges::includes(ordered, interleavedOutcomes(program))) << program.name;
  }
}

Outcome outcome(std::initializer_list<unsigned> values) {
  Outcome out = 0;
  unsigned at = 0;
  for (const unsigned value : values) out |= value << 2 * at++;
  return out;
}

/// The outcomes that name the tests: registers, then the last values.
TEST(LitmusModel, KnowsTheNamedOutcomes) {
  struct Row {
    std::string_view name;
    Outcome weak;
  };
  const Row rows[] = {{"MP", outcome({1, 0, 1, 1})},
                      {"SB", outcome({0, 0, 1, 1})},
                      {"LB", outcome({1, 1, 1, 1})},
                      {"S", outcome({1, 2, 1})},
                      {"R", outcome({0, 1, 2})},
                      {"2+2W", outcome({1, 1})},
                      {"WRC", outcome({1, 1, 0, 1, 1})},
                      {"RWC", outcome({1, 0, 0, 1, 1})},
                      {"ISA2", outcome({1, 1, 0, 1, 1, 1})},
                      {"IRIW", outcome({1, 0, 1, 0, 1, 1})},
                      {"RelSeq", outcome({1, 2, 0, 1, 2})}};
  for (const Row& row : rows) {
    const Program& program = programNamed(row.name);
    std::set<Outcome> weak, relaxed = allowedOutcomes(program, Form::relaxed).outcomes;
    std::ranges::set_difference(relaxed, interleavedOutcomes(program), std::inserter(weak, weak.end()));
    EXPECT_TRUE(weak.contains(row.weak)) << row.name;
  }
  EXPECT_FALSE(allowedOutcomes(programNamed("CoRR"), Form::relaxed).outcomes.contains(outcome({1, 0, 1})));
  EXPECT_FALSE(allowedOutcomes(programNamed("Atomicity"), Form::relaxed).outcomes.contains(outcome({0, 0, 1})));
}

TEST(LitmusReport, ReplacesOnlyItsPart) {
  std::string page = "a\n<!-- generated: begin litmus cpu -->\nold\n<!-- generated: end litmus cpu -->\nb\n";
  EXPECT_TRUE(replacePart(page, "cpu", "new\n"));
  EXPECT_EQ(page, "a\n<!-- generated: begin litmus cpu -->\nnew\n<!-- generated: end litmus cpu -->\nb\n");
  EXPECT_FALSE(replacePart(page, "cuda", "new\n"));
}

}  // namespace
}  // namespace lathe::litmus
