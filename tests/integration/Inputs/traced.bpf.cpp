// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sends records to user space in each of the ways there are, for `lathe bpf trace`, and fills maps that `lathe bpf
// maps` reads.
#include <lathe/bpf.h>

struct Call {
  __u32 process;
  char name[16];
  __s16 small[2];
};
enum class Colour : __u32 { red, green };
struct Entry {
  __u64 count;
  char name[16];
  unsigned low : 3, high : 5;
  Colour colour;
  bool seen;
};

lathe::bpf::ring_buffer<65536, Call> traced_calls SEC(".maps");
lathe::bpf::basic_perf_buffer<Call> traced_perf SEC(".maps");
lathe::bpf::ring_buffer<65536> traced_plain SEC(".maps");
lathe::bpf::hash_map<__u32, Entry, 64> traced_entry SEC(".maps");
lathe::bpf::percpu_hash_map<__u32, __u64, 64> traced_each SEC(".maps");

constexpr long getpidNumber = 39, getpidNumberArm = 172;

SEC("raw_tp/sys_enter") int on_call(bpf_raw_tracepoint_args* ctx) {
  const auto number = static_cast<long>(ctx->args[1]);
  Call call{};
  bpf_get_current_comm(call.name, sizeof(call.name));
  if (call.name[0] != 's' || call.name[1] != 'l' || call.name[2] != 'e') return 0;  // of `sleep` only
  if (number == getpidNumber || number == getpidNumberArm) return 0;
  call.process = static_cast<__u32>(bpf_get_current_pid_tgid() >> 32);
  call.small[0] = -1;
  call.small[1] = 2;
  const __u64 eight = 8;
  traced_calls.output(call);
  traced_perf.output(ctx, call);
  traced_plain.output(eight);
  Entry entry{.count = 1};
  entry.low = 5;
  entry.colour = Colour::green;
  entry.seen = true;
  traced_entry.update(7, entry);
  traced_each.update(7, 3);
  bpf_printk("called by %d", call.process);
  return 0;
}
LATHE_BPF_LICENSE("GPL");
