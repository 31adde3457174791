// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs of pairs.bpf.cpp by hand in C.
#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

struct stats { __u64 count, total, most; };
struct event { __u32 process; char name[16]; };
struct ethernet { __u8 to[6], from[6]; __be16 type; };
struct ip4 { __u8 version, service; __be16 bytes, number, fragment; __u8 hops, protocol; __be16 sum; __be32 from, to; };
struct ports { __be16 from, to; };
struct task_struct { struct task_struct *real_parent; int tgid; } __attribute__((preserve_access_index));

#define TABLE(name, kind, k, v, n) \
  struct { __uint(type, kind); __uint(max_entries, n); __type(key, k); __type(value, v); } name SEC(".maps")
TABLE(counts, BPF_MAP_TYPE_HASH, __u32, __u64, 1024);
TABLE(stats, BPF_MAP_TYPE_HASH, __u32, struct stats, 1024);
TABLE(starts, BPF_MAP_TYPE_HASH, __u32, __u64, 1024);
TABLE(slots, BPF_MAP_TYPE_PERCPU_ARRAY, __u32, __u64, 256);
TABLE(seen, BPF_MAP_TYPE_LRU_HASH, __u32, __u64, 1024);
struct { __uint(type, BPF_MAP_TYPE_QUEUE); __uint(max_entries, 64); __type(value, __u32); } waiting SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_RINGBUF); __uint(max_entries, 4096); } events SEC(".maps");
struct {
  __uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
  __uint(key_size, sizeof(int));
  __uint(value_size, sizeof(int));
} perf SEC(".maps");
const volatile __u32 wanted = 0;
__u64 total;

