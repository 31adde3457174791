// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lathe's kernel language: plain C++20 plus this header. A kernel is a function marked LATHE_KERNEL; it runs once for
// each item of a grid of groups.
//
//   #include <lathe/device.h>
//   LATHE_KERNEL void saxpy(unsigned n, float a, const float* x, float* y) {
//     const unsigned i = lathe::global_id().x;
//     if (i < n) y[i] += a * x[i];
//   }
#ifndef LATHE_DEVICE_H
#define LATHE_DEVICE_H

#include <lathe/device/abi.h>
#include <lathe/device/async.h>
#include <lathe/device/atomic.h>
#include <lathe/device/math.h>
#include <lathe/device/random.h>
#include <lathe/device/subgroup.h>

namespace lathe {

/// Three extents or coordinates.
struct uint3 {
  unsigned x, y, z;
};

/// Position of this item in its group.
LATHE_INLINE uint3 item_id() {
  return {__lathe_item_id_x(), __lathe_item_id_y(), __lathe_item_id_z()};
}
/// Position of this item's group in the grid.
LATHE_INLINE uint3 group_id() {
  return {__lathe_group_id_x(), __lathe_group_id_y(), __lathe_group_id_z()};
}
/// Items in a group along each axis.
LATHE_INLINE uint3 group_size() {
  return {__lathe_group_size_x(), __lathe_group_size_y(), __lathe_group_size_z()};
}
/// Groups in the grid along each axis.
LATHE_INLINE uint3 group_count() {
  return {__lathe_group_count_x(), __lathe_group_count_y(), __lathe_group_count_z()};
}

/// Position of this item in the whole grid.
LATHE_INLINE uint3 global_id() {
  const uint3 item = item_id(), group = group_id(), size = group_size();
  return {group.x * size.x + item.x, group.y * size.y + item.y, group.z * size.z + item.z};
}
/// Items in the whole grid along each axis.
LATHE_INLINE uint3 global_size() {
  const uint3 size = group_size(), count = group_count();
  return {size.x * count.x, size.y * count.y, size.z * count.z};
}
/// Position of this item in its group with x running fastest.
LATHE_INLINE unsigned linear_item_id() {
  const uint3 item = item_id(), size = group_size();
  return (item.z * size.y + item.y) * size.x + item.x;
}
/// Items in a group.
LATHE_INLINE unsigned linear_group_size() {
  const uint3 size = group_size();
  return size.x * size.y * size.z;
}

/// This item as an object; item() gives it.
struct item_t {
  LATHE_INLINE uint3 id() const { return item_id(); }
  LATHE_INLINE uint3 global_id() const { return lathe::global_id(); }
  LATHE_INLINE unsigned linear_id() const { return linear_item_id(); }
};
/// This item's group as an object; group() gives it.
struct group_t {
  LATHE_INLINE uint3 id() const { return group_id(); }
  LATHE_INLINE uint3 size() const { return group_size(); }
  LATHE_INLINE unsigned linear_size() const { return linear_group_size(); }
  LATHE_INLINE void barrier() const { __lathe_group_barrier(); }
};
LATHE_INLINE item_t item() {
  return {};
}
LATHE_INLINE group_t group() {
  return {};
}

/// A barrier of the group: all its items arrive, and then each sees what the others wrote before.
LATHE_INLINE void barrier() {
  __lathe_group_barrier();
}

/// Lets other items of the group go on, in a loop that waits for what they write:
/// `while (lathe::atomic_load(&flag) == 0) lathe::yield();`. On AMD GPUs it does not help items of one wave, which run
/// one branch at a time. SPIR-V lacks it.
LATHE_INLINE void yield() {
  __lathe_item_yield();
}

/// The whole grid.
struct grid_t {
  LATHE_INLINE uint3 size() const { return group_count(); }  ///< in groups
  /// A barrier of the grid, for cooperative launches (LaunchOptions::cooperative): all items arrive, and then each sees
  /// what the others wrote before. cuda, cpu and amdgpu have it.
  LATHE_INLINE void barrier() const { __lathe_grid_barrier(); }
};
LATHE_INLINE grid_t grid() {
  return {};
}

/// The groups that run together (LaunchOptions::cluster) and reach each other's shared memory. Where hardware has no
/// clusters, each group is one.
struct cluster_t {
  LATHE_INLINE unsigned id() const { return __lathe_cluster_group_id(); }  ///< the group's position in it
  LATHE_INLINE uint3 extent() const {
    return {__lathe_cluster_size_x(), __lathe_cluster_size_y(), __lathe_cluster_size_z()};
  }
  LATHE_INLINE unsigned size() const {
    const uint3 groups = extent();
    return groups.x * groups.y * groups.z;
  }
  /// A barrier of the cluster: all its items arrive, and then each sees what the others wrote before.
  LATHE_INLINE void barrier() const {
    arrive();
    wait();
  }
  /// The barrier in two steps: wait() ends when all items of the cluster have arrived. Between the two an item may do
  /// work that the others do not wait for.
  LATHE_INLINE void arrive() const { __lathe_cluster_arrive(); }
  LATHE_INLINE void wait() const { __lathe_cluster_wait(); }
  /// The address, in the cluster's group number `group`, of the group-shared variable that lies at `address` in this
  /// one. That group must not have ended.
  template <class T>
  LATHE_INLINE T* shared(T* address, unsigned group) const {
    return static_cast<T*>(__lathe_cluster_shared(address, group));
  }
};
LATHE_INLINE cluster_t cluster() {
  return {};
}

/// The start of the launch-sized shared memory (LaunchOptions::dynamicSharedBytes), aligned to 16 bytes.
template <class T>
LATHE_INLINE T* dynamic_shared() {
  return static_cast<T*>(__lathe_dynamic_shared());
}

/// True when this code is compiled for the target of that name; folded, so the other branch costs nothing. Behind a
/// colon stands a regular expression for whole names of architectures: "amdgpu:gfx94[0-9]". A mistake in it is an error
/// on every target.
LATHE_INLINE bool target_is(const char* name) {
  return __lathe_target_is(name) != 0;
}
/// True when the architecture's ordinal (90 for sm_90) is `ordinal` or more; folded.
LATHE_INLINE bool arch_at_least(unsigned ordinal) {
  return __lathe_arch_at_least(ordinal) != 0;
}
/// The job's parameter of that name (Options::parameters), a whole number; 0 if the job has none. Folded.
LATHE_INLINE long param(const char* name) {
  return long(__lathe_param(name));
}

/// A counter of cycles, for differences within one item. SPIR-V lacks it.
LATHE_INLINE unsigned long clock() {
  return __lathe_clock();
}
/// Lets others run for about that many nanoseconds where the hardware can; elsewhere it returns at once.
LATHE_INLINE void sleep(unsigned nanoseconds) {
  __lathe_sleep(nanoseconds);
}
/// Ends the item with a fault, which the host gets as an error (docs/device-abi.md, "Failures"). SPIR-V lacks it.
[[noreturn]] LATHE_INLINE void trap() {
  __lathe_trap();
  __builtin_unreachable();
}

}  // namespace lathe

#endif
