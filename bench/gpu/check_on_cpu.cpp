// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small cases on the host's processor.
#include "check_on_cpu.h"

#include <algorithm>

#include "../measure.h"
#include "code.h"
#include "device_arrays.h"

namespace lathe::bench::gpu {
namespace {

std::optional<std::string> runCase(const Device& device, const Module& module, const Case& subject) {
  const auto kernel = module.rawKernel(subject.kernel);
  if (!kernel) return kernel.error().render();
  Host contents = initialContents(subject);
  auto arrays = DeviceArrays::make(device, subject, contents);
  if (!arrays) return arrays.error().render();
  if (auto done = kernel->launch({subject.grid, subject.group}, arrays->arguments()); !done)
    return done.error().render();
  auto result = arrays->read(subject);
  if (!result) return result.error().render();
  subject.reference(contents);
  return difference(subject, *result, contents);
}

/// What is wrong with the PTX of a kernel file.
std::optional<std::string> assemble(const ScratchFolder& folder, const std::optional<Program>& ptxas,
                                    const std::string& source, const std::string& arch) {
  const std::string ptx = folder.path("out.ptx");
  if (auto failed = compileByLathe(source, "cuda:" + arch, {"--emit", "asm"}, ptx)) return failed;
  if (!ptxas) return std::nullopt;
  const ChildResult child = runChild({ptxas->path, "-O3", "-arch=" + arch, "-o", "/dev/null", ptx}, true);
  if (child.ok) return std::nullopt;
  return "ptxas: " + child.output;
}

}  // namespace

bool checkOnCpu(const std::vector<const Kind*>& wanted, const std::vector<std::string>& kernels,
                const std::string& arch) {
  const ScratchFolder folder;
  const Device device = need(Device::open("cpu"));
  const auto ptxas = findProgram("ptxas");
  unsigned right = 0, wrong = 0;
  const auto report = [&](std::string_view name, const std::optional<std::string>& failed) {
    if (!failed) return true;
    say("**" + std::string(name) + "**: " + *failed);
    ++wrong;
    return false;
  };
  for (const Kind* kind : wanted) {
    const std::string name(kind->name), source = folder.write(name + ".cu", kind->text);
    if (!report(name + ".cu for " + arch, assemble(folder, ptxas, source, arch))) continue;
    const std::string image = folder.path(name + ".limg");
    if (!report(name + ".cu for the CPU", compileByLathe(source, "cpu", {}, image))) continue;
    const Module module = need(device.load(need(Image::open(image))));
    for (const MakeCase make : kind->cases) {
      const Case subject = make(Scale::small);
      if (std::ranges::find(kernels, subject.kernel) == kernels.end()) continue;
      if (report(subject.kernel, runCase(device, module, subject))) ++right;
    }
  }
  say(std::to_string(right) + " kernels are right on the CPU, " + std::to_string(wrong) + " failures. PTX for " + arch +
      (ptxas ? ": taken by ptxas " + ptxas->version + "." : ": not assembled, there is no ptxas here."));
  return wrong == 0 && right > 0;
}

}  // namespace lathe::bench::gpu
