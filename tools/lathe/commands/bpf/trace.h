// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe bpf trace`: a program file attached, and what it sends to user space shown as it comes.
#pragma once

#include <string>
#include <vector>

#include "tools/lathe/commands/bpf/attach.h"
#include "tools/lathe/commands/bpf/object.h"

namespace lathe::tool {

class BpfTrace {
 public:
  void configure(CLI::App& app);
  /// Attaches the loaded programs of `object`, shows records of its ring and perf buffers and texts of bpf_printk(),
  /// and detaches at the end.
  [[nodiscard]] ExitCode run(const bpf::Object& object, const BpfInput& input, Output& out);

 private:
  Attachment attachment_;
  std::vector<std::string> types_;
  std::size_t most_ = 0;
};

}  // namespace lathe::tool
