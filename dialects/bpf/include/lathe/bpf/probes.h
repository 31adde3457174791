// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs at the entry or return of functions (kprobe, uprobe), whose context is the processor's registers, and
// samples (perf_event), which have them too: the registers as arch/*/include/asm/ptrace.h lays them out, and arguments
// by their place in the calling convention, under libbpf's names.
//
//   SEC("uprobe") int BPF_UPROBE(on_open, const char* path, int flags) { … }
//   SEC("uretprobe") int BPF_URETPROBE(opened, int result) { … }
#ifndef LATHE_BPF_PROBES_H
#define LATHE_BPF_PROBES_H

#if !defined(__VMLINUX_H__) && !defined(__BPF_TRACING_H__)

#if defined(__TARGET_ARCH_x86)
#define LATHE_BPF_HAS_REGISTERS
struct pt_regs {
  unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip, cs, flags, sp, ss;
};
#define PT_REGS_PARM1(registers) ((registers)->di)
#define PT_REGS_PARM2(registers) ((registers)->si)
#define PT_REGS_PARM3(registers) ((registers)->dx)
#define PT_REGS_PARM4(registers) ((registers)->cx)
#define PT_REGS_PARM5(registers) ((registers)->r8)
#define PT_REGS_PARM6(registers) ((registers)->r9)
#define PT_REGS_RC(registers) ((registers)->ax)
#define PT_REGS_FP(registers) ((registers)->bp)
#define PT_REGS_SP(registers) ((registers)->sp)
#define PT_REGS_IP(registers) ((registers)->ip)
#elif defined(__TARGET_ARCH_arm64)
#define LATHE_BPF_HAS_REGISTERS
struct pt_regs {
  unsigned long long regs[31], sp, pc, pstate;
};
#define PT_REGS_PARM1(registers) ((registers)->regs[0])
#define PT_REGS_PARM2(registers) ((registers)->regs[1])
#define PT_REGS_PARM3(registers) ((registers)->regs[2])
#define PT_REGS_PARM4(registers) ((registers)->regs[3])
#define PT_REGS_PARM5(registers) ((registers)->regs[4])
#define PT_REGS_PARM6(registers) ((registers)->regs[5])
#define PT_REGS_RC(registers) ((registers)->regs[0])
#define PT_REGS_FP(registers) ((registers)->regs[29])
#define PT_REGS_SP(registers) ((registers)->sp)
#define PT_REGS_IP(registers) ((registers)->pc)
#elif defined(__TARGET_ARCH_riscv)
#define LATHE_BPF_HAS_REGISTERS
struct pt_regs {
  unsigned long epc, ra, sp, gp, tp, t0, t1, t2, s0, s1, a0, a1, a2, a3, a4, a5, a6, a7, s2, s3, s4, s5, s6, s7, s8, s9,
      s10, s11, t3, t4, t5, t6;
};
#define PT_REGS_PARM1(registers) ((registers)->a0)
#define PT_REGS_PARM2(registers) ((registers)->a1)
#define PT_REGS_PARM3(registers) ((registers)->a2)
#define PT_REGS_PARM4(registers) ((registers)->a3)
#define PT_REGS_PARM5(registers) ((registers)->a4)
#define PT_REGS_PARM6(registers) ((registers)->a5)
#define PT_REGS_RC(registers) ((registers)->a0)
#define PT_REGS_FP(registers) ((registers)->s0)
#define PT_REGS_SP(registers) ((registers)->sp)
#define PT_REGS_IP(registers) ((registers)->epc)
#endif

#ifdef LATHE_BPF_HAS_REGISTERS
#ifndef __LINUX_BPF_PERF_EVENT_H__
/// perf_event.
struct bpf_perf_event_data {
  struct pt_regs regs;
  __u64 sample_period;
  __u64 addr;
};
#endif

/// A program over the function's arguments, up to 6, each as the integer or pointer that the parameter is.
#define BPF_KPROBE(name, ...) \
  LATHE_BPF_OVER_REGISTERS(   \
      name, LATHE_BPF_JOIN(LATHE_BPF_ARGUMENTS, LATHE_BPF_COUNT(__VA_ARGS__)) __VA_OPT__(, ) __VA_ARGS__)
/// A program at the return, with the result.
#define BPF_KRETPROBE(name, ...) \
  LATHE_BPF_OVER_REGISTERS(name, \
                           LATHE_BPF_JOIN(LATHE_BPF_RESULT, LATHE_BPF_COUNT(__VA_ARGS__)) __VA_OPT__(, ) __VA_ARGS__)
#define BPF_UPROBE(name, ...) BPF_KPROBE(name __VA_OPT__(, ) __VA_ARGS__)
#define BPF_URETPROBE(name, ...) BPF_KRETPROBE(name __VA_OPT__(, ) __VA_ARGS__)

#define LATHE_BPF_OVER_REGISTERS(name, words, ...)                                                        \
  name(struct pt_regs* ctx);                                                                              \
  static inline __attribute__((always_inline)) __typeof__(name((struct pt_regs*)0)) LATHE_BPF_JOIN(       \
      name, _body)(struct pt_regs * ctx __VA_OPT__(, ) __VA_ARGS__);                                      \
  __typeof__(name((struct pt_regs*)0)) name(struct pt_regs* ctx) {                                        \
    _Pragma("GCC diagnostic push")                                                                        \
        _Pragma("GCC diagnostic ignored \"-Wint-conversion\"") return LATHE_BPF_JOIN(name, _body)(words); \
    _Pragma("GCC diagnostic pop")                                                                         \
  }                                                                                                       \
  static inline __attribute__((always_inline)) __typeof__(name((struct pt_regs*)0)) LATHE_BPF_JOIN(       \
      name, _body)(struct pt_regs * ctx __VA_OPT__(, ) __VA_ARGS__)

#ifdef __cplusplus
#define LATHE_BPF_REGISTER(place) \
  ::lathe::bpf::context_word {    \
    PT_REGS_##place(ctx)          \
  }
#else
#define LATHE_BPF_REGISTER(place) (void*)PT_REGS_##place(ctx)
#endif
#define LATHE_BPF_ARGUMENTS0 ctx
#define LATHE_BPF_ARGUMENTS1 LATHE_BPF_ARGUMENTS0, LATHE_BPF_REGISTER(PARM1)
#define LATHE_BPF_ARGUMENTS2 LATHE_BPF_ARGUMENTS1, LATHE_BPF_REGISTER(PARM2)
#define LATHE_BPF_ARGUMENTS3 LATHE_BPF_ARGUMENTS2, LATHE_BPF_REGISTER(PARM3)
#define LATHE_BPF_ARGUMENTS4 LATHE_BPF_ARGUMENTS3, LATHE_BPF_REGISTER(PARM4)
#define LATHE_BPF_ARGUMENTS5 LATHE_BPF_ARGUMENTS4, LATHE_BPF_REGISTER(PARM5)
#define LATHE_BPF_ARGUMENTS6 LATHE_BPF_ARGUMENTS5, LATHE_BPF_REGISTER(PARM6)
#define LATHE_BPF_RESULT0 ctx
#define LATHE_BPF_RESULT1 LATHE_BPF_RESULT0, LATHE_BPF_REGISTER(RC)
#endif

#endif

#endif
