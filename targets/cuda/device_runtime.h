// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device's runtime: functions by which kernels launch kernels, in a static library of NVIDIA's toolkit that every
// user links (CUDA Programming Guide, "CUDA Dynamic Parallelism"). For the target, which links machine code, and for
// the runtime, whose driver links PTX.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <system_error>

#include <lathe/sdk/variables.h>

namespace lathe::targets {

/// Whether PTX calls the device's runtime: its names are two families, of launches and of graphs.
inline bool callsDeviceRuntime(std::string_view ptx) {
  return ptx.find("__cudaCDP2") != std::string_view::npos || ptx.find(" cudaGraph") != std::string_view::npos;
}

/// The library's path, in the folder that $CUDA_HOME or $CUDA_PATH names or in the usual one; empty if it is in none.
inline std::string findDeviceRuntime(const sdk::Variables& variables = {}) {
  const std::initializer_list<std::string> roots = {variables.get("CUDA_HOME"), variables.get("CUDA_PATH"),
                                                    "/usr/local/cuda"};
  for (const std::string& root : roots) {
    if (root.empty()) continue;
    for (const char* const folder : {"lib64", "lib", "targets/x86_64-linux/lib"}) {
      const std::filesystem::path path = std::filesystem::path(root) / folder / "libcudadevrt.a";
      std::error_code failed;
      if (std::filesystem::is_regular_file(path, failed)) return path.string();
    }
  }
  return {};
}

inline constexpr std::string_view noDeviceRuntime =
    "its kernels launch kernels or graphs, which needs libcudadevrt.a of NVIDIA's toolkit, and that was not found";
inline constexpr std::string_view deviceRuntimeHint =
    "install the toolkit, or the Python package nvidia-cuda-runtime, and name its folder in CUDA_HOME";

}  // namespace lathe::targets
