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

/// BPF_CORE_READ(task, real_parent, tgid): task->real_parent->tgid, each step a checked read. Up to 9 steps.
#define BPF_CORE_READ(source, ...) LATHE_BPF_READ_(LATHE_BPF_STEPS(__VA_ARGS__), source, __VA_ARGS__)
/// The same into `*destination`; the result is 0, or that of the last read.
#define BPF_CORE_READ_INTO(destination, source, ...) \
  LATHE_BPF_INTO_(LATHE_BPF_STEPS(__VA_ARGS__), bpf_core_read, destination, source, __VA_ARGS__)
/// The same for text: its length with the zero, or an error.
#define BPF_CORE_READ_STR_INTO(destination, source, ...) \
  LATHE_BPF_INTO_(LATHE_BPF_STEPS(__VA_ARGS__), bpf_core_read_str, destination, source, __VA_ARGS__)

/// A bit-field of the kernel's, as a 64-bit number: read by a helper, or directly where the verifier knows the pointer.
#define BPF_CORE_READ_BITFIELD_PROBED(source, field)                                                  \
  ({                                                                                                  \
    unsigned long long lathe_bpf_bits = 0;                                                            \
    bpf_probe_read_kernel(&lathe_bpf_bits, __builtin_preserve_field_info((source)->field, 1),         \
                          (const char*)(source) + __builtin_preserve_field_info((source)->field, 0)); \
    LATHE_BPF_BITS(source, field);                                                                    \
  })
#define BPF_CORE_READ_BITFIELD(source, field)                                                                      \
  ({                                                                                                               \
    const char* const lathe_bpf_place = (const char*)(source) + __builtin_preserve_field_info((source)->field, 0); \
    unsigned long long lathe_bpf_bits = 0;                                                                         \
    switch (__builtin_preserve_field_info((source)->field, 1)) {                                                   \
      case 1:                                                                                                      \
        lathe_bpf_bits = *(const unsigned char*)lathe_bpf_place;                                                   \
        break;                                                                                                     \
      case 2:                                                                                                      \
        lathe_bpf_bits = *(const unsigned short*)lathe_bpf_place;                                                  \
        break;                                                                                                     \
      case 4:                                                                                                      \
        lathe_bpf_bits = *(const unsigned*)lathe_bpf_place;                                                        \
        break;                                                                                                     \
      case 8:                                                                                                      \
        lathe_bpf_bits = *(const unsigned long long*)lathe_bpf_place;                                              \
        break;                                                                                                     \
    }                                                                                                              \
    LATHE_BPF_BITS(source, field);                                                                                 \
  })
/// `lathe_bpf_bits` shifted up, and down with its sign or without.
#define LATHE_BPF_BITS(source, field)                                                                        \
  lathe_bpf_bits <<= __builtin_preserve_field_info((source)->field, 4);                                      \
  __builtin_preserve_field_info((source)->field, 3)                                                          \
      ? (unsigned long long)((long long)lathe_bpf_bits >> __builtin_preserve_field_info((source)->field, 5)) \
      : lathe_bpf_bits >> __builtin_preserve_field_info((source)->field, 5)

#define LATHE_BPF_STEPS(...) LATHE_BPF_STEPS_(__VA_ARGS__, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define LATHE_BPF_STEPS_(a, b, c, d, e, f, g, h, i, n, ...) n
#define LATHE_BPF_READ_(steps, source, ...) LATHE_BPF_READ__(steps, source, __VA_ARGS__)
#define LATHE_BPF_READ__(steps, source, ...) LATHE_BPF_READ##steps(source, __VA_ARGS__)
#define LATHE_BPF_INTO_(steps, read, destination, source, ...) \
  LATHE_BPF_INTO__(steps, read, destination, source, __VA_ARGS__)
#define LATHE_BPF_INTO__(steps, read, destination, source, ...) \
  LATHE_BPF_INTO##steps(read, destination, source, __VA_ARGS__)
#define LATHE_BPF_READ1(source, a)                                          \
  ({                                                                        \
    LATHE_BPF_UNQUALIFIED((source)->a) lathe_bpf_value;                     \
    bpf_core_read(&lathe_bpf_value, sizeof(lathe_bpf_value), &(source)->a); \
    lathe_bpf_value;                                                        \
  })
#define LATHE_BPF_INTO1(read, destination, source, a) read(destination, sizeof(*(destination)), &(source)->a)
#define LATHE_BPF_READ2(source, a, ...)                                                    \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_step2 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_READ1(lathe_bpf_step2, __VA_ARGS__);                                         \
  })
#define LATHE_BPF_INTO2(read, destination, source, a, ...)                                 \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_into2 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_INTO1(read, destination, lathe_bpf_into2, __VA_ARGS__);                      \
  })
#define LATHE_BPF_READ3(source, a, ...)                                                    \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_step3 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_READ2(lathe_bpf_step3, __VA_ARGS__);                                         \
  })
#define LATHE_BPF_INTO3(read, destination, source, a, ...)                                 \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_into3 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_INTO2(read, destination, lathe_bpf_into3, __VA_ARGS__);                      \
  })
#define LATHE_BPF_READ4(source, a, ...)                                                    \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_step4 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_READ3(lathe_bpf_step4, __VA_ARGS__);                                         \
  })
#define LATHE_BPF_INTO4(read, destination, source, a, ...)                                 \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_into4 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_INTO3(read, destination, lathe_bpf_into4, __VA_ARGS__);                      \
  })
#define LATHE_BPF_READ5(source, a, ...)                                                    \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_step5 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_READ4(lathe_bpf_step5, __VA_ARGS__);                                         \
  })
#define LATHE_BPF_INTO5(read, destination, source, a, ...)                                 \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_into5 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_INTO4(read, destination, lathe_bpf_into5, __VA_ARGS__);                      \
  })
#define LATHE_BPF_READ6(source, a, ...)                                                    \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_step6 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_READ5(lathe_bpf_step6, __VA_ARGS__);                                         \
  })
#define LATHE_BPF_INTO6(read, destination, source, a, ...)                                 \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_into6 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_INTO5(read, destination, lathe_bpf_into6, __VA_ARGS__);                      \
  })
#define LATHE_BPF_READ7(source, a, ...)                                                    \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_step7 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_READ6(lathe_bpf_step7, __VA_ARGS__);                                         \
  })
#define LATHE_BPF_INTO7(read, destination, source, a, ...)                                 \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_into7 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_INTO6(read, destination, lathe_bpf_into7, __VA_ARGS__);                      \
  })
#define LATHE_BPF_READ8(source, a, ...)                                                    \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_step8 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_READ7(lathe_bpf_step8, __VA_ARGS__);                                         \
  })
#define LATHE_BPF_INTO8(read, destination, source, a, ...)                                 \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_into8 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_INTO7(read, destination, lathe_bpf_into8, __VA_ARGS__);                      \
  })
#define LATHE_BPF_READ9(source, a, ...)                                                    \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_step9 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_READ8(lathe_bpf_step9, __VA_ARGS__);                                         \
  })
#define LATHE_BPF_INTO9(read, destination, source, a, ...)                                 \
  ({                                                                                       \
    LATHE_BPF_UNQUALIFIED((source)->a) const lathe_bpf_into9 = LATHE_BPF_READ1(source, a); \
    LATHE_BPF_INTO8(read, destination, lathe_bpf_into9, __VA_ARGS__);                      \
  })

#endif

#endif
