// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe bpf top`: the kernel's programs by the time they take.
#pragma once

#include "tools/lathe/commands/command.h"

namespace lathe::tool {

class BpfTop {
 public:
  void configure(CLI::App& app);
  [[nodiscard]] ExitCode run(Output& out) const;

 private:
  bool once_ = false;
  double interval_ = 1;
  std::size_t rows_ = 20;
};

}  // namespace lathe::tool
