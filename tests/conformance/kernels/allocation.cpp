// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that items take in a kernel and give back.
#include <lathe/device.h>

#include <cstdlib>

struct Node {
  unsigned value;
  Node* next;
};

/// Each item builds a list of as many nodes as it is told, of values that no other has, and folds it.
LATHE_KERNEL void lists(const unsigned* lengths, unsigned* out) {
  const unsigned i = lathe::global_id().x;
  Node* list = nullptr;
  for (unsigned k = 0; k < lengths[i]; ++k) list = new Node{i * 1000 + k, list};
  lathe::barrier();  // until all have theirs
  unsigned sum = 0;
  while (list) {
    sum = sum * 31 + list->value;
    Node* const next = list->next;
    delete list;
    list = next;
  }
  out[i] = sum;
}

/// Blocks of many sizes, again and again: nobody else's bytes are in them, and they begin at a multiple of 16.
LATHE_KERNEL void blocks(unsigned rounds, unsigned* out) {
  const unsigned i = lathe::global_id().x;
  unsigned wrong = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned bytes = 1 + (i * 7 + round * 13) % 200;
    auto* const block = static_cast<unsigned char*>(malloc(bytes));
    wrong += block == nullptr || (reinterpret_cast<unsigned long>(block) & 15) != 0;
    for (unsigned k = 0; k < bytes; ++k) block[k] = static_cast<unsigned char>(i + k);
    lathe::barrier();
    for (unsigned k = 0; k < bytes; ++k) wrong += block[k] != static_cast<unsigned char>(i + k);
    free(block);
  }
  free(nullptr);
  out[i] = wrong;
}

/// One group takes, another launch would give back: here the same item does, through memory that all see.
LATHE_KERNEL void handed_on(unsigned** places, unsigned* out) {
  const unsigned i = lathe::item_id().x, n = lathe::group_size().x;
  places[i] = static_cast<unsigned*>(malloc(sizeof(unsigned)));
  *places[i] = i * i;
  lathe::barrier();
  unsigned* const other = places[n - 1 - i];
  out[i] = *other;
  lathe::barrier();
  free(other);
}

/// More than there is.
LATHE_KERNEL void too_much(unsigned* out) {
  void* const block = malloc(1ul << 50);
  out[lathe::item_id().x] = block == nullptr;
  free(block);
}
