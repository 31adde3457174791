// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps as C++ objects: the type is the definition, in the form that libbpf reads from BTF, and its functions are the
// helpers with types.
//
//   lathe::bpf::hash_map<__u32, Stats, 1024> stats SEC(".maps");
//   if (Stats* found = stats.lookup(pid)) found->calls += 1;
//
// A pointer that lookup() or reserve() returned must be compared with null before use, or the verifier refuses the
// program. No map type inherits from another: libbpf knows the members of a definition by name.
#ifndef LATHE_BPF_MAPS_H
#define LATHE_BPF_MAPS_H

namespace lathe::bpf {

#define LATHE_BPF_INLINE inline __attribute__((always_inline))

/// How a key or value comes in. Small ones by value: the helper gets the address of a copy, so that the caller's
/// variable, a loop counter for example, stays in a register, where the verifier can follow it.
template <class T, bool Small = (sizeof(T) <= 8 && !__is_array(T))>
struct parameter {
  using type = T;
};
template <class T>
struct parameter<T, false> {
  using type = const T&;
};
template <class T>
using parameter_t = typename parameter<T>::type;

/// A map of keys to values of the given kind.
template <__u32 Kind, class Key, class Value, __u32 Entries, __u32 Flags = 0>
struct basic_map {
  int (*type)[Kind];
  Key* key;
  Value* value;
  int (*max_entries)[Entries];
  int (*map_flags)[Flags];

  /// Null if there is no such key.
  LATHE_BPF_INLINE Value* lookup(parameter_t<Key> at) { return static_cast<Value*>(bpf_map_lookup_elem(this, &at)); }
  /// 0, or an error below 0: the map is full, or `mode` (BPF_NOEXIST, BPF_EXIST) does not hold.
  LATHE_BPF_INLINE long update(parameter_t<Key> at, parameter_t<Value> to, __u64 mode = BPF_ANY) {
    return bpf_map_update_elem(this, &at, &to, mode);
  }
  LATHE_BPF_INLINE long erase(parameter_t<Key> at) { return bpf_map_delete_elem(this, &at); }
  /// The value, which is `initial` if it was not there yet; null if the map is full.
  LATHE_BPF_INLINE Value* lookup_or_insert(parameter_t<Key> at, parameter_t<Value> initial) {
    if (Value* found = lookup(at)) return found;
    update(at, initial, BPF_NOEXIST);
    return lookup(at);
  }
  /// Calls `long callback(map*, const Key*, Value*, Context*)`, a function or captureless lambda, for each entry until
  /// it returns 1.
  template <class Context>
  LATHE_BPF_INLINE long for_each(long (*callback)(basic_map*, const Key*, Value*, Context*), Context* context) {
    return bpf_for_each_map_elem(this, reinterpret_cast<void*>(callback), context, 0);
  }
};

template <class Key, class Value, __u32 Entries, __u32 Flags = 0>
using hash_map = basic_map<BPF_MAP_TYPE_HASH, Key, Value, Entries, Flags>;
template <class Key, class Value, __u32 Entries, __u32 Flags = 0>
using percpu_hash_map = basic_map<BPF_MAP_TYPE_PERCPU_HASH, Key, Value, Entries, Flags>;
template <class Key, class Value, __u32 Entries, __u32 Flags = 0>
using lru_hash_map = basic_map<BPF_MAP_TYPE_LRU_HASH, Key, Value, Entries, Flags>;
template <class Key, class Value, __u32 Entries, __u32 Flags = 0>
using lru_percpu_hash_map = basic_map<BPF_MAP_TYPE_LRU_PERCPU_HASH, Key, Value, Entries, Flags>;
template <class Key, class Value, __u32 Entries>
using lpm_trie = basic_map<BPF_MAP_TYPE_LPM_TRIE, Key, Value, Entries, BPF_F_NO_PREALLOC>;
template <class Value, __u32 Entries, __u32 Flags = 0>
using array_map = basic_map<BPF_MAP_TYPE_ARRAY, __u32, Value, Entries, Flags>;
template <class Value, __u32 Entries>
using percpu_array_map = basic_map<BPF_MAP_TYPE_PERCPU_ARRAY, __u32, Value, Entries>;
/// Stacks of up to Depth frames; the key is what bpf_get_stackid() returns.
template <__u32 Entries, __u32 Depth = 127>
using stack_trace_map = basic_map<BPF_MAP_TYPE_STACK_TRACE, __u32, __u64[Depth], Entries>;

/// Values in order: a queue or a stack.
template <__u32 Kind, class Value, __u32 Entries>
struct basic_queue {
  int (*type)[Kind];
  Value* value;
  int (*max_entries)[Entries];

