// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang's own passes make of C for BPF is made of it here: copies of constant sizes without loops, functions that
// are marked so stay functions, in sections of their own too, variables are as aligned as their uses want them, and a
// function may be called as one of another type. Each is as long as by clang 22 -O2 --target=bpf -mcpu=v3.
// RUN: %lathe compile %s -x bpf-c -t bpf:v3 -q -o %t.o
// RUN: llvm-objdump -d --no-show-raw-insn %t.o | FileCheck %s
#define section(name) __attribute__((section(name), used))

struct bytes {
  char b[100];
} __attribute__((aligned(8)));
struct {
  int (*type)[2];
  int (*max_entries)[2];
  int *key;
  struct bytes *value;
} map section(".maps");
static void *(*const lookup)(void *, const void *) = (void *)1;

// CHECK-LABEL: <copies>:
// CHECK-NOT: goto -
// CHECK: = *(u64 *)(r{{[0-9]}} + 0x58)
// CHECK: exit
section("raw_tp/copies") int copies(void *context) {
  int first = 0, second = 1;
  struct bytes *to = lookup(&map, &first), *from = lookup(&map, &second);
  if (to && from) *to = *from;
  return 0;
}

char input[4] = {1};
unsigned out;
// CHECK-LABEL: <aligned>:
// CHECK: = *(u32 *)(r{{[0-9]}} + 0x0)
// CHECK-NOT: u8
// CHECK: exit
section("raw_tp/aligned") int aligned(void *context) {
  unsigned value;
  __builtin_memcpy(&value, input, sizeof value);
  out = value;
  return 0;
}

int __attribute__((noinline)) section("freplace/part") part(int x) { return x * 5; }
int untyped(void *context) { return 3; }
// CHECK-LABEL: <calls>:
// CHECK: call
// CHECK: exit
section("raw_tp/calls") int calls(int *context) { return part(context[2]) + ((int (*)(int *))untyped)(context); }

char gpl[] section("license") = "GPL";
