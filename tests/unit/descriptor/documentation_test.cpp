// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables in the documentation are the ones that the code generates. To renew them after a change, run this test
// with LATHE_BLESS=1.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include <lathe/result.h>

#include "core/abi/device_abi.h"
#include "core/abi/runtime_abi.h"
#include "core/descriptor/schema.h"

namespace lathe::detail {
namespace {

constexpr std::string_view beginMark = "<!-- generated: begin -->\n";
constexpr std::string_view endMark = "<!-- generated: end -->\n";

/// The part between the marks must be `table`.
void checkTable(const std::string& path, const std::string& table) {
  std::ifstream in(path);
  std::stringstream stream;
  stream << in.rdbuf();
  const std::string text = stream.str();
  const auto begin = text.find(beginMark);
  const auto end = text.find(endMark);
  ASSERT_TRUE(begin != std::string::npos && end != std::string::npos && begin < end) << path << " has lost its marks";
  const auto from = begin + beginMark.size();
  if (std::getenv("LATHE_BLESS")) {
    std::ofstream(path) << text.substr(0, from) << table << text.substr(end);
  } else {
    EXPECT_EQ(text.substr(from, end - from), table) << path << " is out of date; run this test with LATHE_BLESS=1";
  }
}

TEST(Documentation, ListsEveryDescriptorKey) {
  checkTable(LATHE_SOURCE_DIR "/docs/descriptor.md", keyReference());
}

TEST(Documentation, ListsEveryErrorCode) {
  std::string table = "| code | | family | meaning |\n|---|---|---|---|\n";
  for (const ErrorCode code : errorCodes()) {
    const std::string name(errorName(code));
    table += "| " + std::to_string(static_cast<int>(code)) + " | [" + name + "](errors/" + name + ".md) | " +
             std::string(familyName(errorFamily(code))) + " | " + std::string(errorMeaning(code)) + " |\n";
  }
  checkTable(LATHE_SOURCE_DIR "/docs/errors.md", table);
}

std::string nameOf(AbiEffect effects) {
  std::string out;
  const auto has = [&](AbiEffect effect) { return (effects | effect) == effects; };
  const auto add = [&](AbiEffect effect, const char* word) {
    if (has(effect)) out += (out.empty() ? "" : ", ") + std::string(word);
  };
  if (effects == AbiEffect::none) return "none";
  if (has(AbiEffect::convergesSubgroup))
    add(AbiEffect::convergesSubgroup, "converges the subgroup");
  else if (has(AbiEffect::convergesGroup))
    add(AbiEffect::convergesGroup, "converges the group");
  else
    add(AbiEffect::convergent, "convergent");
  add(AbiEffect::memory, "memory");
  add(AbiEffect::noreturn, "noreturn");
  add(AbiEffect::state, "state");
  return out;
}

TEST(Documentation, ListsBothAbiTables) {
  std::string table = "| entry | signature | lowered by | effects | meaning |\n|---|---|---|---|---|\n";
  for (const AbiEntry& entry : deviceAbi()) {
    constexpr const char* lowering[] = {"target", "target or fallback", "core", "constant"};
    table += "| `" + std::string(entry.symbol) + "` | `" + std::string(entry.signature) + "` | " +
             lowering[static_cast<int>(entry.lowering)] + " | " + nameOf(entry.effects) + " | " +
             std::string(entry.meaning) + " |\n";
  }
  table +=
      "\n## The runtime ABI\n\n"
      "Functions of Lathe's own that kernels do not call: lowering puts the calls in, or device code makes them. The "
      "list is\n"
      "`core/abi/runtime_abi.def`; `t` is bool. Device code has the declarations of both tables from "
      "`<lathe/sdk/device_abi.h>`.\n\n"
      "| function | signature | provided by | effects | meaning |\n|---|---|---|---|---|\n";
  for (const RuntimeEntry& entry : runtimeAbi()) {
    constexpr const char* provider[] = {"device code", "lowering of groups", "lowering, of the launch", "late lowering",
                                        "runtime"};
    table += "| `" + std::string(entry.symbol) + "` | `" + std::string(entry.signature) + "` | " +
             provider[static_cast<int>(entry.provider)] + " | " + nameOf(entry.effects) + " | " +
             std::string(entry.meaning) + " |\n";
  }
  checkTable(LATHE_SOURCE_DIR "/docs/device-abi.md", table);
}

}  // namespace
}  // namespace lathe::detail
