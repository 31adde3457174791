// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for maps, time, tasks, memory and control. Made by targets/bpf/helpers.py from the list that libbpf has of
// the kernel.
#ifndef LATHE_BPF_HELPERS_GENERAL_H
#define LATHE_BPF_HELPERS_GENERAL_H

struct bpf_dynptr;
struct bpf_perf_event_data;
struct bpf_perf_event_value;
struct bpf_pidns_info;
struct bpf_spin_lock;
struct bpf_timer;
struct btf_ptr;
struct cgroup;
struct file;
struct inode;
struct linux_binprm;
struct path;
struct pt_regs;
struct seq_file;
struct task_struct;

LATHE_BPF_HELPER(1, void*, bpf_map_lookup_elem, (void* map, const void* key), map, key)
LATHE_BPF_HELPER(2, long, bpf_map_update_elem, (void* map, const void* key, const void* value, __u64 flags), map, key,
                 value, flags)
LATHE_BPF_HELPER(3, long, bpf_map_delete_elem, (void* map, const void* key), map, key)
LATHE_BPF_HELPER(4, long, bpf_probe_read, (void* dst, __u32 size, const void* unsafe_ptr), dst, size, unsafe_ptr)
LATHE_BPF_HELPER(5, __u64, bpf_ktime_get_ns, (void), )
LATHE_BPF_HELPER(7, __u32, bpf_get_prandom_u32, (void), )
LATHE_BPF_HELPER(8, __u32, bpf_get_smp_processor_id, (void), )
LATHE_BPF_HELPER(12, long, bpf_tail_call, (void* ctx, void* prog_array_map, __u32 index), ctx, prog_array_map, index)
LATHE_BPF_HELPER(14, __u64, bpf_get_current_pid_tgid, (void), )
LATHE_BPF_HELPER(15, __u64, bpf_get_current_uid_gid, (void), )
LATHE_BPF_HELPER(16, long, bpf_get_current_comm, (void* buf, __u32 size_of_buf), buf, size_of_buf)
LATHE_BPF_HELPER(22, __u64, bpf_perf_event_read, (void* map, __u64 flags), map, flags)
LATHE_BPF_HELPER(25, long, bpf_perf_event_output, (void* ctx, void* map, __u64 flags, void* data, __u64 size), ctx, map,
                 flags, data, size)
LATHE_BPF_HELPER(27, long, bpf_get_stackid, (void* ctx, void* map, __u64 flags), ctx, map, flags)
LATHE_BPF_HELPER(35, __u64, bpf_get_current_task, (void), )
LATHE_BPF_HELPER(36, long, bpf_probe_write_user, (void* dst, const void* src, __u32 len), dst, src, len)
LATHE_BPF_HELPER(37, long, bpf_current_task_under_cgroup, (void* map, __u32 index), map, index)
LATHE_BPF_HELPER(42, long, bpf_get_numa_node_id, (void), )
LATHE_BPF_HELPER(45, long, bpf_probe_read_str, (void* dst, __u32 size, const void* unsafe_ptr), dst, size, unsafe_ptr)
LATHE_BPF_HELPER(55, long, bpf_perf_event_read_value,
                 (void* map, __u64 flags, struct bpf_perf_event_value* buf, __u32 buf_size), map, flags, buf, buf_size)
LATHE_BPF_HELPER(56, long, bpf_perf_prog_read_value,
                 (struct bpf_perf_event_data * ctx, struct bpf_perf_event_value* buf, __u32 buf_size), ctx, buf,
                 buf_size)
