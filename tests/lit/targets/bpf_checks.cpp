// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks, their names, and the job's parameters that switch them off or make errors of them.
// tests/integration/bpf/checks_test.cpp compares them with the kernel's verifier.
//
// RUN: %compile %s --target bpf -o %t.limg 2>&1 | FileCheck %s --implicit-check-not="error:"
// RUN: %compile %s --target bpfeb -o %t.limg 2>&1 | FileCheck %s --implicit-check-not="error:"
// RUN: %compile %s --target bpf -o %t.limg --param warn.null=0 --param warn.loop=0 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: not %compile %s --target bpf -o %t --param warn.null=2 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not %compile %s --target bpf -o %t --param warn.null=yes 2>&1 | FileCheck %s --check-prefix=WRONG
// OFF-NOT: warning:
// ERROR: error: the result of bpf_map_lookup_elem may be null here
// WRONG: parameter 'warn.null': 'yes' is no whole number
#include <lathe/bpf.h>
lathe::bpf::hash_map<__u32, __u64, 8> counts SEC(".maps");

SEC("raw_tp/sys_enter") int look(void*) {
  const __u64* const found = counts.lookup(bpf_get_prandom_u32());
  // CHECK: bpf_checks.cpp:[[@LINE+3]]:{{.*}}warning: the result of bpf_map_lookup_elem may be null here: no comparison came before [warn.null]
  // CHECK: note: in program 'look'
  // CHECK: hint: compare it first
  return *found;
}

SEC("xdp") int wait(xdp_md*) {
  // CHECK: bpf_checks.cpp:[[@LINE+1]]:{{.*}}warning: the verifier sees no end of this loop: {{.*}} [warn.loop]
  while (bpf_get_prandom_u32() != 5) bpf_ktime_get_ns();
  return XDP_PASS;
}
LATHE_BPF_LICENSE("GPL");
