// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error of an object that does not load: refused by the verifier, not permitted, or not possible here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtimes/bpf/object_state.h"

namespace lathe::bpf::detail {

/// The verifier's logs among libbpf's messages, in order.
[[nodiscard]] std::vector<std::string> logsIn(std::string_view messages);

/// The error that `status`, `messages` and the log of the last load come to.
[[nodiscard]] Error loadFailure(const ObjectState& state, int status, const LibbpfMessages& messages);

/// The same for a log alone: what the verifier's refusal of `program` reads like, with the source lines of `elf`.
[[nodiscard]] Error refusal(std::string_view program, std::string_view log, std::span<const std::byte> elf,
                            bool rawLog);

}  // namespace lathe::bpf::detail