LATHE_BPF_HELPER(58, long, bpf_override_return, (struct pt_regs * regs, __u64 rc), regs, rc)
LATHE_BPF_HELPER(67, long, bpf_get_stack, (void* ctx, void* buf, __u32 size, __u64 flags), ctx, buf, size, flags)
LATHE_BPF_HELPER(80, __u64, bpf_get_current_cgroup_id, (void), )
LATHE_BPF_HELPER(81, void*, bpf_get_local_storage, (void* map, __u64 flags), map, flags)
LATHE_BPF_HELPER(87, long, bpf_map_push_elem, (void* map, const void* value, __u64 flags), map, value, flags)
LATHE_BPF_HELPER(88, long, bpf_map_pop_elem, (void* map, void* value), map, value)
LATHE_BPF_HELPER(89, long, bpf_map_peek_elem, (void* map, void* value), map, value)
LATHE_BPF_HELPER(93, long, bpf_spin_lock, (struct bpf_spin_lock * lock), lock)
LATHE_BPF_HELPER(94, long, bpf_spin_unlock, (struct bpf_spin_lock * lock), lock)
LATHE_BPF_HELPER(105, long, bpf_strtol, (const char* buf, unsigned long buf_len, __u64 flags, long* res), buf, buf_len,
                 flags, res)
LATHE_BPF_HELPER(106, long, bpf_strtoul, (const char* buf, unsigned long buf_len, __u64 flags, unsigned long* res), buf,
                 buf_len, flags, res)
LATHE_BPF_HELPER(109, long, bpf_send_signal, (__u32 sig), sig)
LATHE_BPF_HELPER(112, long, bpf_probe_read_user, (void* dst, __u32 size, const void* unsafe_ptr), dst, size, unsafe_ptr)
LATHE_BPF_HELPER(113, long, bpf_probe_read_kernel, (void* dst, __u32 size, const void* unsafe_ptr), dst, size,
                 unsafe_ptr)
LATHE_BPF_HELPER(114, long, bpf_probe_read_user_str, (void* dst, __u32 size, const void* unsafe_ptr), dst, size,
                 unsafe_ptr)
LATHE_BPF_HELPER(115, long, bpf_probe_read_kernel_str, (void* dst, __u32 size, const void* unsafe_ptr), dst, size,
                 unsafe_ptr)
LATHE_BPF_HELPER(117, long, bpf_send_signal_thread, (__u32 sig), sig)
LATHE_BPF_HELPER(118, __u64, bpf_jiffies64, (void), )
LATHE_BPF_HELPER(119, long, bpf_read_branch_records,
                 (struct bpf_perf_event_data * ctx, void* buf, __u32 size, __u64 flags), ctx, buf, size, flags)
LATHE_BPF_HELPER(120, long, bpf_get_ns_current_pid_tgid,
                 (__u64 dev, __u64 ino, struct bpf_pidns_info* nsdata, __u32 size), dev, ino, nsdata, size)
LATHE_BPF_HELPER(123, __u64, bpf_get_current_ancestor_cgroup_id, (int ancestor_level), ancestor_level)
LATHE_BPF_HELPER(125, __u64, bpf_ktime_get_boot_ns, (void), )
LATHE_BPF_HELPER(126, long, bpf_seq_printf,
                 (struct seq_file * m, const char* fmt, __u32 fmt_size, const void* data, __u32 data_len), m, fmt,
                 fmt_size, data, data_len)
LATHE_BPF_HELPER(127, long, bpf_seq_write, (struct seq_file * m, const void* data, __u32 len), m, data, len)
LATHE_BPF_HELPER(130, long, bpf_ringbuf_output, (void* ringbuf, void* data, __u64 size, __u64 flags), ringbuf, data,
                 size, flags)
LATHE_BPF_HELPER(131, void*, bpf_ringbuf_reserve, (void* ringbuf, __u64 size, __u64 flags), ringbuf, size, flags)
LATHE_BPF_HELPER(132, void, bpf_ringbuf_submit, (void* data, __u64 flags), data, flags)
LATHE_BPF_HELPER(133, void, bpf_ringbuf_discard, (void* data, __u64 flags), data, flags)
LATHE_BPF_HELPER(134, __u64, bpf_ringbuf_query, (void* ringbuf, __u64 flags), ringbuf, flags)
LATHE_BPF_HELPER(141, long, bpf_get_task_stack, (struct task_struct * task, void* buf, __u32 size, __u64 flags), task,
                 buf, size, flags)
LATHE_BPF_HELPER(145, void*, bpf_inode_storage_get, (void* map, void* inode, void* value, __u64 flags), map, inode,
                 value, flags)
