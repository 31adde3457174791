// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp functions in every shape of control flow that CUDA allows: the threads that a mask names, and no others, come to
// the same call. Every kernel takes the same arguments and works for any size of block; the reference is this file on
// the host.

__device__ unsigned items() {
  return blockDim.x * blockDim.y * blockDim.z;
}
__device__ unsigned item() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ unsigned at() {
  return blockIdx.x * items() + item();
}
__device__ unsigned lane() {
  return item() % 32;
}
__device__ unsigned warp() {
  return item() / 32;
}
/// The threads that the warp has.
__device__ unsigned warpMask() {
  const unsigned left = items() - warp() * 32;
  return left >= 32 ? 0xffffffffu : (1u << left) - 1;
}
__device__ unsigned mix(unsigned a, unsigned b) {
  return (a ^ b) * 2654435761u + b;
}
/// The value of the next thread of `mask`, all around.
__device__ unsigned next(unsigned mask, unsigned value) {
  const unsigned above = mask & ~(0xffffffffu >> (31 - lane()));
  return __shfl_sync(mask, value, static_cast<unsigned>(__ffs(above ? above : mask) - 1));
}
/// The threads of `mask` for which `holds`.
__device__ unsigned those(unsigned mask, bool holds) {
  return __ballot_sync(mask, holds);
}

__global__ void straight(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned mask = warpMask();
  unsigned value = next(mask, in[at()]);
  value = mix(value, __ballot_sync(mask, value % 2)) + __shfl_up_sync(mask, value, n % 4);
  value += static_cast<unsigned>(__any_sync(mask, value % 16 == 3) + 2 * __all_sync(mask, value % 16 != 3));
  out[at()] = value;
}

__global__ void countedLoop(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  for (unsigned turn = 0; turn < n; ++turn) value = mix(next(warpMask(), value), turn);
  out[at()] = value;
}

__global__ void turnsOfTheWarp(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()], turn = 0;
  for (; turn < (warp() * 3 + n) % 7; ++turn) value = mix(next(warpMask(), value), turn);
  out[at()] = mix(value, turn);
}

__global__ void branchOfTheWarp(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  if (warp() % 3 == 0) {
    value = next(warpMask(), value);
  } else if (warp() % 3 == 1) {
    value = next(warpMask(), next(warpMask(), value) + n);
  }
  out[at()] = next(warpMask(), value);
}

__global__ void halves(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  const unsigned low = those(warpMask(), lane() < 16), high = those(warpMask(), lane() >= 16);
  if (lane() < 16) {
    for (unsigned turn = 0; turn < n; ++turn) value = mix(next(low, value), turn);
  } else {
    value = next(high, value) + 1;
  }
  out[at()] = next(warpMask(), value);
}

__global__ void quartersOfHalves(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  const unsigned half = those(warpMask(), lane() < 16);
  const unsigned mine = lane() < 16 ? half : warpMask() & ~half;
  if (lane() < 16) {
    const unsigned even = those(mine, value % 2 == 0);
    if (value % 2 == 0) {
      value = next(even, value) + n;
    } else {
      for (unsigned turn = 0; turn < 3; ++turn) value = mix(next(mine & ~even, value), turn);
    }
    value = next(mine, value);
  } else {
    const unsigned third = those(mine, lane() % 3 == 0);
    if (lane() % 3 == 0) value = next(third, mix(value, n));
    value += next(mine, value);
  }
  out[at()] = next(warpMask(), value);
}

__global__ void leaveOneByOne(const unsigned* in, unsigned* out, unsigned) {
  unsigned value = in[at()] % 97, turns = 0;
  for (unsigned here = warpMask();; ++turns) {
    const unsigned stay = those(here, value > 1);
    if (value <= 1) break;
    here = stay;
    const unsigned other = next(here, value);
    value = value % 2 ? (value * 3 + other % 2) / 4 : value / 2;
  }
  out[at()] = mix(next(warpMask(), value), turns);
}

__global__ void whileAny(const unsigned* in, unsigned* out, unsigned) {
  unsigned value = in[at()] % 1000, turns = 0;
  while (__any_sync(warpMask(), value > 3)) {
    if (value > 3) value = value % 2 ? value / 3 : value / 2;
    ++turns;
  }
  out[at()] = mix(value, turns);
}

__global__ void untilAll(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()] % 100, turns = 0;
  do {
    value = value * 5 % 101;
    ++turns;
  } while (!__all_sync(warpMask(), value % 8 != n) && turns < 40);
  out[at()] = mix(value, turns);
}

__global__ void conditionOfShuffle(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()] % 256, turns = 0;
  while (__shfl_sync(warpMask(), value, 0) % 16 != n && turns < 20) value = next(warpMask(), value) + turns++;
  out[at()] = mix(value, turns);
}

