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

// wanted: ring_record_written_beyond_its_end.bpf.cpp:12:39: error: program 'send': 4 bytes at offset 16 lie outside memory of 16
// wanted: if (index <= 4) event->words[index] = 1;
// wanted: ring_record_written_beyond_its_end.bpf.cpp:10:7: note: on this path r0 == 0x0 is false
// wanted: ring_record_written_beyond_its_end.bpf.cpp:12:13: note: on this path w1 > 0x4 is false
// wanted: hint: compare the index with the number of elements first