LATHE_BPF_HELPER(146, int, bpf_inode_storage_delete, (void* map, void* inode), map, inode)
LATHE_BPF_HELPER(147, long, bpf_d_path, (struct path * path, char* buf, __u32 sz), path, buf, sz)
LATHE_BPF_HELPER(148, long, bpf_copy_from_user, (void* dst, __u32 size, const void* user_ptr), dst, size, user_ptr)
LATHE_BPF_HELPER(149, long, bpf_snprintf_btf,
                 (char* str, __u32 str_size, struct btf_ptr* ptr, __u32 btf_ptr_size, __u64 flags), str, str_size, ptr,
                 btf_ptr_size, flags)
LATHE_BPF_HELPER(150, long, bpf_seq_printf_btf, (struct seq_file * m, struct btf_ptr* ptr, __u32 ptr_size, __u64 flags),
                 m, ptr, ptr_size, flags)
LATHE_BPF_HELPER(153, void*, bpf_per_cpu_ptr, (const void* percpu_ptr, __u32 cpu), percpu_ptr, cpu)
LATHE_BPF_HELPER(154, void*, bpf_this_cpu_ptr, (const void* percpu_ptr), percpu_ptr)
LATHE_BPF_HELPER(156, void*, bpf_task_storage_get, (void* map, struct task_struct* task, void* value, __u64 flags), map,
                 task, value, flags)
LATHE_BPF_HELPER(157, long, bpf_task_storage_delete, (void* map, struct task_struct* task), map, task)
LATHE_BPF_HELPER(158, struct task_struct*, bpf_get_current_task_btf, (void), )
LATHE_BPF_HELPER(159, long, bpf_bprm_opts_set, (struct linux_binprm * bprm, __u64 flags), bprm, flags)
LATHE_BPF_HELPER(160, __u64, bpf_ktime_get_coarse_ns, (void), )
LATHE_BPF_HELPER(161, long, bpf_ima_inode_hash, (struct inode * inode, void* dst, __u32 size), inode, dst, size)
LATHE_BPF_HELPER(164, long, bpf_for_each_map_elem, (void* map, void* callback_fn, void* callback_ctx, __u64 flags), map,
                 callback_fn, callback_ctx, flags)
LATHE_BPF_HELPER(165, long, bpf_snprintf, (char* str, __u32 str_size, const char* fmt, __u64* data, __u32 data_len),
                 str, str_size, fmt, data, data_len)
LATHE_BPF_HELPER(166, long, bpf_sys_bpf, (__u32 cmd, void* attr, __u32 attr_size), cmd, attr, attr_size)
LATHE_BPF_HELPER(167, long, bpf_btf_find_by_name_kind, (char* name, int name_sz, __u32 kind, int flags), name, name_sz,
                 kind, flags)
LATHE_BPF_HELPER(168, long, bpf_sys_close, (__u32 fd), fd)
LATHE_BPF_HELPER(169, long, bpf_timer_init, (struct bpf_timer * timer, void* map, __u64 flags), timer, map, flags)
LATHE_BPF_HELPER(170, long, bpf_timer_set_callback, (struct bpf_timer * timer, void* callback_fn), timer, callback_fn)
LATHE_BPF_HELPER(171, long, bpf_timer_start, (struct bpf_timer * timer, __u64 nsecs, __u64 flags), timer, nsecs, flags)
LATHE_BPF_HELPER(172, long, bpf_timer_cancel, (struct bpf_timer * timer), timer)
LATHE_BPF_HELPER(173, __u64, bpf_get_func_ip, (void* ctx), ctx)
LATHE_BPF_HELPER(174, __u64, bpf_get_attach_cookie, (void* ctx), ctx)
LATHE_BPF_HELPER(175, long, bpf_task_pt_regs, (struct task_struct * task), task)
LATHE_BPF_HELPER(176, long, bpf_get_branch_snapshot, (void* entries, __u32 size, __u64 flags), entries, size, flags)
LATHE_BPF_HELPER(177, long, bpf_trace_vprintk, (const char* fmt, __u32 fmt_size, const void* data, __u32 data_len), fmt,
                 fmt_size, data, data_len)
