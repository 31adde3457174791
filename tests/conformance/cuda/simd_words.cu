// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SIMD in a word: each function on the same pairs of words, one output a function.
__global__ void simdWords(const unsigned* a, const unsigned* b, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned x = a[i], y = b[i];
  unsigned* o = out + i;
  auto put = [&](unsigned value) {
    *o = value;
    o += n;
  };
#define BOTH(name) put(name##2(x, y)), put(name##4(x, y));
#define ALONE(name) put(name##2(x)), put(name##4(x));
  BOTH(__vadd)
  BOTH(__vsub)
  BOTH(__vaddss)
  BOTH(__vaddus)
  BOTH(__vsubss)
  BOTH(__vsubus)
  BOTH(__vavgs)
  BOTH(__vavgu)
  BOTH(__vhaddu)
  BOTH(__vmaxs)
  BOTH(__vmaxu)
  BOTH(__vmins)
  BOTH(__vminu)
#define COMPARED(name) BOTH(__vcmp##name) BOTH(__vset##name)
  COMPARED(eq)
  COMPARED(ne)
  COMPARED(gts)
  COMPARED(gtu)
  COMPARED(ges)
  COMPARED(geu)
  COMPARED(lts)
  COMPARED(ltu)
  COMPARED(les)
  COMPARED(leu)
  BOTH(__vabsdiffs)
  BOTH(__vabsdiffu)
  BOTH(__vsads)
  BOTH(__vsadu)
  ALONE(__vabs)
  ALONE(__vabsss)
  ALONE(__vneg)
  ALONE(__vnegss)
}
