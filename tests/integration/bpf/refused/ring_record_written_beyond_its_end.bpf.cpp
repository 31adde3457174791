// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A record is written beyond its end.
#include <lathe/bpf.h>

struct Event { __u32 words[4]; };
lathe::bpf::ring_buffer<4096> events SEC(".maps");
SEC("syscall") int send(__u32* context) {
  Event* const event = events.reserve<Event>();
  if (!event) return 1;
  const __u32 index = *context;
  if (index <= 4) event->words[index] = 1;
  events.submit(event);
  return 0;
}
LATHE_BPF_LICENSE("GPL");
