// Two errors in two kernels, one of them behind a function.
#include <lathe/device.h>

int lookup(int);

__attribute__((noinline)) unsigned tick(unsigned x) {
  return x + static_cast<unsigned>(__lathe_clock());
}

LATHE_KERNEL void first(unsigned* p) {
  p[lathe::global_id().x] = tick(p[0]);
}

LATHE_KERNEL void second(int* p) {
  p[lathe::global_id().x] = lookup(p[1]);
}
