// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows which protocols an interface receives.
//
//   lathe_packet_count packet_count.bpf.cpp INTERFACE [SECONDS]
#include "tool.h"

#include "packet_count.h"

namespace {

std::string nameOf(std::uint32_t protocol) {
  switch (protocol) {
    case 1:
      return "ICMP";
    case 6:
      return "TCP";
    case 17:
      return "UDP";
    case 58:
      return "ICMPv6";
    case 256:
      return "not IP";
    default:
      return "protocol " + std::to_string(protocol);
  }
}

lathe::Result<void> run(const char* source, const char* interface, double seconds) {
  auto object = tool::load(source);
  if (!object) return object.error();
  const auto program = object->program("count");
  if (!program) return program.error();
  auto link = program->attach(lathe::bpf::Xdp{interface});
  if (!link) return link.error();
  tool::waitFor(seconds, [] {});
  if (auto done = link->detach(); !done) return done;

  const auto counts = object->map<std::uint32_t, Count>("counts");
  if (!counts) return counts.error();
  const auto entries = counts->allEntries();
  if (!entries) return entries.error();
  std::printf("%-14s %10s %12s\n", "protocol", "packets", "bytes");
  for (const auto& [protocol, ofCpus] : *entries) {
    Count all{};
    for (const Count& one : ofCpus) {
      all.packets += one.packets;
      all.bytes += one.bytes;
    }
    if (all.packets != 0) std::printf("%-14s %10llu %12llu\n", nameOf(protocol).c_str(), all.packets, all.bytes);
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fputs("usage: lathe_packet_count PROGRAM.bpf.cpp INTERFACE [SECONDS]\n", stderr), 2;
  return tool::report(run(argv[1], argv[2], argc > 3 ? std::atof(argv[3]) : 1));
}
