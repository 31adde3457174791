// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures of dozens of words between which the code chooses are registers where nothing but that stands in the way,
// as in nvcc's code: copied in two branches, to a reference that is chosen, from one, and compared by a loop that ends early.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s --implicit-check-not=.local
// CHECK: .entry inBranches(
// CHECK: .entry byReference(
// CHECK: .entry merge(
// CHECK: .entry orElse(
struct Words {
  float word[20];
};
extern "C" __global__ void inBranches(Words* out, const Words* in, const int* which, int n) {
  Words a = in[0], b = in[1];
  for (int i = 0; i < n; ++i) {
    if (which[i])
      a = in[i + 2];
    else
      b = in[i + 3];
  }
  out[0] = a;
  out[1] = b;
}
extern "C" __global__ void byReference(Words* out, const Words* in, const int* which, int n) {
  Words a = in[0], b = in[1];
  for (int i = 0; i < n; ++i) (which[i] ? a : b) = in[i + 2];
  out[0] = a;
  out[1] = b;
}

struct Key {
  unsigned word[34];
  __device__ bool operator<(const Key& other) const {
    for (int i = 0; i < 34; ++i) {
      if (word[i] < other.word[i]) return true;
      if (word[i] > other.word[i]) return false;
    }
    return false;
  }
};
extern "C" __global__ void merge(Key* out, const Key* in, int a, int b, int endA, int endB) {
  Key first = in[a], second = in[b];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const bool takesSecond = b < endB && (a >= endA || second < first);
    out[threadIdx.x * 2 + i] = takesSecond ? second : first;
    if (takesSecond)
      second = in[++b];
    else
      first = in[++a];
  }
}

// A copy of shared memory, or of a local object.
extern "C" __global__ void orElse(Key* out, const Key* in, int n) {
  __shared__ Key all[64];
  all[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  Key otherwise = in[1], least = in[0];
  otherwise.word[3] = n;
  for (int i = 0; i < n; ++i) {
    Key next = i < 64 ? all[i] : otherwise;
    if (next < least) least = next;
  }
  out[threadIdx.x] = least;
}