/// Some meet in a branch of the loop while others go round.
__global__ void meetInBranch(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  for (unsigned turn = 0; turn < n + 3; ++turn) {
    const unsigned chosen = those(warpMask(), value % 3 == turn % 3);
    if (value % 3 == turn % 3) {
      value = mix(next(chosen, value), turn);
      value += next(chosen, value);
    }
  }
  out[at()] = value;
}

__global__ void branchesOfUnlikeLength(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  for (unsigned turn = 0; turn < n; ++turn) {
    const unsigned odd = those(warpMask(), value % 2), even = warpMask() & ~odd;
    if (value % 2) {
      value = next(odd, value) / 2;
      value = next(odd, value ^ turn);
      value = next(odd, value) * 7;
    } else {
      value = next(even, value + turn);
    }
    value = mix(next(warpMask(), value), turn);
  }
  out[at()] = value;
}

/// Each half goes round by itself, at its own pace.
__global__ void loopsOfHalves(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  const unsigned low = those(warpMask(), lane() < 16);
  const unsigned mine = lane() < 16 ? low : warpMask() & ~low;
  for (unsigned turn = 0; turn < (lane() < 16 ? n : 2 * n); ++turn) {
    value = next(mine, value) + turn;
    if (turn % 3 == 1) continue;
    value ^= next(mine, value * 3);
  }
  out[at()] = next(warpMask(), value);
}

__global__ void returnBeforeSum(const unsigned* in, unsigned* out, unsigned n) {
  const bool stays = in[at()] % 4 != n % 4;
  const unsigned rest = those(warpMask(), stays);
  out[at()] = 3;
  if (!stays) return;
  unsigned sum = 0;
  for (unsigned left = rest; left != 0; left &= left - 1)
    sum += __shfl_sync(rest, in[at()], static_cast<unsigned>(__ffs(left) - 1));
  out[at()] = sum;
}

__global__ void returnFromLoop(const unsigned* in, unsigned* out, unsigned) {
  unsigned value = in[at()] % 64;
  unsigned here = warpMask();
  for (unsigned turn = 0;; ++turn) {
    value = mix(next(here, value), turn) % 64;
    const unsigned stay = those(here, value % 8 != 0 && turn < 12);
    if (value % 8 == 0 || turn >= 12) {
      out[at()] = mix(turn, value);
      return;
    }
    here = stay;
  }
}

__global__ void sharedOfHalves(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned tile[256];
  unsigned value = in[at()];
  const unsigned low = those(warpMask(), lane() < 16);
  if (lane() < 16) {
    for (unsigned turn = 0; turn < n; ++turn) {
      tile[item()] = value;
      __syncwarp(low);
      value = mix(tile[warp() * 32 + (lane() + 1) % static_cast<unsigned>(__popc(low))], turn);
      __syncwarp(low);
    }
  }
  tile[item()] = value;
  __syncwarp(warpMask());
  out[at()] = tile[warp() * 32 + (lane() + 1) % static_cast<unsigned>(__popc(warpMask()))];
}

__global__ void leaderOfEach(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned value = in[at()];
  unsigned result = 0;
  for (unsigned left = warpMask(); left != 0;) {  // one round for each kind of value
    const unsigned kind = __shfl_sync(warpMask(), value % (n + 1), static_cast<unsigned>(__ffs(left) - 1));
    const unsigned same = those(warpMask(), value % (n + 1) == kind);
    if (value % (n + 1) == kind) {
      const unsigned leader = static_cast<unsigned>(__ffs(same) - 1);
      result = __shfl_sync(same, lane() == leader ? value : 0, leader) + static_cast<unsigned>(__popc(same));
    }
    left &= ~same;
  }
  out[at()] = result;
}

__global__ void matches(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned value = in[at()] % (n + 2);
  const unsigned same = __match_any_sync(warpMask(), value);
  const unsigned few = those(warpMask(), __popc(same) < 12);
  unsigned sum = 1;
  if (__popc(same) < 12) sum = __reduce_add_sync(few, value + lane());
  out[at()] = mix(same, sum + __reduce_add_sync(warpMask(), value));
}

__global__ void caseOfEach(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  for (unsigned turn = 0; turn < n; ++turn) {
    const unsigned which = (value + turn) % 4;
    const unsigned same = __match_any_sync(warpMask(), which);
    switch (which) {
      case 0:
        value = next(same, value);
        break;
      case 1:
        value = next(same, value ^ 3);
        value = next(same, value) + 1;
        break;
      case 2:
        value = mix(value, turn);
        break;
      default:
        value = static_cast<unsigned>(__popc(those(same, value % 8 == 3))) + value;
    }
  }
  out[at()] = value;
}

__device__ unsigned sumOf(unsigned mask, unsigned value) {
  unsigned sum = value;
  for (int k = 1; k < __popc(mask); ++k) {
    value = next(mask, value);
    sum += value;
  }
  return sum;
}
__global__ void insideFunctions(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  const unsigned big = those(warpMask(), value % 100 > 50);
  if (value % 100 > 50) {
    value = sumOf(big, value);
  } else if (n > 1) {
    value = sumOf(warpMask() & ~big, value) ^ sumOf(warpMask() & ~big, value % 5);
  }
  out[at()] = sumOf(warpMask(), value);
}

