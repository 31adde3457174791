// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel language thin enough to mean two things: compiled by Clang for a device triple it is what work-group
// lowering takes; compiled by the host's compiler it runs in the reference, which gives every item a fiber of its own.
#pragma once

#ifdef LATHE_DEVICE_SIDE

extern "C" {
int __lathe_item_id_x() __attribute__((const));
int __lathe_item_id_y() __attribute__((const));
int __lathe_item_id_z() __attribute__((const));
int __lathe_group_id_x() __attribute__((const));
int __lathe_group_id_y() __attribute__((const));
int __lathe_group_id_z() __attribute__((const));
int __lathe_group_size_x() __attribute__((const));
int __lathe_group_size_y() __attribute__((const));
int __lathe_group_size_z() __attribute__((const));
int __lathe_group_count_x() __attribute__((const));
int __lathe_group_count_y() __attribute__((const));
int __lathe_group_count_z() __attribute__((const));
void __lathe_group_barrier() __attribute__((convergent));
extern int dynamicVariable[];
}
inline int* dynamicBlock() {
  return dynamicVariable;
}
#define KERNEL extern "C" __attribute__((annotate("lathe.kernel")))
#define SHARED static __attribute__((section("lathe.shared")))

#else

#include "tests/unit/work_group/reference.h"

inline int __lathe_item_id_x() {
  return lathe::test::current.item[0];
}
inline int __lathe_item_id_y() {
  return lathe::test::current.item[1];
}
inline int __lathe_item_id_z() {
  return lathe::test::current.item[2];
}
inline int __lathe_group_id_x() {
  return lathe::test::current.group[0];
}
inline int __lathe_group_id_y() {
  return lathe::test::current.group[1];
}
inline int __lathe_group_id_z() {
  return lathe::test::current.group[2];
}
inline int __lathe_group_size_x() {
  return lathe::test::current.size[0];
}
inline int __lathe_group_size_y() {
  return lathe::test::current.size[1];
}
inline int __lathe_group_size_z() {
  return lathe::test::current.size[2];
}
inline int __lathe_group_count_x() {
  return lathe::test::current.count[0];
}
inline int __lathe_group_count_y() {
  return lathe::test::current.count[1];
}
inline int __lathe_group_count_z() {
  return lathe::test::current.count[2];
}
inline void __lathe_group_barrier() {
  lathe::test::waitForOthers();
}
inline int* dynamicBlock() {
  return lathe::test::current.dynamicShared;
}
#define KERNEL inline
#define SHARED static

#endif

namespace {
inline int itemX() {
  return __lathe_item_id_x();
}
inline int itemY() {
  return __lathe_item_id_y();
}
inline int itemZ() {
  return __lathe_item_id_z();
}
inline int sizeX() {
  return __lathe_group_size_x();
}
inline int sizeY() {
  return __lathe_group_size_y();
}
inline int sizeZ() {
  return __lathe_group_size_z();
}
inline int globalX() {
  return __lathe_group_id_x() * __lathe_group_size_x() + __lathe_item_id_x();
}
inline int globalY() {
  return __lathe_group_id_y() * __lathe_group_size_y() + __lathe_item_id_y();
}
inline int globalZ() {
  return __lathe_group_id_z() * __lathe_group_size_z() + __lathe_item_id_z();
}
/// The item's place among all of the grid.
inline int linearId() {
  const int group = (__lathe_group_id_z() * __lathe_group_count_y() + __lathe_group_id_y()) * __lathe_group_count_x() +
                    __lathe_group_id_x();
  return group * (sizeX() * sizeY() * sizeZ()) + (itemZ() * sizeY() + itemY()) * sizeX() + itemX();
}
inline int linearItem() {
  return (itemZ() * sizeY() + itemY()) * sizeX() + itemX();
}
inline void barrier() {
  __lathe_group_barrier();
}
}  // namespace
