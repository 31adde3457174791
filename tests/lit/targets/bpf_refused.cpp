// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the verifier or the back end would refuse is reported before, all of it at once, with lines and the calls that
// lead there.
//
// RUN: not %compile %s --target bpf -o %t 2>&1 | FileCheck %s
// RUN: not %compile %s --target bpf:v4 -o %t 2>&1 | FileCheck %s --check-prefix=V4 --implicit-check-not="division of signed"
// RUN: not %compile %s --target bpf -DCONSTRUCTOR -o %t 2>&1 | FileCheck %s --check-prefix=CONSTRUCTOR
// RUN: not %compile %s --target bpf -DARGUMENTS -o %t 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// RUN: not %compile %s --target bpf -DNAMES -o %t 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: not %compile %s --target bpf -DLABELS -o %t 2>&1 | FileCheck %s --check-prefix=LABELS
// RUN: not %compile %s --target bpf -DNOTHING -o %t 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not %compile %s --target bpf -DSTACK -o %t 2>&1 | FileCheck %s --check-prefix=STACK
// RUN: %compile %s --target bpf -DSTACK -DOWN_STACKS -o %t.limg 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: not %compile %s --target bpf --emit portable -o %t 2>&1 | FileCheck %s --check-prefix=PORTABLE
// RUN: not %compile %s --target bpf -x cuda -o %t 2>&1 | FileCheck %s --check-prefix=DIALECT
// RUN: not %compile %s --target cpu -x bpf -o %t 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not %compile %s --target cpu -o %t 2>&1 | FileCheck %s --check-prefix=HEADER
// RUN: not %compile %s --target bpf:v9 -o %t 2>&1 | FileCheck %s --check-prefix=ARCH
//
// PORTABLE: 'bpf' does not emit 'portable'
// DIALECT: target 'bpf' takes no sources of dialect 'cuda'
// DIALECT: it takes ir, bpf, bpf-c
// TARGET: target 'cpu' takes no sources of dialect 'bpf'
// HEADER: compile them with --target bpf
// ARCH: v9
#include <lathe/bpf.h>

#if defined(NAMES)
namespace a {
lathe::bpf::hash_map<__u32, __u64, 8> counts SEC(".maps");
__u64 total;
}  // namespace a
namespace b {
// NAMES: bpf_refused.cpp:[[@LINE+2]]: error: map 'b::counts' goes by 'counts' in the object, and so does 'a::counts'
// NAMES: bpf_refused.cpp:[[@LINE-5]]: note: 'a::counts' is here
lathe::bpf::hash_map<__u32, __u64, 8> counts SEC(".maps");
__u64 total;
lathe::bpf::hash_map<__u32, __u64, 8> program SEC(".maps");
// NAMES: bpf_refused.cpp:[[@LINE-1]]: error: map 'b::program' goes by 'program' in the object, and so does 'program'
}  // namespace b
SEC("syscall") int program(__u32* c) {
  a::total += b::total++;
  return a::counts.update(*c, 1) + b::counts.update(*c, 2) + b::program.update(*c, 3);
}

#elif defined(LABELS)
SEC("syscall") int program(unsigned* c) {
  static void* const places[] = {&&first, &&second};
  // LABELS: bpf_refused.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a goto to a computed label on bpf:v3
  goto *places[*c & 1];
first:
  return 1;
second:
  return 2;
}

#elif defined(CONSTRUCTOR)
int seed();
// CONSTRUCTOR: bpf_refused.cpp:[[@LINE+1]]:{{.*}}needs a constructor
int value = seed();
SEC("xdp") int program(xdp_md*) { return value; }

#elif defined(ARGUMENTS)
__attribute__((noinline)) int sum(int a, int b, int c, int d, int e, int f) {
  return a + b * c + d * e - f + static_cast<int>(bpf_get_prandom_u32());
}
__attribute__((noinline)) __int128 two(long a) { return static_cast<__int128>(bpf_get_prandom_u32()) << (a & 127); }
SEC("xdp") int program(xdp_md* c) {
  const int x = static_cast<int>(c->data);
  // ARGUMENTS: bpf_refused.cpp:[[@LINE+1]]:{{.*}}'two(long)' with a result of more than one register on bpf:v3
  const __int128 wide = two(x);
  // ARGUMENTS: bpf_refused.cpp:[[@LINE+1]]:{{.*}}'sum(int, int, int, int, int, int)' with 6 arguments on bpf:v3, which passes at most 5
  return sum(x, x + 1, x + 2, x + 3, x + 4, x + 5) + static_cast<int>(wide >> 64) + static_cast<int>(wide);
}

#elif defined(NOTHING)
// NOTHING: defines no entry point
// NOTHING: give a function the section
int program(xdp_md*) { return 0; }

#elif defined(STACK)
void fill(char* buffer, unsigned size) { bpf_get_current_comm(buffer, size); }
__attribute__((noinline)) int inner() {
  // STACK-DAG: bpf_refused.cpp:[[@LINE+1]]: note: 'large' takes 400 of them
  char large[400];
  fill(large, sizeof(large));
  return large[7];
}
#ifdef OWN_STACKS
#define SECTION "raw_tp/sys_enter"
#else
#define SECTION "syscall"
#endif
// STACK-DAG: error: 'program' keeps 600 bytes of local variables on bpf:v3, which allows 512{{$}}
// OWN: warning: 'program' keeps 600 bytes of local variables on bpf:v3, which allows 512 where functions have no stack each [warn.stack]
SEC(SECTION) int program(void*) {
  char own[200];
  fill(own, sizeof(own));
  return own[3] + inner();
}

#else
int defined_nowhere(int);
int (*chosen)(int);
// CHECK-DAG: floating-point arithmetic on bpf:v3
// V4-DAG: floating-point arithmetic on bpf:v4
__attribute__((noinline)) long scaled(long x) { return static_cast<long>(static_cast<double>(x) * 0.5); }
// CHECK-DAG: '{{.*}}factorial{{.*}}' calls itself
__attribute__((noinline)) long factorial(long n) { return n < 2 ? static_cast<long>(bpf_get_prandom_u32()) : n * factorial(n - 1) + factorial(n - 2); }
// CHECK-DAG: in program 'program'
SEC("syscall") int program(long* v) {
  // CHECK-DAG: bpf_refused.cpp:[[@LINE+1]]:{{.*}}division of signed integers on bpf:v3
  v[0] = v[1] / v[2];
  // CHECK-DAG: bpf_refused.cpp:[[@LINE+1]]:{{.*}}'defined_nowhere(int)' is called but nothing defines it
  v[3] = defined_nowhere(2);
  // CHECK-DAG: bpf_refused.cpp:[[@LINE+1]]:{{.*}}a call through a pointer on bpf:v3
  v[4] = chosen(3);
  v[5] = scaled(v[6]) + factorial(v[7]);
  return 0;
}
#endif
