// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache of compiles: what a result costs from memory, from disk and by compiling, and what keeping it adds to a
// compile. Samples alternate, so that other load meets all alike.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <lathe/compiler.h>
#include <lathe/runtime.h>

#include "gpu/cuda_driver.h"
#include "kernels.h"
#include "measure.h"

namespace lathe::bench {
namespace {

constexpr unsigned repeats = 1000;  ///< hits in memory that one sample takes together

Compiler makeCompiler(const std::filesystem::path& folder, bool enabled) {
  CompilerConfig config;
  config.cache.enabled = enabled;
  config.cache.folder = folder;
  return need(Compiler::create(std::move(config)));
}

Job jobOf(const KernelSource& kernel, const std::string& target) {
  Job job;
  job.source = {.name = std::string(kernel.name) + ".cu", .text = uniqueText(kernel), .dialect = "cuda"};
  job.target = target;
  if (target == "cuda") job.arch = "sm_90";
  return job;
}

/// A device that takes what is compiled, and, of a GPU, the driver's own way to load it; neither where a machine has no
/// GPU.
struct Loader {
  std::optional<Device> device;
  std::optional<gpu::CudaDriver> driver;
};
Loader loaderOf(const std::string& target) {
  if (target == "cpu") return {need(Device::open(target)), std::nullopt};
  auto device = Device::open(target);
  if (!device) return {};
  std::string why;
  return {*std::move(device), gpu::CudaDriver::open(0, why)};
}

/// cuModuleLoadData and cuModuleGetFunction of the image's code, as a program calls them that keeps the text itself.
double rawLoad(const gpu::CudaDriver& driver, const Image& image) {
  const Code& code = image.code().front();
  const std::string text(reinterpret_cast<const char*>(code.bytes.data()), code.bytes.size());
  const std::string symbol = image.info().entries.front().symbol;
  return milliseconds([&] { (void)driver.load(text, symbol); });
}

/// Ends the program unless the result comes from there.
CompileResult expect(CacheOrigin origin, Result<CompileResult> result) {
  CompileResult out = need(std::move(result));
  if (out.origin != origin) fail("a compile was not served from where it should have been");
  return out;
}

void measure(const std::string& target, unsigned samples) {
  const ScratchFolder scratch;
  const std::filesystem::path folder = scratch.path("cache");
  const Compiler plain = makeCompiler(folder, false), caching = makeCompiler(folder, true);
  const Loader loader = loaderOf(target);
  header("cache: " + target, std::vector<std::string>{"kernel", "compile, ms", "compile and keep", "from disk, ms",
                                                      "from memory, µs", "disk ÷ compile"});
  std::vector<double> disk, kept, slowest, memory, above;
  for (const KernelSource& kernel : compileKernels()) {
    std::vector<double> compiled, stored, read, remembered, raw;
    for (unsigned sample = 0; sample < samples; ++sample) {
      const Job job = jobOf(kernel, target);
      compiled.push_back(milliseconds([&] { (void)need(plain.compile(job)); }));
      stored.push_back(milliseconds([&] { (void)expect(CacheOrigin::compiled, caching.compile(job)); }));
      CompileRequest written;  // the entry is written behind the caller's back
      written.durable = true;
      (void)expect(CacheOrigin::memory, caching.compile(job, written));
      const Compiler fresh = makeCompiler(folder, true);
      (void)need(fresh.target(target));  // its descriptor is read once a process
      read.push_back(milliseconds([&] {
        const CompileResult result = expect(CacheOrigin::disk, fresh.compile(job));
        if (loader.device) (void)need(loader.device->load(result.image));
      }));
      if (loader.driver) raw.push_back(rawLoad(*loader.driver, need(fresh.compile(job)).image));
      remembered.push_back(1000.0 / repeats * milliseconds([&] {
                             for (unsigned i = 0; i < repeats; ++i)
                               (void)expect(CacheOrigin::memory, fresh.compile(job));
                           }));
    }
    const Summary compile = summarise(compiled), keep = summarise(stored), hit = summarise(read);
    disk.push_back(hit.median / compile.median);
    kept.push_back(keep.median / compile.median);
    slowest.push_back(hit.median);
    memory.push_back(summarise(remembered).median);
    if (!raw.empty()) above.push_back(hit.median - summarise(raw).median);
    row(std::vector<std::string>{std::string(kernel.name), text(compile), text(kept.back()) + " ×", text(hit),
                                 text(summarise(remembered)), text(disk.back())});
  }
  say("Geometric means: from disk " + text(geometricMean(disk)) + " ×, compiled and kept " + text(geometricMean(kept)) +
      " × a compile without a cache." + " From memory, geometric mean: " + atMost(geometricMean(memory), 2, "µs") +
      "." +
      (loader.device ? " From disk includes loading, up to a kernel that can be launched; the slowest: " +
                           (target == "cpu" ? atMost(std::ranges::max(slowest), 2, "ms")
                                            : text(std::ranges::max(slowest)) + " ms") +
                           "."
                     : "") +
      (above.empty()
           ? ""
           : " Above the driver's own load of the text: " + atMost(std::ranges::max(above), 1, "ms") + " at most."));
}

}  // namespace
}  // namespace lathe::bench

int main(int argc, char** argv) {
  lathe::bench::keepFreedMemory();
  const std::vector<std::string> words(argv + 1, argv + argc);
  const unsigned samples = lathe::bench::option(words, "--samples", 15);
  lathe::bench::say("## Cache");
  for (const char* const target : {"cpu", "cuda"}) lathe::bench::measure(target, samples);
  return 0;
}
