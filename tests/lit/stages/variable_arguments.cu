// Variable arguments are packed as the front end's va_list has them, whatever the target's is, and a mask of a pointer is an
// offset.
//
// RUN: %lathe compile %s -t cpu -O0 --dump-after import -o %t.limg 2>&1 | FileCheck %s
// RUN: %lathe compile %s -t spirv -o %t.limg
// RUN: %lathe compile %s -t cuda:sm_90 -O1 -o %t.limg
#include <stdarg.h>

__device__ int sum(int count, ...) {
  va_list arguments;
  va_start(arguments, count);
  int out = 0;
  for (int i = 0; i < count; ++i) out += va_arg(arguments, int);
  va_end(arguments);
  return out;
}

// CHECK: define internal i32 @_Z3sumiz.valist(i32 %count, ptr %varargs)
// CHECK-NOT: llvm.ptrmask
// CHECK: define {{.*}} @_Z1kPi(
// CHECK: store i32 10, ptr
// CHECK: store i32 20, ptr
// CHECK: call i32 @_Z3sumiz.valist(i32 2, ptr %vararg_buffer)
__global__ void k(int* out) { *out = sum(2, 10, 20); }

// CHECK: define {{.*}} @_Z7alignedPcPi(
// CHECK-NOT: llvm.ptrmask
__global__ void aligned(char* from, int* out) {
  for (int i = 0; i < 4; ++i) {
    int* const word = reinterpret_cast<int*>(__builtin_align_up(from, 4));
    from = reinterpret_cast<char*>(word + 1);
    *out += *word;
  }
}
