// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A BPF program: linkage and sections stay, C++ names become C's, the object holds BTF and no DWARF, a relocated field
// access has its record, and the tool shows programs and maps.
//
// RUN: %dump-after simplify --target bpf 2>&1 | FileCheck %s --check-prefix=IR
// RUN: %compile %s --target bpf --emit asm -o - | FileCheck %s --check-prefix=ASM
// RUN: %compile %s --target bpf --emit object -o %t.o
// RUN: llvm-readelf -S -s %t.o | FileCheck %s --check-prefix=ELF --implicit-check-not=.debug_
// RUN: %compile %s --target bpf --emit object -g -o %t.debug.o
// RUN: llvm-readelf -S %t.debug.o | FileCheck %s --check-prefix=DWARF
// RUN: %compile %s --target bpf -o %t.limg
// RUN: %lathe inspect %t.limg | FileCheck %s --check-prefix=SHOW
// RUN: %compile %s --target bpf -k look -o - --emit ir | sed "s/, source: .*//" | FileCheck %s --check-prefix=ONE --implicit-check-not="@count("
// RUN: %compile %s --target bpf -O0 -o %t0.limg
#include <lathe/bpf.h>

struct task_struct {
  int tgid;
};
template <class T>
struct Pair {
  T first, second;
  T sum() const { return first + second; }
};

// IR: @pairs = {{.*}}section ".maps"
// ELF-DAG: .BTF
// ELF-DAG: .BTF.ext
// DWARF: .debug_info
lathe::bpf::hash_map<__u32, Pair<long>, 16> pairs SEC(".maps");

// Not inlined, and not in a section of its own, where libbpf would look for a program.
// IR: define internal {{.*}}@_ZN7Counter3add
struct Counter {
  __attribute__((noinline)) long add(long by) { return value += by; }
  long value;
};

// ELF-DAG: FUNC GLOBAL DEFAULT {{[0-9]+}} count
// SHOW: count
// SHOW-NEXT: symbol count, section raw_tp/sched_switch, program of type raw_tracepoint
SEC("raw_tp/sched_switch") int count(bpf_raw_tracepoint_args*) {
  const __u32 cpu = bpf_get_smp_processor_id();
  // ASM: call 1
  if (auto* found = pairs.lookup(cpu)) {
    Counter counter{found->sum()};
    found->first = counter.add(1);
  }
  return 0;
}

// ONE: define {{.*}}@look
// SHOW: symbol look, section tp_btf/sched_process_exit, program of type tracing
SEC("tp_btf/sched_process_exit") int BPF_PROG(look, task_struct* task) { return bpf_core_field_exists(task->tgid); }

// ASM: .section .BTF
// ASM: Pair_long
LATHE_BPF_LICENSE("GPL");
// SHOW: pairs
// SHOW-SAME: .maps
