// The C functions of an object: the launch is checked before anything runs, scalars are arguments, structures come by
// pointer, memory is asked for only by kernels that need some.
//
// RUN: %dump-after host_stubs --target object:x86-64-v2 --emit ir 2>&1 | FileCheck %s
// RUN: %compile %s --target object:x86-64-v2 --emit object -o %t.o && llvm-nm-22 %t.o | FileCheck %s --check-prefix=SYMBOLS
#include <lathe/device.h>

struct Pair {
  int a;
  double b;
};

// CHECK-DAG: define i32 @plain(ptr {{.*}}%launch, i32 %n, ptr %pair, i8 %flag, ptr %out)
// CHECK-DAG: define i64 @plain_scratch(ptr
LATHE_KERNEL void plain(unsigned n, Pair pair, bool flag, double* out) {
  const unsigned i = lathe::global_id().x;
  if (i < n) out[i] = flag ? pair.b : pair.a;
}

// CHECK-LABEL: define i32 @keeps(
// CHECK: call ptr @malloc(i64
// CHECK: call void @_Z5keepsPi.kernel(ptr
// CHECK: call void @free(ptr
LATHE_KERNEL void keeps(int* data) {
  LATHE_SHARED int tile[64];
  const unsigned i = lathe::item_id().x;
  const int own = data[i];
  tile[i] = own;
  lathe::barrier();
  data[i] = tile[63 - i] + own * int(lathe::clock() & 1);
}

// SYMBOLS-DAG: T plain
// SYMBOLS-DAG: T plain_scratch
// SYMBOLS-DAG: T keeps
// SYMBOLS-DAG: T exported
// SYMBOLS-DAG: U malloc
// SYMBOLS-NOT: helper
static int helper(int x) {
  return x + 1;
}
LATHE_EXPORT int exported(int x) {
  return helper(x);
}
