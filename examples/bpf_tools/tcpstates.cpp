// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows TCP connections from state to state, as they happen.
//
//   lathe_tcpstates tcpstates.bpf.cpp [SECONDS]
#include <array>
#include <cstring>

#include "tool.h"

#include "tcpstates.h"

namespace {

const char* nameOf(int state) {
  constexpr std::array names = {"?",     "ESTABLISHED", "SYN_SENT", "SYN_RECV", "FIN_WAIT1", "FIN_WAIT2",   "TIME_WAIT",
                                "CLOSE", "CLOSE_WAIT",  "LAST_ACK", "LISTEN",   "CLOSING",   "NEW_SYN_RECV"};
  return state >= 0 && static_cast<std::size_t>(state) < names.size() ? names[static_cast<std::size_t>(state)] : "?";
}

std::string endOf(unsigned short family, const unsigned char (&address)[4], unsigned short port) {
  constexpr unsigned short version4 = 2;
  if (family != version4) return "[IPv6]:" + std::to_string(port);
  std::string out;
  for (const unsigned part : address) out += (out.empty() ? "" : ".") + std::to_string(part);
  return out + ":" + std::to_string(port);
}

void print(std::span<const std::byte> record) {
  Change change{};
  std::memcpy(&change, record.data(), std::min(sizeof(change), record.size()));
  std::printf("%-22s %-22s %-12s -> %-12s %10.3f ms\n", endOf(change.family, change.local, change.localPort).c_str(),
              endOf(change.family, change.remote, change.remotePort).c_str(), nameOf(change.before),
              nameOf(change.after), static_cast<double>(change.nanoseconds) / 1e6);
}

lathe::Result<void> run(const char* source, double seconds) {
  auto object = tool::load(source);
  if (!object) return object.error();
  const auto map = object->rawMap("changes");
  if (!map) return map.error();
  auto changes = lathe::bpf::RingBuffer::open(*map, print);
  if (!changes) return changes.error();
  auto links = object->attachAll();
  if (!links) return links.error();
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  tool::waitFor(seconds, [&] { (void)changes->consume(); });
  links->clear();
  if (auto rest = changes->consume(); !rest) return rest.error();
  const auto lost = object->global<std::uint64_t>("lost");
  if (!lost) return lost.error();
  if (**lost != 0) std::fprintf(stderr, "%llu changes were lost\n", static_cast<unsigned long long>(**lost));
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fputs("usage: lathe_tcpstates PROGRAM.bpf.cpp [SECONDS]\n", stderr), 2;
  return tool::report(run(argv[1], argc > 2 ? std::atof(argv[2]) : 1));
}
