// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel's helper functions. A helper is called by its number (enum bpf_func_id in linux/bpf.h), which never
// changes; which programs may call which, the verifier decides.
#ifndef LATHE_BPF_HELPERS_H
#define LATHE_BPF_HELPERS_H

#ifndef __BPF_HELPERS__

// A function that is one call of a constant address.
#define LATHE_BPF_HELPER(number, result, name, parameters, ...)                 \
  static inline __attribute__((always_inline, unused)) result name parameters { \
    return ((result(*) parameters)number)(__VA_ARGS__);                         \
  }

// Maps.
LATHE_BPF_HELPER(1, void*, bpf_map_lookup_elem, (void* map, const void* key), map, key)
LATHE_BPF_HELPER(2, long, bpf_map_update_elem, (void* map, const void* key, const void* value, __u64 flags), map, key,
                 value, flags)
LATHE_BPF_HELPER(3, long, bpf_map_delete_elem, (void* map, const void* key), map, key)
LATHE_BPF_HELPER(87, long, bpf_map_push_elem, (void* map, const void* value, __u64 flags), map, value, flags)
LATHE_BPF_HELPER(88, long, bpf_map_pop_elem, (void* map, void* value), map, value)
LATHE_BPF_HELPER(89, long, bpf_map_peek_elem, (void* map, void* value), map, value)
LATHE_BPF_HELPER(164, long, bpf_for_each_map_elem, (void* map, void* callback, void* context, __u64 flags), map,
                 callback, context, flags)
LATHE_BPF_HELPER(195, void*, bpf_map_lookup_percpu_elem, (void* map, const void* key, __u32 cpu), map, key, cpu)
LATHE_BPF_HELPER(93, long, bpf_spin_lock, (struct bpf_spin_lock * lock), lock)
LATHE_BPF_HELPER(94, long, bpf_spin_unlock, (struct bpf_spin_lock * lock), lock)

// Ring and perf buffers.
LATHE_BPF_HELPER(130, long, bpf_ringbuf_output, (void* ringbuf, void* data, __u64 size, __u64 flags), ringbuf, data,
                 size, flags)
LATHE_BPF_HELPER(131, void*, bpf_ringbuf_reserve, (void* ringbuf, __u64 size, __u64 flags), ringbuf, size, flags)
LATHE_BPF_HELPER(132, void, bpf_ringbuf_submit, (void* data, __u64 flags), data, flags)
LATHE_BPF_HELPER(133, void, bpf_ringbuf_discard, (void* data, __u64 flags), data, flags)
LATHE_BPF_HELPER(134, __u64, bpf_ringbuf_query, (void* ringbuf, __u64 flags), ringbuf, flags)
LATHE_BPF_HELPER(25, long, bpf_perf_event_output, (void* ctx, void* map, __u64 flags, void* data, __u64 size), ctx, map,
                 flags, data, size)

// Memory that may not be there.
LATHE_BPF_HELPER(112, long, bpf_probe_read_user, (void* dst, __u32 size, const void* unsafe_ptr), dst, size, unsafe_ptr)
LATHE_BPF_HELPER(113, long, bpf_probe_read_kernel, (void* dst, __u32 size, const void* unsafe_ptr), dst, size,
                 unsafe_ptr)
LATHE_BPF_HELPER(114, long, bpf_probe_read_user_str, (void* dst, __u32 size, const void* unsafe_ptr), dst, size,
                 unsafe_ptr)
LATHE_BPF_HELPER(115, long, bpf_probe_read_kernel_str, (void* dst, __u32 size, const void* unsafe_ptr), dst, size,
                 unsafe_ptr)
LATHE_BPF_HELPER(148, long, bpf_copy_from_user, (void* dst, __u32 size, const void* user_ptr), dst, size, user_ptr)

// Who, where, when.
LATHE_BPF_HELPER(5, __u64, bpf_ktime_get_ns, (void), )
LATHE_BPF_HELPER(125, __u64, bpf_ktime_get_boot_ns, (void), )
LATHE_BPF_HELPER(160, __u64, bpf_ktime_get_coarse_ns, (void), )
LATHE_BPF_HELPER(118, __u64, bpf_jiffies64, (void), )
LATHE_BPF_HELPER(7, __u32, bpf_get_prandom_u32, (void), )
LATHE_BPF_HELPER(8, __u32, bpf_get_smp_processor_id, (void), )
LATHE_BPF_HELPER(42, long, bpf_get_numa_node_id, (void), )
LATHE_BPF_HELPER(14, __u64, bpf_get_current_pid_tgid, (void), )
LATHE_BPF_HELPER(15, __u64, bpf_get_current_uid_gid, (void), )
LATHE_BPF_HELPER(16, long, bpf_get_current_comm, (void* buf, __u32 size_of_buf), buf, size_of_buf)
LATHE_BPF_HELPER(35, __u64, bpf_get_current_task, (void), )
LATHE_BPF_HELPER(158, struct task_struct*, bpf_get_current_task_btf, (void), )
LATHE_BPF_HELPER(80, __u64, bpf_get_current_cgroup_id, (void), )
LATHE_BPF_HELPER(174, __u64, bpf_get_attach_cookie, (void* ctx), ctx)
LATHE_BPF_HELPER(173, __u64, bpf_get_func_ip, (void* ctx), ctx)

