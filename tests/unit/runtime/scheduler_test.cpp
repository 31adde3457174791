// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every group once, from one caller and from many; compiled once with each scheduler.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "runtimes/cpu/group_scheduler.h"

namespace lathe::detail {
namespace {

void expectEachOnce(const GroupScheduler& scheduler, std::uint64_t count) {
  std::vector<std::atomic<int>> visits(count);
  scheduler.run(count, [&](std::uint64_t first, std::uint64_t last) {
    for (; first < last; ++first) ++visits[first];
  });
  for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(visits[i], 1) << i << " of " << count;
}

TEST(GroupScheduler, RunsEveryGroupOnce) {
  const GroupScheduler scheduler;
  for (const std::uint64_t count : {0u, 1u, 2u, 3u, 7u, 64u, 1000u, 100003u}) expectEachOnce(scheduler, count);
  EXPECT_FALSE(scheduler.description().empty());
}

TEST(GroupScheduler, ServesManyCallersAtOnce) {
  const GroupScheduler scheduler;
  std::vector<std::thread> callers;
  for (std::uint64_t i = 0; i < 6; ++i) {
    callers.emplace_back([&, i] {
      for (std::uint64_t round = 0; round < 200; ++round) expectEachOnce(scheduler, 1 + (round * 31 + i) % 97);
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST(GroupScheduler, ReturnsAfterTheLastGroup) {
  const GroupScheduler scheduler;
  for (int round = 0; round < 500; ++round) {
    std::vector<std::uint64_t> plain(257);
    scheduler.run(plain.size(), [&](std::uint64_t first, std::uint64_t last) {
      for (; first < last; ++first) plain[first] = first + 1;
    });
    // Not atomic: returning must also make the writes visible.
    for (std::uint64_t i = 0; i < plain.size(); ++i) ASSERT_EQ(plain[i], i + 1);
  }
}

}  // namespace
}  // namespace lathe::detail
