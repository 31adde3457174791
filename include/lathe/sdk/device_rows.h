// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the device.cpp of a target whose devices form subgroups along one axis of the group: positions of items where a
// kernel that uses subgroups is launched with groups of one row (__lathe_group_shape, docs/device-abi.md). Portable IR
// counts items x first, as CUDA does.
#ifndef LATHE_SDK_DEVICE_ROWS_H
#define LATHE_SDK_DEVICE_ROWS_H

#include <lathe/sdk/device_abi.h>

namespace lathe_rows {

constexpr unsigned extentBits = 21;

inline unsigned extent(unsigned long long shape, unsigned axis) {
  return static_cast<unsigned>(shape >> (extentBits * axis)) & ((1U << extentBits) - 1);
}
/// Whether the group has no more than one row as it is, so that nothing needs to be divided.
inline bool isRow(unsigned long long shape) {
  return shape >> extentBits == (1ULL << extentBits | 1);
}

}  // namespace lathe_rows

/// Defines item_id and group_size of all axes, by the expressions that the language has for them.
#define LATHE_ROW_INDICES(idX, idY, idZ, sizeX, sizeY, sizeZ)                             \
  LATHE_ENTRY unsigned __lathe_item_id_x() {                                              \
    const auto shape = __lathe_group_shape();                                             \
    return shape && !lathe_rows::isRow(shape) ? idX % lathe_rows::extent(shape, 0) : idX; \
  }                                                                                       \
  LATHE_ENTRY unsigned __lathe_item_id_y() {                                              \
    const auto shape = __lathe_group_shape();                                             \
    if (!shape) return idY;                                                               \
    if (lathe_rows::isRow(shape)) return 0;                                               \
    return idX / lathe_rows::extent(shape, 0) % lathe_rows::extent(shape, 1);             \
  }                                                                                       \
  LATHE_ENTRY unsigned __lathe_item_id_z() {                                              \
    const auto shape = __lathe_group_shape();                                             \
    if (!shape) return idZ;                                                               \
    if (lathe_rows::isRow(shape)) return 0;                                               \
    return idX / (lathe_rows::extent(shape, 0) * lathe_rows::extent(shape, 1));           \
  }                                                                                       \
  LATHE_ENTRY unsigned __lathe_group_size_x() {                                           \
    const auto shape = __lathe_group_shape();                                             \
    return shape ? lathe_rows::extent(shape, 0) : sizeX;                                  \
  }                                                                                       \
  LATHE_ENTRY unsigned __lathe_group_size_y() {                                           \
    const auto shape = __lathe_group_shape();                                             \
    return shape ? lathe_rows::extent(shape, 1) : sizeY;                                  \
  }                                                                                       \
  LATHE_ENTRY unsigned __lathe_group_size_z() {                                           \
    const auto shape = __lathe_group_shape();                                             \
    return shape ? lathe_rows::extent(shape, 2) : sizeZ;                                  \
  }

#endif