LATHE_BPF_HELPER(179, long, bpf_kallsyms_lookup_name, (const char* name, int name_sz, int flags, __u64* res), name,
                 name_sz, flags, res)
LATHE_BPF_HELPER(180, long, bpf_find_vma,
                 (struct task_struct * task, __u64 addr, void* callback_fn, void* callback_ctx, __u64 flags), task,
                 addr, callback_fn, callback_ctx, flags)
LATHE_BPF_HELPER(181, long, bpf_loop, (__u32 nr_loops, void* callback_fn, void* callback_ctx, __u64 flags), nr_loops,
                 callback_fn, callback_ctx, flags)
LATHE_BPF_HELPER(182, long, bpf_strncmp, (const char* s1, __u32 s1_sz, const char* s2), s1, s1_sz, s2)
LATHE_BPF_HELPER(183, long, bpf_get_func_arg, (void* ctx, __u32 n, __u64* value), ctx, n, value)
LATHE_BPF_HELPER(184, long, bpf_get_func_ret, (void* ctx, __u64* value), ctx, value)
LATHE_BPF_HELPER(185, long, bpf_get_func_arg_cnt, (void* ctx), ctx)
LATHE_BPF_HELPER(186, int, bpf_get_retval, (void), )
LATHE_BPF_HELPER(187, int, bpf_set_retval, (int retval), retval)
LATHE_BPF_HELPER(191, long, bpf_copy_from_user_task,
                 (void* dst, __u32 size, const void* user_ptr, struct task_struct* tsk, __u64 flags), dst, size,
                 user_ptr, tsk, flags)
LATHE_BPF_HELPER(193, long, bpf_ima_file_hash, (struct file * file, void* dst, __u32 size), file, dst, size)
LATHE_BPF_HELPER(194, void*, bpf_kptr_xchg, (void* map_value, void* ptr), map_value, ptr)
LATHE_BPF_HELPER(195, void*, bpf_map_lookup_percpu_elem, (void* map, const void* key, __u32 cpu), map, key, cpu)
LATHE_BPF_HELPER(197, long, bpf_dynptr_from_mem, (void* data, __u32 size, __u64 flags, struct bpf_dynptr* ptr), data,
                 size, flags, ptr)
LATHE_BPF_HELPER(198, long, bpf_ringbuf_reserve_dynptr,
                 (void* ringbuf, __u32 size, __u64 flags, struct bpf_dynptr* ptr), ringbuf, size, flags, ptr)
LATHE_BPF_HELPER(199, void, bpf_ringbuf_submit_dynptr, (struct bpf_dynptr * ptr, __u64 flags), ptr, flags)
LATHE_BPF_HELPER(200, void, bpf_ringbuf_discard_dynptr, (struct bpf_dynptr * ptr, __u64 flags), ptr, flags)
LATHE_BPF_HELPER(201, long, bpf_dynptr_read,
                 (void* dst, __u32 len, const struct bpf_dynptr* src, __u32 offset, __u64 flags), dst, len, src, offset,
                 flags)
LATHE_BPF_HELPER(202, long, bpf_dynptr_write,
                 (const struct bpf_dynptr* dst, __u32 offset, void* src, __u32 len, __u64 flags), dst, offset, src, len,
                 flags)
LATHE_BPF_HELPER(203, void*, bpf_dynptr_data, (const struct bpf_dynptr* ptr, __u32 offset, __u32 len), ptr, offset, len)
LATHE_BPF_HELPER(208, __u64, bpf_ktime_get_tai_ns, (void), )
LATHE_BPF_HELPER(209, long, bpf_user_ringbuf_drain, (void* map, void* callback_fn, void* ctx, __u64 flags), map,
                 callback_fn, ctx, flags)
LATHE_BPF_HELPER(210, void*, bpf_cgrp_storage_get, (void* map, struct cgroup* cgroup, void* value, __u64 flags), map,
                 cgroup, value, flags)
LATHE_BPF_HELPER(211, long, bpf_cgrp_storage_delete, (void* map, struct cgroup* cgroup), map, cgroup)

#endif
