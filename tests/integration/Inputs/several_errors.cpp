// Two errors in two kernels, one of them behind a function.
#include <lathe/device.h>

int lookup(int);

__attribute__((noinline)) unsigned vote(unsigned x) {
  return __lathe_shuffle_xor_i32(0xffffffffu, x, 1, 32);
}

LATHE_KERNEL void first(unsigned* p) {
  p[lathe::global_id().x] = vote(p[0]);
}

LATHE_KERNEL void second(int* p) {
  p[lathe::global_id().x] = lookup(p[1]);
}
