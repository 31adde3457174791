// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that may sleep has a map of a kind that such programs cannot have. The compiler warns of the line.
#include <lathe/bpf.h>

lathe::bpf::lpm_trie<__u64, __u64, 16> routes SEC(".maps");
SEC("syscall") int look(__u64* context) { return routes.lookup(*context) ? 1 : 0; }
LATHE_BPF_LICENSE("GPL");

// wanted: error: program 'look': the program may sleep, and uses a map of a kind that such programs cannot have
// wanted: note: the verifier's words: Sleepable programs can only use array, hash
// wanted: hint: it can have arrays, hashes, ring buffers, local storage and what newer kernels add (queues, stacks, arenas)
