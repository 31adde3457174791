// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contexts of programs beyond packets and tracepoints (sockets, cgroups) and the numbers that go with them, as laid
// out and numbered by linux/bpf.h. tests/integration/bpf/contexts.py compares them with the running kernel's BTF. Older
// kernels have fewer members at the end of some.
#ifndef LATHE_BPF_CONTEXTS_H
#define LATHE_BPF_CONTEXTS_H

#if !defined(__VMLINUX_H__) && !defined(__LINUX_BPF_H__)

/// Verdicts of sk_skb, sk_msg, sk_lookup and sk_reuseport programs.
enum sk_action { SK_DROP = 0, SK_PASS = 1 };
/// Results of lwt and flow_dissector programs.
enum bpf_ret_code {
  BPF_OK = 0,
  BPF_DROP = 2,
  BPF_REDIRECT = 7,
  BPF_LWT_REROUTE = 128,
  BPF_FLOW_DISSECTOR_CONTINUE = 129
};

#ifndef __cplusplus
#pragma clang attribute lathe_context.push(__attribute__((preserve_static_offset)), apply_to = record)
#endif
/// cgroup/sock_create, cgroup/post_bind4 …; also what sockets are to packet programs.
struct bpf_sock {
  __u32 bound_dev_if;
  __u32 family;
  __u32 type;
  __u32 protocol;
  __u32 mark;
  __u32 priority;
  __u32 src_ip4;
  __u32 src_ip6[4];
  __u32 src_port;
  __be16 dst_port;
  __u16 : 16;
  __u32 dst_ip4;
  __u32 dst_ip6[4];
  __u32 state;
  __s32 rx_queue_mapping;
};

/// cgroup/bind4, cgroup/connect4, cgroup/sendmsg4, cgroup/getpeername4 …
struct bpf_sock_addr {
  __u32 user_family;
  __u32 user_ip4;
  __u32 user_ip6[4];
  __u32 user_port;
  __u32 family;
  __u32 type;
  __u32 protocol;
  __u32 msg_src_ip4;
  __u32 msg_src_ip6[4];
  struct bpf_sock* sk;
};

/// sockops.
struct bpf_sock_ops {
  __u32 op;
  union {
    __u32 args[4];
    __u32 reply;
    __u32 replylong[4];
  };
  __u32 family;
  __u32 remote_ip4;
  __u32 local_ip4;
  __u32 remote_ip6[4];
  __u32 local_ip6[4];
  __u32 remote_port;
  __u32 local_port;
  __u32 is_fullsock;
  __u32 snd_cwnd;
  __u32 srtt_us;
  __u32 bpf_sock_ops_cb_flags;
  __u32 state;
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
  __u32 sk_txhash;
  __u64 bytes_received;
  __u64 bytes_acked;
  struct bpf_sock* sk;
  void* skb_data;
  void* skb_data_end;
  __u32 skb_len;
  __u32 skb_tcp_flags;
  __u64 skb_hwtstamp;
};
enum {
  BPF_SOCK_OPS_VOID = 0,
  BPF_SOCK_OPS_TIMEOUT_INIT = 1,
  BPF_SOCK_OPS_RWND_INIT = 2,
  BPF_SOCK_OPS_TCP_CONNECT_CB = 3,
  BPF_SOCK_OPS_ACTIVE_ESTABLISHED_CB = 4,
  BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB = 5,
  BPF_SOCK_OPS_NEEDS_ECN = 6,
  BPF_SOCK_OPS_BASE_RTT = 7,
  BPF_SOCK_OPS_RTO_CB = 8,
  BPF_SOCK_OPS_RETRANS_CB = 9,
  BPF_SOCK_OPS_STATE_CB = 10,
  BPF_SOCK_OPS_TCP_LISTEN_CB = 11,
  BPF_SOCK_OPS_RTT_CB = 12,
  BPF_SOCK_OPS_PARSE_HDR_OPT_CB = 13,
  BPF_SOCK_OPS_HDR_OPT_LEN_CB = 14,
  BPF_SOCK_OPS_WRITE_HDR_OPT_CB = 15,
};
enum {  // bpf_sock_ops_cb_flags
  BPF_SOCK_OPS_RTO_CB_FLAG = 1,
  BPF_SOCK_OPS_RETRANS_CB_FLAG = 2,
  BPF_SOCK_OPS_STATE_CB_FLAG = 4,
  BPF_SOCK_OPS_RTT_CB_FLAG = 8,
  BPF_SOCK_OPS_PARSE_ALL_HDR_OPT_CB_FLAG = 16,
  BPF_SOCK_OPS_PARSE_UNKNOWN_HDR_OPT_CB_FLAG = 32,
  BPF_SOCK_OPS_WRITE_HDR_OPT_CB_FLAG = 64,
};
enum {
  BPF_TCP_ESTABLISHED = 1,
  BPF_TCP_SYN_SENT = 2,
  BPF_TCP_SYN_RECV = 3,
  BPF_TCP_FIN_WAIT1 = 4,
  BPF_TCP_FIN_WAIT2 = 5,
  BPF_TCP_TIME_WAIT = 6,
  BPF_TCP_CLOSE = 7,
  BPF_TCP_CLOSE_WAIT = 8,
  BPF_TCP_LAST_ACK = 9,
  BPF_TCP_LISTEN = 10,
  BPF_TCP_CLOSING = 11,
  BPF_TCP_NEW_SYN_RECV = 12,
};

