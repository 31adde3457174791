// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf becomes a block of arguments and a text that says what they are, in both dialects; warnings are Clang's.
//
// RUN: %dump-after import -t cuda 2>&1 | FileCheck %s
// RUN: %dump-after import -t cpu -x cuda 2>&1 | FileCheck %s
// RUN: %compile %s -t cuda --emit ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %compile %s -t cpu -DWRONG -o %t.o 2>&1 | FileCheck %s --check-prefix=WARN
#include <stdio.h>
#include <lathe/device.h>

// CHECK-DAG: @[[FORMAT:[^ ]+]] = {{.*}} c"%d %f %s %p %ld %*d %c\0A\00"
// CHECK-DAG: @[[TYPES:lathe.print.types[^ ]*]] = {{.*}} c"idspliii\00"
// CHECK-DAG: @[[NONE:lathe.print.types[^ ]*]] = {{.*}} zeroinitializer
// CHECK-DAG: @[[UNKNOWN:lathe.print.types[^ ]*]] = {{.*}} c"u\00"
// CHECK-LABEL: define {{.*}} @_Z1ksfPKvPKc
LATHE_KERNEL void k(short n, float x, const void* p, const char* format) {
  // CHECK: %[[BLOCK:.*]] = alloca { i32, double, ptr, ptr, i64, i32, i32, i32 }
  // CHECK: call i32 @__lathe_print(ptr @[[FORMAT]], ptr %[[BLOCK]], ptr @[[TYPES]])
  printf("%d %f %s %p %ld %*d %c\n", n, x, "text", p, 1L, 5, n, 'c');
  // CHECK: call i32 @__lathe_print(ptr {{.*}}, ptr null, ptr @[[NONE]])
  printf("alone\n");
  // CHECK: call i32 @__lathe_print(ptr %{{.*}}, ptr %{{.*}}, ptr @[[UNKNOWN]])
  printf(format, "text");
#ifdef WRONG
  // WARN: warning: more '%' conversions than data arguments
  printf("%d %d\n", 1);
  // WARN: warning: data argument not used by format string
  printf("%d\n", 1, 2);
  // WARN: warning: format specifies type 'int' but the argument has type 'float'
  printf("%d\n", x);
#endif
}
// A bare kernel's text goes to the driver.
// PTX: call.uni {{.*}}vprintf
// PTX-NOT: lathe_state
