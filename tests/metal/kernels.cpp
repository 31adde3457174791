// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that become Metal text, and are compared with the same functions as the host's compiler makes them.
#include <lathe/device.h>

#include "functions.h"

extern "C" LATHE_KERNEL void saxpy(unsigned n, float a, const float* x, float* y) {
  const unsigned i = lathe::global_id().x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" LATHE_KERNEL void integers(unsigned n, const int* x, const int* y, int* out) {
  const unsigned i = lathe::global_id().x;
  if (i < n) out[i] = integerMix(x[i], y[i]);
}

extern "C" LATHE_KERNEL void narrow(unsigned n, const short* x, const unsigned char* y, short* out, long* wide) {
  const unsigned i = lathe::global_id().x;
  if (i >= n) return;
  out[i] = narrowMix(x[i], y[i]);
  wide[i] = wideMix(x[i], y[i]);
}

extern "C" LATHE_KERNEL void branches(unsigned n, const int* x, int* out) {
  const unsigned i = lathe::global_id().x;
  if (i < n) out[i] = branchMix(x, n, i);
}

extern "C" LATHE_KERNEL void floats(unsigned n, const float* x, const float* y, float* out) {
  const unsigned i = lathe::global_id().x;
  if (i < n) out[i] = floatMix(x[i], y[i]);
}

// As CUDA converts.
extern "C" int saturated(float) __asm__("llvm.fptosi.sat.i32.f32");
extern "C" unsigned long saturatedWide(float) __asm__("llvm.fptoui.sat.i64.f32");

extern "C" LATHE_KERNEL void rare(unsigned n, const float* x, const float* y, float* out, int* whole,
                                  unsigned long* wide) {
  const unsigned i = lathe::global_id().x;
  if (i >= n) return;
  out[6 * i] = __builtin_hypotf(x[i], y[i]);
  out[6 * i + 1] = __builtin_cbrtf(x[i]);
  out[6 * i + 2] = __builtin_log1pf(x[i]);
  out[6 * i + 3] = __builtin_expm1f(x[i]);
  out[6 * i + 4] = __builtin_remainderf(x[i], y[i]);
  out[6 * i + 5] = __builtin_hypotf(x[i] * 1e30f, y[i] * 1e-30f);
  whole[i] = saturated(x[i]);
  wide[i] = saturatedWide(x[i]);
}

extern "C" LATHE_KERNEL void structures(Settings settings, const Pair* pairs, Pair* out) {
  const unsigned i = lathe::global_id().x;
  if (i < settings.count) out[i] = settle(settings, pairs[i]);
}

extern "C" LATHE_KERNEL void group_sum(unsigned n, const float* x, float* sums) {
  LATHE_SHARED float part[64];
  const unsigned item = lathe::item_id().x;
  const unsigned i = lathe::global_id().x;
  part[item] = i < n ? x[i] : 0.0f;
  lathe::barrier();
  for (unsigned step = 32; step > 0; step /= 2) {
    if (item < step) part[item] += part[item + step];
    lathe::barrier();
  }
  if (item == 0) sums[lathe::group_id().x] = part[0];
}

extern "C" LATHE_KERNEL void histogram(unsigned n, const unsigned* x, unsigned* counts, int* least, float* sum) {
  LATHE_SHARED unsigned local[16];
  const unsigned item = lathe::item_id().x;
  if (item < 16) local[item] = 0;
  lathe::barrier();
  const unsigned i = lathe::global_id().x;
  if (i < n) {
    lathe::atomic_add(&local[x[i] % 16], 1U);
    lathe::atomic_min(least, static_cast<int>(x[i]) - 1000);
    lathe::atomic_add(sum, 0.5f);
  }
  lathe::barrier();
  if (item < 16) lathe::atomic_add(&counts[item], local[item]);
}

extern "C" LATHE_KERNEL void table(unsigned n, const unsigned* x, float* out) {
  static constexpr float values[8] = {1.5f, -2.0f, 0.1f, 3e10f, 1e-40f, 7.0f, -0.0f, 0.25f};
  const unsigned i = lathe::global_id().x;
  if (i < n) out[i] = values[x[i] % 8];
}
