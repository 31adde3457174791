// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes, a hash table, checksums by a table in constant memory, string search.
#include <cuda_runtime.h>
#include <stdint.h>

__device__ uint32_t mix(uint32_t h) {
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  return h ^ (h >> 16);
}

// Open addressing: every thread inserts its key with a count, then all look their keys up.
__global__ void hashTable(const uint32_t* keys, int n, uint32_t* slots, int* counts, int size, int* found) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    for (uint32_t at = mix(keys[i]) % size;; at = (at + 1) % size) {
      const uint32_t before = atomicCAS(&slots[at], 0xffffffffu, keys[i]);
      if (before != 0xffffffffu && before != keys[i]) continue;
      atomicAdd(&counts[at], 1);
      break;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    uint32_t at = mix(keys[i]) % size;
    while (slots[at] != keys[i]) at = (at + 1) % size;
    found[i] = counts[at];
  }
}

__constant__ uint32_t nibbles[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                     0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                     0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
__global__ void checksums(const uint8_t* text, const int* starts, uint32_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32_t crc = ~0u;
  for (int at = starts[i]; at < starts[i + 1]; ++at) {
    crc ^= text[at];
    crc = nibbles[crc & 15] ^ (crc >> 4);
    crc = nibbles[crc & 15] ^ (crc >> 4);
  }
  out[i] = ~crc;
}

#define ROTATE(x, n) __funnelshift_r(x, x, n)
// SHA-256's compression of one block of sixteen words for each thread; constants by cube roots would be cheating.
__global__ void compress(const uint32_t* words, const uint32_t* constants, uint32_t* digests) {
  __shared__ uint32_t k[64];
  for (int i = threadIdx.x; i < 64; i += blockDim.x) k[i] = constants[i];
  __syncthreads();
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t w[16], s[8];
  for (int i = 0; i < 16; ++i) w[i] = __byte_perm(words[t * 16 + i], 0, 0x0123);
  for (int i = 0; i < 8; ++i) s[i] = constants[64 + i];
#pragma unroll 16
  for (int i = 0; i < 64; ++i) {
    if (i >= 16) {
      const uint32_t a = w[(i + 1) & 15], b = w[(i + 14) & 15];
      w[i & 15] += (ROTATE(a, 7) ^ ROTATE(a, 18) ^ (a >> 3)) + w[(i + 9) & 15] + (ROTATE(b, 17) ^ ROTATE(b, 19) ^ (b >> 10));
    }
    const uint32_t t1 = s[7] + (ROTATE(s[4], 6) ^ ROTATE(s[4], 11) ^ ROTATE(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) +
                        k[i] + w[i & 15];
    const uint32_t t2 = (ROTATE(s[0], 2) ^ ROTATE(s[0], 13) ^ ROTATE(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    for (int j = 7; j > 0; --j) s[j] = s[j - 1];
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (int i = 0; i < 8; ++i) digests[t * 8 + i] = s[i] + constants[64 + i];
}

// All places of a pattern, the pattern in shared memory; the block's first match ends nothing, every match counts.
__global__ void search(const char* text, int n, const char* pattern, int m, int* matches, int* first) {
  extern __shared__ char wanted[];
  for (int i = threadIdx.x; i < m; i += blockDim.x) wanted[i] = pattern[i];
  __syncthreads();
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  bool same = at + m <= n;
  for (int i = 0; same && i < m; ++i) same = text[at + i] == wanted[i];
  const int count = __syncthreads_count(same);
  if (same) atomicMin(first, at);
  if (threadIdx.x == 0 && count) atomicAdd(matches, count);
}