// Stacks.
LATHE_BPF_HELPER(27, long, bpf_get_stackid, (void* ctx, void* map, __u64 flags), ctx, map, flags)
LATHE_BPF_HELPER(67, long, bpf_get_stack, (void* ctx, void* buf, __u32 size, __u64 flags), ctx, buf, size, flags)
LATHE_BPF_HELPER(141, long, bpf_get_task_stack, (struct task_struct * task, void* buf, __u32 size, __u64 flags), task,
                 buf, size, flags)

// Control.
LATHE_BPF_HELPER(12, long, bpf_tail_call, (void* ctx, void* prog_array_map, __u32 index), ctx, prog_array_map, index)
LATHE_BPF_HELPER(181, long, bpf_loop, (__u32 nr_loops, void* callback_fn, void* callback_ctx, __u64 flags), nr_loops,
                 callback_fn, callback_ctx, flags)
LATHE_BPF_HELPER(109, long, bpf_send_signal, (__u32 sig), sig)
LATHE_BPF_HELPER(117, long, bpf_send_signal_thread, (__u32 sig), sig)
LATHE_BPF_HELPER(169, long, bpf_timer_init, (struct bpf_timer * timer, void* map, __u64 flags), timer, map, flags)
LATHE_BPF_HELPER(170, long, bpf_timer_set_callback, (struct bpf_timer * timer, void* callback_fn), timer, callback_fn)
LATHE_BPF_HELPER(171, long, bpf_timer_start, (struct bpf_timer * timer, __u64 nsecs, __u64 flags), timer, nsecs, flags)
LATHE_BPF_HELPER(172, long, bpf_timer_cancel, (struct bpf_timer * timer), timer)

// Storage that lives with what it belongs to.
LATHE_BPF_HELPER(107, void*, bpf_sk_storage_get, (void* map, void* sk, void* value, __u64 flags), map, sk, value, flags)
LATHE_BPF_HELPER(156, void*, bpf_task_storage_get, (void* map, struct task_struct* task, void* value, __u64 flags), map,
                 task, value, flags)
LATHE_BPF_HELPER(157, long, bpf_task_storage_delete, (void* map, struct task_struct* task), map, task)

// Packets.
LATHE_BPF_HELPER(9, long, bpf_skb_store_bytes,
                 (struct __sk_buff * skb, __u32 offset, const void* from, __u32 len, __u64 flags), skb, offset, from,
                 len, flags)
LATHE_BPF_HELPER(10, long, bpf_l3_csum_replace,
                 (struct __sk_buff * skb, __u32 offset, __u64 from, __u64 to, __u64 size), skb, offset, from, to, size)
LATHE_BPF_HELPER(11, long, bpf_l4_csum_replace,
                 (struct __sk_buff * skb, __u32 offset, __u64 from, __u64 to, __u64 flags), skb, offset, from, to,
                 flags)
LATHE_BPF_HELPER(26, long, bpf_skb_load_bytes, (const void* skb, __u32 offset, void* to, __u32 len), skb, offset, to,
                 len)
LATHE_BPF_HELPER(28, __s64, bpf_csum_diff, (__be32 * from, __u32 from_size, __be32* to, __u32 to_size, __wsum seed),
                 from, from_size, to, to_size, seed)
LATHE_BPF_HELPER(23, long, bpf_redirect, (__u32 ifindex, __u64 flags), ifindex, flags)
LATHE_BPF_HELPER(51, long, bpf_redirect_map, (void* map, __u64 key, __u64 flags), map, key, flags)
LATHE_BPF_HELPER(39, long, bpf_skb_pull_data, (struct __sk_buff * skb, __u32 len), skb, len)
LATHE_BPF_HELPER(44, long, bpf_xdp_adjust_head, (struct xdp_md * xdp_md, int delta), xdp_md, delta)
LATHE_BPF_HELPER(54, long, bpf_xdp_adjust_meta, (struct xdp_md * xdp_md, int delta), xdp_md, delta)
LATHE_BPF_HELPER(65, long, bpf_xdp_adjust_tail, (struct xdp_md * xdp_md, int delta), xdp_md, delta)
LATHE_BPF_HELPER(46, __u64, bpf_get_socket_cookie, (void* ctx), ctx)

// Text.
LATHE_BPF_HELPER(165, long, bpf_snprintf, (char* str, __u32 str_size, const char* fmt, __u64* data, __u32 data_len),
                 str, str_size, fmt, data, data_len)
LATHE_BPF_HELPER(182, long, bpf_strncmp, (const char* s1, __u32 s1_sz, const char* s2), s1, s1_sz, s2)

/// A line in /sys/kernel/tracing/trace_pipe; up to 3 values behind the format.
#define bpf_printk(format, ...)                                                                                    \
  ({                                                                                                               \
    static const char lathe_bpf_format[] = format;                                                                 \
    ((long (*)(const char*, __u32, ...))6)(lathe_bpf_format, sizeof(lathe_bpf_format) __VA_OPT__(, ) __VA_ARGS__); \
  })

#endif

#endif
