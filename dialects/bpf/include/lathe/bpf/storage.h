// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps that are more than keys and values: storage that lives with a task, inode, socket or cgroup, filters, maps of
// maps, and records from user space. As in maps.h, the type is the definition that libbpf reads.
#ifndef LATHE_BPF_STORAGE_H
#define LATHE_BPF_STORAGE_H

namespace lathe::bpf {

#define LATHE_BPF_INLINE inline __attribute__((always_inline))

// Kinds of maps and a flag that older <linux/bpf.h> lack.
inline constexpr __u32 cgroup_storage_kind = 32;  // BPF_MAP_TYPE_CGRP_STORAGE
inline constexpr __u32 user_ringbuf_kind = 31;    // BPF_MAP_TYPE_USER_RINGBUF
inline constexpr __u32 no_preallocation = 1;      // BPF_F_NO_PREALLOC
inline constexpr __u64 create_if_absent = 1;      // BPF_LOCAL_STORAGE_GET_F_CREATE

/// One value for each task, which goes with it (Linux 5.11). The process reads it by a pidfd as the key.
template <class Value>
struct task_storage {
  int (*type)[BPF_MAP_TYPE_TASK_STORAGE];
  int (*map_flags)[no_preallocation];
  int* key;
  Value* value;

  /// The task's value, or null.
  LATHE_BPF_INLINE Value* lookup(task_struct* task) {
    return static_cast<Value*>(bpf_task_storage_get(this, task, nullptr, 0));
  }
  /// The task's value, zeros if it had none; null if there is no memory.
  LATHE_BPF_INLINE Value* lookup_or_insert(task_struct* task) {
    return static_cast<Value*>(bpf_task_storage_get(this, task, nullptr, create_if_absent));
  }
  LATHE_BPF_INLINE long erase(task_struct* task) { return bpf_task_storage_delete(this, task); }
};

/// One value for each socket (Linux 5.2). Socket: bpf_sock, or a kernel's sock that BTF gives. The key: a descriptor.
template <class Value>
struct socket_storage {
  int (*type)[BPF_MAP_TYPE_SK_STORAGE];
  int (*map_flags)[no_preallocation];
  int* key;
  Value* value;

  template <class Socket>
  LATHE_BPF_INLINE Value* lookup(Socket* socket) {
    return static_cast<Value*>(bpf_sk_storage_get(this, socket, nullptr, 0));
  }
  template <class Socket>
  LATHE_BPF_INLINE Value* lookup_or_insert(Socket* socket) {
    return static_cast<Value*>(bpf_sk_storage_get(this, socket, nullptr, create_if_absent));
  }
  template <class Socket>
  LATHE_BPF_INLINE long erase(Socket* socket) {
    return bpf_sk_storage_delete(this, socket);
  }
};

/// One value for each inode, for lsm programs (Linux 5.10). The key: a file's descriptor.
template <class Value>
struct inode_storage {
  int (*type)[BPF_MAP_TYPE_INODE_STORAGE];
  int (*map_flags)[no_preallocation];
  int* key;
  Value* value;

  LATHE_BPF_INLINE Value* lookup(struct inode* of) {
    return static_cast<Value*>(bpf_inode_storage_get(this, of, nullptr, 0));
  }
  LATHE_BPF_INLINE Value* lookup_or_insert(struct inode* of) {
    return static_cast<Value*>(bpf_inode_storage_get(this, of, nullptr, create_if_absent));
  }
  LATHE_BPF_INLINE long erase(struct inode* of) { return bpf_inode_storage_delete(this, of); }
};

/// One value for each cgroup (Linux 6.2). The key: a descriptor of the cgroup's folder.
template <class Value>
struct cgroup_storage {
  int (*type)[cgroup_storage_kind];
  int (*map_flags)[no_preallocation];
  int* key;
  Value* value;

