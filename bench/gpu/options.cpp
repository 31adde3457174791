// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options and the selection of kernels.
#include "options.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace lathe::bench::gpu {
namespace {

constexpr const char* help =
    R"(bench_gpu_kernels [OPTIONS]: kernels by Lathe beside the same source by nvcc, on an NVIDIA GPU

  --list                 print kind and name of each kernel
  --kernel NAME          this kernel; repeatable
  --kind NAME            the kernels of this kind; repeatable
  --samples N            samples of each kernel (30)
  --device N             number of the GPU (0)
  --launches N           launches of the empty kernel by which enqueueing is timed (10000)
  --code FOLDER          run the code that --write-code left there, and compile nothing
  --write-code FOLDER    compile by Lathe and nvcc, run nothing; without nvcc, say so and make nothing
  --arch ARCH            architecture for --write-code and --check-on-cpu (sm_90)
  --specialise           compile Lathe's side again for each launch: the values of its scalars, the group size and the
                         pointers' alignment are known then (the driver assembles it, the peer's code ptxas)
  --check-on-cpu         run each kernel at a small size on the CPU against the host's own result; no GPU needed
  --help                 print this

Without --code, the code is compiled on this machine if nvcc or NVRTC works here, and else taken from the folder
'bench_gpu_kernels_code' beside the program. The exit code is 1 if a kernel failed or computed a wrong result.
)";

[[noreturn]] void refuse(const std::string& message) {
  std::fprintf(stderr, "bench: %s\n", message.c_str());
  std::exit(2);
}

unsigned number(const std::string& option, const std::string& word) {
  unsigned out = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  if (error != std::errc() || end != word.data() + word.size()) refuse(option + ": '" + word + "' is not a number");
  return out;
}

/// Options of other benchmarks, which bench/run hands to all.
bool belongsToOthers(const std::string& option) {
  return option == "--slope" || option == "--threads" || option == "--reduce-groups";
}

}  // namespace

Options readOptions(Arguments words) {
  Options out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& option = words[i];
    const auto value = [&]() -> const std::string& {
      if (i + 1 == words.size()) refuse(option + ": its value is missing");
      return words[++i];
    };
    if (option == "--help") {
      std::fputs(help, stdout);
      std::exit(0);
    } else if (option == "--list") {
      out.list = true;
    } else if (option == "--check-on-cpu") {
      out.checkOnCpu = true;
    } else if (option == "--specialise") {
      out.specialise = true;
    } else if (option == "--child") {
      out.child = true;
    } else if (option == "--kernel") {
      out.kernels.push_back(value());
    } else if (option == "--kind") {
      out.kinds.push_back(value());
    } else if (option == "--samples") {
      out.samples = std::max(number(option, value()), 1u);
    } else if (option == "--device") {
      out.device = number(option, value());
    } else if (option == "--launches") {
      out.launches = number(option, value());
    } else if (option == "--code") {
      out.code = value();
    } else if (option == "--write-code") {
      out.writeCode = value();
    } else if (option == "--arch") {
      out.arch = value();
    } else if (belongsToOthers(option)) {
      value();
    } else {
      refuse("'" + option + "' is not an option; --help lists them");
    }
  }
  out.choosesKernels = !out.kernels.empty() || !out.kinds.empty();
  return out;
}

std::vector<Selected> select(const Options& options) {
  std::vector<Selected> out;
  std::vector<std::string> unknown = options.kernels;
  for (const std::string& name : options.kinds)
    if (std::ranges::find(kinds(), name, &Kind::name) == kinds().end())
      refuse("no kind of kernels is called '" + name + "'; --list shows them");
  for (const Kind& kind : kinds()) {
    const bool whole = !options.choosesKernels || std::ranges::find(options.kinds, kind.name) != options.kinds.end();
    for (const MakeCase make : kind.cases) {
      std::string name = make(Scale::small).kernel;
      const bool named = std::erase(unknown, name) != 0;
      if (whole || named) out.push_back({&kind, make, std::move(name)});
    }
  }
  if (!unknown.empty()) refuse("no kernel is called '" + unknown.front() + "'; --list shows them");
  return out;
}

}  // namespace lathe::bench::gpu
