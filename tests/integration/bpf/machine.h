// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of BPF programs share: compiling in process, a private view of the file systems that programs need,
// and the kernel's own list of programs.
#pragma once

#include <gtest/gtest.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <thread>

#include <lathe/bpf_host.h>
#include <lathe/compiler.h>
#include <lathe/runtime.h>

extern "C" int bpf_prog_get_fd_by_id(unsigned id);

namespace lathe::test {

inline Result<Image> compileProgram(const std::string& text, const std::string& name = "test.bpf.cpp") {
  auto compiler = Compiler::create();
  if (!compiler) return compiler.error();
  Job job;
  job.target = "bpf";
  job.source = {.name = name, .text = text, .dialect = ""};
  auto compiled = compiler->compile(job);
  if (!compiled) return compiled.error();
  return std::move(compiled->image);
}

/// A program that is compiled, opened and loaded; tests of it are skipped where the kernel or libbpf forbids that.
class LoadedProgram : public testing::Test {
 protected:
  /// `name` says the language.
  void load(const std::string& text, const std::string& name = "test.bpf.cpp") {
    open(text, {}, name);
    if (!IsSkipped() && !HasFatalFailure()) load();
  }
  void load(std::span<const std::byte> elf) {
    take(bpf::Object::open(elf));
    if (!IsSkipped() && !HasFatalFailure()) load();
  }
  /// Opened, not loaded.
  void open(const std::string& text, const bpf::OpenOptions& options = {}, const std::string& name = "test.bpf.cpp") {
    auto image = compileProgram(text, name);
    ASSERT_TRUE(image) << image.error().render();
    take(bpf::Object::open(*image, options));
  }
  void take(Result<bpf::Object> opened) {
    if (!opened && opened.error().code == ErrorCode::DriverMissing) GTEST_SKIP() << opened.error().message;
    ASSERT_TRUE(opened) << opened.error().render();
    object.emplace(*std::move(opened));
  }
  /// Loads what is open.
  void load() {
    const auto loaded = object->load();
    if (!loaded && loaded.error().code == ErrorCode::PermissionDenied) GTEST_SKIP() << loaded.error().message;
    ASSERT_TRUE(loaded) << loaded.error().render();
  }
  std::optional<bpf::Object> object;
};

/// Mounts tracefs and a BPF file system, and brings a loopback interface up, where only this process sees them. Empty,
/// or the reason why that is not possible.
inline const std::string& privateMachine() {
  static const std::string reason = [] {
    const auto failed = [](const char* what) { return std::string(what) + ": " + std::strerror(errno); };
    if (::unshare(CLONE_NEWNS | CLONE_NEWNET) != 0) return failed("namespaces of its own");
    if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return failed("a private mount namespace");
    if (::mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, nullptr) != 0 && errno != EBUSY)
      return failed("tracefs");
    if (::mount("bpf", "/sys/fs/bpf", "bpf", 0, nullptr) != 0) return failed("a BPF file system");
    const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    ifreq request{};
    std::strcpy(request.ifr_name, "lo");
    request.ifr_flags = IFF_UP;
    const int status = ::ioctl(socket, SIOCSIFFLAGS, &request);
    ::close(socket);
    return status == 0 ? std::string() : failed("the loopback interface");
  }();
  return reason;
}

/// Whether the kernel still lists the program. It forgets programs a moment after the last use ends.
inline bool isGone(std::uint32_t program) {
  for (int i = 0; i < 500; ++i) {
    const int descriptor = bpf_prog_get_fd_by_id(program);
    if (descriptor < 0) return true;
    ::close(descriptor);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

#define PRIVATE_MACHINE_OR_SKIP() \
  if (!lathe::test::privateMachine().empty()) GTEST_SKIP() << "not possible here: " << lathe::test::privateMachine()

}  // namespace lathe::test
