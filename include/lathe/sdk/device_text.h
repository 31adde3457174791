// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the device.cpp of a target whose code is text (docs/text-targets.md): the device ABI in terms of functions that
// the descriptor's `text.functions` spells in the language, each as one expression. Include it where a device.cpp would
// define the ABI, once; with LATHE_TEXT_ROWS defined, groups of kernels with subgroups are one row (device_rows.h).
#ifndef LATHE_SDK_DEVICE_TEXT_H
#define LATHE_SDK_DEVICE_TEXT_H

#include <lathe/sdk/device_rows.h>

#define LATHE_ENTRY extern "C" __attribute__((always_inline))

extern "C" {
#define LATHE_INDEX(name)                    \
  [[gnu::const]] unsigned text_##name##_x(); \
  [[gnu::const]] unsigned text_##name##_y(); \
  [[gnu::const]] unsigned text_##name##_z();
LATHE_INDEX(item_id)
LATHE_INDEX(group_id)
LATHE_INDEX(group_size)
LATHE_INDEX(group_count)
#undef LATHE_INDEX
[[clang::convergent]] void text_group_barrier();
[[clang::convergent]] void text_subgroup_barrier();
[[gnu::const]] unsigned text_subgroup_item_id();
[[clang::convergent]] unsigned text_shuffle(unsigned value, unsigned item);
[[clang::convergent]] unsigned text_ballot(unsigned predicate);
/// The same of subgroups of 64 items; descriptors without them need not spell it.
[[clang::convergent]] unsigned long long text_wide_ballot(unsigned predicate);
}

#define LATHE_INDEX(name)                     \
  LATHE_ENTRY unsigned __lathe_##name##_x() { \
    return text_##name##_x();                 \
  }                                           \
  LATHE_ENTRY unsigned __lathe_##name##_y() { \
    return text_##name##_y();                 \
  }                                           \
  LATHE_ENTRY unsigned __lathe_##name##_z() { \
    return text_##name##_z();                 \
  }
#ifdef LATHE_TEXT_ROWS
LATHE_ROW_INDICES(text_item_id_x(), text_item_id_y(), text_item_id_z(), text_group_size_x(), text_group_size_y(),
                  text_group_size_z())
#else
LATHE_INDEX(item_id)
LATHE_INDEX(group_size)
#endif
LATHE_INDEX(group_id)
LATHE_INDEX(group_count)

LATHE_ENTRY void __lathe_group_barrier() {
  text_group_barrier();
}
LATHE_ENTRY void __lathe_subgroup_barrier(unsigned long long) {
  text_subgroup_barrier();
}

LATHE_ENTRY unsigned __lathe_subgroup_item_id() {
  return text_subgroup_item_id();
}
LATHE_ENTRY unsigned __lathe_shuffle_i32(unsigned long long, unsigned value, unsigned item, unsigned width) {
  return text_shuffle(value, (text_subgroup_item_id() & ~(width - 1)) | (item & (width - 1)));
}
LATHE_ENTRY unsigned long long __lathe_ballot(unsigned long long mask, unsigned predicate) {
  if (__lathe_subgroup_size() > 32) return text_wide_ballot(predicate != 0) & mask;
  return text_ballot(predicate != 0) & mask;
}
LATHE_ENTRY unsigned long long __lathe_active_mask() {
  return __lathe_subgroup_size() > 32 ? text_wide_ballot(1) : text_ballot(1);
}

#undef LATHE_INDEX
#undef LATHE_ENTRY

#endif
