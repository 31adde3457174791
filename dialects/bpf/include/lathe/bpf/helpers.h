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

/// A line in /sys/kernel/tracing/trace_pipe; up to 3 values behind the format.
#define bpf_printk(format, ...)                                                                                    \
  ({                                                                                                               \
    static const char lathe_bpf_format[] = format;                                                                 \
    ((long (*)(const char*, __u32, ...))6)(lathe_bpf_format, sizeof(lathe_bpf_format) __VA_OPT__(, ) __VA_ARGS__); \
  })

#endif

#endif
