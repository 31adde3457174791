// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of where packets and sockets go: interfaces, processors, AF_XDP sockets, sockets, cgroups. Their values are
// descriptors or numbers that the process sets; programs redirect to an entry. As in maps.h, the type is the definition
// that libbpf reads.
#ifndef LATHE_BPF_NETWORK_MAPS_H
#define LATHE_BPF_NETWORK_MAPS_H

namespace lathe::bpf {

#define LATHE_BPF_INLINE inline __attribute__((always_inline))

/// Places by a number, to which an xdp program sends a packet: `return devices.redirect(index);`.
template <__u32 Kind, class Value, __u32 Entries>
struct basic_packet_map {
  int (*type)[Kind];
  __u32* key;
  Value* value;
  int (*max_entries)[Entries];

  /// XDP_REDIRECT, or the lower bits of `flags` (XDP_ABORTED, XDP_DROP, XDP_PASS or XDP_TX) if nothing is at `index`.
  LATHE_BPF_INLINE int redirect(__u32 index, __u64 flags = 0) {
    return static_cast<int>(bpf_redirect_map(this, index, flags));
  }
};
/// Interfaces by an index (device_map) or by any number (device_hash_map). The value: the interface's number, or a
/// bpf_devmap_val with a program of section "xdp/devmap".
template <__u32 Entries, class Value = __u32>
using device_map = basic_packet_map<BPF_MAP_TYPE_DEVMAP, Value, Entries>;
template <__u32 Entries, class Value = __u32>
using device_hash_map = basic_packet_map<BPF_MAP_TYPE_DEVMAP_HASH, Value, Entries>;
/// Processors. The value: the length of the queue, or a bpf_cpumap_val with a program of section "xdp/cpumap".
template <__u32 Entries, class Value = __u32>
using cpu_map = basic_packet_map<BPF_MAP_TYPE_CPUMAP, Value, Entries>;
/// AF_XDP sockets, by their descriptors.
template <__u32 Entries>
using xsk_map = basic_packet_map<BPF_MAP_TYPE_XSKMAP, __u32, Entries>;

/// Sockets by an index. Packets (sk_skb) and messages (sk_msg) of its sockets run the programs that are attached to the
/// map, and go on to another of its sockets; sockops programs add theirs.
template <__u32 Entries>
struct socket_map {
  int (*type)[BPF_MAP_TYPE_SOCKMAP];
  __u32* key;
  __u64* value;
  int (*max_entries)[Entries];

  /// SK_PASS, or SK_DROP if there is no such socket. `flags`: BPF_F_INGRESS for the socket's receive queue.
  LATHE_BPF_INLINE int redirect(__sk_buff* packet, __u32 index, __u64 flags = 0) {
    return static_cast<int>(bpf_sk_redirect_map(packet, this, index, flags));
  }
  LATHE_BPF_INLINE int redirect(sk_msg_md* message, __u32 index, __u64 flags = 0) {
    return static_cast<int>(bpf_msg_redirect_map(message, this, index, flags));
  }
  LATHE_BPF_INLINE long update(bpf_sock_ops* with, __u32 index, __u64 mode = BPF_ANY) {
    return bpf_sock_map_update(with, this, &index, mode);
  }
};
/// Sockets by a key of any type.
template <class Key, __u32 Entries>
struct socket_hash {
  int (*type)[BPF_MAP_TYPE_SOCKHASH];
  Key* key;
  __u64* value;
  int (*max_entries)[Entries];

  LATHE_BPF_INLINE int redirect(__sk_buff* packet, parameter_t<Key> at, __u64 flags = 0) {
    Key copy = at;
    return static_cast<int>(bpf_sk_redirect_hash(packet, this, &copy, flags));
  }
  LATHE_BPF_INLINE int redirect(sk_msg_md* message, parameter_t<Key> at, __u64 flags = 0) {
    Key copy = at;
    return static_cast<int>(bpf_msg_redirect_hash(message, this, &copy, flags));
  }
  LATHE_BPF_INLINE long update(bpf_sock_ops* with, parameter_t<Key> at, __u64 mode = BPF_ANY) {
    Key copy = at;
    return bpf_sock_hash_update(with, this, &copy, mode);
  }
};

/// Sockets of one reuseport group, by an index; for sk_reuseport programs.
template <__u32 Entries>
struct reuseport_map {
  int (*type)[BPF_MAP_TYPE_REUSEPORT_SOCKARRAY];
  __u32* key;
  __u64* value;
  int (*max_entries)[Entries];

  /// Chooses the socket at `index`; below 0 if there is none.
  LATHE_BPF_INLINE long select(sk_reuseport_md* packet, __u32 index, __u64 flags = 0) {
    return bpf_sk_select_reuseport(packet, this, &index, flags);
  }
};

/// Cgroups by an index. The process sets descriptors of their folders.
template <__u32 Entries>
struct cgroup_array {
  int (*type)[BPF_MAP_TYPE_CGROUP_ARRAY];
  int (*key_size)[sizeof(__u32)];
  int (*value_size)[sizeof(__u32)];
  int (*max_entries)[Entries];

  /// 1 if the current task, or the packet's socket, is in the cgroup at `index` or below it, 0 if not; below 0 if there
  /// is none.
  LATHE_BPF_INLINE long has_current(__u32 index) { return bpf_current_task_under_cgroup(this, index); }
  LATHE_BPF_INLINE long has(__sk_buff* packet, __u32 index) { return bpf_skb_under_cgroup(packet, this, index); }
};

#undef LATHE_BPF_INLINE

}  // namespace lathe::bpf

#endif
