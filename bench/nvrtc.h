// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVRTC, opened at run time, with the few declarations a compile needs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measure.h"

namespace lathe::bench {

class Nvrtc {
 public:
  /// Nothing if no library is found ($CUDA_HOME, /usr/local/cuda and the loader's own path are searched).
  [[nodiscard]] static std::optional<Nvrtc> open();
  /// "13.0"
  [[nodiscard]] std::string version() const;
  /// PTX for `arch` ("compute_90"), or a cubin ("sm_90"). Ends the program with NVRTC's log if the source is refused.
  [[nodiscard]] std::string compile(const std::string& name, const std::string& text, const std::string& arch,
                                    const std::vector<std::string>& folders = {}) const;
  /// Where the toolkit keeps its C++ standard library, <cuda/std/…>, and what that includes; empty: it has none here.
  [[nodiscard]] static std::vector<std::string> libraryFolders();

 private:
  using Program = void*;
  Nvrtc() = default;
  [[noreturn]] void refuse(Program program, const std::string& name, int code) const;

  int (*version_)(int*, int*) = nullptr;
  int (*createProgram_)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*compileProgram_)(Program, int, const char* const*) = nullptr;
  int (*destroyProgram_)(Program*) = nullptr;
  int (*getLogSize_)(Program, std::size_t*) = nullptr;
  int (*getLog_)(Program, char*) = nullptr;
  int (*getPtxSize_)(Program, std::size_t*) = nullptr;
  int (*getPtx_)(Program, char*) = nullptr;
  int (*getCubinSize_)(Program, std::size_t*) = nullptr;
  int (*getCubin_)(Program, char*) = nullptr;
};

}  // namespace lathe::bench
