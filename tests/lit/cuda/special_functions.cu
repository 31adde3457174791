// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematics that no C library has, or not well, on every target: served by libdevice where there is one, else by Lathe's
// own code, so that nothing is left undefined.
//
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: %compile %s -t amdgpu -o %t.amd && %compile %s -t spirv -o %t.spv && %compile %s -t aarch64 -o %t.arm
// RUN: %lathe run %s -t cpu -k values --grid 1 --group 1 --arg zeros:f64[12] --print 0:12 | FileCheck %s
// RUN: %compile %s -t amdgpu --dump-after libraries -o %t.amd 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: define internal {{.*}}@__lathe_math_j0(
// OWN: declare {{.*}}@llvm
// Tables of Abramowitz and Stegun's Handbook: J0(2), J1(2), Y0(2), Y1(2), J5(2), I0(2), I1(2) …
// CHECK: 0.22389077914{{[0-9]*}} 0.57672480775{{[0-9]*}} 0.51037567264{{[0-9]*}} -0.107032431540{{[0-9]*}} 0.007039629755{{[0-9]*}} 2.27958530233{{[0-9]*}} 1.59063685463{{[0-9]*}}
// … the rest of 17 by 5 and its quotient's last bits, a length, a fraction.
// CHECK-SAME: 2 3 13 0.75
#include <cmath>

extern "C" __global__ void values(double* out) {
  out[0] = j0(2.0), out[1] = j1(2.0), out[2] = y0(2.0), out[3] = y1(2.0), out[4] = jn(5, 2.0);
  out[5] = cyl_bessel_i0(2.0), out[6] = cyl_bessel_i1(2.0);
  int quotient, exponent;
  out[7] = std::remquo(17.0, 5.0, &quotient), out[8] = quotient;
  const double v[] = {3, 4, 12};
  out[9] = norm(3, v);
  out[10] = std::frexp(12.0, &exponent);
  out[11] = exponent;
}
