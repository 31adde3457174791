// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fibers by POSIX contexts.
#include "tests/unit/work_group/reference.h"

#include <memory>

#include <ucontext.h>

namespace lathe::test {

Position current;

namespace {

constexpr std::size_t stackBytes = 32768;

struct Fiber {
  ucontext_t context{};
  std::unique_ptr<char[]> stack = std::make_unique<char[]>(stackBytes);
  Position position;
  bool done = false;
};

ucontext_t scheduler;
Fiber* running = nullptr;
const std::function<void()>* body = nullptr;

void fiberMain() {
  (*body)();
  running->done = true;
}

void runGroup(std::vector<Fiber>& fibers) {
  for (Fiber& fiber : fibers) {
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = stackBytes;
    fiber.context.uc_link = &scheduler;
    fiber.done = false;
    makecontext(&fiber.context, fiberMain, 0);
  }
  for (bool any = true; any;) {
    any = false;
    for (Fiber& fiber : fibers) {
      if (fiber.done) continue;
      running = &fiber;
      current = fiber.position;
      swapcontext(&scheduler, &fiber.context);
      any |= !fiber.done;
    }
  }
}

}  // namespace

void waitForOthers() {
  swapcontext(&running->context, &scheduler);
}

void runReference(Extent count, Extent size, std::size_t dynamicBytes, const std::function<void()>& item) {
  body = &item;
  std::vector<int> dynamic(dynamicBytes / sizeof(int) + 1);
  std::vector<Fiber> fibers(static_cast<std::size_t>(size.items()));
  for (int group = 0; group < count.items(); ++group) {
    for (int i = 0; i < size.items(); ++i) {
      fibers[static_cast<std::size_t>(i)].position = {
          .item = {i % size.x, i / size.x % size.y, i / (size.x * size.y)},
          .group = {group % count.x, group / count.x % count.y, group / (count.x * count.y)},
          .size = {size.x, size.y, size.z},
          .count = {count.x, count.y, count.z},
          .dynamicShared = dynamic.data()};
    }
    runGroup(fibers);
  }
}

}  // namespace lathe::test
