// The device ABI's functions that some hardware has as one instruction, and what serves where it has not.
//
// RUN: %compile --target cuda:sm_90 --emit asm -o - %s | FileCheck %s --check-prefix=NEW
// NEW-LABEL: .entry {{.*}}fold
// NEW: redux.sync.add.s32
// NEW: redux.sync.max.u32
// NEW: match.any.sync.b32
// NEW: match.any.sync.b64
// NEW-LABEL: .entry {{.*}}copy
// NEW: cp.async.cg.shared.global
// NEW: cp.async.commit_group
// NEW: cp.async.wait_group 0
// NEW-LABEL: .entry {{.*}}rest
// NEW: nanosleep.u32 50
//
// RUN: %compile --target cuda:sm_75 --emit asm -o - %s | FileCheck %s --check-prefix=TURING
// TURING-LABEL: .entry {{.*}}fold
// TURING-NOT: redux.sync
// TURING: shfl.sync.bfly
// TURING: match.any.sync.b32
// TURING-NOT: cp.async
// TURING: nanosleep.u32 50
//
// RUN: %compile --target cuda:sm_60 --emit asm -o - %s | FileCheck %s --check-prefix=OLD
// OLD-NOT: match.any
// OLD-NOT: redux.sync
// OLD-NOT: nanosleep
// OLD-NOT: cp.async
//
// A wavefront of 64 is joined from two halves; of 32 there is one.
// RUN: %compile --target amdgpu:gfx90a --emit asm -o - %s | FileCheck %s --check-prefix=WAVE64
// RUN: %compile --target amdgpu:gfx1100 --emit asm -o - %s | FileCheck %s --check-prefix=WAVE32
// WAVE64: ds_bpermute_b32
// WAVE64: s_sleep
// WAVE32: ds_bpermute_b32
// WAVE32: s_sleep
#include <lathe/device.h>

LATHE_KERNEL void fold(unsigned* data, unsigned long* found) {
  const unsigned i = lathe::global_id().x, value = data[i];
  const auto all = lathe::subgroup();
  const unsigned sum = all.reduce(value), most = all.reduce(value, lathe::maximum{});
  found[2 * i] = all.match_any(value);
  found[2 * i + 1] = all.match_any(static_cast<unsigned long>(value) << 20);
  data[i] = sum ^ most;
}

struct alignas(16) four {
  float x[4];
};
LATHE_KERNEL void copy(const four* in, four* out) {
  LATHE_SHARED four tile[32];
  const unsigned item = lathe::item_id().x;
  lathe::async_copy(&tile[item], &in[item]);
  lathe::async_commit();
  lathe::async_wait();
  lathe::barrier();
  out[item] = tile[31 - item];
}

LATHE_KERNEL void rest(int* data) {
  data[0] = 1;
  lathe::sleep(50);
  data[1] = 1;
}
