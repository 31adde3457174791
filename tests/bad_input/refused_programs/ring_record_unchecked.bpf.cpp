// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ring buffer may have no room.
#include <lathe/bpf.h>

struct Event { __u64 time; };
lathe::bpf::ring_buffer<4096> events SEC(".maps");
SEC("syscall") int send(__u64* context) {
  Event* const event = events.reserve<Event>();
  event->time = *context;
  events.submit(event);
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: ring_record_unchecked.bpf.cpp:10:15: error: program 'send': a record of a ring buffer is used without being compared with null
// wanted: event->time = *context;
// wanted: ring_record_unchecked.bpf.cpp:9:31: note: the result of bpf_ringbuf_reserve is a pointer to 8 bytes of memory, or null
// wanted: hint: there may be no room: if (auto* record = events.reserve<T>()) { …; events.submit(record); }
