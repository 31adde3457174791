// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for packets and sockets. Made by targets/bpf/helpers.py from the list that libbpf has of the kernel.
#ifndef LATHE_BPF_HELPERS_NETWORK_H
#define LATHE_BPF_HELPERS_NETWORK_H

struct __sk_buff;
struct bpf_fib_lookup;
struct bpf_redir_neigh;
struct bpf_sock;
struct bpf_sock_addr;
struct bpf_sock_ops;
struct bpf_sock_tuple;
struct bpf_sysctl;
struct bpf_tcp_sock;
struct bpf_tunnel_key;
struct bpf_xfrm_state;
struct file;
struct iphdr;
struct ipv6hdr;
struct mptcp_sock;
struct sk_msg_md;
struct sk_reuseport_md;
struct sockaddr;
struct socket;
struct tcp6_sock;
struct tcp_request_sock;
struct tcp_sock;
struct tcp_timewait_sock;
struct tcphdr;
struct udp6_sock;
struct unix_sock;
struct xdp_md;

LATHE_BPF_HELPER(9, long, bpf_skb_store_bytes,
                 (struct __sk_buff * skb, __u32 offset, const void* from, __u32 len, __u64 flags), skb, offset, from,
                 len, flags)
LATHE_BPF_HELPER(10, long, bpf_l3_csum_replace,
                 (struct __sk_buff * skb, __u32 offset, __u64 from, __u64 to, __u64 size), skb, offset, from, to, size)
LATHE_BPF_HELPER(11, long, bpf_l4_csum_replace,
                 (struct __sk_buff * skb, __u32 offset, __u64 from, __u64 to, __u64 flags), skb, offset, from, to,
                 flags)
LATHE_BPF_HELPER(13, long, bpf_clone_redirect, (struct __sk_buff * skb, __u32 ifindex, __u64 flags), skb, ifindex,
                 flags)
LATHE_BPF_HELPER(17, __u32, bpf_get_cgroup_classid, (struct __sk_buff * skb), skb)
LATHE_BPF_HELPER(18, long, bpf_skb_vlan_push, (struct __sk_buff * skb, __be16 vlan_proto, __u16 vlan_tci), skb,
                 vlan_proto, vlan_tci)
LATHE_BPF_HELPER(19, long, bpf_skb_vlan_pop, (struct __sk_buff * skb), skb)
LATHE_BPF_HELPER(20, long, bpf_skb_get_tunnel_key,
                 (struct __sk_buff * skb, struct bpf_tunnel_key* key, __u32 size, __u64 flags), skb, key, size, flags)
LATHE_BPF_HELPER(21, long, bpf_skb_set_tunnel_key,
                 (struct __sk_buff * skb, struct bpf_tunnel_key* key, __u32 size, __u64 flags), skb, key, size, flags)
LATHE_BPF_HELPER(23, long, bpf_redirect, (__u32 ifindex, __u64 flags), ifindex, flags)
LATHE_BPF_HELPER(24, __u32, bpf_get_route_realm, (struct __sk_buff * skb), skb)
LATHE_BPF_HELPER(26, long, bpf_skb_load_bytes, (const void* skb, __u32 offset, void* to, __u32 len), skb, offset, to,
                 len)
LATHE_BPF_HELPER(28, __s64, bpf_csum_diff, (__be32 * from, __u32 from_size, __be32* to, __u32 to_size, __wsum seed),
                 from, from_size, to, to_size, seed)
