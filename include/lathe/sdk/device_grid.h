// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a target's device.cpp: the barrier of the grid for kernels with a state, where the hardware and its driver have
// none. Include it in the device.cpp of a target whose descriptor says `state: true`. It counts on all groups of a grid
// running at once, as they do in cooperative launches.
//
// The group that arrives last starts the next round; the others wait for it. A group that has failed never arrives, so
// those that wait end too once the state holds a failure. Where an end is a wave's and not its group's, the group's other
// waves may run on from here without the grid; the launch has failed by then.
#ifndef LATHE_SDK_DEVICE_GRID_H
#define LATHE_SDK_DEVICE_GRID_H

#include <lathe/sdk/device_state.h>

namespace lathe_grid {

inline void wait(lathe::abi::GridBarrier* grid, lathe::abi::ExceptionRecord* failure) {
  constexpr unsigned relaxed = 0, release = 2, acquire = 1, device = 3, system = 4;
  const unsigned groups = __lathe_group_count_x() * __lathe_group_count_y() * __lathe_group_count_z();
  const unsigned round = __lathe_atomic_load_i32(&grid->round, relaxed, device);
  __lathe_fence(release, device);
  if (__lathe_atomic_add_i32(&grid->arrived, 1, relaxed, device) == groups - 1) {
    __lathe_fence(acquire, device);
    __lathe_atomic_store_i32(&grid->arrived, 0, relaxed, device);
    __lathe_fence(release, device);
    __lathe_atomic_store_i32(&grid->round, round + 1, relaxed, device);
  } else {
    // The failure lies in the host's memory, and is looked at now and then.
    for (unsigned times = 1; __lathe_atomic_load_i32(&grid->round, relaxed, device) == round; ++times) {
      if (times % 64 == 0 && __lathe_atomic_load_i32(&failure->claimed, relaxed, system) != 0) lathe_state::endItem();
      __lathe_item_yield();
    }
  }
  __lathe_fence(acquire, device);
}

}  // namespace lathe_grid

extern "C" __attribute__((always_inline, convergent)) void __lathe_state_grid_barrier() {
  __lathe_group_barrier();
  if ((__lathe_item_id_x() | __lathe_item_id_y() | __lathe_item_id_z()) == 0)
    lathe_grid::wait(lathe_state::deviceMemory(lathe_state::state().grid), lathe_state::exception());
  __lathe_group_barrier();
}

#endif
