// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of kernels that crash, with entries compiled by clang (objects/crashing.cpp). Each test crashes in a process
// of its own, which a handler of the host's ends: reports come first, and then that handler.
#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include <lathe/kernel_reports.h>

#include "core/group/entry/group_entry.h"

#include "example_image.h"
#include "runtimes/cpu/code/code_place.h"

extern const char object_crashing[], object_crashing_end[];

namespace lathe {
namespace {

using test::entryWith;

constexpr int hostsExit = 42;

Image crashingImage() {
  ImageInfo info;
  info.target = info.runtime = "cpu";
  info.arch = "native";
  info.entries = {entryWith<int*, unsigned>("poke"), entryWith<int*>("quotient"), entryWith<int*>("overflow")};
  info.requires_ = {std::string(abi::groupEntryRequirement)};
  return Image::build(std::move(info), {{"elf", "native", std::string(object_crashing, object_crashing_end)}});
}

/// The line of the source with the comment "NAME crashes here".
std::string lineOf(const std::string& name) {
  std::ifstream source(LATHE_TEST_CRASHING);
  unsigned number = 0;
  for (std::string line; std::getline(source, line);) {
    ++number;
    if (line.ends_with("// " + name + " crashes here")) return "crashing.cpp:" + std::to_string(number);
  }
  return "no such line";
}

void onHostsSignal(int) {
  ::_exit(hostsExit);
}

void installHostsHandler() {
  struct sigaction action{};
  action.sa_handler = onHostsSignal;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE}) ::sigaction(signal, &action, nullptr);
}

class CpuCrash : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  /// Launches with the host's handler below the runtime's.
  template <class... Args>
  static void crash(const char* name, const LaunchOptions& options, Args... args) {
    installHostsHandler();
    reportKernelCrashes();
    launch(name, options, args...);
  }
  template <class... Args>
  static void launch(const char* name, const LaunchOptions& options, Args... args) {
    auto module = Device::open("cpu")->load(crashingImage());
    auto kernel = module->kernel<Args...>(name);
    (void)(*kernel)(options, args...);
    ::_exit(0);
  }
};

TEST_F(CpuCrash, NamesKernelGroupAndLine) {
  EXPECT_EXIT(crash("poke", {.grid = {1, 2, 1}}, reinterpret_cast<int*>(8), 0u), testing::ExitedWithCode(hostsExit),
              "kernel 'poke' crashed on cpu: SIGSEGV at address 0x8; group 0,[01],0; .*" + lineOf("poke") +
                  "; in poke\\+0x[0-9a-f]+\nhint: checked mode .*--checked");
}

TEST_F(CpuCrash, NamesTheRowOfGroups) {
  EXPECT_EXIT(crash("poke", {.grid = {3, 65535, 1}}, reinterpret_cast<int*>(8), 2u), testing::ExitedWithCode(hostsExit),
              "kernel 'poke' .*; in one of the groups 0,[0-9]+,0 to 2,[0-9]+,0; ");
}

TEST_F(CpuCrash, NamesTheInlinedOrCalledFunctionsLine) {
  int zero = 0;
  EXPECT_EXIT(crash("quotient", {}, &zero), testing::ExitedWithCode(hostsExit),
              "kernel 'quotient' crashed on cpu: SIGFPE; group 0,0,0; .*" + lineOf("divide") + "; in .*divide");
}

TEST_F(CpuCrash, SaysItOnThreadsOfAStream) {
  const auto onStream = [] {
    installHostsHandler();
    reportKernelCrashes();
    auto device = Device::open("cpu");
    auto stream = device->createStream();
    auto module = device->load(crashingImage());
    auto kernel = module->kernel<int*, unsigned>("poke");
    (void)(*kernel)({.stream = &*stream}, reinterpret_cast<int*>(8), 0u);
    std::this_thread::sleep_for(std::chrono::seconds(100));
  };
  EXPECT_EXIT(onStream(), testing::ExitedWithCode(hostsExit), "kernel 'poke' crashed on cpu: SIGSEGV at address 0x8");
}

TEST_F(CpuCrash, SaysItInCooperativeLaunches) {
  EXPECT_EXIT(crash("poke", {.grid = {4, 1, 1}, .cooperative = true}, reinterpret_cast<int*>(8), 3u),
              testing::ExitedWithCode(hostsExit), "kernel 'poke' .*; group 3,0,0; ");
}

TEST_F(CpuCrash, SaysItOfStackOverflows) {
  int sum = 0;
  EXPECT_EXIT(crash("overflow", {}, &sum), testing::ExitedWithCode(hostsExit), "kernel 'overflow' crashed on cpu: SIG");
}

TEST_F(CpuCrash, NamesFunctionsThatTheHostCalls) {
  const auto call = [] {
    installHostsHandler();
    reportKernelCrashes();
    auto module = Device::open("cpu")->load(crashingImage());
    auto load = module->function<int(const int*)>("load");
    ::_exit((*load)(reinterpret_cast<const int*>(16)));
  };
  EXPECT_EXIT(call(), testing::ExitedWithCode(hostsExit),
              "code of a kernel crashed on cpu: SIGSEGV at address 0x10; .*" + lineOf("load") + "; in load\\+");
}

TEST_F(CpuCrash, LeavesOtherCodeAlone) {
  const auto raise = [] {
    installHostsHandler();
    reportKernelCrashes();
    ::raise(SIGSEGV);
  };
  EXPECT_EXIT(raise(), testing::ExitedWithCode(hostsExit), "^$");
}

TEST_F(CpuCrash, GoesInFrontOfALaterHandlerWhenAsked) {
  const auto twice = [] {
    reportKernelCrashes();
    installHostsHandler();
    crash("poke", {}, reinterpret_cast<int*>(8), 0u);
  };
  EXPECT_EXIT(twice(), testing::ExitedWithCode(hostsExit), "kernel 'poke' crashed");
}

TEST_F(CpuCrash, CallsTheReporter) {
  static constexpr CrashReporter report = [](const KernelCrash& crash) noexcept {
    const bool right = crash.kernel == "poke" && crash.signal == SIGSEGV && crash.address == 8 && crash.groups == 1 &&
                       crash.line != 0 && crash.file.ends_with("crashing.cpp") && crash.function == "poke" &&
                       crash.text.ends_with('\n');
    ::_exit(right ? 7 : 8);
  };
  const auto run = [] {
    reportKernelCrashes(report);
    launch("poke", {}, reinterpret_cast<int*>(8), 0u);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(7), "");
}

TEST_F(CpuCrash, EndsByTheSignal) {
  const auto run = [] {
    ::signal(SIGSEGV, SIG_DFL);  // sanitizers have a handler of their own, which ends the process by an exit code
    reportKernelCrashes();
    launch("poke", {}, reinterpret_cast<int*>(8), 0u);
  };
  EXPECT_EXIT(run(), testing::KilledBySignal(SIGSEGV), "kernel 'poke' crashed");
}

/// The bytes may be anything: each cut and many changed bytes of an object, asked for each address.
TEST(CodePlace, TakesAnyBytes) {
  const std::string good(object_crashing, object_crashing_end);
  const auto look = [](const std::string& bytes) {
    for (std::uint64_t address = 0; address < 256; address += 17)
      (void)detail::placeOf(std::as_bytes(std::span(bytes)), address);
  };
  for (std::size_t length = 0; length < good.size(); length += 7) look(good.substr(0, length));
  for (std::size_t at = 0; at < good.size(); at += 3) {
    std::string bad = good;
    bad[at] = static_cast<char>(~bad[at]);
    look(bad);
  }
}

}  // namespace
}  // namespace lathe
