// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the verifier knows of a register, in words. States are written by print_reg_state() in kernel/bpf/log.c:
// "map_value_or_null(id=1,map=counts,ks=4,vs=8)", "scalar(umin=1,umax=255)", "fp-8", "7".
#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "runtimes/bpf/verifier/log.h"

namespace lathe::bpf::detail {
namespace {

/// The kind and the attributes of a state. Numbers that the kernel joins ("smin=umin=1") are given each.
struct State {
  std::string_view kind;
  std::vector<std::pair<std::string_view, std::string_view>> attributes;

  explicit State(std::string_view text) {
    const std::size_t open = text.find('(');
    kind = text.substr(0, open);
    if (open == std::string_view::npos) return;
    std::string_view rest = text.substr(open + 1);
    std::vector<std::string_view> names;
    while (!rest.empty() && rest.front() != ')') {
      const std::size_t end = rest.find_first_of("=,)");
      if (end == std::string_view::npos) return;
      const std::string_view word = rest.substr(0, end);
      if (rest[end] == '=') {
        names.push_back(word);
        rest.remove_prefix(end + 1);
        if (rest.starts_with('(')) {  // var_off=(0x0; 0xff)
          rest.remove_prefix(std::min(rest.find(')') + 1, rest.size()));
          names.clear();
        }
        continue;
      }
      for (const std::string_view name : names) attributes.emplace_back(name, word);
      names.clear();
      if (rest[end] == ')') return;
      rest.remove_prefix(end + 1);
    }
  }

  [[nodiscard]] std::string_view get(std::string_view name) const {
    for (const auto& [known, value] : attributes)
      if (known == name) return value;
    return {};
  }
  bool take(std::string_view prefix) {
    if (!kind.starts_with(prefix)) return false;
    kind.remove_prefix(prefix.size());
    return true;
  }
};

std::string decimal(std::string_view text) {
  if (!text.starts_with("0x")) return std::string(text);
  std::uint64_t value = 0;
  std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
  return std::to_string(value);
}

std::string numberInWords(const State& state) {
  const std::string_view low = !state.get("smin").empty() ? state.get("smin") : state.get("umin");
  const std::string_view high = !state.get("umax").empty() ? state.get("umax") : state.get("smax");
  if (low.empty() && high.empty()) return "a number of which nothing is known";
  if (low.empty() && state.get("smin").empty() && !high.empty())
    return state.get("umax").empty() ? fmt::format("a number of at most {}, maybe below 0", decimal(high))
                                     : fmt::format("a number from 0 to {}", decimal(high));
  if (high.empty()) return fmt::format("a number of at least {}", decimal(low));
  return fmt::format("a number from {} to {}", decimal(low), decimal(high));
}

std::string offsetOf(const State& state) {
  const std::string_view offset = state.get("off");
  std::string out = offset.empty() || offset == "0" ? "" : fmt::format(", {} bytes further", offset);
  const std::string_view most = !state.get("umax").empty() ? state.get("umax") : state.get("smax");
  if (!most.empty()) out += fmt::format(", moved by up to {} bytes", decimal(most));
  return out;
}

std::string mapOf(const State& state) {
  const std::string_view name = state.get("map");
  return name.empty() ? "a map" : fmt::format("map '{}'", name);
}

std::string pointerInWords(const State& state) {
  const std::string_view kind = state.kind;
  if (kind == "map_value")
    return fmt::format("a pointer to a value of {} ({} bytes{})", mapOf(state), state.get("vs"), offsetOf(state));
  if (kind == "map_key") return fmt::format("a pointer to a key of {} ({} bytes)", mapOf(state), state.get("ks"));
  if (kind == "map_ptr") return mapOf(state);
  if (kind == "ctx") return fmt::format("the program's context{}", offsetOf(state));
  if (kind == "pkt" || kind == "pkt_meta")
    return fmt::format("a pointer into the packet{}{}", kind == "pkt" ? "" : "'s metadata",
                       state.get("r").empty() || state.get("r") == "0"
                           ? ", not compared with its end"
                           : fmt::format(", of which {} bytes are checked", state.get("r")));
  if (kind == "pkt_end") return "the end of the packet";
  if (kind == "mem" || kind == "ringbuf_mem" || kind == "buf")
    return fmt::format("a pointer to {} bytes of memory", state.get("sz").empty() ? "some" : state.get("sz"));
  if (kind == "sock" || kind == "sock_common" || kind == "tcp_sock" || kind == "xdp_sock")
    return "a pointer to a socket";
  if (kind == "func") return "a function";
  if (kind == "dynptr_ptr" || kind == "dynptr") return "a dynptr";
  if (kind.starts_with("ptr_")) return fmt::format("a pointer to the kernel's {}", kind.substr(4));
  if (kind == "ptr") return "a pointer to the kernel's memory";
  if (kind == "arena") return "a pointer into the arena";
  return {};
}

}  // namespace

std::string inWords(std::string_view text) {
  if (text.empty()) return {};
  // "P7", "inv7": numbers that the verifier keeps exactly, in older forms.
  State state(text.starts_with("inv") ? text.substr(3) : text.starts_with('P') ? text.substr(1) : text);
  if (state.kind.empty()) return numberInWords(state);
  if (state.kind.find_first_not_of("-0123456789abcdefx") == std::string_view::npos && !state.kind.starts_with("fp"))
    return fmt::format("the number {}", decimal(state.kind));
  if (state.kind == "scalar") return numberInWords(state);
  if (state.kind.starts_with("fp")) return "the address of a local variable";
  std::string before;
  if (state.take("untrusted_")) before = ", not to be trusted";
  if (state.take("trusted_") || state.take("rcu_")) before = "";
  if (state.take("rdonly_")) before = ", which is read-only";
  if (state.take("percpu_")) before = ", one a CPU";
  if (state.take("user_")) before = ", in user space";
  std::string after;
  if (state.kind.ends_with("_or_null")) {
    state.kind.remove_suffix(std::string_view("_or_null").size());
    after = ", or null";
  }
  std::string named;
  if (constexpr std::string_view mayBeNull = "ptr_or_null_"; state.kind.starts_with(mayBeNull)) {
    named = "ptr_" + std::string(state.kind.substr(mayBeNull.size()));
    state.kind = named;
    after = ", or null";
  }
  const std::string pointer = pointerInWords(state);
  return pointer.empty() ? std::string(text) : pointer + before + after;
}

}  // namespace lathe::bpf::detail
