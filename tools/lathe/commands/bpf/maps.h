// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe bpf maps …`: maps that the kernel has, listed, read and written by their types.
#pragma once

#include <string>

#include <lathe/bpf_kernel.h>

#include "tools/lathe/commands/command.h"

namespace lathe::tool {

class BpfMaps {
 public:
  void configure(CLI::App& app);
  [[nodiscard]] ExitCode run(Output& out) const;

 private:
  [[nodiscard]] static ExitCode list(Output& out);
  [[nodiscard]] ExitCode dump(const bpf::RawMap& map, const bpf::MapTypes& types, Output& out) const;
  [[nodiscard]] ExitCode entry(const bpf::RawMap& map, const bpf::MapTypes& types, Output& out) const;

  CLI::App *dump_ = nullptr, *lookup_ = nullptr, *update_ = nullptr, *delete_ = nullptr;
  std::string map_, key_, value_, mode_ = "any";
  std::size_t entries_ = 0;
};

}  // namespace lathe::tool