LATHE_BPF_HELPER(29, long, bpf_skb_get_tunnel_opt, (struct __sk_buff * skb, void* opt, __u32 size), skb, opt, size)
LATHE_BPF_HELPER(30, long, bpf_skb_set_tunnel_opt, (struct __sk_buff * skb, void* opt, __u32 size), skb, opt, size)
LATHE_BPF_HELPER(31, long, bpf_skb_change_proto, (struct __sk_buff * skb, __be16 proto, __u64 flags), skb, proto, flags)
LATHE_BPF_HELPER(32, long, bpf_skb_change_type, (struct __sk_buff * skb, __u32 type), skb, type)
LATHE_BPF_HELPER(33, long, bpf_skb_under_cgroup, (struct __sk_buff * skb, void* map, __u32 index), skb, map, index)
LATHE_BPF_HELPER(34, __u32, bpf_get_hash_recalc, (struct __sk_buff * skb), skb)
LATHE_BPF_HELPER(38, long, bpf_skb_change_tail, (struct __sk_buff * skb, __u32 len, __u64 flags), skb, len, flags)
LATHE_BPF_HELPER(39, long, bpf_skb_pull_data, (struct __sk_buff * skb, __u32 len), skb, len)
LATHE_BPF_HELPER(40, __s64, bpf_csum_update, (struct __sk_buff * skb, __wsum csum), skb, csum)
LATHE_BPF_HELPER(41, void, bpf_set_hash_invalid, (struct __sk_buff * skb), skb)
LATHE_BPF_HELPER(43, long, bpf_skb_change_head, (struct __sk_buff * skb, __u32 len, __u64 flags), skb, len, flags)
LATHE_BPF_HELPER(44, long, bpf_xdp_adjust_head, (struct xdp_md * xdp_md, int delta), xdp_md, delta)
LATHE_BPF_HELPER(46, __u64, bpf_get_socket_cookie, (void* ctx), ctx)
LATHE_BPF_HELPER(47, __u32, bpf_get_socket_uid, (struct __sk_buff * skb), skb)
LATHE_BPF_HELPER(48, long, bpf_set_hash, (struct __sk_buff * skb, __u32 hash), skb, hash)
LATHE_BPF_HELPER(49, long, bpf_setsockopt, (void* bpf_socket, int level, int optname, void* optval, int optlen),
                 bpf_socket, level, optname, optval, optlen)
LATHE_BPF_HELPER(50, long, bpf_skb_adjust_room, (struct __sk_buff * skb, __s32 len_diff, __u32 mode, __u64 flags), skb,
                 len_diff, mode, flags)
LATHE_BPF_HELPER(51, long, bpf_redirect_map, (void* map, __u64 key, __u64 flags), map, key, flags)
LATHE_BPF_HELPER(52, long, bpf_sk_redirect_map, (struct __sk_buff * skb, void* map, __u32 key, __u64 flags), skb, map,
                 key, flags)
LATHE_BPF_HELPER(53, long, bpf_sock_map_update, (struct bpf_sock_ops * skops, void* map, void* key, __u64 flags), skops,
                 map, key, flags)
LATHE_BPF_HELPER(54, long, bpf_xdp_adjust_meta, (struct xdp_md * xdp_md, int delta), xdp_md, delta)
LATHE_BPF_HELPER(57, long, bpf_getsockopt, (void* bpf_socket, int level, int optname, void* optval, int optlen),
                 bpf_socket, level, optname, optval, optlen)
LATHE_BPF_HELPER(59, long, bpf_sock_ops_cb_flags_set, (struct bpf_sock_ops * bpf_sock, int argval), bpf_sock, argval)
LATHE_BPF_HELPER(60, long, bpf_msg_redirect_map, (struct sk_msg_md * msg, void* map, __u32 key, __u64 flags), msg, map,
                 key, flags)
LATHE_BPF_HELPER(61, long, bpf_msg_apply_bytes, (struct sk_msg_md * msg, __u32 bytes), msg, bytes)
LATHE_BPF_HELPER(62, long, bpf_msg_cork_bytes, (struct sk_msg_md * msg, __u32 bytes), msg, bytes)
LATHE_BPF_HELPER(63, long, bpf_msg_pull_data, (struct sk_msg_md * msg, __u32 start, __u32 end, __u64 flags), msg, start,
                 end, flags)
LATHE_BPF_HELPER(64, long, bpf_bind, (struct bpf_sock_addr * ctx, struct sockaddr* addr, int addr_len), ctx, addr,
                 addr_len)
