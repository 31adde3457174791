// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attach points as text.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lathe/bpf_attach.h>

namespace lathe::bpf {
namespace {

struct Describe {
  std::string operator()(const Tracepoint& at) const { return fmt::format("tp:{}:{}", at.category, at.name); }
  std::string operator()(const RawTracepoint& at) const { return fmt::format("raw_tp:{}", at.name); }
  std::string operator()(const KernelProbe& at) const {
    return fmt::format("{}:{}", at.onReturn ? "kretprobe" : "kprobe", at.function);
  }
  std::string operator()(const UserProbe& at) const {
    std::string place = at.function.empty() ? fmt::format("{:#x}", at.offset) : at.function;
    if (!at.function.empty() && at.offset != 0) place += fmt::format("+{:#x}", at.offset);
    return fmt::format("{}:{}:{}", at.onReturn ? "uretprobe" : "uprobe", at.binary, place);
  }
  std::string operator()(const UserProbes& at) const {
    return fmt::format("{}:{}:{}", at.onReturn ? "uretprobe.multi" : "uprobe.multi", at.binary,
                       fmt::join(at.functions, ","));
  }
  std::string operator()(const StaticProbe& at) const {
    return fmt::format("usdt:{}:{}:{}", at.binary, at.provider, at.name);
  }
  std::string operator()(const Samples& at) const { return fmt::format("samples:{}", at.perSecond); }
  std::string operator()(const Xdp& at) const {
    constexpr std::string_view forms[] = {"xdp", "xdp.generic", "xdp.native", "xdp.offloaded"};
    return fmt::format("{}:{}", forms[static_cast<std::size_t>(at.mode)], at.interface);
  }
  std::string operator()(const TrafficControl& at) const {
    return fmt::format("{}:{}", at.egress ? "egress" : "ingress", at.interface);
  }
  std::string operator()(const Cgroup& at) const { return fmt::format("cgroup:{}", at.folder.string()); }
  std::string operator()(const NetNamespace& at) const { return fmt::format("netns:{}", at.file.string()); }
  std::string operator()(const Socket& at) const { return fmt::format("socket {}", at.descriptor); }
  std::string operator()(const SocketMap& at) const { return fmt::format("sockmap:{}", at.map); }
  std::string operator()(const Iterator& at) const {
    if (!at.map.empty()) return fmt::format("iter:map:{}", at.map);
    return at.process < 0 ? "iter" : fmt::format("iter:process:{}", at.process);
  }
};

/// `text` cut at its first `count` colons; empty if there are fewer.
std::vector<std::string> cut(std::string_view text, std::size_t count) {
  std::vector<std::string> out;
  for (; count > 0; --count) {
    const std::size_t at = text.find(':');
    if (at == std::string_view::npos) return {};
    out.emplace_back(text.substr(0, at));
    text.remove_prefix(at + 1);
  }
  out.emplace_back(text);
  return out;
}

template <class Number>
bool readNumber(std::string_view text, Number& out) {
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  return status == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string describe(const AttachPoint& point) {
  return std::visit(Describe{}, point);
}

Result<AttachPoint> parseAttachPoint(const std::string& text) {
  const std::string form = text.substr(0, text.find(':'));
  const std::string rest = form.size() < text.size() ? text.substr(form.size() + 1) : "";
  const auto two = cut(rest, 1);
  if (form == "iter" && rest.empty()) return AttachPoint(Iterator{});
  if (!rest.empty()) {
    if (form == "tp" && !two.empty()) return AttachPoint(Tracepoint{two[0], two[1]});
    if (form == "raw_tp") return AttachPoint(RawTracepoint{rest});
    if (form == "kprobe" || form == "kretprobe") return AttachPoint(KernelProbe{rest, form == "kretprobe"});
    if ((form == "uprobe" || form == "uretprobe") && !two.empty() && !two[1].empty()) {
      UserProbe probe{.binary = two[0], .onReturn = form == "uretprobe"};
      const std::size_t plus = two[1].rfind('+');
      if (plus != std::string::npos && plus != 0 && readNumber(std::string_view(two[1]).substr(plus + 1), probe.offset))
        probe.function = two[1].substr(0, plus);
      else if (!two[1].starts_with("0x") || !readNumber(two[1], probe.offset))
        probe.function = two[1];
      return AttachPoint(probe);
    }
    if ((form == "uprobe.multi" || form == "uretprobe.multi") && !two.empty() && !two[1].empty()) {
      UserProbes probes{.binary = two[0], .functions = {}, .onReturn = form == "uretprobe.multi"};
      for (std::size_t at = 0; at <= two[1].size();) {
        const std::size_t comma = std::min(two[1].find(',', at), two[1].size());
        probes.functions.push_back(two[1].substr(at, comma - at));
        at = comma + 1;
      }
      return AttachPoint(probes);
    }
    if (const auto three = cut(rest, 2); form == "usdt" && !three.empty())
      return AttachPoint(StaticProbe{three[0], three[1], three[2]});
    Samples samples;
    if (form == "samples" && readNumber(rest, samples.perSecond) && samples.perSecond > 0) return AttachPoint(samples);
    if (form == "xdp") return AttachPoint(Xdp{rest});
    if (form == "xdp.generic") return AttachPoint(Xdp{rest, XdpMode::generic});
    if (form == "xdp.native") return AttachPoint(Xdp{rest, XdpMode::native});
    if (form == "xdp.offloaded") return AttachPoint(Xdp{rest, XdpMode::offloaded});
    if (form == "sockmap") return AttachPoint(SocketMap{rest});
    Iterator items;
    if (form == "iter" && !two.empty() && two[0] == "map" && !two[1].empty()) return AttachPoint(Iterator{two[1]});
    if (form == "iter" && !two.empty() && two[0] == "process" && readNumber(two[1], items.process) && items.process > 0)
      return AttachPoint(items);
    if (form == "ingress" || form == "egress") return AttachPoint(TrafficControl{rest, form == "egress"});
    if (form == "cgroup") return AttachPoint(Cgroup{rest});
    if (form == "netns") return AttachPoint(NetNamespace{rest});
  }
  return Error{.code = ErrorCode::InvalidArgument,
               .message = fmt::format("'{}' is no place to attach a program to", text),
               .hint =
                   "tp:CATEGORY:NAME, raw_tp:NAME, kprobe:FUNCTION, kretprobe:FUNCTION, uprobe:FILE:FUNCTION, "
                   "uprobe:FILE:FUNCTION+OFFSET, "
                   "uretprobe:FILE:FUNCTION, uprobe.multi:FILE:FUNCTION,FUNCTION, usdt:FILE:PROVIDER:NAME, "
                   "samples:PER_SECOND, xdp:INTERFACE, xdp.generic:INTERFACE, xdp.native:INTERFACE, "
                   "ingress:INTERFACE, egress:INTERFACE, cgroup:FOLDER, netns:FILE, sockmap:MAP, iter, iter:map:MAP, "
                   "iter:process:NUMBER",
               .target = "bpf"};
}

}  // namespace lathe::bpf
