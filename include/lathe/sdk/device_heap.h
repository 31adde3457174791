// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a target's device.cpp: memory for kernels with a state, where the hardware's own run-time library has none.
// Include it in the device.cpp of a target whose descriptor says `state: true`.
//
// Blocks have powers of two bytes, of which 16 tell what they are. A block that was given back lies on the stack of its
// size; new ones come from the end of what was used. Nobody waits: a stack's head is changed by one compare and
// exchange (R. K. Treiber, "Systems Programming: Coping with Parallelism", 1986) and counts its changes in its upper
// half, so that a block that was taken and came back in between is noticed.
#ifndef LATHE_SDK_DEVICE_HEAP_H
#define LATHE_SDK_DEVICE_HEAP_H

#include <lathe/sdk/device_state.h>

namespace lathe_heap {

using lathe::abi::Heap;

/// The header in front of each block's memory. Places count in 16 bytes from the first block, plus 1: 0 is none.
struct alignas(16) Header {
  unsigned sizeClass;
  unsigned next;  ///< below it on the stack
};

inline Header* at(Heap* heap, unsigned place) {
  return reinterpret_cast<Header*>(heap + 1) + (place - 1);
}

/// Takes a block of `bytes` bytes or more, aligned to 16; null if there is no heap or none is left.
__attribute__((noinline)) inline void* allocate(Heap* heap, unsigned long bytes) {
  if (!heap || bytes > heap->capacity) return nullptr;
  const unsigned long whole = bytes + sizeof(Header);
  const unsigned sizeClass = whole <= 32 ? 0 : 59 - static_cast<unsigned>(__builtin_clzl(whole - 1));
  if (sizeClass >= Heap::sizeClasses) return nullptr;

  unsigned long* const stack = &heap->free[sizeClass];
  unsigned long head = __atomic_load_n(stack, __ATOMIC_ACQUIRE);
  while (static_cast<unsigned>(head) != 0) {
    Header* const block = at(heap, static_cast<unsigned>(head));
    // If another item took the block meanwhile, this value is wrong, but then the head has changed too.
    const unsigned long next = __atomic_load_n(&block->next, __ATOMIC_RELAXED);
    const unsigned long changed = (head >> 32) + 1;
    if (__atomic_compare_exchange_n(stack, &head, changed << 32 | next, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return block + 1;
  }

  const unsigned long size = 32UL << sizeClass;
  unsigned long used = __atomic_load_n(&heap->used, __ATOMIC_RELAXED);
  do {
    if (size > heap->capacity - used) return nullptr;
  } while (!__atomic_compare_exchange_n(&heap->used, &used, used + size, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  Header* const block = reinterpret_cast<Header*>(heap + 1) + used / sizeof(Header);
  block->sizeClass = sizeClass;
  return block + 1;
}

/// Gives back what allocate() gave; nothing happens for null.
__attribute__((noinline)) inline void release(Heap* heap, void* memory) {
  if (!heap || !memory) return;
  const auto place = static_cast<unsigned>(static_cast<Header*>(memory) - reinterpret_cast<Header*>(heap + 1));
  Header* const block = at(heap, place);  // not from `memory`, which does not say what memory it is of
  unsigned long* const stack = &heap->free[block->sizeClass];
  unsigned long head = __atomic_load_n(stack, __ATOMIC_RELAXED), changed;
  do {
    __atomic_store_n(&block->next, static_cast<unsigned>(head), __ATOMIC_RELAXED);
    changed = (head >> 32) + 1;
  } while (
      !__atomic_compare_exchange_n(stack, &head, changed << 32 | place, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
}

}  // namespace lathe_heap

LATHE_STATE_ENTRY void* __lathe_state_allocate(unsigned long long bytes) {
  return lathe_heap::allocate(lathe_state::deviceMemory(lathe_state::state().heap), bytes);
}
LATHE_STATE_ENTRY void __lathe_state_release(const void* memory) {
  lathe_heap::release(lathe_state::deviceMemory(lathe_state::state().heap), const_cast<void*>(memory));
}

#endif
