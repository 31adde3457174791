// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CO-RE: reads whose offsets the loader takes from the running kernel's BTF. Declare the kernel's structures with only
// the fields that are read, and with __attribute__((preserve_access_index)) where they are read by plain accesses;
// names and types decide, order and offsets do not. The builtins are Clang's for BPF, the
// numbers of the queries those of enum bpf_core_relo_kind.
#ifndef LATHE_BPF_CORE_READ_H
#define LATHE_BPF_CORE_READ_H

#ifndef __BPF_CORE_READ_H__

/// The address of a field, relocated: for reads that need no helper (tp_btf, fentry, lsm, …).
#define LATHE_BPF_RELOCATED(expression) __builtin_preserve_access_index(expression)

#define bpf_core_read(destination, size, source) \
  bpf_probe_read_kernel(destination, size, (const void*)LATHE_BPF_RELOCATED(source))
#define bpf_core_read_str(destination, size, source) \
  bpf_probe_read_kernel_str(destination, size, (const void*)LATHE_BPF_RELOCATED(source))

#define bpf_core_field_offset(object, field) __builtin_preserve_field_info((object)->field, 0)
#define bpf_core_field_size(field) __builtin_preserve_field_info(field, 1)
#define bpf_core_field_exists(field) __builtin_preserve_field_info(field, 2)
#define bpf_core_type_exists(type) __builtin_preserve_type_info(*(type*)0, 0)
#define bpf_core_type_size(type) __builtin_preserve_type_info(*(type*)0, 1)
#define bpf_core_type_id_local(type) __builtin_btf_type_id(*(type*)0, 0)
#define bpf_core_type_id_kernel(type) __builtin_btf_type_id(*(type*)0, 1)
#define bpf_core_enum_value_exists(type, value) __builtin_preserve_enum_value(*(__typeof__(type)*)value, 0)
#define bpf_core_enum_value(type, value) __builtin_preserve_enum_value(*(__typeof__(type)*)value, 1)

#ifdef __cplusplus
#define LATHE_BPF_UNQUALIFIED(expression) __remove_cv(__typeof__(expression))
#else
#define LATHE_BPF_UNQUALIFIED(expression) __typeof_unqual__(expression)
#endif

/// BPF_CORE_READ(task, real_parent, tgid): task->real_parent->tgid, each step a checked read. Up to 6 steps.
#define BPF_CORE_READ(source, ...) LATHE_BPF_READ_(LATHE_BPF_STEPS(__VA_ARGS__), source, __VA_ARGS__)

#define LATHE_BPF_STEPS(...) LATHE_BPF_STEPS_(__VA_ARGS__, 6, 5, 4, 3, 2, 1, 0)
#define LATHE_BPF_STEPS_(a, b, c, d, e, f, n, ...) n
#define LATHE_BPF_READ_(steps, source, ...) LATHE_BPF_READ__(steps, source, __VA_ARGS__)
#define LATHE_BPF_READ__(steps, source, ...) LATHE_BPF_READ##steps(source, __VA_ARGS__)
#define LATHE_BPF_READ1(source, a)                                          \
  ({                                                                        \
    LATHE_BPF_UNQUALIFIED((source)->a) lathe_bpf_value;                     \
    bpf_core_read(&lathe_bpf_value, sizeof(lathe_bpf_value), &(source)->a); \
    lathe_bpf_value;                                                        \
  })
#define LATHE_BPF_READ2(source, a, ...)                                                    \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_step2 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_READ1(lathe_bpf_step2, __VA_ARGS__);                                         \
  })
#define LATHE_BPF_READ3(source, a, ...)                                                    \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_step3 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_READ2(lathe_bpf_step3, __VA_ARGS__);                                         \
  })
#define LATHE_BPF_READ4(source, a, ...)                                                    \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_step4 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_READ3(lathe_bpf_step4, __VA_ARGS__);                                         \
  })
#define LATHE_BPF_READ5(source, a, ...)                                                    \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_step5 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_READ4(lathe_bpf_step5, __VA_ARGS__);                                         \
  })
#define LATHE_BPF_READ6(source, a, ...)                                                    \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_step6 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_READ5(lathe_bpf_step6, __VA_ARGS__);                                         \
  })

#endif

#endif