LATHE_BPF_HELPER(65, long, bpf_xdp_adjust_tail, (struct xdp_md * xdp_md, int delta), xdp_md, delta)
LATHE_BPF_HELPER(66, long, bpf_skb_get_xfrm_state,
                 (struct __sk_buff * skb, __u32 index, struct bpf_xfrm_state* xfrm_state, __u32 size, __u64 flags), skb,
                 index, xfrm_state, size, flags)
LATHE_BPF_HELPER(68, long, bpf_skb_load_bytes_relative,
                 (const void* skb, __u32 offset, void* to, __u32 len, __u32 start_header), skb, offset, to, len,
                 start_header)
LATHE_BPF_HELPER(69, long, bpf_fib_lookup, (void* ctx, struct bpf_fib_lookup* params, int plen, __u32 flags), ctx,
                 params, plen, flags)
LATHE_BPF_HELPER(70, long, bpf_sock_hash_update, (struct bpf_sock_ops * skops, void* map, void* key, __u64 flags),
                 skops, map, key, flags)
LATHE_BPF_HELPER(71, long, bpf_msg_redirect_hash, (struct sk_msg_md * msg, void* map, void* key, __u64 flags), msg, map,
                 key, flags)
LATHE_BPF_HELPER(72, long, bpf_sk_redirect_hash, (struct __sk_buff * skb, void* map, void* key, __u64 flags), skb, map,
                 key, flags)
LATHE_BPF_HELPER(73, long, bpf_lwt_push_encap, (struct __sk_buff * skb, __u32 type, void* hdr, __u32 len), skb, type,
                 hdr, len)
LATHE_BPF_HELPER(74, long, bpf_lwt_seg6_store_bytes,
                 (struct __sk_buff * skb, __u32 offset, const void* from, __u32 len), skb, offset, from, len)
LATHE_BPF_HELPER(75, long, bpf_lwt_seg6_adjust_srh, (struct __sk_buff * skb, __u32 offset, __s32 delta), skb, offset,
                 delta)
LATHE_BPF_HELPER(76, long, bpf_lwt_seg6_action, (struct __sk_buff * skb, __u32 action, void* param, __u32 param_len),
                 skb, action, param, param_len)
LATHE_BPF_HELPER(77, long, bpf_rc_repeat, (void* ctx), ctx)
LATHE_BPF_HELPER(78, long, bpf_rc_keydown, (void* ctx, __u32 protocol, __u64 scancode, __u32 toggle), ctx, protocol,
                 scancode, toggle)
LATHE_BPF_HELPER(79, __u64, bpf_skb_cgroup_id, (struct __sk_buff * skb), skb)
LATHE_BPF_HELPER(82, long, bpf_sk_select_reuseport, (struct sk_reuseport_md * reuse, void* map, void* key, __u64 flags),
                 reuse, map, key, flags)
LATHE_BPF_HELPER(83, __u64, bpf_skb_ancestor_cgroup_id, (struct __sk_buff * skb, int ancestor_level), skb,
                 ancestor_level)
LATHE_BPF_HELPER(84, struct bpf_sock*, bpf_sk_lookup_tcp,
                 (void* ctx, struct bpf_sock_tuple* tuple, __u32 tuple_size, __u64 netns, __u64 flags), ctx, tuple,
                 tuple_size, netns, flags)
LATHE_BPF_HELPER(85, struct bpf_sock*, bpf_sk_lookup_udp,
                 (void* ctx, struct bpf_sock_tuple* tuple, __u32 tuple_size, __u64 netns, __u64 flags), ctx, tuple,
                 tuple_size, netns, flags)
LATHE_BPF_HELPER(86, long, bpf_sk_release, (void* sock), sock)
LATHE_BPF_HELPER(90, long, bpf_msg_push_data, (struct sk_msg_md * msg, __u32 start, __u32 len, __u64 flags), msg, start,
                 len, flags)
