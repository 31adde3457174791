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

/// 1 where there is no shape, which keeps divisions of code that is not taken in bounds.
inline unsigned extent(unsigned long long shape, unsigned axis) {
  const unsigned known = static_cast<unsigned>(shape >> (extentBits * axis)) & ((1U << extentBits) - 1);
  return known | static_cast<unsigned>(shape == 0);
}
/// For numbers below 65536, which groups' sizes are: the division that is left is one of the whole group.
inline unsigned quotient(unsigned number, unsigned divisor) {
  const unsigned long long reciprocal = ((1ULL << 32) + divisor - 1) / divisor;
  return static_cast<unsigned>(number * reciprocal >> 32);
}
inline unsigned remainder(unsigned number, unsigned divisor) {
  return number - quotient(number, divisor) * divisor;
}

}  // namespace lathe_rows

/// Defines item_id and group_size of all axes, by the expressions that the language has for them.
#define LATHE_ROW_INDICES(idX, idY, idZ, sizeX, sizeY, sizeZ)                           \
  LATHE_ENTRY unsigned __lathe_item_id_x() {                                            \
    const auto shape = __lathe_group_shape();                                           \
    return shape ? lathe_rows::remainder(idX, lathe_rows::extent(shape, 0)) : idX;      \
  }                                                                                     \
  LATHE_ENTRY unsigned __lathe_item_id_y() {                                            \
    const auto shape = __lathe_group_shape();                                           \
    const unsigned row = lathe_rows::quotient(idX, lathe_rows::extent(shape, 0));       \
    return shape ? lathe_rows::remainder(row, lathe_rows::extent(shape, 1)) : idY;      \
  }                                                                                     \
  LATHE_ENTRY unsigned __lathe_item_id_z() {                                            \
    const auto shape = __lathe_group_shape();                                           \
    const unsigned plane = lathe_rows::extent(shape, 0) * lathe_rows::extent(shape, 1); \
    return shape ? lathe_rows::quotient(idX, plane) : idZ;                              \
  }                                                                                     \
  LATHE_ENTRY unsigned __lathe_group_size_x() {                                         \
    const auto shape = __lathe_group_shape();                                           \
    return shape ? lathe_rows::extent(shape, 0) : sizeX;                                \
  }                                                                                     \
  LATHE_ENTRY unsigned __lathe_group_size_y() {                                         \
    const auto shape = __lathe_group_shape();                                           \
    return shape ? lathe_rows::extent(shape, 1) : sizeY;                                \
  }                                                                                     \
  LATHE_ENTRY unsigned __lathe_group_size_z() {                                         \
    const auto shape = __lathe_group_shape();                                           \
    return shape ? lathe_rows::extent(shape, 2) : sizeZ;                                \
  }

#endif
