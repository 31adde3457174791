// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code of a kernel file by Lathe and by the peer, nvcc or NVRTC. A folder keeps it: NAME.limg, Lathe's image
// with PTX; NAME.lathe.cubin, that PTX by the ptxas of the peer's toolkit; NAME.peer.cubin; NAME.error in place of all
// if one did not compile; made_by.txt.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "case.h"

namespace lathe::bench::gpu {

/// The compilers of this machine, for one architecture.
struct Compilers {
  std::string description;  ///< who makes what: the text of made_by.txt
  std::string ptxas;        ///< empty: the driver is left to assemble Lathe's PTX
  /// Writes the peer's cubin of a source file; else the compiler's messages.
  std::function<std::optional<std::string>(const std::string& source, const std::string& cubin)> peer;
};

/// The toolkit's program of that name, which `--version` proves to work: on PATH, in $CUDA_HOME, in /usr/local/cuda.
/// Its path and what it says of its version, "13.0.88".
struct Program {
  std::string path, version;
};
[[nodiscard]] std::optional<Program> findProgram(const std::string& name);

/// nvcc if it works here, else NVRTC; null, and the reason in `why`, if there is neither.
[[nodiscard]] std::optional<Compilers> findCompilers(const std::string& arch, std::string& why);

/// Runs `lathe compile` on a kernel file. Returns its messages if it fails.
[[nodiscard]] std::optional<std::string> compileByLathe(const std::string& source, const std::string& target,
                                                        const std::vector<std::string>& options,
                                                        const std::string& out);

/// Fills a folder with the code of these kernel files, several at a time; the number that did not compile.
[[nodiscard]] unsigned writeCode(const Compilers& compilers, const std::string& arch,
                                 const std::vector<const Kind*>& wanted, const std::string& folder);

/// The architecture that a folder's code is for; empty if the folder has none.
[[nodiscard]] std::string archOfCode(const std::string& folder);
/// What made a folder's code.
[[nodiscard]] std::string makersOfCode(const std::string& folder);

struct KindCode {
  Image lathe;
  std::string latheCubin;  ///< empty: PTX
  std::string peerCubin;
};
/// Null, and the reason in `why`, for code that did not compile.
[[nodiscard]] std::optional<KindCode> readCode(const std::string& folder, std::string_view kind, std::string& why);

/// Machine instructions of a kernel in a cubin for sm_70 or later, without those that fill up its end; 0 if it has none
/// of that name.
[[nodiscard]] std::size_t instructionCount(const std::string& cubin, const std::string& kernel);

}  // namespace lathe::bench::gpu