  LATHE_BPF_INLINE Value* lookup(struct cgroup* of) {
    return static_cast<Value*>(bpf_cgrp_storage_get(this, of, nullptr, 0));
  }
  LATHE_BPF_INLINE Value* lookup_or_insert(struct cgroup* of) {
    return static_cast<Value*>(bpf_cgrp_storage_get(this, of, nullptr, create_if_absent));
  }
  LATHE_BPF_INLINE long erase(struct cgroup* of) { return bpf_cgrp_storage_delete(this, of); }
};

/// Holds a lock in a map's value up to the end of its scope, where no helper may be called. Programs that trace have none.
class spin_guard {
 public:
  LATHE_BPF_INLINE explicit spin_guard(struct bpf_spin_lock& lock) : lock_(&lock) { ::bpf_spin_lock(lock_); }
  LATHE_BPF_INLINE ~spin_guard() { ::bpf_spin_unlock(lock_); }
  spin_guard(const spin_guard&) = delete;
  spin_guard& operator=(const spin_guard&) = delete;

 private:
  struct bpf_spin_lock* lock_;
};

/// A set that may say "there" of what was never added, and never "absent" of what was (Linux 5.16). More hashes (1 to
/// 15) make that rarer until it is full.
template <class Value, __u32 Entries, __u32 Hashes = 5>
struct bloom_filter {
  static_assert(Hashes >= 1 && Hashes <= 15, "a bloom filter has 1 to 15 hashes");
  int (*type)[BPF_MAP_TYPE_BLOOM_FILTER];
  Value* value;
  int (*max_entries)[Entries];
  int (*map_extra)[Hashes];

  LATHE_BPF_INLINE long add(parameter_t<Value> in) { return bpf_map_push_elem(this, &in, BPF_ANY); }
  LATHE_BPF_INLINE bool may_contain(parameter_t<Value> in) {
    Value copy = in;
    return bpf_map_peek_elem(this, &copy) == 0;
  }
};

/// Maps by an index. All are of type Inner, and those that are there at load stand in the initialiser:
///   lathe::bpf::array_of_maps<Counts, 4> all SEC(".maps") = {.values = {&first, &second}};
template <class Inner, __u32 Entries>
struct array_of_maps {
  int (*type)[BPF_MAP_TYPE_ARRAY_OF_MAPS];
  int (*max_entries)[Entries];
  int (*key_size)[sizeof(__u32)];
  Inner* values[];

  /// Null if there is no map at `index`.
  LATHE_BPF_INLINE Inner* lookup(__u32 index) { return static_cast<Inner*>(bpf_map_lookup_elem(this, &index)); }
};

/// The same by a key of any type.
template <class Key, class Inner, __u32 Entries>
struct hash_of_maps {
  int (*type)[BPF_MAP_TYPE_HASH_OF_MAPS];
  int (*max_entries)[Entries];
  int (*key_size)[sizeof(Key)];
  Inner* values[];

  LATHE_BPF_INLINE Inner* lookup(parameter_t<Key> at) { return static_cast<Inner*>(bpf_map_lookup_elem(this, &at)); }
};

/// Records from one process to programs (Linux 6.1). Bytes: as in ring_buffer.
template <__u32 Bytes>
struct user_ring_buffer {
  static_assert(Bytes >= 4096 && (Bytes & (Bytes - 1)) == 0,
                "a ring buffer's size is a power of two of at least a page");
  int (*type)[user_ringbuf_kind];
  int (*max_entries)[Bytes];

  /// Calls `callback(const Record&)`, a lambda or function object, for each record there is, and returns their number
  /// or an error below 0. Records of another length than Record's are passed over, though counted.
  template <class Record, class Callback>
  LATHE_BPF_INLINE long drain(Callback callback) {
    return bpf_user_ringbuf_drain(this, reinterpret_cast<void*>(&step<Record, Callback>), &callback, 0);
  }

 private:
  template <class Record, class Callback>
  static long step(bpf_dynptr* from, void* callback) {
    Record record;
    if (bpf_dynptr_read(&record, sizeof(record), from, 0, 0) == 0) (*static_cast<Callback*>(callback))(record);
    return 0;
  }
};

#undef LATHE_BPF_INLINE

}  // namespace lathe::bpf

#endif
