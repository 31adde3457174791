// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers of the block in every shape of control flow that CUDA allows: all threads that have not returned come to
// each. Every kernel takes the same arguments and works for any size of block; the reference is this file on the host.

__device__ unsigned items() {
  return blockDim.x * blockDim.y * blockDim.z;
}
__device__ unsigned item() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ unsigned at() {
  return blockIdx.x * items() + item();
}
__device__ unsigned mix(unsigned a, unsigned b) {
  return (a ^ b) * 2654435761u + b;
}
/// The value of the next thread, all around the block.
__device__ unsigned neighbour(unsigned value) {
  __shared__ unsigned tile[256];
  tile[item()] = value;
  __syncthreads();
  const unsigned out = tile[(item() + 1) % items()];
  __syncthreads();
  return out;
}

__global__ void straight(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned first = neighbour(in[at()]);
  const unsigned second = neighbour(mix(first, n));
  out[at()] = mix(first, second);
}

__global__ void countedLoop(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  for (unsigned turn = 0; turn < n; ++turn) value = mix(neighbour(value), turn);
  out[at()] = value;
}

__global__ void loopLeftByShared(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned seen;
  unsigned value = in[at()], turns = 0;
  for (;;) {
    if (item() == turns % items()) seen = value;
    __syncthreads();
    const unsigned found = seen;
    __syncthreads();
    if (found % 7 == n % 7 || turns > 9) break;
    value = mix(value, found + turns++);
  }
  out[at()] = mix(neighbour(value), turns);
}

__global__ void loopWithTwoExits(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  unsigned turn = blockIdx.x;
  for (; turn < 12; ++turn) {
    value = mix(neighbour(value), turn);
    if (turn * turn > n * 5) {
      value = neighbour(value) + 3;
      break;
    }
    if (turn == n) {
      value = neighbour(value ^ turn);
      value = neighbour(value) * 5;
      break;
    }
  }
  out[at()] = neighbour(value) + turn;
}

__global__ void loopThatContinues(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  for (unsigned turn = 0; turn < n + 4; ++turn) {
    value = mix(value, turn);
    if ((turn + blockIdx.x) % 3 == 1) continue;
    value = neighbour(value);
    if (turn % 4 == 2) continue;
    value += neighbour(value ^ turn);
  }
  out[at()] = value;
}

__global__ void loopByVote(const unsigned* in, unsigned* out, unsigned) {
  unsigned value = in[at()] % 1000, turns = 0;
  do {
    value = value % 2 ? value / 3 : value / 2;
    ++turns;
  } while (__syncthreads_or(value > 5));
  out[at()] = mix(value, turns);
}

__global__ void boundByCount(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  const int bound = __syncthreads_count(value % 3 == n % 3) % 5;
  for (int turn = 0; turn < bound; ++turn) value = mix(neighbour(value), static_cast<unsigned>(turn));
  out[at()] = __syncthreads_and(value != 12345) ? value : 0;
}

__global__ void loopsInLoops(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  for (unsigned outer = 0; outer < n; ++outer) {
    for (unsigned inner = outer; inner < n + blockIdx.x; ++inner) value = mix(neighbour(value), inner);
    value = neighbour(value ^ outer);
  }
  out[at()] = value;
}

__global__ void exitsOfNestedLoops(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned sum;
  unsigned value = in[at()];
  for (unsigned outer = 0; outer < 6; ++outer) {
    for (unsigned inner = 0;; ++inner) {
      if (item() == 0) sum = 0;
      __syncthreads();
      atomicAdd(&sum, value % 16);
      __syncthreads();
      const unsigned total = sum;
      __syncthreads();
      if (total % 5 == 0 || inner > 3) break;
      if (total % 11 == n) goto done;
      value = mix(value, total);
    }
    value += outer;
  }
done:
  out[at()] = neighbour(value);
}

__global__ void uniformBranches(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  if (blockIdx.x % 2) {
    value = neighbour(value);
  } else if (n > 3) {
    value = neighbour(neighbour(value) * 3);
  } else {
    value += 7;
  }
  out[at()] = neighbour(value);
}

__global__ void behindDivergentBranch(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  if (value % 2) {
    value = mix(value, n);
    if (value % 3 == 0) value -= 5;
  } else if (item() % 5 == 2) {
    value = ~value;
  }
  value = neighbour(value);
  if (item() < n) value = mix(value, 77);
  out[at()] = neighbour(value);
}

__global__ void behindDivergentLoop(const unsigned* in, unsigned* out, unsigned) {
  unsigned value = in[at()] % 64, turns = 0;
  while (value > 1) {
    value = value % 2 ? 3 * value + 1 : value / 2;
    ++turns;
  }
  out[at()] = mix(neighbour(turns), turns);
}

__global__ void divergentLoopBetween(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  for (unsigned turn = 0; turn < n; ++turn) {
    value = neighbour(value);
    for (unsigned k = 0; k < value % 5; ++k) value = value * 3 + k;
    if (value % 4 == 0) continue;  // the barriers of the next turn are met by all
    value ^= turn;
  }
  out[at()] = value;
}

__global__ void someReturnFirst(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned tile[256];
  const unsigned rest = items() - items() / 3;
  out[at()] = n;
  if (item() >= rest) return;
  unsigned value = in[at()];
  for (unsigned turn = 0; turn < n; ++turn) {
    tile[item()] = value;
    __syncthreads();
    value = mix(tile[(item() + 1) % rest], turn);
    __syncthreads();
  }
  out[at()] = value;
}

