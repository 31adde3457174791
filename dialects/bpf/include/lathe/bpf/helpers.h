// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel's helper functions. A helper is called by its number (enum bpf_func_id in linux/bpf.h), which never
// changes. All are here, as libbpf lists them; which programs may call which, the verifier decides, and the compiler
// says before where that is certain.
#ifndef LATHE_BPF_HELPERS_H
#define LATHE_BPF_HELPERS_H

#ifndef __BPF_HELPERS__

// A function that is one call of a constant address.
#define LATHE_BPF_HELPER(number, result, name, parameters, ...)                 \
  static inline __attribute__((always_inline, unused)) result name parameters { \
    return ((result(*) parameters)number)(__VA_ARGS__);                         \
  }

#include <lathe/bpf/helpers_general.h>
#include <lathe/bpf/helpers_network.h>

#ifdef __cplusplus
template <class... Values>
static inline __attribute__((always_inline, unused)) long bpf_trace_printk(const char* fmt, __u32 fmt_size,
                                                                           Values... values) {
  return ((long (*)(const char*, __u32, ...))6)(fmt, fmt_size, values...);
}
#else
#define bpf_trace_printk(...) ((long (*)(const char*, __u32, ...))6)(__VA_ARGS__)
#endif

/// A line in /sys/kernel/tracing/trace_pipe, of up to 12 values behind the format (more than 3: Linux 5.16). The
/// conversions are printk's, of which the kernel takes some: %d %u %x %c %s %p with l and ll.
#define bpf_printk(format, ...) \
  LATHE_BPF_JOIN(LATHE_BPF_PRINT, LATHE_BPF_COUNT(__VA_ARGS__))(format __VA_OPT__(, ) __VA_ARGS__)
#define LATHE_BPF_PRINT0(format, ...)                                                                              \
  ({                                                                                                               \
    static const char lathe_bpf_format[] = format;                                                                 \
    ((long (*)(const char*, __u32, ...))6)(lathe_bpf_format, sizeof(lathe_bpf_format) __VA_OPT__(, ) __VA_ARGS__); \
  })
#define LATHE_BPF_PRINT1(...) LATHE_BPF_PRINT0(__VA_ARGS__)
#define LATHE_BPF_PRINT2(...) LATHE_BPF_PRINT0(__VA_ARGS__)
#define LATHE_BPF_PRINT3(...) LATHE_BPF_PRINT0(__VA_ARGS__)
#define LATHE_BPF_PRINT4(format, ...)                                                                          \
  ({                                                                                                           \
    static const char lathe_bpf_format[] = format;                                                             \
    const __u64 lathe_bpf_values[] = {LATHE_BPF_VALUES(__VA_ARGS__)};                                          \
    bpf_trace_vprintk(lathe_bpf_format, sizeof(lathe_bpf_format), lathe_bpf_values, sizeof(lathe_bpf_values)); \
  })
#define LATHE_BPF_PRINT5(...) LATHE_BPF_PRINT4(__VA_ARGS__)
#define LATHE_BPF_PRINT6(...) LATHE_BPF_PRINT4(__VA_ARGS__)
#define LATHE_BPF_PRINT7(...) LATHE_BPF_PRINT4(__VA_ARGS__)
#define LATHE_BPF_PRINT8(...) LATHE_BPF_PRINT4(__VA_ARGS__)
#define LATHE_BPF_PRINT9(...) LATHE_BPF_PRINT4(__VA_ARGS__)
#define LATHE_BPF_PRINT10(...) LATHE_BPF_PRINT4(__VA_ARGS__)
#define LATHE_BPF_PRINT11(...) LATHE_BPF_PRINT4(__VA_ARGS__)
#define LATHE_BPF_PRINT12(...) LATHE_BPF_PRINT4(__VA_ARGS__)

/// What the reader of an iterator gets: a format with up to 12 values.
#define BPF_SEQ_PRINTF(seq, format, ...)                                               \
  ({                                                                                   \
    static const char lathe_bpf_format[] = format;                                     \
    const __u64 lathe_bpf_values[] = {LATHE_BPF_VALUES(__VA_ARGS__) __VA_OPT__(, ) 0}; \
    bpf_seq_printf(seq, lathe_bpf_format, sizeof(lathe_bpf_format), lathe_bpf_values,  \
                   sizeof(lathe_bpf_values) - sizeof(__u64));                          \
  })
/// A format with up to 12 values into a buffer (Linux 5.13).
#define BPF_SNPRINTF(out, bytes, format, ...)                                                               \
  ({                                                                                                        \
    static const char lathe_bpf_format[] = format;                                                          \
    __u64 lathe_bpf_values[] = {LATHE_BPF_VALUES(__VA_ARGS__) __VA_OPT__(, ) 0};                            \
    bpf_snprintf(out, bytes, lathe_bpf_format, lathe_bpf_values, sizeof(lathe_bpf_values) - sizeof(__u64)); \
  })

// Each value as 64 bits, which the compiler takes for unknown: of constants it would make an initial value, and libbpf
// fills no addresses into those.
#define LATHE_BPF_VALUE(a)               \
  ({                                     \
    __u64 lathe_bpf_value = (__u64)(a);  \
    __asm__("" : "+r"(lathe_bpf_value)); \
    lathe_bpf_value;                     \
  })
#define LATHE_BPF_VALUES(...) LATHE_BPF_JOIN(LATHE_BPF_VALUES, LATHE_BPF_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define LATHE_BPF_VALUES0()
#define LATHE_BPF_VALUES1(a) LATHE_BPF_VALUE(a)
#define LATHE_BPF_VALUES2(a, ...) LATHE_BPF_VALUE(a), LATHE_BPF_VALUES1(__VA_ARGS__)
#define LATHE_BPF_VALUES3(a, ...) LATHE_BPF_VALUE(a), LATHE_BPF_VALUES2(__VA_ARGS__)
#define LATHE_BPF_VALUES4(a, ...) LATHE_BPF_VALUE(a), LATHE_BPF_VALUES3(__VA_ARGS__)
#define LATHE_BPF_VALUES5(a, ...) LATHE_BPF_VALUE(a), LATHE_BPF_VALUES4(__VA_ARGS__)
#define LATHE_BPF_VALUES6(a, ...) LATHE_BPF_VALUE(a), LATHE_BPF_VALUES5(__VA_ARGS__)
#define LATHE_BPF_VALUES7(a, ...) LATHE_BPF_VALUE(a), LATHE_BPF_VALUES6(__VA_ARGS__)
#define LATHE_BPF_VALUES8(a, ...) LATHE_BPF_VALUE(a), LATHE_BPF_VALUES7(__VA_ARGS__)
#define LATHE_BPF_VALUES9(a, ...) LATHE_BPF_VALUE(a), LATHE_BPF_VALUES8(__VA_ARGS__)
#define LATHE_BPF_VALUES10(a, ...) LATHE_BPF_VALUE(a), LATHE_BPF_VALUES9(__VA_ARGS__)
#define LATHE_BPF_VALUES11(a, ...) LATHE_BPF_VALUE(a), LATHE_BPF_VALUES10(__VA_ARGS__)
#define LATHE_BPF_VALUES12(a, ...) LATHE_BPF_VALUE(a), LATHE_BPF_VALUES11(__VA_ARGS__)

#endif

#endif
