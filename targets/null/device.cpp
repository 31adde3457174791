// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device ABI of a machine with one item: functions named as in docs/device-abi.md. They are compiled to bitcode
// when the target is built, linked where a kernel calls them and inlined. An entry that is neither here nor in the
// descriptor is absent: a kernel that still calls it after optimisation gets an error with the line.
#include <lathe/sdk/device_abi.h>

#define LATHE_ENTRY extern "C" __attribute__((always_inline))

LATHE_ENTRY unsigned __lathe_item_id_x() {
  return 0;
}
LATHE_ENTRY unsigned __lathe_item_id_y() {
  return 0;
}
LATHE_ENTRY unsigned __lathe_item_id_z() {
  return 0;
}
LATHE_ENTRY unsigned __lathe_group_id_x() {
  return 0;
}
LATHE_ENTRY unsigned __lathe_group_id_y() {
  return 0;
}
LATHE_ENTRY unsigned __lathe_group_id_z() {
  return 0;
}
LATHE_ENTRY unsigned __lathe_group_size_x() {
  return 1;
}
LATHE_ENTRY unsigned __lathe_group_size_y() {
  return 1;
}
LATHE_ENTRY unsigned __lathe_group_size_z() {
  return 1;
}
LATHE_ENTRY unsigned __lathe_group_count_x() {
  return 1;
}
LATHE_ENTRY unsigned __lathe_group_count_y() {
  return 1;
}
LATHE_ENTRY unsigned __lathe_group_count_z() {
  return 1;
}
LATHE_ENTRY void __lathe_group_barrier() {}
LATHE_ENTRY unsigned __lathe_subgroup_size() {
  return 1;
}
LATHE_ENTRY unsigned __lathe_subgroup_item_id() {
  return 0;
}
