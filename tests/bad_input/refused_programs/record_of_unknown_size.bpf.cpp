// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A record of a ring buffer is asked for by a size that only the run knows.
#include <lathe/bpf.h>

lathe::bpf::ring_buffer<4096> events SEC(".maps");
SEC("raw_tp/sched_switch") int on_switch(bpf_raw_tracepoint_args*) {
  void* const record = bpf_ringbuf_reserve(&events, bpf_get_smp_processor_id() & 63, 0);
  if (record) bpf_ringbuf_submit(record, 0);
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: record_of_unknown_size.bpf.cpp:8:24: error: program 'on_switch': a function takes only a constant here
// wanted: void* const record = bpf_ringbuf_reserve(&events, bpf_get_smp_processor_id() & 63, 0);
// wanted: hint: write the number itself
