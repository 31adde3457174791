// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On a CUDA device: the cost of a launch through Lathe and through cuLaunchKernel alone, and the kernels of
// kernels/*.cu by Lathe beside the same files by nvcc -O3 (NVRTC where there is no nvcc). Each kind runs in a child
// process.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <lathe/runtime.h>

#include "../measure.h"
#include "check_on_cpu.h"
#include "code.h"
#include "contest.h"
#include "copy_ceiling.h"
#include "cuda_driver.h"
#include "launch_cost.h"
#include "options.h"
#include "report.h"

namespace lathe::bench::gpu {
namespace {

constexpr const char* defaultArch = "sm_90";

/// Runs the kernels of one kind, in as many children as their failures ask for.
void runKind(const Options& options, const std::string& folder, std::span<ReportRow> rows) {
  std::size_t next = 0;
  while (next < rows.size()) {
    std::vector<std::string> command = {selfPath(),  "--child",
                                        "--code",    folder,
                                        "--device",  std::to_string(options.device),
                                        "--samples", std::to_string(options.samples)};
    if (options.specialise) command.emplace_back("--specialise");
    for (const ReportRow& waiting : rows.subspan(next)) {
      command.emplace_back("--kernel");
      command.push_back(waiting.outcome.kernel);
    }
    const ChildResult child = runChild(command, true);
    std::istringstream lines(child.output);
    std::string last = "nothing said";
    for (std::string line; std::getline(lines, line);) {
      if (auto outcome = readOutcome(line); outcome && next < rows.size())
        rows[next++].outcome = *std::move(outcome);
      else if (!line.empty())
        last = line;
    }
    if (child.ok || next >= rows.size()) continue;
    rows[next++].outcome.failure =
        "its process ended with " +
        (child.status < 0 ? "signal " + std::to_string(-child.status) : "exit code " + std::to_string(child.status)) +
        ": " + last;
  }
}

/// The folder with code for this device: the one asked for; one made now, if a compiler of the peer's works here; else
/// the one beside this program.
std::string codeFolder(const Options& options, const std::vector<const Kind*>& kinds, const ScratchFolder& scratch,
                       const std::string& arch) {
  std::string why, folder = options.code;
  if (folder.empty()) {
    if (const auto compilers = findCompilers(arch, why)) {
      folder = scratch.path("code");
      if (writeCode(*compilers, arch, kinds, folder) != 0) say("Some files do not compile; their rows say why.");
      say("Code made here: " + makersOfCode(folder) + ".");
      return folder;
    }
    folder = selfPath() + "_code";
  }
  const std::string made = archOfCode(folder);
  if (made.empty())
    fail(folder + ": holds no code (--write-code makes it)" +
         (why.empty() ? "" : ", and none can be made here: " + why));
  if (made != arch) fail(folder + ": its code is for " + made + ", the device is " + arch);
  say("Code of " + folder + ": " + makersOfCode(folder) + ".");
  return folder;
}

int writeCodeOnly(const Options& options, const std::vector<const Kind*>& kinds) {
  std::string why;
  const auto compilers = findCompilers(options.arch.empty() ? defaultArch : options.arch, why);
  if (!compilers) {
    say("No code was made: " + why + ".");
    return 0;
  }
  const unsigned failures =
      writeCode(*compilers, options.arch.empty() ? defaultArch : options.arch, kinds, options.writeCode);
  for (const Kind* kind : kinds)
    if (!readCode(options.writeCode, kind->name, why)) std::fprintf(stderr, "%s\n", why.c_str());
  return failures == 0 ? 0 : 1;
}

int runOnGpu(const Options& options, const std::vector<Selected>& selected, const std::vector<const Kind*>& kinds) {
  say("## Kernels on an NVIDIA GPU");
  std::string why;
  const auto driver = CudaDriver::open(int(options.device), why);
  if (!driver) {
    say("Skipped: " + why + ".");
    return 0;
  }
  const Device device = need(Device::open("cuda", int(options.device)));
  const DeviceInfo& info = device.info();
  say(info.name + ", " + info.arch + ", driver " + info.driverVersion + ", " + text(driver->cacheBytes() / 1048576.0) +
      " MB of L2.");
  double ceiling = 0;
  if (!options.choosesKernels) {
    Stream stream = need(device.createStream());
    if (!stream.nativeHandle()) fail("gpu: Lathe's stream has no handle of the driver's");
    launchCost(*driver, device, stream, std::max(options.launches, 100u));
    ceiling = copyCeiling(*driver, device, stream);
  }
  const ScratchFolder scratch;
  const std::string folder = codeFolder(options, kinds, scratch, info.arch);
  std::vector<ReportRow> rows;
  for (const Selected& one : selected) {
    rows.push_back({one.kind, one.make, {}});
    rows.back().outcome.kernel = one.kernel;
  }
  for (std::size_t first = 0; first < rows.size();) {
    std::size_t end = first;
    while (end < rows.size() && rows[end].kind == rows[first].kind) ++end;
    runKind(options, folder, std::span(rows).subspan(first, end - first));
    first = end;
  }
  return report(rows, ceiling) == 0 ? 0 : 1;
}

int benchmark(Arguments words) {
  const Options options = readOptions(words);
  const std::vector<Selected> selected = select(options);
  std::vector<const Kind*> kinds;
  std::vector<std::string> kernels;
  for (const Selected& one : selected) {
    if (kinds.empty() || kinds.back() != one.kind) kinds.push_back(one.kind);
    kernels.push_back(one.kernel);
  }
  if (options.list) {
    for (const Selected& one : selected)
      std::printf("%.*s\t%s\n", int(one.kind->name.size()), one.kind->name.data(), one.kernel.c_str());
    return 0;
  }
  if (options.child) {
    runContests(*kinds.front(), kernels, {int(options.device), options.samples, options.code, options.specialise});
    return 0;
  }
  if (options.checkOnCpu) return checkOnCpu(kinds, kernels, options.arch.empty() ? defaultArch : options.arch) ? 0 : 1;
  if (!options.writeCode.empty()) return writeCodeOnly(options, kinds);
  return runOnGpu(options, selected, kinds);
}

}  // namespace
}  // namespace lathe::bench::gpu

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  lathe::bench::withoutCache();
  return lathe::bench::gpu::benchmark(words);
}
