// Two broken rules of portable IR.
#include <lathe/device.h>

struct Counter {
  int value;
  Counter() : value(__builtin_rotateleft32(3, 4)) {
    volatile int keep = value;
    (void)keep;
  }
};
Counter counter;

LATHE_KERNEL void k(int* p) {
  LATHE_SHARED int flag = 3;
  p[lathe::global_id().x] = flag + counter.value;
}
