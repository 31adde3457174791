// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of helpers that the kernel is certain to refuse are errors of the compile; what the loader's constants decide
// is left to it.
//
// RUN: not %compile %s --target bpf -o %t 2>&1 | FileCheck %s --implicit-check-not="error:"
// RUN: not %compile %s --target bpfeb -o %t 2>&1 | FileCheck %s --implicit-check-not="error:"
// RUN: %compile %s --target bpf -DGUARDED -o %t.limg
// RUN: %compile %s --target bpf -DPROPRIETARY -DGUARDED -DNOTHING_FOR_GPL -o %t.limg
// RUN: not %compile %s --target bpf -DPROPRIETARY -DGUARDED -o %t 2>&1 | FileCheck %s --check-prefix=LICENCE --implicit-check-not="error:"
// RUN: not %compile %s --target bpf -DNO_LICENCE -DGUARDED -o %t 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not="error:"
// An object may be linked with one that has the licence.
// RUN: %compile %s --target bpf -DNO_LICENCE -DGUARDED --emit object -o %t.o
#include <lathe/bpf.h>

#ifdef GUARDED
extern "C" const int LINUX_KERNEL_VERSION __kconfig;
const volatile bool traces = false;
#define IF_ASKED if (traces)
#define IF_NEW if (LINUX_KERNEL_VERSION > 0x60000)
enum bpf_func_id { BPF_FUNC_get_stackid = 27 };
#define IF_THERE if (bpf_core_enum_value_exists(bpf_func_id, BPF_FUNC_get_stackid))
#else
#define IF_ASKED
#define IF_NEW
#define IF_THERE
#endif

// CHECK: bpf_helpers.cpp:[[@LINE+3]]:{{.*}}error: programs in section 'xdp' may not call bpf_get_stackid
// CHECK: note: in program 'first'
// CHECK: hint: {{.*}}those with it are kprobe, tp, perf_event, raw_tp, syscall, tp_btf, iter
SEC("xdp") int first(xdp_md* c) { IF_ASKED return bpf_get_stackid(c, c, 0) != 0; return 0; }

// CHECK: bpf_helpers.cpp:[[@LINE+2]]:{{.*}}error: programs in section 'cgroup/sendmsg4' may not call bpf_bind
// CHECK: hint: {{.*}}those with it are cgroup/connect{{$}}
SEC("cgroup/sendmsg4") int second(bpf_sock_addr* c) { IF_NEW return bpf_bind(c, nullptr, 0) != 0; return 1; }

// In a function of its own, and in one that a helper calls.
// CHECK: bpf_helpers.cpp:[[@LINE+1]]:{{.*}}error: programs in section 'socket' may not call bpf_xdp_adjust_head
__attribute__((noinline)) long move(xdp_md* c, int by) { IF_THERE return bpf_xdp_adjust_head(c, by); return by; }
// CHECK: note: in program 'third'
// CHECK: bpf_helpers.cpp:[[@LINE+1]]:{{.*}}error: programs in section 'socket' may not call bpf_redirect
long step(__u32 i, void*) { IF_ASKED return bpf_redirect(i, 0); return 1; }
SEC("socket") int third(xdp_md* c) { return move(c, 2) > bpf_loop(9, reinterpret_cast<void*>(&step), nullptr, 0); }

// CHECK: bpf_helpers.cpp:[[@LINE+3]]:{{.*}}error: bpf_copy_from_user may sleep, and programs in section 'raw_tp/sys_enter' may not
SEC("raw_tp/sys_enter") int fourth(void*) {
  char text[8] = {};
  IF_ASKED bpf_copy_from_user(text, sizeof(text), reinterpret_cast<const void*>(8UL));
  return text[0];
}
SEC("uprobe.s/lib:f") int fifth(void* context) {
  char text[8] = {};
  bpf_copy_from_user(text, sizeof(text), context);
#ifndef NOTHING_FOR_GPL
  // LICENCE: bpf_helpers.cpp:[[@LINE+3]]:{{.*}}error: bpf_get_stack is for GPL programs, and the licence is 'Proprietary'
  // LICENCE: hint: if the program's licence permits
  // NONE: bpf_helpers.cpp:[[@LINE+1]]:{{.*}}error: bpf_get_stack is for GPL programs, and the program has no licence
  bpf_get_stack(context, text, sizeof(text), 0);
#endif
  return text[0];
}
// Kernels differ in what these depend on, and the table has no such section.
SEC("kprobe/f") int sixth(pt_regs* c) { return static_cast<int>(bpf_override_return(c, 1)); }
SEC("fentry/f") int seventh(__u64* c) { return static_cast<int>(bpf_get_func_arg(c, 0, c)); }
SEC("fancy/f") int eighth(xdp_md* c) { return static_cast<int>(bpf_xdp_adjust_head(c, 1)); }

#if defined(PROPRIETARY)
LATHE_BPF_LICENSE("Proprietary");
#elif !defined(NO_LICENCE)
LATHE_BPF_LICENSE("Dual BSD/GPL");
#endif
