// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic programming: tables filled along diagonals, row by row with two rows in shared memory, and by tiles.
#include <cuda_runtime.h>

#define MOST 128

// Longest common subsequence, one block, a diagonal at a time; three diagonals are kept.
__global__ void commonSubsequence(const char* a, int na, const char* b, int nb, int* length) {
  __shared__ int diagonal[3][MOST + 1];
  for (int i = threadIdx.x; i <= na; i += blockDim.x) diagonal[0][i] = diagonal[1][i] = diagonal[2][i] = 0;
  __syncthreads();
  for (int d = 2; d <= na + nb; ++d) {
    int *now = diagonal[d % 3], *before = diagonal[(d + 2) % 3], *twoBefore = diagonal[(d + 1) % 3];
    for (int i = max(1, d - nb) + threadIdx.x; i <= min(na, d - 1); i += blockDim.x) {
      const int j = d - i;
      now[i] = a[i - 1] == b[j - 1] ? twoBefore[i - 1] + 1 : max(before[i], before[i - 1]);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) *length = diagonal[(na + nb) % 3][na];
}

__global__ void knapsack(const int* weights, const int* values, int items, int capacity, int* best) {
  extern __shared__ int rows[];
  int *now = rows, *next = rows + capacity + 1;
  for (int c = threadIdx.x; c <= capacity; c += blockDim.x) now[c] = 0;
  for (int item = 0; item < items; ++item) {
    __syncthreads();
    const int weight = weights[item], worth = values[item];
    for (int c = threadIdx.x; c <= capacity; c += blockDim.x)
      next[c] = c >= weight ? max(now[c], now[c - weight] + worth) : now[c];
    int* const swap = now;
    now = next;
    next = swap;
  }
  __syncthreads();
  for (int c = threadIdx.x; c <= capacity; c += blockDim.x) best[c] = now[c];
}

// Local alignment: one warp a pair, lanes are columns, the row moves by shuffles. 32 columns.
__global__ void align(const char* a, const char* b, int rows, int* scores) {
  const int lane = threadIdx.x % 32, pair = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const char mine = b[pair * 32 + lane];
  int best = 0, up = 0, diagonal = 0, left = 0;
  for (int step = 0; step < rows + 31; ++step) {
    const int row = step - lane;
    const int fromLeft = __shfl_up_sync(0xffffffff, up, 1);
    const int corner = __shfl_up_sync(0xffffffff, diagonal, 1);
    int score = up;
    if (row >= 0 && row < rows) {
      left = lane ? fromLeft : 0;
      const int before = lane && row ? corner : 0;
      score = max(max(0, before + (a[pair * rows + row] == mine ? 3 : -2)), max(up, left) - 1);
      best = max(best, score);
    }
    diagonal = up;
    up = score;
  }
  best = __reduce_max_sync(0xffffffff, best);
  if (lane == 0) scores[pair] = best;
}

// The cheapest way down a grid of costs, straight or diagonally, several rows a launch with a halo that shrinks.
template <int Rows>
__global__ void cheapestWay(const int* cost, const int* above, int* out, int width) {
  __shared__ int row[2][256];
  const int x = blockIdx.x * (blockDim.x - 2 * Rows) + threadIdx.x - Rows;
  const bool inside = x >= 0 && x < width;
  row[0][threadIdx.x] = inside ? above[x] : 1 << 29;
  int now = 0;
  for (int r = 0; r < Rows; ++r, now ^= 1) {
    __syncthreads();
    if (threadIdx.x > r && threadIdx.x < blockDim.x - 1 - r) {
      const int best = min(row[now][threadIdx.x], min(row[now][threadIdx.x - 1], row[now][threadIdx.x + 1]));
      row[now ^ 1][threadIdx.x] = inside ? best + cost[r * width + x] : 1 << 29;
    }
  }
  __syncthreads();
  if (threadIdx.x >= Rows && threadIdx.x < blockDim.x - Rows && inside) out[x] = row[now][threadIdx.x];
}

int main() {
  cheapestWay<4><<<4, 64>>>(nullptr, nullptr, nullptr, 200);
}
