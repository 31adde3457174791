// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verifier's messages with what Lathe says to them (rules.def).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lathe::bpf::detail {

struct Explanation {
  std::string words, hint;
};

/// The explanation of `message`; `holds` is what the register that it names first holds, in words. Nothing if the table
/// does not know the message.
[[nodiscard]] std::optional<Explanation> explain(std::string_view message, std::string_view holds);

/// The number of the first register that `message` names, "R3"; above 10 if there is none.
[[nodiscard]] unsigned registerNamedIn(std::string_view message);

}  // namespace lathe::bpf::detail
