// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the kernel's user-space interface that programs meet first: integer names, kinds of maps, flags, verdicts
// and context structures, as numbered and laid out by linux/bpf.h. Included before vmlinux.h or linux/bpf.h this would
// clash with them; included after, it adds nothing.
#ifndef LATHE_BPF_KERNEL_H
#define LATHE_BPF_KERNEL_H

typedef signed char __s8;
typedef unsigned char __u8;
typedef short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long __s64;
typedef unsigned long long __u64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u64 __be64;
typedef __u32 __wsum;

#if !defined(__VMLINUX_H__) && !defined(__LINUX_BPF_H__)

enum bpf_map_type {
  BPF_MAP_TYPE_UNSPEC = 0,
  BPF_MAP_TYPE_HASH = 1,
  BPF_MAP_TYPE_ARRAY = 2,
  BPF_MAP_TYPE_PROG_ARRAY = 3,
  BPF_MAP_TYPE_PERF_EVENT_ARRAY = 4,
  BPF_MAP_TYPE_PERCPU_HASH = 5,
  BPF_MAP_TYPE_PERCPU_ARRAY = 6,
  BPF_MAP_TYPE_STACK_TRACE = 7,
  BPF_MAP_TYPE_CGROUP_ARRAY = 8,
  BPF_MAP_TYPE_LRU_HASH = 9,
  BPF_MAP_TYPE_LRU_PERCPU_HASH = 10,
  BPF_MAP_TYPE_LPM_TRIE = 11,
  BPF_MAP_TYPE_ARRAY_OF_MAPS = 12,
  BPF_MAP_TYPE_HASH_OF_MAPS = 13,
  BPF_MAP_TYPE_DEVMAP = 14,
  BPF_MAP_TYPE_SOCKMAP = 15,
  BPF_MAP_TYPE_CPUMAP = 16,
  BPF_MAP_TYPE_XSKMAP = 17,
  BPF_MAP_TYPE_SOCKHASH = 18,
  BPF_MAP_TYPE_REUSEPORT_SOCKARRAY = 20,
  BPF_MAP_TYPE_QUEUE = 22,
  BPF_MAP_TYPE_STACK = 23,
  BPF_MAP_TYPE_SK_STORAGE = 24,
  BPF_MAP_TYPE_DEVMAP_HASH = 25,
  BPF_MAP_TYPE_STRUCT_OPS = 26,
  BPF_MAP_TYPE_RINGBUF = 27,
  BPF_MAP_TYPE_INODE_STORAGE = 28,
  BPF_MAP_TYPE_TASK_STORAGE = 29,
  BPF_MAP_TYPE_BLOOM_FILTER = 30,
  BPF_MAP_TYPE_USER_RINGBUF = 31,
  BPF_MAP_TYPE_CGRP_STORAGE = 32,
  BPF_MAP_TYPE_ARENA = 33,
};

// Flags of maps and of updates.
enum {
  BPF_ANY = 0,
  BPF_NOEXIST = 1,
  BPF_EXIST = 2,
  BPF_F_LOCK = 4,
};
enum {
  BPF_F_NO_PREALLOC = 1,
  BPF_F_NO_COMMON_LRU = 2,
  BPF_F_RDONLY = 8,
  BPF_F_WRONLY = 16,
  BPF_F_ZERO_SEED = 64,
  BPF_F_RDONLY_PROG = 128,
  BPF_F_WRONLY_PROG = 256,
  BPF_F_MMAPABLE = 1024,
};
// bpf_perf_event_output(), bpf_get_stackid(), the ring buffer.
#define BPF_F_INDEX_MASK 0xffffffffULL
#define BPF_F_CURRENT_CPU BPF_F_INDEX_MASK
#define BPF_F_SKIP_FIELD_MASK 0xffULL
enum {
  BPF_F_USER_STACK = 256,
  BPF_F_FAST_STACK_CMP = 512,
  BPF_F_REUSE_STACKID = 1024,
  BPF_F_USER_BUILD_ID = 2048,
};
enum {
  BPF_RB_NO_WAKEUP = 1,
  BPF_RB_FORCE_WAKEUP = 2,
};
enum {
  BPF_RB_AVAIL_DATA = 0,
  BPF_RB_RING_SIZE = 1,
  BPF_RB_CONS_POS = 2,
  BPF_RB_PROD_POS = 3,
};

enum xdp_action { XDP_ABORTED = 0, XDP_DROP = 1, XDP_PASS = 2, XDP_TX = 3, XDP_REDIRECT = 4 };

// The kernel takes accesses to members of a context at constant offsets only, also where code joins two of them. In C++
// the dialect says so of each program's context.
#ifndef __cplusplus
#pragma clang attribute lathe_context.push(__attribute__((preserve_static_offset)), apply_to = record)
#endif
struct xdp_md {
  __u32 data;
  __u32 data_end;
  __u32 data_meta;
  __u32 ingress_ifindex;
  __u32 rx_queue_index;
  __u32 egress_ifindex;
};

struct bpf_flow_keys;
struct bpf_sock;

struct __sk_buff {
  __u32 len;
  __u32 pkt_type;
  __u32 mark;
  __u32 queue_mapping;
  __u32 protocol;
  __u32 vlan_present;
  __u32 vlan_tci;
  __u32 vlan_proto;
  __u32 priority;
  __u32 ingress_ifindex;
  __u32 ifindex;
  __u32 tc_index;
  __u32 cb[5];
  __u32 hash;
  __u32 tc_classid;
  __u32 data;
  __u32 data_end;
  __u32 napi_id;
  __u32 family;
  __u32 remote_ip4;
  __u32 local_ip4;
  __u32 remote_ip6[4];
  __u32 local_ip6[4];
  __u32 remote_port;
  __u32 local_port;
  __u32 data_meta;
  union {
    struct bpf_flow_keys* flow_keys;
    __u64 : 64;
  } __attribute__((aligned(8)));
  __u64 tstamp;
  __u32 wire_len;
  __u32 gso_segs;
  union {
    struct bpf_sock* sk;
    __u64 : 64;
  } __attribute__((aligned(8)));
  __u32 gso_size;
  __u8 tstamp_type;
  __u32 : 24;
  __u64 hwtstamp;
};

#ifndef __cplusplus
#pragma clang attribute lathe_context.pop
#endif
struct bpf_raw_tracepoint_args {
  __u64 args[0];
};

struct bpf_spin_lock {
  __u32 val;
};
struct bpf_timer {
  __u64 : 64;
  __u64 : 64;
} __attribute__((aligned(8)));
struct bpf_dynptr {
  __u64 : 64;
  __u64 : 64;
} __attribute__((aligned(8)));

#endif

#endif
