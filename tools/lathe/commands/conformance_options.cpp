// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of `lathe conformance`.
#include "tools/lathe/commands/conformance_options.h"

#include <CLI/CLI.hpp>

#include "tools/options/number_options.h"

namespace lathe::tool {
namespace {

constexpr std::string_view examples = R"(Examples:
  lathe conformance                                  every target with a runtime
  lathe conformance --target cpu --case atomics      the cases whose name contains "atomics"
  lathe conformance --target cpu --checked           in checked mode, which is to find nothing
  lathe conformance --target cpu:x86-64-v2           code for an older processor on this one
  lathe conformance --coverage > coverage.md         device ABI entries × targets
  lathe conformance --coverage -t cpu -t riscv64     riscv64 only compiles
  lathe conformance -t cuda --json > cuda.json       on a machine with a GPU; then, on any other:
  lathe conformance --coverage --recorded cuda.json  its column beside those of this machine
Each case runs at -O0 and -O3, in a process that may crash. "absent": the target's descriptor says that it lacks a function the kernel calls.)";

}  // namespace

void ConformanceOptions::configure(CLI::App& app) {
  app.add_option("-t,--target", targets,
                 "only this target, compiled for the architecture behind a colon (default: the device's);\nrepeatable "
                 "(default: all with a runtime)")
      ->type_name("NAME[:ARCH]")
      ->allow_extra_args(false);
  app.add_option("-c,--case", filters, "only cases whose name contains TEXT; repeatable")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  app.add_flag("--checked", checked, "compile in checked mode: what it finds is a failure");
  app.add_flag("-g", debugInfo, "compile with debug information");
  addNumber(app, "--coarsening", coarsening,
            "groups that one launched group serves, wherever a kernel can be so compiled", "N", 0, 16);
  addNumber(app, "--case-timeout", caseTimeout, "a case that takes more seconds has failed, 0: no limit (default: 300)",
            "SECONDS", 0, 1e6);
  auto* const list = app.add_flag("--list", onlyList, "print the cases' names and stop");
  auto* const coverage =
      app.add_flag("--coverage", coverageTable,
                   "print entry × target as a Markdown table instead; targets without a runtime only compile");
  coverage->excludes(list);
  app.add_option("--recorded", recorded, "with --coverage: columns of what --json wrote elsewhere; repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->needs(coverage);
  app.footer(std::string(examples));
}

}  // namespace lathe::tool