  LATHE_BPF_INLINE long push(parameter_t<Value> in, __u64 mode = BPF_ANY) { return bpf_map_push_elem(this, &in, mode); }
  LATHE_BPF_INLINE long pop(Value& out) { return bpf_map_pop_elem(this, &out); }
  LATHE_BPF_INLINE long peek(Value& out) { return bpf_map_peek_elem(this, &out); }
};
template <class Value, __u32 Entries>
using queue_map = basic_queue<BPF_MAP_TYPE_QUEUE, Value, Entries>;
template <class Value, __u32 Entries>
using stack_map = basic_queue<BPF_MAP_TYPE_STACK, Value, Entries>;

/// Records to user space, in order, from all CPUs. Bytes: a power of two, at least a page. Where all records are of one
/// type, Record says which, to `lathe bpf trace` and others that read it from BTF: libbpf takes the length of `type`'s
/// array, and leaves what it is an array of to us.
template <__u32 Bytes, class Record = int>
struct ring_buffer {
  static_assert(Bytes >= 4096 && (Bytes & (Bytes - 1)) == 0,
                "a ring buffer's size is a power of two of at least a page");
  Record (*type)[BPF_MAP_TYPE_RINGBUF];
  int (*max_entries)[Bytes];

  /// Room for a record, to be filled in and then submitted or discarded; null if there is none.
  template <class T = Record>
  LATHE_BPF_INLINE T* reserve() {
    return static_cast<T*>(bpf_ringbuf_reserve(this, sizeof(T), 0));
  }
  template <class T>
  LATHE_BPF_INLINE void submit(T* record, __u64 flags = 0) {
    bpf_ringbuf_submit(record, flags);
  }
  template <class T>
  LATHE_BPF_INLINE void discard(T* record, __u64 flags = 0) {
    bpf_ringbuf_discard(record, flags);
  }
  /// Copies a record; 0, or an error below 0 if there is no room.
  template <class T>
  LATHE_BPF_INLINE long output(const T& record, __u64 flags = 0) {
    return bpf_ringbuf_output(this, const_cast<T*>(&record), sizeof(T), flags);
  }
};

/// Records to user space by one perf buffer a CPU, for kernels without ring buffers and for context that ends at the
/// event. Record is as in ring_buffer.
template <class Record = int>
struct basic_perf_buffer {
  Record (*type)[BPF_MAP_TYPE_PERF_EVENT_ARRAY];
  int (*key_size)[sizeof(int)];
  int (*value_size)[sizeof(int)];

  template <class T>
  LATHE_BPF_INLINE long output(void* context, const T& record) {
    return bpf_perf_event_output(context, this, BPF_F_CURRENT_CPU, const_cast<T*>(&record), sizeof(T));
  }
};
using perf_buffer = basic_perf_buffer<>;

/// Programs to go on with.
template <__u32 Entries>
struct program_array {
  int (*type)[BPF_MAP_TYPE_PROG_ARRAY];
  int (*key_size)[sizeof(__u32)];
  int (*value_size)[sizeof(__u32)];
  int (*max_entries)[Entries];

  /// Does not return if there is a program at `index`.
  LATHE_BPF_INLINE void jump(void* context, __u32 index) { bpf_tail_call(context, this, index); }
};

/// Memory that programs and the process share at one address: Pages × 4 KiB, Linux 6.9, instructions v4. Addresses in it
/// come from the process as numbers, and programs may do arithmetic with them freely: an access elsewhere reads 0 and
/// writes nothing. Atomics of 32 and 64 bits work there.
template <__u32 Pages>
struct arena {
  int (*type)[33];         // BPF_MAP_TYPE_ARENA, which older <linux/bpf.h> lack
  int (*map_flags)[1024];  // BPF_F_MMAPABLE
  int (*max_entries)[Pages];

  /// The memory at `address`, as the process knows it. In a program, not in a function that is called with the pointer.
  template <class T>
  LATHE_BPF_INLINE T* at(__u64 address) {
    asm volatile("" ::"r"(this));  // a program that names the map may use its memory
    return (T*)(__attribute__((address_space(1))) T*)address;
  }
};

#undef LATHE_BPF_INLINE

}  // namespace lathe::bpf

#endif
