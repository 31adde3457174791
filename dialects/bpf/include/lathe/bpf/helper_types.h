// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structures that helpers take and fill, and their flags, as laid out and numbered by linux/bpf.h.
// tests/integration/bpf/contexts.py compares them with the running kernel's BTF.
#ifndef LATHE_BPF_HELPER_TYPES_H
#define LATHE_BPF_HELPER_TYPES_H

#if !defined(__VMLINUX_H__) && !defined(__LINUX_BPF_H__)

/// The result of bpf_tcp_sock().
struct bpf_tcp_sock {
  __u32 snd_cwnd;
  __u32 srtt_us;
  __u32 rtt_min;
  __u32 snd_ssthresh;
  __u32 rcv_nxt;
  __u32 snd_nxt;
  __u32 snd_una;
  __u32 mss_cache;
  __u32 ecn_flags;
  __u32 rate_delivered;
  __u32 rate_interval_us;
  __u32 packets_out;
  __u32 retrans_out;
  __u32 total_retrans;
  __u32 segs_in;
  __u32 data_segs_in;
  __u32 segs_out;
  __u32 data_segs_out;
  __u32 lost_out;
  __u32 sacked_out;
  __u64 bytes_received;
  __u64 bytes_acked;
  __u32 dsack_dups;
  __u32 delivered;
  __u32 delivered_ce;
  __u32 icsk_retransmits;
};

/// A connection, for bpf_sk_lookup_tcp() and bpf_sk_lookup_udp().
struct bpf_sock_tuple {
  union {
    struct {
      __be32 saddr;
      __be32 daddr;
      __be16 sport;
      __be16 dport;
    } ipv4;
    struct {
      __be32 saddr[4];
      __be32 daddr[4];
      __be16 sport;
      __be16 dport;
    } ipv6;
  };
};

/// A route, by bpf_fib_lookup().
struct bpf_fib_lookup {
  __u8 family;
  __u8 l4_protocol;
  __be16 sport;
  __be16 dport;
  union {
    __u16 tot_len;
    __u16 mtu_result;
  };
  __u32 ifindex;
  union {
    __u8 tos;
    __be32 flowinfo;
    __u32 rt_metric;
  };
  union {
    __be32 ipv4_src;
    __u32 ipv6_src[4];
  };
  union {
    __be32 ipv4_dst;
    __u32 ipv6_dst[4];
  };
  union {
    struct {
      __be16 h_vlan_proto;
      __be16 h_vlan_TCI;
    };
    __u32 tbid;
  };
  union {
    struct {
      __u32 mark;
    };
    struct {
      __u8 smac[6];
      __u8 dmac[6];
    };
  };
};
enum {
  BPF_FIB_LOOKUP_DIRECT = 1,
  BPF_FIB_LOOKUP_OUTPUT = 2,
  BPF_FIB_LOOKUP_SKIP_NEIGH = 4,
  BPF_FIB_LOOKUP_TBID = 8,
  BPF_FIB_LOOKUP_SRC = 16,
  BPF_FIB_LOOKUP_MARK = 32,
};
enum {
  BPF_FIB_LKUP_RET_SUCCESS = 0,
  BPF_FIB_LKUP_RET_BLACKHOLE = 1,
  BPF_FIB_LKUP_RET_UNREACHABLE = 2,
  BPF_FIB_LKUP_RET_PROHIBIT = 3,
  BPF_FIB_LKUP_RET_NOT_FWDED = 4,
  BPF_FIB_LKUP_RET_FWD_DISABLED = 5,
  BPF_FIB_LKUP_RET_UNSUPP_LWT = 6,
  BPF_FIB_LKUP_RET_NO_NEIGH = 7,
  BPF_FIB_LKUP_RET_FRAG_NEEDED = 8,
  BPF_FIB_LKUP_RET_NO_SRC_ADDR = 9,
};

struct bpf_redir_neigh {
  __u32 nh_family;
  union {
    __be32 ipv4_nh;
    __u32 ipv6_nh[4];
  };
};
struct bpf_tunnel_key {
  __u32 tunnel_id;
  union {
    __u32 remote_ipv4;
    __u32 remote_ipv6[4];
  };
  __u8 tunnel_tos;
  __u8 tunnel_ttl;
  union {
    __u16 tunnel_ext;
    __be16 tunnel_flags;
  };
  __u32 tunnel_label;
  union {
    __u32 local_ipv4;
    __u32 local_ipv6[4];
  };
};
struct bpf_xfrm_state {
  __u32 reqid;
  __u32 spi;
  __u16 family;
  __u16 ext;
  union {
    __u32 remote_ipv4;
    __u32 remote_ipv6[4];
  };
};
struct bpf_perf_event_value {
  __u64 counter;
  __u64 enabled;
  __u64 running;
};
struct bpf_pidns_info {
  __u32 pid;
  __u32 tgid;
};
/// A value and its type in BTF, for bpf_snprintf_btf() and bpf_seq_printf_btf().
struct btf_ptr {
  void* ptr;
  __u32 type_id;
  __u32 flags;
};
enum { BTF_F_COMPACT = 1, BTF_F_NONAME = 2, BTF_F_PTR_RAW = 4, BTF_F_ZERO = 8 };
/// Values of device and CPU maps, with a program that goes on there.
struct bpf_devmap_val {
  __u32 ifindex;
  union {
    int fd;
    __u32 id;
  } bpf_prog;
};
struct bpf_cpumap_val {
  __u32 qsize;
  union {
    int fd;
    __u32 id;
  } bpf_prog;
};

// Flags of helpers: bpf_redirect(), bpf_redirect_map(), checksums, lookups, room in packets, local storage.
enum { BPF_F_INGRESS = 1, BPF_F_BROADCAST = 8, BPF_F_EXCLUDE_INGRESS = 16 };
enum { BPF_F_RECOMPUTE_CSUM = 1, BPF_F_INVALIDATE_HASH = 2 };
enum { BPF_F_HDR_FIELD_MASK = 15, BPF_F_PSEUDO_HDR = 16, BPF_F_MARK_MANGLED_0 = 32, BPF_F_MARK_ENFORCE = 64 };
enum { BPF_F_CURRENT_NETNS = -1 };
enum bpf_adj_room_mode { BPF_ADJ_ROOM_NET = 0, BPF_ADJ_ROOM_MAC = 1 };
enum {
  BPF_F_ADJ_ROOM_FIXED_GSO = 1,
  BPF_F_ADJ_ROOM_ENCAP_L3_IPV4 = 2,
  BPF_F_ADJ_ROOM_ENCAP_L3_IPV6 = 4,
  BPF_F_ADJ_ROOM_ENCAP_L4_GRE = 8,
  BPF_F_ADJ_ROOM_ENCAP_L4_UDP = 16,
  BPF_F_ADJ_ROOM_NO_CSUM_RESET = 32,
};
enum { BPF_SK_LOOKUP_F_REPLACE = 1, BPF_SK_LOOKUP_F_NO_REUSEPORT = 2 };
enum { BPF_LOCAL_STORAGE_GET_F_CREATE = 1 };

#endif

#endif