/// sk_lookup.
struct bpf_sk_lookup {
  union {
    struct bpf_sock* sk;
    __u64 cookie;
  };
  __u32 family;
  __u32 protocol;
  __u32 remote_ip4;
  __u32 remote_ip6[4];
  __be16 remote_port;
  __u16 : 16;
  __u32 local_ip4;
  __u32 local_ip6[4];
  __u32 local_port;
  __u32 ingress_ifindex;
};

/// sk_msg: what a process sends.
struct sk_msg_md {
  void* data;
  void* data_end;
  __u32 family;
  __u32 remote_ip4;
  __u32 local_ip4;
  __u32 remote_ip6[4];
  __u32 local_ip6[4];
  __u32 remote_port;
  __u32 local_port;
  __u32 size;
  struct bpf_sock* sk;
};

/// sk_reuseport.
struct sk_reuseport_md {
  void* data;
  void* data_end;
  __u32 len;
  __u32 eth_protocol;
  __u32 ip_protocol;
  __u32 bind_inany;
  __u32 hash;
  struct bpf_sock* sk;
  struct bpf_sock* migrating_sk;
};

/// cgroup/sysctl.
struct bpf_sysctl {
  __u32 write;
  __u32 file_pos;
};

/// cgroup/getsockopt, cgroup/setsockopt.
struct bpf_sockopt {
  struct bpf_sock* sk;
  void* optval;
  void* optval_end;
  __s32 level;
  __s32 optname;
  __s32 optlen;
  __s32 retval;
};

/// cgroup/dev. access_type: BPF_DEVCG_ACC_… in the upper, BPF_DEVCG_DEV_… in the lower 16 bits.
struct bpf_cgroup_dev_ctx {
  __u32 access_type;
  __u32 major;
  __u32 minor;
};
enum { BPF_DEVCG_ACC_MKNOD = 1, BPF_DEVCG_ACC_READ = 2, BPF_DEVCG_ACC_WRITE = 4 };
enum { BPF_DEVCG_DEV_BLOCK = 1, BPF_DEVCG_DEV_CHAR = 2 };

#ifndef __cplusplus
#pragma clang attribute lathe_context.pop
#endif

/// flow_dissector, by __sk_buff's flow_keys.
struct bpf_flow_keys {
  __u16 nhoff;
  __u16 thoff;
  __u16 addr_proto;
  __u8 is_frag;
  __u8 is_first_frag;
  __u8 is_encap;
  __u8 ip_proto;
  __be16 n_proto;
  __be16 sport;
  __be16 dport;
  union {
    struct {
      __be32 ipv4_src;
      __be32 ipv4_dst;
    };
    struct {
      __u32 ipv6_src[4];
      __u32 ipv6_dst[4];
    };
  };
  __u32 flags;
  __be32 flow_label;
};

#endif

// Results of tc programs, by their names in linux/pkt_cls.h.
#ifndef TC_ACT_OK
#define TC_ACT_UNSPEC (-1)
#define TC_ACT_OK 0
#define TC_ACT_RECLASSIFY 1
#define TC_ACT_SHOT 2
#define TC_ACT_PIPE 3
#define TC_ACT_STOLEN 4
#define TC_ACT_REDIRECT 7
#endif

#endif
