// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fibers by POSIX contexts. A fiber runs until it has to wait; who may go on is looked for when nobody runs.
#include "tests/conformance/suite/items.h"

#include <memory>
#include <vector>

#include <ucontext.h>

namespace lathe::conformance {
namespace {

constexpr std::size_t stackBytes = 65536;

struct Fiber {
  enum class State { ready, subgroup, group, returned };
  ucontext_t context{};
  std::unique_ptr<char[]> stack = std::make_unique<char[]>(stackBytes);
  Position position;
  State state = State::ready;
  std::uint32_t mask = 0;
  std::uint32_t value = 0;
  int kind = 0;
  Meeting meeting;
  Count count;
};

ucontext_t scheduler;
Fiber* running = nullptr;
const std::function<void()>* body = nullptr;

void fiberMain() {
  (*body)();
  running->state = Fiber::State::returned;
}

void wait(Fiber::State state) {
  running->state = state;
  swapcontext(&running->context, &scheduler);
}

class Group {
 public:
  explicit Group(unsigned items) : fibers_(items) {}

  std::string run(const Position& first) {
    start(first);
    for (;;) {
      bool all = true;
      for (Fiber& fiber : fibers_) {
        if (fiber.state == Fiber::State::ready) {
          running = &fiber;
          swapcontext(&scheduler, &fiber.context);
        }
        all &= fiber.state == Fiber::State::returned;
      }
      if (all) return {};
      bool released = false;
      for (std::size_t warp = 0; warp < fibers_.size(); warp += warpItems) released |= releaseSubgroups(warp);
      if (!released && !releaseGroup()) return "items wait for others that do not come";
    }
  }

 private:
  void start(const Position& first) {
    for (unsigned i = 0; i < fibers_.size(); ++i) {
      Fiber& fiber = fibers_[i];
      fiber.position = first;
      fiber.position.item = {i % first.size.x, i / first.size.x % first.size.y, i / (first.size.x * first.size.y)};
      fiber.position.linear = i;
      fiber.state = Fiber::State::ready;
      getcontext(&fiber.context);
      fiber.context.uc_stack.ss_sp = fiber.stack.get();
      fiber.context.uc_stack.ss_size = stackBytes;
      fiber.context.uc_link = &scheduler;
      makecontext(&fiber.context, fiberMain, 0);
    }
  }

  /// Those that all wait for each other, and have all come.
  bool releaseSubgroups(std::size_t warp) {
    bool released = false;
    const auto at = [&](unsigned lane) -> Fiber* {
      return warp + lane < fibers_.size() ? &fibers_[warp + lane] : nullptr;
    };
    for (unsigned lane = 0; lane < warpItems; ++lane) {
      Fiber* const first = at(lane);
      if (!first || first->state != Fiber::State::subgroup) continue;
      Meeting meeting;
      bool complete = (first->mask >> lane & 1) != 0;
      for (unsigned other = 0; other < warpItems; ++other) {
        const Fiber* const fiber = at(other);
        if (!(first->mask >> other & 1) || !fiber || fiber->state == Fiber::State::returned) continue;
        complete &= fiber->state == Fiber::State::subgroup && fiber->mask == first->mask && fiber->kind == first->kind;
        meeting.items |= 1U << other;
        meeting.values[other] = fiber->value;
      }
      if (!complete) continue;
      for (unsigned other = 0; other < warpItems; ++other) {
        if (!(meeting.items >> other & 1)) continue;
        at(other)->meeting = meeting;
        at(other)->state = Fiber::State::ready;
      }
      released = true;
    }
    return released;
  }

  bool releaseGroup() {
    Count count;
    for (const Fiber& fiber : fibers_) {
      if (fiber.state == Fiber::State::returned) continue;
      if (fiber.state != Fiber::State::group) return false;
      ++count.items;
      count.votes += fiber.value;
    }
    for (Fiber& fiber : fibers_) {
      if (fiber.state != Fiber::State::group) continue;
      fiber.count = count;
      fiber.state = Fiber::State::ready;
    }
    return count.items != 0;
  }

  std::vector<Fiber> fibers_;
};

}  // namespace

const Position& position() {
  return running->position;
}

Meeting meetSubgroup(std::uint32_t mask, std::uint32_t value, int kind) {
  running->mask = mask;
  running->value = value;
  running->kind = kind;
  wait(Fiber::State::subgroup);
  return running->meeting;
}

Count meetGroup(bool vote) {
  running->value = vote;
  wait(Fiber::State::group);
  return running->count;
}

std::string runItems(Place count, Place size, const std::function<void()>& item) {
  body = &item;
  Group group(size.x * size.y * size.z);
  Position first{.item = {}, .group = {}, .size = size, .count = count};
  for (first.group.z = 0; first.group.z < count.z; ++first.group.z) {
    for (first.group.y = 0; first.group.y < count.y; ++first.group.y) {
      for (first.group.x = 0; first.group.x < count.x; ++first.group.x) {
        if (std::string problem = group.run(first); !problem.empty()) return problem;
      }
    }
  }
  return {};
}

}  // namespace lathe::conformance