LATHE_BPF_HELPER(91, long, bpf_msg_pop_data, (struct sk_msg_md * msg, __u32 start, __u32 len, __u64 flags), msg, start,
                 len, flags)
LATHE_BPF_HELPER(92, long, bpf_rc_pointer_rel, (void* ctx, __s32 rel_x, __s32 rel_y), ctx, rel_x, rel_y)
LATHE_BPF_HELPER(95, struct bpf_sock*, bpf_sk_fullsock, (struct bpf_sock * sk), sk)
LATHE_BPF_HELPER(96, struct bpf_tcp_sock*, bpf_tcp_sock, (struct bpf_sock * sk), sk)
LATHE_BPF_HELPER(97, long, bpf_skb_ecn_set_ce, (struct __sk_buff * skb), skb)
LATHE_BPF_HELPER(98, struct bpf_sock*, bpf_get_listener_sock, (struct bpf_sock * sk), sk)
LATHE_BPF_HELPER(99, struct bpf_sock*, bpf_skc_lookup_tcp,
                 (void* ctx, struct bpf_sock_tuple* tuple, __u32 tuple_size, __u64 netns, __u64 flags), ctx, tuple,
                 tuple_size, netns, flags)
LATHE_BPF_HELPER(100, long, bpf_tcp_check_syncookie,
                 (void* sk, void* iph, __u32 iph_len, struct tcphdr* th, __u32 th_len), sk, iph, iph_len, th, th_len)
LATHE_BPF_HELPER(101, long, bpf_sysctl_get_name,
                 (struct bpf_sysctl * ctx, char* buf, unsigned long buf_len, __u64 flags), ctx, buf, buf_len, flags)
LATHE_BPF_HELPER(102, long, bpf_sysctl_get_current_value, (struct bpf_sysctl * ctx, char* buf, unsigned long buf_len),
                 ctx, buf, buf_len)
LATHE_BPF_HELPER(103, long, bpf_sysctl_get_new_value, (struct bpf_sysctl * ctx, char* buf, unsigned long buf_len), ctx,
                 buf, buf_len)
LATHE_BPF_HELPER(104, long, bpf_sysctl_set_new_value, (struct bpf_sysctl * ctx, const char* buf, unsigned long buf_len),
                 ctx, buf, buf_len)
LATHE_BPF_HELPER(107, void*, bpf_sk_storage_get, (void* map, void* sk, void* value, __u64 flags), map, sk, value, flags)
LATHE_BPF_HELPER(108, long, bpf_sk_storage_delete, (void* map, void* sk), map, sk)
LATHE_BPF_HELPER(110, __s64, bpf_tcp_gen_syncookie,
                 (void* sk, void* iph, __u32 iph_len, struct tcphdr* th, __u32 th_len), sk, iph, iph_len, th, th_len)
LATHE_BPF_HELPER(111, long, bpf_skb_output, (void* ctx, void* map, __u64 flags, void* data, __u64 size), ctx, map,
                 flags, data, size)
LATHE_BPF_HELPER(116, long, bpf_tcp_send_ack, (void* tp, __u32 rcv_nxt), tp, rcv_nxt)
LATHE_BPF_HELPER(121, long, bpf_xdp_output, (void* ctx, void* map, __u64 flags, void* data, __u64 size), ctx, map,
                 flags, data, size)
