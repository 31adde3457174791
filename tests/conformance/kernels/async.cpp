// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies beside the computation: one batch, and a pipeline of them, for each size of word that hardware copies.
#include <lathe/device.h>

template <class T, unsigned Words>
struct alignas(sizeof(T) * (Words == 2 && sizeof(T) == 8 ? 2 : 1)) packet {
  T words[Words];
};
using packet4 = packet<int, 1>;
using packet8 = packet<long, 1>;
using packet12 = packet<int, 3>;
using packet16 = packet<long, 2>;

constexpr unsigned items = 32;

/// Each group's items read what the neighbour has copied.
template <class T>
LATHE_KERNEL void copied(const T* in, T* out) {
  LATHE_SHARED T tile[items];
  const unsigned item = lathe::item_id().x, i = lathe::global_id().x;
  lathe::async_copy(&tile[item], &in[i]);
  lathe::async_commit();
  lathe::async_wait();
  lathe::barrier();
  out[i] = tile[(item + 5) % items];
}

/// A group sums tiles while later ones come.
template <unsigned Stages>
LATHE_KERNEL void piped(const int* in, int* out, unsigned tiles) {
  LATHE_SHARED int tile[Stages][items];
  const unsigned item = lathe::item_id().x;
  const lathe::pipeline<Stages> pipe;
  const auto fetch = [&](unsigned t) {
    if (t < tiles) pipe.copy(&tile[t % Stages][item], &in[t * items + item]);
    pipe.commit();
  };
  for (unsigned t = 0; t + 1 < Stages; ++t) fetch(t);
  int sum = 0;
  for (unsigned t = 0; t < tiles; ++t) {
    fetch(t + Stages - 1);
    pipe.wait();
    sum += static_cast<int>(t + 1) * tile[t % Stages][(item + 1) % items];
    pipe.release();
  }
  out[item] = sum;
}
