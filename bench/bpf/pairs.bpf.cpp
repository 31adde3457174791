// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs as one writes them in C++ with <lathe/bpf.h>; pairs.bpf.c has the same by hand in C with libbpf's headers.
// compare.py counts the instructions of both.
#include <lathe/bpf.h>

struct Stats {
  __u64 count, total, most;
};
struct Event {
  __u32 process;
  char name[16];
};
struct Ethernet {
  __u8 to[6], from[6];
  __be16 type;
};
struct Ip4 {
  __u8 version, service;
  __be16 bytes, number, fragment;
  __u8 hops, protocol;
  __be16 sum;
  __be32 from, to;
};
struct Ports {
  __be16 from, to;
};
struct task_struct {
  task_struct* real_parent;
  int tgid;
};

template <class Key, class Value>
using Table = lathe::bpf::hash_map<Key, Value, 1024>;
Table<__u32, __u64> counts SEC(".maps");
Table<__u32, Stats> stats SEC(".maps");
Table<__u32, __u64> starts SEC(".maps");
lathe::bpf::percpu_array_map<__u64, 256> slots SEC(".maps");
lathe::bpf::lru_hash_map<__u32, __u64, 1024> seen SEC(".maps");
lathe::bpf::queue_map<__u32, 64> waiting SEC(".maps");
lathe::bpf::ring_buffer<4096, Event> events SEC(".maps");
lathe::bpf::basic_perf_buffer<Event> perf SEC(".maps");
const volatile __u32 wanted = 0;
__u64 total;

static __u32 process() {
  return static_cast<__u32>(bpf_get_current_pid_tgid() >> 32);
}
static __u32 thread() {
  return static_cast<__u32>(bpf_get_current_pid_tgid());
}

template <class T, class F>
static T fold(const T* values, __u32 count, T start, F step) {
  for (__u32 i = 0; i < count; ++i) start = step(start, values[i]);
  return start;
}

SEC("raw_tp/sched_switch") int count_processes(void*) {
  if (__u64* found = counts.lookup_or_insert(process(), 0)) __sync_fetch_and_add(found, 1);
  return 0;
}
SEC("raw_tp/sys_enter") int count_slots(bpf_raw_tracepoint_args* ctx) {
  if (__u64* found = slots.lookup(static_cast<__u32>(ctx->args[1]))) *found += 1;
  return 0;
}
SEC("raw_tp/sys_enter") int start_clock(void*) {
  if (wanted && process() != wanted) return 0;
  starts.update(thread(), bpf_ktime_get_ns());
  return 0;
}
SEC("raw_tp/sys_exit") int stop_clock(void*) {
  const __u32 key = thread();
  const __u64* const start = starts.lookup(key);
  if (!start) return 0;
  const __u64 passed = bpf_ktime_get_ns() - *start;
  starts.erase(key);
  if (Stats* found = stats.lookup_or_insert(process(), Stats{})) {
    found->count += 1;
    found->total += passed;
    if (passed > found->most) found->most = passed;
  }
  return 0;
}
SEC("raw_tp/sys_exit") int histogram(void*) {
  const __u64* const start = starts.lookup(thread());
  if (!start) return 0;
  __u64 value = bpf_ktime_get_ns() - *start;
  __u32 bit = 0;
  for (__u32 step = 32; step > 0; step /= 2) {
    if (value >> step == 0) continue;
    value >>= step;
    bit += step;
  }
  if (__u64* found = slots.lookup(bit)) *found += 1;
  return 0;
}
SEC("raw_tp/sched_process_exec") int send_ring(void*) {
  Event* const event = events.reserve();
  if (!event) return 0;
  event->process = process();
  bpf_get_current_comm(event->name, sizeof(event->name));
  events.submit(event);
  return 0;
}
SEC("raw_tp/sched_process_exec") int send_perf(void* ctx) {
  Event event{.process = process()};
  bpf_get_current_comm(event.name, sizeof(event.name));
  perf.output(ctx, event);
  return 0;
}
SEC("raw_tp/sched_switch") int see_once(void*) {
  const __u32 key = process();
  if (seen.lookup(key)) return 0;
  seen.update(key, bpf_ktime_get_ns(), BPF_NOEXIST);
  __sync_fetch_and_add(&total, 1);
  return 0;
}
SEC("raw_tp/sched_switch") int queue_up(void*) {
  if (waiting.push(process()) != 0) {
    __u32 oldest = 0;
    waiting.pop(oldest);
  }
  return 0;
}
SEC("raw_tp/sched_switch") int parents(void*) {
  auto* const task = reinterpret_cast<task_struct*>(bpf_get_current_task());
  const auto parent = static_cast<__u32>(BPF_CORE_READ(task, real_parent, tgid));
  if (__u64* found = counts.lookup_or_insert(parent, 0)) *found += 1;
  return 0;
}
SEC("xdp") int protocols(xdp_md* ctx) {
  lathe::bpf::packet packet(ctx);
  const auto* const ethernet = packet.next<Ethernet>();
  if (!ethernet || ethernet->type != __builtin_bswap16(0x0800)) return XDP_PASS;
  const auto* const ip = packet.next<Ip4>();
  if (!ip) return XDP_PASS;
  if (__u64* found = slots.lookup(ip->protocol)) *found += 1;
  return XDP_PASS;
}
SEC("xdp") int drop_port(xdp_md* ctx) {
  lathe::bpf::packet packet(ctx);
  const auto* const ethernet = packet.next<Ethernet>();
  if (!ethernet || ethernet->type != __builtin_bswap16(0x0800)) return XDP_PASS;
  const auto* const ip = packet.next<Ip4>();
  if (!ip || ip->protocol != 17) return XDP_PASS;
  const auto* const ports = packet.next<Ports>();
  return ports && ports->to == __builtin_bswap16(9999) ? XDP_DROP : XDP_PASS;
}
SEC("xdp") int answer(xdp_md* ctx) {
  lathe::bpf::packet packet(ctx);
  auto* const ethernet = packet.next<Ethernet>();
  if (!ethernet) return XDP_DROP;
  for (int i = 0; i < 6; ++i) {
    const __u8 byte = ethernet->to[i];
    ethernet->to[i] = ethernet->from[i];
    ethernet->from[i] = byte;
  }
  return XDP_TX;
}
SEC("tc") int mark(__sk_buff* skb) {
  if (skb->len > 1000) skb->mark = skb->protocol + 1;
  return 0;
}
SEC("socket") int sample(__sk_buff* skb) {
  const __u32 key = skb->len & 255;
  __u64* const found = slots.lookup(key);
  return found && (++*found & 15) == 0 ? -1 : 0;
}
SEC("syscall") int checksum(__u32* values) {
  values[15] = fold(values, 15, 2166136261U, [](__u32 sum, __u32 v) { return (sum ^ v) * 16777619U; });
  return 0;
}
LATHE_BPF_LICENSE("GPL");
