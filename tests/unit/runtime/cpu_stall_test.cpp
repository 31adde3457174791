// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of launches of which no group ends, with an entry compiled by clang (objects/stalling.cpp). The kernel waits
// for a flag that the reporter sets, so each test ends as soon as it is reported, and never without one. A call of
// reportKernelStalls() has each kernel reported again.
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <string>

#include <lathe/kernel_reports.h>

#include "core/group/entry/group_entry.h"

#include "example_image.h"

extern const char object_stalling[], object_stalling_end[];

namespace lathe {
namespace {

using test::entryWith;
using namespace std::chrono_literals;

Image stallingImage() {
  ImageInfo info;
  info.target = info.runtime = "cpu";
  info.arch = "native";
  info.entries = {entryWith<int*>("await")};
  info.requires_ = {std::string(abi::groupEntryRequirement)};
  return Image::build(std::move(info), {{"elf", "native", std::string(object_stalling, object_stalling_end)}});
}

std::string lineOfTheLoop() {
  std::ifstream source(LATHE_TEST_STALLING);
  unsigned number = 0;
  for (std::string line; std::getline(source, line);) {
    ++number;
    if (line.ends_with("// waits here")) return "stalling.cpp:" + std::to_string(number);
  }
  return "no such line";
}

/// What the reporter heard last. It has no other way to say it.
struct Heard {
  std::string kernel, text, file;
  std::uint64_t groups = 0;
  std::size_t places = 0;
  bool cooperative = false;
};
Heard heard;
std::atomic<int> reports = 0;
std::atomic<int>* flagToSet = nullptr;

void hear(const KernelStall& stall) noexcept {
  heard = {std::string(stall.kernel), std::string(stall.text), std::string(stall.places.front().file), stall.groups,
           stall.places.size(),       stall.cooperative};
  ++reports;
  *flagToSet = 1;
}

class CpuStall : public testing::Test {
 protected:
  void SetUp() override {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "ThreadSanitizer holds signals back from code that calls nothing, so nobody is asked where it is";
#endif
    unsetenv("LATHE_CPU_STALL_SECONDS");
    reports = 0;
    flag_ = 0;
    flagToSet = &flag_;
    reportKernelStalls(20ms, hear);
  }
  /// Launches the kernel, which waits for the report.
  void launch(const char* name, const LaunchOptions& options) {
    auto module = Device::open("cpu")->load(stallingImage());
    auto kernel = module->kernel<int*>(name);
    ASSERT_TRUE((*kernel)(options, reinterpret_cast<int*>(&flag_)).hasValue());
  }
  std::atomic<int> flag_ = 0;
};

TEST_F(CpuStall, NamesKernelGroupAndLine) {
  launch("await", {.grid = {1, 3, 1}});
  EXPECT_EQ(reports, 1);
  EXPECT_EQ(heard.kernel, "await");
  EXPECT_EQ(heard.groups, 3u);
  EXPECT_FALSE(heard.cooperative);
  EXPECT_NE(heard.text.find("kernel 'await' on cpu: no group has been seen to end for 0.02 s; group 0,"),
            std::string::npos)
      << heard.text;
  EXPECT_NE(heard.text.find(lineOfTheLoop()), std::string::npos) << heard.text;
  EXPECT_NE(heard.text.find("hint: if it waits for another group: "), std::string::npos) << heard.text;
  EXPECT_NE(heard.text.find("LaunchOptions::cooperative"), std::string::npos) << heard.text;
}

TEST_F(CpuStall, OneGroupIsNotToldOfOthers) {
  launch("await", {});
  EXPECT_NE(heard.text.find("hint: if it waits for another item of its group: "), std::string::npos) << heard.text;
}

TEST_F(CpuStall, SaysItOfCooperativeLaunches) {
  launch("await", {.grid = {3}, .cooperative = true});
  EXPECT_TRUE(heard.cooperative);
  EXPECT_GE(heard.places, 1u);
  EXPECT_NE(heard.text.find(lineOfTheLoop()), std::string::npos) << heard.text;
  EXPECT_NE(heard.text.find("hint: if it waits for another item of its group: "), std::string::npos) << heard.text;
}

TEST_F(CpuStall, SaysItOfStreams) {
  auto device = Device::open("cpu");
  auto stream = device->createStream();
  auto module = device->load(stallingImage());
  auto kernel = module->kernel<int*>("await");
  ASSERT_TRUE((*kernel)({.stream = &*stream}, reinterpret_cast<int*>(&flag_)).hasValue());
  ASSERT_TRUE(stream->synchronize().hasValue());
  EXPECT_EQ(heard.kernel, "await");
}

std::atomic<int> hostsSignals = 0;

/// The signal by which threads are asked stays the host's otherwise.
TEST(CpuStallSignal, OthersArePassedOn) {
  struct sigaction hosts{};
  hosts.sa_handler = [](int) { ++hostsSignals; };
  ::sigaction(SIGURG, &hosts, nullptr);
  reportKernelStalls(20ms, hear);
  hostsSignals = 0;
  ::raise(SIGURG);
  EXPECT_EQ(hostsSignals, 1);
}

}  // namespace
}  // namespace lathe