__global__ void leaveTwoLoops(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()], steps = 0;
  unsigned here = warpMask();
  bool done = false;
  for (unsigned outer = 0; outer < n && !done; ++outer) {
    for (unsigned inner = 0; inner <= outer; ++inner) {
      value = mix(next(here, value), inner);
      ++steps;
      const unsigned stay = those(here, value % 9 != 0);
      if (value % 9 == 0) {
        done = true;
        break;
      }
      here = stay;
    }
  }
  out[at()] = mix(value, steps);
}

__global__ void jumpIntoByWarp(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()], turn = 0;
  if (warp() % 2) goto middle;
head:
  value = mix(next(warpMask(), value), turn);
  if (turn > n + warp()) goto end;
middle:
  value = next(warpMask(), value ^ turn);
  ++turn;
  if (turn % 4 != 3) goto head;
  value += 11;
  if (turn < 3 * n) goto middle;
end:
  out[at()] = mix(value, turn);
}

__global__ void betweenGroupBarriers(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned parts[8];
  unsigned value = in[at()];
  for (unsigned turn = 0; turn < n; ++turn) {
    const unsigned sum = sumOf(warpMask(), value);
    if (lane() == 0) parts[warp()] = sum;
    __syncthreads();
    if (warp() == 0) {
      const unsigned warps = (items() + 31) / 32;
      const unsigned total = sumOf(warpMask(), lane() < warps ? parts[lane()] : 0);
      if (lane() == 0) parts[0] = total;
    }
    __syncthreads();
    value = mix(value, parts[0] + turn);
    __syncthreads();
  }
  out[at()] = value;
}

__global__ void warpsAtTheirPace(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned tile[256];
  unsigned value = in[at()];
  for (unsigned round = 0; round < n; ++round) {
    for (unsigned turn = 0; turn < (warp() + round) % 4; ++turn) {
      value = mix(next(warpMask(), value), turn);
      if (turn == 1 && warp() % 2) value = next(warpMask(), value) + 5;
    }
    tile[item()] = value;
    __syncthreads();
    value += tile[(item() + 32) % items()];
    __syncthreads();
    if (round == 2 && warp() == 0) value = next(warpMask(), value);
  }
  out[at()] = value;
}

__global__ void warpsReturn(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  for (unsigned round = 0; round < n + 2; ++round) {
    value = mix(next(warpMask(), value), round);
    if (round == warp() % 4 + 1) {
      out[at()] = value;
      return;
    }
    value += static_cast<unsigned>(__syncthreads_count(value % 2));
  }
  out[at()] = value + 1;
}

__global__ void lanesReturnThenBarrier(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()];
  const bool stays = value % 5 != 0;
  const unsigned rest = those(warpMask(), stays);
  out[at()] = 2;
  if (!stays) return;
  for (unsigned turn = 0; turn < n; ++turn) {
    value = next(rest, value) + static_cast<unsigned>(__syncthreads_count(value % 2));
    const unsigned few = those(rest, value % 3 == 0);
    if (value % 3 == 0) value = next(few, value) ^ turn;
  }
  out[at()] = value;
}

/// A mask may name threads that have returned, or that the block does not have: they have no part.
__global__ void masksNameTheGone(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned value = in[at()];
  out[at()] = 4;
  if (value % 4 == 1) return;
  unsigned result = __ballot_sync(0xffffffffu, value % 2);
  result = mix(result, static_cast<unsigned>(__all_sync(0xffffffffu, value % 4 != 1) * 2 + __any_sync(0xffffffffu, value % 4 == 1)));
  if (value % 8 == n) return;
  result = mix(result, __reduce_add_sync(0xffffffffu, value)) + __match_any_sync(0xffffffffu, value % 5);
  out[at()] = result;
}

/// One thread counts for all that are here, whoever they are.
__global__ void countThoseHere(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned count;
  if (item() == 0) count = 0;
  __syncthreads();
  for (unsigned turn = 0; turn < in[at()] % 6; ++turn) {
    if ((in[at()] + turn) % 3 == n % 3) continue;
    const unsigned here = __activemask();
    if (lane() == static_cast<unsigned>(__ffs(here) - 1)) atomicAdd(&count, static_cast<unsigned>(__popc(here)));
  }
  __syncthreads();
  out[at()] = count;
}

__global__ void scanOfWarp(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value = in[at()] % 1000;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned other = __shfl_up_sync(warpMask(), value, distance);
    if (lane() >= distance) value += other;
  }
  const unsigned mask = those(warpMask(), value % 2 == n % 2);
  if (value % 2 == n % 2) value = next(mask, value);
  out[at()] = value;
}