__global__ void firstReturn(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned gone = items() / 2;
  out[at()] = 1;
  if (item() < gone) return;
  const int count = __syncthreads_count(in[at()] % 2 == 0);
  const int all = __syncthreads_and(in[at()] != n + 3), some = __syncthreads_or(in[at()] % 8 == 5);
  out[at()] = static_cast<unsigned>(count * 4 + all * 2 + some);
}

__global__ void returnOneByOne(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned tile[256];
  unsigned value = in[at()];
  for (unsigned left = items();; left -= left / 4 + 1) {
    if (item() >= left) {
      out[at()] = mix(value, left);
      return;
    }
    tile[item()] = value;
    __syncthreads();
    value = mix(tile[left - 1 - item()], n);
    __syncthreads();
  }
}

__global__ void returnOfGroups(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = neighbour(in[at()]);
  out[at()] = value;
  if (blockIdx.x == n % 2) return;
  value = neighbour(mix(value, n));
  out[at()] = value;
  if (n > 100) return;
  out[at()] = neighbour(value) + 1;
}

__global__ void cases(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  switch ((n + blockIdx.x) % 4) {
    case 0:
      value = neighbour(value);
      break;
    case 1:
      value = neighbour(value) + 1;
      [[fallthrough]];
    case 2:
      value = neighbour(value * 3);
      break;
    default:
      value ^= n;
  }
  out[at()] = neighbour(value);
}

__global__ void states(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()], state = blockIdx.x;
  for (unsigned turn = 0; turn < 3 * n && state != 4; ++turn) {
    switch (state) {
      case 0:
        value = neighbour(value);
        state = turn % 2 ? 1 : 2;
        break;
      case 1:
        value = mix(value, turn);
        state = 3;
        break;
      case 2:
        value = neighbour(value + turn);
        value = neighbour(value);
        state = turn > n ? 4 : 0;
        break;
      default:
        state = 2;
        value = neighbour(value ^ 5);
    }
  }
  out[at()] = mix(value, state);
}

__device__ unsigned rounds(unsigned value, unsigned count) {
  if (count == 0) return value + 1;
  for (unsigned turn = 0; turn < count; ++turn) {
    value = neighbour(value);
    if (turn == 2) return mix(value, turn);
  }
  return value;
}
__global__ void insideFunctions(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = rounds(in[at()], n % 4);
  for (unsigned turn = 0; turn < 3; ++turn) value = rounds(value, turn) + rounds(value, n);
  out[at()] = value;
}

template <unsigned depth>
__device__ unsigned deep(unsigned value, unsigned n) {
  if constexpr (depth == 0) {
    return neighbour(value);
  } else {
    if (n % depth == 1) return deep<depth - 1>(neighbour(value), n);
    return deep<depth - 1>(mix(value, depth), n);
  }
}
__global__ void insideTemplatesAndLambdas(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = deep<4>(in[at()], n);
  const auto step = [&](unsigned times) {
    while (times-- > 0) value = neighbour(value) + times;
  };
  step(n);
  step(2);
  out[at()] = value;
}

__global__ void inConditions(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()], turns = 0;
  while ((value = neighbour(value)), __syncthreads_count(value % 2 == 0) > static_cast<int>(items() / 4) && turns < n) {
    value = mix(value, turns++);
  }
  if (__syncthreads_or(value % 64 == 1) && (value = neighbour(value), __syncthreads_or(value % 32 == 2))) value += 9;
  out[at()] = mix(value, turns);
}

__global__ void jumpBack(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()], turn = 0;
again:
  value = mix(neighbour(value), turn);
  if (++turn < n) goto again;
  if (turn < n + 2) {
    value += 3;
    goto again;
  }
  out[at()] = value;
}

/// A loop with two entries.
__global__ void jumpInto(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()], turn = 0;
  if (blockIdx.x == 1) goto middle;
head:
  value = mix(neighbour(value), turn);
  if (turn > n + 2) goto end;
middle:
  value = neighbour(value ^ turn);
  ++turn;
  if (turn % 5 != 4) goto head;
  value += 11;
  if (turn < 2 * n) goto middle;
end:
  out[at()] = value;
}

__global__ void muchIsLive(const unsigned* in, unsigned* out, unsigned n) {
  unsigned history[8];
  unsigned long long wide = in[at()];
  unsigned char narrow = static_cast<unsigned char>(wide);
  bool odd = wide % 2;
  for (unsigned k = 0; k < 8; ++k) history[k] = static_cast<unsigned>(wide) + k;
  for (unsigned turn = 0; turn < n; ++turn) {
    const unsigned next = neighbour(history[(turn * 3 + item()) % 8]);
    history[turn % 8] = next;
    wide = wide * 6364136223846793005ull + next;
    narrow = static_cast<unsigned char>(narrow + next);
    odd = odd != (neighbour(narrow) % 2 == 0);
  }
  unsigned sum = odd + narrow;
  for (unsigned k = 0; k < 8; ++k) sum = mix(sum, history[k]);
  out[at()] = sum ^ static_cast<unsigned>(wide >> 32);
}

__global__ void scan(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned tile[2][256];
  unsigned from = 0;
  tile[0][item()] = in[at()];
  __syncthreads();
  for (unsigned distance = 1; distance < items(); distance *= 2) {
    unsigned sum = tile[from][item()];
    if (item() >= distance) sum += tile[from][item() - distance];
    from = 1 - from;
    tile[from][item()] = sum;
    __syncthreads();
  }
  out[at()] = tile[from][item()];
}
