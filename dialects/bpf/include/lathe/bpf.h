// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BPF programs in C++ or C, without other headers: sections, context structures, helpers, maps, reads that are
// relocated for the running kernel. Names are the kernel's and libbpf's, so that what is known of them holds; C++ adds
// typed maps in namespace lathe::bpf. Beside <linux/bpf.h>, and in C vmlinux.h or libbpf's <bpf/bpf_helpers.h>, included
// before this one, the parts that these define are left out. Those two are no C++.
#ifndef LATHE_BPF_H
#define LATHE_BPF_H

#ifndef __bpf__
#error "<lathe/bpf.h> is for BPF programs: compile them with --target bpf"
#endif

#include <lathe/bpf/kernel.h>

/// The section of a program, map or licence: what the loader goes by. `used` says nothing of an extern map, and no
/// warning.
#ifndef SEC
#define SEC(name)                                                                           \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wignored-attributes\"") \
      __attribute__((section(name), used)) _Pragma("GCC diagnostic pop")
#endif
/// Helpers that are "GPL only" are open to programs under these: "GPL", "Dual MIT/GPL", "Dual BSD/GPL" …
#define LATHE_BPF_LICENSE(text) char LICENSE[] SEC("license") = text

#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif
#ifndef __noinline
#define __noinline __attribute__((noinline))
#endif
#ifndef __weak
#define __weak __attribute__((weak))
#endif
#ifndef __hidden
#define __hidden __attribute__((visibility("hidden")))
#endif
#ifndef __ksym
#define __ksym __attribute__((section(".ksyms")))
#endif
#ifdef __cplusplus
/// The type of a symbol of the kernel of which only the address is wanted, what `void` is in C:
///   extern "C" const lathe_bpf_untyped do_exit __ksym;
struct lathe_bpf_untyped;
#endif
#ifndef __kconfig
#define __kconfig __attribute__((section(".kconfig")))
#endif

// Members of a map definition in C.
#ifndef __uint
#define __uint(name, value) int(*name)[value]
#define __type(name, value) __typeof__(value)* name
#define __array(name, value) __typeof__(value)* name[]
#endif

/// The number of arguments, up to 12, and two words as one.
#define LATHE_BPF_COUNT(...) LATHE_BPF_COUNT_(0 __VA_OPT__(, ) __VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define LATHE_BPF_COUNT_(zero, a, b, c, d, e, f, g, h, i, j, k, l, n, ...) n
#define LATHE_BPF_JOIN_(a, b) a##b
#define LATHE_BPF_JOIN(a, b) LATHE_BPF_JOIN_(a, b)

#include <lathe/bpf/helpers.h>

#include <lathe/bpf/contexts.h>
#include <lathe/bpf/core_read.h>
#include <lathe/bpf/helper_types.h>
#ifdef __cplusplus
#include <lathe/bpf/field.h>
#include <lathe/bpf/loops.h>
#include <lathe/bpf/maps.h>
#include <lathe/bpf/network_maps.h>
#include <lathe/bpf/packet.h>
#include <lathe/bpf/print.h>
#include <lathe/bpf/storage.h>
#endif

#ifdef __cplusplus
namespace lathe::bpf {
/// One argument of a program, as whatever integer or pointer type takes it.
struct context_word {
  unsigned long long bits;
  template <class T>
  inline __attribute__((always_inline)) operator T() const {
    return (T)bits;
  }
};
/// The same where pointers are the kernel's: accesses through them are relocated (dialects/bpf/kernel_types.h).
struct kernel_word {
  unsigned long long bits;
  template <class T>
  inline __attribute__((always_inline, annotate("lathe.bpf.kernel_pointer"))) operator T() const {
    return (T)bits;
  }
};
}  // namespace lathe::bpf
#endif
#include <lathe/bpf/probes.h>

// A program whose context is an array of 64-bit arguments (raw_tp, tp_btf, fentry, lsm, …), written as a function of
// up to 8 of them:
//   SEC("raw_tp/sched_switch") int BPF_PROG(on_switch, bool preempt, struct task_struct* prev) { … }
#ifndef BPF_PROG
#define BPF_PROG(name, ...)                                                                                      \
  name(unsigned long long* ctx);                                                                                 \
  static inline __attribute__((always_inline)) __typeof__(name((unsigned long long*)0)) LATHE_BPF_JOIN(          \
      name, _body)(unsigned long long* ctx __VA_OPT__(, ) __VA_ARGS__);                                          \
  __typeof__(name((unsigned long long*)0)) name(unsigned long long* ctx) {                                       \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wint-conversion\"") return LATHE_BPF_JOIN( \
        name, _body)(LATHE_BPF_JOIN(LATHE_BPF_WORDS, LATHE_BPF_COUNT(__VA_ARGS__)));                             \
    _Pragma("GCC diagnostic pop")                                                                                \
  }                                                                                                              \
  static inline __attribute__((always_inline)) __typeof__(name((unsigned long long*)0)) LATHE_BPF_JOIN(          \
      name, _body)(unsigned long long* ctx __VA_OPT__(, ) __VA_ARGS__)

#define LATHE_BPF_WORDS0 ctx
#define LATHE_BPF_WORDS1 LATHE_BPF_WORDS0, LATHE_BPF_WORD(0)
#define LATHE_BPF_WORDS2 LATHE_BPF_WORDS1, LATHE_BPF_WORD(1)
#define LATHE_BPF_WORDS3 LATHE_BPF_WORDS2, LATHE_BPF_WORD(2)
#define LATHE_BPF_WORDS4 LATHE_BPF_WORDS3, LATHE_BPF_WORD(3)
#define LATHE_BPF_WORDS5 LATHE_BPF_WORDS4, LATHE_BPF_WORD(4)
#define LATHE_BPF_WORDS6 LATHE_BPF_WORDS5, LATHE_BPF_WORD(5)
#define LATHE_BPF_WORDS7 LATHE_BPF_WORDS6, LATHE_BPF_WORD(6)
#define LATHE_BPF_WORDS8 LATHE_BPF_WORDS7, LATHE_BPF_WORD(7)
#ifdef __cplusplus
#define LATHE_BPF_WORD(i)     \
  ::lathe::bpf::kernel_word { \
    ctx[i]                    \
  }
#else
#define LATHE_BPF_WORD(i) (void*)ctx[i]
#endif
#endif

#endif
