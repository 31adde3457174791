// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A record is submitted twice.
#include <lathe/bpf.h>

struct Event { __u64 time; };
lathe::bpf::ring_buffer<4096> events SEC(".maps");
SEC("syscall") int send(__u64* context) {
  Event* const event = events.reserve<Event>();
  if (!event) return 1;
  event->time = *context;
  events.submit(event);
  events.submit(event);
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: ring_record_submitted_twice.bpf.cpp:13:10: error: program 'send': what is submitted or discarded is no record that is still open
// wanted: events.submit(event);
// wanted: ring_record_submitted_twice.bpf.cpp:9:31: note: the result of bpf_ringbuf_reserve is a pointer to 8 bytes of memory, or null
// wanted: ring_record_submitted_twice.bpf.cpp:10:7: note: on this path r7 == 0x0 is false
// wanted: hint: each record of reserve() is submitted or discarded once, by the pointer that reserve() gave
