// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that counts its runs, attached to one place after the other.
#pragma once

#include <arpa/inet.h>

#include "machine.h"

namespace lathe::test {

/// A program of section SECTION that counts its runs and returns RESULT.
inline std::string counting(const std::string& section, const std::string& result) {
  return "#include <lathe/bpf.h>\n__u64 runs;\nSEC(\"" + section +
         "\") int count(void* ctx) { __sync_fetch_and_add(&runs, 1); return " + result +
         "; }\nLATHE_BPF_LICENSE(\"GPL\");\n";
}

/// A packet to port 4242 of this machine.
inline void sendToSelf() {
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(4242);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  (void)::sendto(socket, "x", 1, 0, reinterpret_cast<const sockaddr*>(&to), sizeof(to));
  ::close(socket);
}

/// The fixture of tests that attach one such program.
class CountingProgram : public LoadedProgram {
 protected:
  void load(const std::string& text) {
    LoadedProgram::load(text);
    if (IsSkipped() || HasFatalFailure()) return;
    id = *object->program("count")->id();
  }
  std::uint64_t runs() const { return **object->global<std::uint64_t>("runs"); }

  /// Attached, it runs when `cause` happens, afterwards not; and then the kernel forgets it.
  template <class Attach, class Cause>
  void expectRuns(const std::string& section, const std::string& result, Attach attach, Cause cause) {
    load(counting(section, result));
    if (IsSkipped() || HasFatalFailure()) return;
    {
      auto link = attach(*object->program("count"));
      ASSERT_TRUE(link) << link.error().render();
      cause();
      EXPECT_GT(runs(), 0U);
      const auto detached = link->detach();
      EXPECT_TRUE(detached) << detached.error().render();
    }
    const std::uint64_t before = runs();
    cause();
    EXPECT_EQ(runs(), before);
    object.reset();
    EXPECT_TRUE(isGone(id));
  }
  static Result<bpf::Link> bySection(const bpf::Program& program) { return program.attach(); }

  std::uint32_t id = 0;
};

inline void sleepShortly() {
  for (int i = 0; i < 5; ++i) ::usleep(2000);
}

}  // namespace lathe::test
