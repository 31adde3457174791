// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every group once, from one caller and from many, whatever the groups are thought to take; with each scheduler of the
// build and with pools of other sizes.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "runtimes/cpu/group_scheduler.h"

namespace lathe::detail {

/// For the names of tests.
void PrintTo(const SchedulerKind& kind, std::ostream* out) {
  *out << kind.name;
}

namespace {

class Scheduler : public ::testing::TestWithParam<SchedulerKind> {
 protected:
  void expectEachOnce(std::uint64_t count, GroupCost& cost) const {
    std::vector<std::atomic<int>> visits(count);
    scheduler_->run(count, 1, cost, [&](std::uint64_t first, std::uint64_t last) {
      for (; first < last; ++first) ++visits[first];
    });
    for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(visits[i], 1) << i << " of " << count;
  }
  /// A kernel whose items took so many nanoseconds.
  static void teach(GroupCost& cost, double nanoseconds) {
    for (int i = 0; i < 64; ++i) cost.learn(nanoseconds);
  }
  const std::unique_ptr<GroupScheduler> scheduler_ = GetParam().make();
};

TEST_P(Scheduler, DescribesItself) {
  EXPECT_GE(scheduler_->threads(), 1u);
  EXPECT_FALSE(scheduler_->description().empty());
}

TEST_P(Scheduler, RunsEveryGroupOnce) {
  GroupCost cost;
  for (const std::uint64_t count : {0u, 1u, 2u, 3u, 7u, 64u, 1000u, 100003u}) expectEachOnce(count, cost);
}

TEST_P(Scheduler, RunsEveryGroupOnceWhateverIsExpected) {
  for (const double nanoseconds : {1e-3, 1.0, 100.0, 1e4, 1e9}) {
    for (const std::uint64_t count : {1u, 2u, 3u, 5u, 17u, 4096u, 100003u}) {
      GroupCost cost;
      teach(cost, nanoseconds);
      expectEachOnce(count, cost);
    }
  }
}

TEST_P(Scheduler, CoversCountsOfMoreThan32Bits) {
  constexpr std::uint64_t count = (std::uint64_t{5} << 32) + 12345;
  GroupCost cost;
  teach(cost, 1e3);
  std::atomic<std::uint64_t> parts = 0, sum = 0;
  scheduler_->run(count, 1, cost, [&](std::uint64_t first, std::uint64_t last) {
    parts += last - first;
    sum += (last - first) * (first + last - 1);  // twice the sum of the range, modulo 2^64
  });
  EXPECT_EQ(parts, count);
  EXPECT_EQ(sum, count * (count - 1));
}

TEST_P(Scheduler, ServesManyCallersAtOnce) {
  std::vector<std::thread> callers;
  GroupCost cost;
  for (std::uint64_t i = 0; i < 12; ++i) {
    callers.emplace_back([&, i] {
      for (std::uint64_t round = 0; round < 200; ++round) expectEachOnce(1 + (round * 31 + i) % 97, cost);
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST_P(Scheduler, ReturnsAfterTheLastGroup) {
  GroupCost cost;
  teach(cost, 1e3);  // worth every thread
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::uint64_t> plain(257);
    scheduler_->run(plain.size(), 1, cost, [&](std::uint64_t first, std::uint64_t last) {
      for (; first < last; ++first) plain[first] = first + 1;
    });
    // Not atomic: returning must also make the writes visible.
    for (std::uint64_t i = 0; i < plain.size(); ++i) ASSERT_EQ(plain[i], i + 1);
  }
}

TEST_P(Scheduler, WakesItsThreadsAfterARest) {
  GroupCost cost;
  for (int round = 0; round < 20; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    expectEachOnce(1000, cost);
  }
}

TEST_P(Scheduler, UsesSeveralThreadsWhereThatIsWorthIt) {
  if (scheduler_->threads() < 2) GTEST_SKIP() << "one core";
  // Groups that wait a while for each other: they meet only on two threads. On a busy machine that may take some
  // launches; and so it does where the groups were short before.
  for (const double before : {1e6, 1e-3}) {
    for (const std::uint64_t count : {2u, 5u}) {
      GroupCost cost;
      teach(cost, before);
      std::atomic<bool> met = false;
      for (int round = 0; round < 1000 && !met; ++round) {
        std::atomic<int> inside = 0;
        scheduler_->run(count, 1, cost, [&](std::uint64_t, std::uint64_t) {
          ++inside;
          const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
          while (inside < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
          if (inside >= 2) met = true;
          --inside;
        });
      }
      EXPECT_TRUE(met) << count << " groups of " << before << " ns before";
    }
  }
}

TEST_P(Scheduler, RunsShortLaunchesOnTheCaller) {
  GroupCost cost;
  teach(cost, 1e-3);
  std::atomic<int> elsewhere = 0;
  const auto caller = std::this_thread::get_id();
  // An interrupted first quarter may make one launch look long; not nine of ten.
  int alone = 0;
  for (int round = 0; round < 100; ++round) {
    elsewhere = 0;
    scheduler_->run(16, 1, cost, [&](std::uint64_t, std::uint64_t) {
      if (std::this_thread::get_id() != caller) ++elsewhere;
    });
    alone += elsewhere == 0;
  }
  EXPECT_GT(alone, 10);
}

TEST_P(Scheduler, BeginsFewItemsOfUnknownCostOnTheCaller) {
  std::atomic<int> elsewhere = 0;
  const auto caller = std::this_thread::get_id();
  int alone = 0;
  for (int round = 0; round < 100; ++round) {
    GroupCost cost;
    elsewhere = 0;
    expectEachOnce(5, cost);
    EXPECT_GT(cost.perItem(), 0) << "the first of them was timed";
    GroupCost other;
    scheduler_->run(4, 256, other, [&](std::uint64_t, std::uint64_t) {
      if (std::this_thread::get_id() != caller) ++elsewhere;
    });
    alone += elsewhere == 0;
  }
  EXPECT_GT(alone, 10);
  // If they turn out to be long, others take the rest.
  if (scheduler_->threads() < 2) return;
  bool shared = false;
  for (int round = 0; round < 100 && !shared; ++round) {
    GroupCost cost;
    elsewhere = 0;
    scheduler_->run(6, 1, cost, [&](std::uint64_t, std::uint64_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      if (std::this_thread::get_id() != caller) ++elsewhere;
    });
    shared = elsewhere != 0;
  }
  EXPECT_TRUE(shared);
}

TEST_P(Scheduler, EndsWhileItsThreadsSleepAndWhileTheyLook) {
  for (int round = 0; round < 20; ++round) {
    const auto other = GetParam().make();
    GroupCost cost;
    if (round % 2) other->run(100, 1, cost, [](std::uint64_t, std::uint64_t) {});
    if (round % 4 == 3) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

/// The build's; and pools of fewer and of more threads than any machine for tests has.
std::vector<SchedulerKind> kindsToTest() {
  std::vector<SchedulerKind> out(schedulerKinds().begin(), schedulerKinds().end());
  out.push_back({"one", [] { return makeThreadScheduler(1); }});
  out.push_back({"three", [] { return makeThreadScheduler(3); }});
  out.push_back({"many", [] { return makeThreadScheduler(37); }});
  return out;
}
INSTANTIATE_TEST_SUITE_P(All, Scheduler, ::testing::ValuesIn(kindsToTest()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(GroupCost, LearnsQuicklyWhatIsCheaperAndSlowlyWhatIsDearer) {
  GroupCost cost;
  EXPECT_EQ(cost.perItem(), 0);
  cost.learn(8);
  EXPECT_FLOAT_EQ(cost.perItem(), 8);
  cost.learn(4);
  EXPECT_FLOAT_EQ(cost.perItem(), 6);
  cost.learn(12);
  EXPECT_FLOAT_EQ(cost.perItem(), 12);
  cost.learn(12000);  // a thread that was interrupted
  EXPECT_FLOAT_EQ(cost.perItem(), 48);
}

TEST(SchedulerKinds, NamesEachOnce) {
  const auto kinds = schedulerKinds();
  ASSERT_FALSE(kinds.empty());
  EXPECT_EQ(kinds.back().name, "threads");
  if (kinds.size() > 1) {
    EXPECT_NE(kinds[0].name, kinds[1].name);
  }
}

}  // namespace
}  // namespace lathe::detail