LATHE_BPF_HELPER(122, __u64, bpf_get_netns_cookie, (void* ctx), ctx)
LATHE_BPF_HELPER(124, long, bpf_sk_assign, (void* ctx, void* sk, __u64 flags), ctx, sk, flags)
LATHE_BPF_HELPER(128, __u64, bpf_sk_cgroup_id, (void* sk), sk)
LATHE_BPF_HELPER(129, __u64, bpf_sk_ancestor_cgroup_id, (void* sk, int ancestor_level), sk, ancestor_level)
LATHE_BPF_HELPER(135, long, bpf_csum_level, (struct __sk_buff * skb, __u64 level), skb, level)
LATHE_BPF_HELPER(136, struct tcp6_sock*, bpf_skc_to_tcp6_sock, (void* sk), sk)
LATHE_BPF_HELPER(137, struct tcp_sock*, bpf_skc_to_tcp_sock, (void* sk), sk)
LATHE_BPF_HELPER(138, struct tcp_timewait_sock*, bpf_skc_to_tcp_timewait_sock, (void* sk), sk)
LATHE_BPF_HELPER(139, struct tcp_request_sock*, bpf_skc_to_tcp_request_sock, (void* sk), sk)
LATHE_BPF_HELPER(140, struct udp6_sock*, bpf_skc_to_udp6_sock, (void* sk), sk)
LATHE_BPF_HELPER(142, long, bpf_load_hdr_opt, (struct bpf_sock_ops * skops, void* searchby_res, __u32 len, __u64 flags),
                 skops, searchby_res, len, flags)
LATHE_BPF_HELPER(143, long, bpf_store_hdr_opt, (struct bpf_sock_ops * skops, const void* from, __u32 len, __u64 flags),
                 skops, from, len, flags)
LATHE_BPF_HELPER(144, long, bpf_reserve_hdr_opt, (struct bpf_sock_ops * skops, __u32 len, __u64 flags), skops, len,
                 flags)
LATHE_BPF_HELPER(151, __u64, bpf_skb_cgroup_classid, (struct __sk_buff * skb), skb)
LATHE_BPF_HELPER(152, long, bpf_redirect_neigh, (__u32 ifindex, struct bpf_redir_neigh* params, int plen, __u64 flags),
                 ifindex, params, plen, flags)
LATHE_BPF_HELPER(155, long, bpf_redirect_peer, (__u32 ifindex, __u64 flags), ifindex, flags)
LATHE_BPF_HELPER(162, struct socket*, bpf_sock_from_file, (struct file * file), file)
LATHE_BPF_HELPER(163, long, bpf_check_mtu, (void* ctx, __u32 ifindex, __u32* mtu_len, __s32 len_diff, __u64 flags), ctx,
                 ifindex, mtu_len, len_diff, flags)
LATHE_BPF_HELPER(178, struct unix_sock*, bpf_skc_to_unix_sock, (void* sk), sk)
LATHE_BPF_HELPER(188, __u64, bpf_xdp_get_buff_len, (struct xdp_md * xdp_md), xdp_md)
LATHE_BPF_HELPER(189, long, bpf_xdp_load_bytes, (struct xdp_md * xdp_md, __u32 offset, void* buf, __u32 len), xdp_md,
                 offset, buf, len)
LATHE_BPF_HELPER(190, long, bpf_xdp_store_bytes, (struct xdp_md * xdp_md, __u32 offset, void* buf, __u32 len), xdp_md,
                 offset, buf, len)
LATHE_BPF_HELPER(192, long, bpf_skb_set_tstamp, (struct __sk_buff * skb, __u64 tstamp, __u32 tstamp_type), skb, tstamp,
                 tstamp_type)
LATHE_BPF_HELPER(196, struct mptcp_sock*, bpf_skc_to_mptcp_sock, (void* sk), sk)
LATHE_BPF_HELPER(204, __s64, bpf_tcp_raw_gen_syncookie_ipv4, (struct iphdr * iph, struct tcphdr* th, __u32 th_len), iph,
                 th, th_len)
LATHE_BPF_HELPER(205, __s64, bpf_tcp_raw_gen_syncookie_ipv6, (struct ipv6hdr * iph, struct tcphdr* th, __u32 th_len),
                 iph, th, th_len)
LATHE_BPF_HELPER(206, long, bpf_tcp_raw_check_syncookie_ipv4, (struct iphdr * iph, struct tcphdr* th), iph, th)
LATHE_BPF_HELPER(207, long, bpf_tcp_raw_check_syncookie_ipv6, (struct ipv6hdr * iph, struct tcphdr* th), iph, th)

#endif
