// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A record is neither submitted nor discarded on one way.
#include <lathe/bpf.h>

struct Event { __u64 time; };
lathe::bpf::ring_buffer<4096> events SEC(".maps");
SEC("syscall") int send(__u64* context) {
  Event* const event = events.reserve<Event>();
  if (!event) return 1;
  if (*context == 7) return 2;
  event->time = *context;
  events.submit(event);
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: ring_record_lost.bpf.cpp:11:16: error: program 'send': what was acquired is not given back on this path
// wanted: if (*context == 7) return 2;
// wanted: ring_record_lost.bpf.cpp:10:7: note: on this path r0 == 0x0 is false
// wanted: ring_record_lost.bpf.cpp:11:16: note: on this path r2 == 0x7 is true
// wanted: hint: every record that reserve() gave is submitted or discarded, every socket released, before every return