SEC("raw_tp/sched_switch") int count_processes(void *ctx) {
  __u32 key = bpf_get_current_pid_tgid() >> 32;
  __u64 zero = 0, *found = bpf_map_lookup_elem(&counts, &key);
  if (!found) {
    bpf_map_update_elem(&counts, &key, &zero, BPF_NOEXIST);
    found = bpf_map_lookup_elem(&counts, &key);
  }
  if (found) __sync_fetch_and_add(found, 1);
  return 0;
}
SEC("raw_tp/sys_enter") int count_slots(struct bpf_raw_tracepoint_args *ctx) {
  __u32 key = ctx->args[1];
  __u64 *found = bpf_map_lookup_elem(&slots, &key);
  if (found) *found += 1;
  return 0;
}
SEC("raw_tp/sys_enter") int start_clock(void *ctx) {
  if (wanted && (__u32)(bpf_get_current_pid_tgid() >> 32) != wanted) return 0;
  __u32 key = bpf_get_current_pid_tgid();
  __u64 now = bpf_ktime_get_ns();
  bpf_map_update_elem(&starts, &key, &now, BPF_ANY);
  return 0;
}
SEC("raw_tp/sys_exit") int stop_clock(void *ctx) {
  __u32 key = bpf_get_current_pid_tgid();
  __u64 *start = bpf_map_lookup_elem(&starts, &key);
  if (!start) return 0;
  __u64 passed = bpf_ktime_get_ns() - *start;
  bpf_map_delete_elem(&starts, &key);
  __u32 who = bpf_get_current_pid_tgid() >> 32;
  struct stats none = {}, *found = bpf_map_lookup_elem(&stats, &who);
  if (!found) {
    bpf_map_update_elem(&stats, &who, &none, BPF_NOEXIST);
    found = bpf_map_lookup_elem(&stats, &who);
  }
  if (found) {
    found->count += 1;
    found->total += passed;
    if (passed > found->most) found->most = passed;
  }
  return 0;
}
SEC("raw_tp/sys_exit") int histogram(void *ctx) {
  __u32 key = bpf_get_current_pid_tgid();
  __u64 *start = bpf_map_lookup_elem(&starts, &key);
  if (!start) return 0;
  __u64 value = bpf_ktime_get_ns() - *start;
  __u32 bit = 0;
  for (__u32 step = 32; step > 0; step /= 2) {
    if (value >> step == 0) continue;
    value >>= step;
    bit += step;
  }
  __u64 *found = bpf_map_lookup_elem(&slots, &bit);
  if (found) *found += 1;
  return 0;
}
SEC("raw_tp/sched_process_exec") int send_ring(void *ctx) {
  struct event *event = bpf_ringbuf_reserve(&events, sizeof(*event), 0);
  if (!event) return 0;
  event->process = bpf_get_current_pid_tgid() >> 32;
  bpf_get_current_comm(event->name, sizeof(event->name));
  bpf_ringbuf_submit(event, 0);
  return 0;
}
SEC("raw_tp/sched_process_exec") int send_perf(void *ctx) {
  struct event event = {.process = bpf_get_current_pid_tgid() >> 32};
  bpf_get_current_comm(event.name, sizeof(event.name));
  bpf_perf_event_output(ctx, &perf, BPF_F_CURRENT_CPU, &event, sizeof(event));
  return 0;
}
SEC("raw_tp/sched_switch") int see_once(void *ctx) {
  __u32 key = bpf_get_current_pid_tgid() >> 32;
  if (bpf_map_lookup_elem(&seen, &key)) return 0;
  __u64 now = bpf_ktime_get_ns();
  bpf_map_update_elem(&seen, &key, &now, BPF_NOEXIST);
  __sync_fetch_and_add(&total, 1);
  return 0;
}
SEC("raw_tp/sched_switch") int queue_up(void *ctx) {
  __u32 key = bpf_get_current_pid_tgid() >> 32;
  if (bpf_map_push_elem(&waiting, &key, BPF_ANY)) {
    __u32 oldest = 0;
    bpf_map_pop_elem(&waiting, &oldest);
  }
  return 0;
}
SEC("raw_tp/sched_switch") int parents(void *ctx) {
  struct task_struct *task = (void *)bpf_get_current_task();
  __u32 key = BPF_CORE_READ(task, real_parent, tgid);
  __u64 zero = 0, *found = bpf_map_lookup_elem(&counts, &key);
  if (!found) {
    bpf_map_update_elem(&counts, &key, &zero, BPF_NOEXIST);
    found = bpf_map_lookup_elem(&counts, &key);
  }
  if (found) *found += 1;
  return 0;
}
SEC("xdp") int protocols(struct xdp_md *ctx) {
  char *at = (char *)(long)ctx->data, *end = (char *)(long)ctx->data_end;
  struct ethernet *ethernet = (void *)at;
  struct ip4 *ip = (void *)(at + sizeof(*ethernet));
  if ((char *)(ethernet + 1) > end || ethernet->type != __builtin_bswap16(0x0800)) return XDP_PASS;
  if ((char *)(ip + 1) > end) return XDP_PASS;
  __u32 key = ip->protocol;
  __u64 *found = bpf_map_lookup_elem(&slots, &key);
  if (found) *found += 1;
  return XDP_PASS;
}
SEC("xdp") int drop_port(struct xdp_md *ctx) {
  char *at = (char *)(long)ctx->data, *end = (char *)(long)ctx->data_end;
  struct ethernet *ethernet = (void *)at;
  struct ip4 *ip = (void *)(at + sizeof(*ethernet));
  struct ports *ports = (void *)(ip + 1);
  if ((char *)(ethernet + 1) > end || ethernet->type != __builtin_bswap16(0x0800)) return XDP_PASS;
  if ((char *)(ip + 1) > end || ip->protocol != 17) return XDP_PASS;
  if ((char *)(ports + 1) > end) return XDP_PASS;
  return ports->to == __builtin_bswap16(9999) ? XDP_DROP : XDP_PASS;
}
SEC("xdp") int answer(struct xdp_md *ctx) {
  char *at = (char *)(long)ctx->data, *end = (char *)(long)ctx->data_end;
  struct ethernet *ethernet = (void *)at;
  if ((char *)(ethernet + 1) > end) return XDP_DROP;
  for (int i = 0; i < 6; ++i) {
    __u8 byte = ethernet->to[i];
    ethernet->to[i] = ethernet->from[i];
    ethernet->from[i] = byte;
  }
  return XDP_TX;
}
SEC("tc") int mark(struct __sk_buff *skb) {
  if (skb->len > 1000) skb->mark = skb->protocol + 1;
  return 0;
}
SEC("socket") int sample(struct __sk_buff *skb) {
  __u32 key = skb->len & 255;
  __u64 *found = bpf_map_lookup_elem(&slots, &key);
  return found && (++*found & 15) == 0 ? -1 : 0;
}
SEC("syscall") int checksum(__u32 *values) {
  __u32 sum = 2166136261U;
  for (int i = 0; i < 15; ++i) sum = (sum ^ values[i]) * 16777619U;
  values[15] = sum;
  return 0;
}
char LICENSE[] SEC("license") = "GPL";
