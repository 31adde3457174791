// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic programming over sequences and tables.

// One diagonal of the table of a global alignment; diagonals are stored by row.
extern "C" __global__ void needlemanWunschDiagonal(const char* a, const char* b, const int* before, const int* last,
                                                   int* next, int diagonal, int length) {
  int row = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int col = diagonal - row;
  if (row > length || col < 1 || col > length) return;
  int match = before[row - 1] + (a[row - 1] == b[col - 1] ? 3 : -2);
  int gap = max(last[row - 1], last[row]) - 1;
  next[row] = max(match, gap);
}

#define WORD 32

// A pair of short words for each thread; a row of the table in registers or local memory.
extern "C" __global__ void editDistances(const unsigned char* a, const unsigned char* b, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int row[WORD + 1];
  for (int j = 0; j <= WORD; j++) row[j] = j;
  for (int r = 1; r <= WORD; r++) {
    int diagonal = row[0];
    row[0] = r;
    unsigned char c = a[(r - 1) * n + i];
    for (int j = 1; j <= WORD; j++) {
      int above = row[j];
      int best = diagonal + (c != b[(j - 1) * n + i]);
      best = min(best, above + 1);
      best = min(best, row[j - 1] + 1);
      row[j] = best;
      diagonal = above;
    }
  }
  out[i] = row[WORD];
}

// The table's rows as bits.
extern "C" __global__ void longestCommonBits(const unsigned char* a, const unsigned char* b, int* out, int length,
                                             int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long masks[4] = {0, 0, 0, 0};
  for (int k = 0; k < 64; k++) masks[a[k * n + i] & 3] |= 1ull << k;
  unsigned long long row = ~0ull;
  for (int k = 0; k < length; k++) {
    unsigned long long hits = row & masks[b[k * n + i] & 3];
    row = (row + hits) | (row - hits);
  }
  out[i] = 64 - __popcll(row);
}

// One block for each pair: the best local alignment, by diagonals in shared memory.
extern "C" __global__ void smithWaterman(const char* a, const char* b, int* best) {
  __shared__ int score[3][129];
  __shared__ char text[128];
  int t = threadIdx.x;
  char mine = a[blockIdx.x * 128 + t];
  text[t] = b[blockIdx.x * 128 + t];
  for (int k = 0; k < 3; k++) score[k][t + 1] = 0;
  if (t < 3) score[t][0] = 0;
  __syncthreads();
  int largest = 0;
  for (int diagonal = 0; diagonal < 255; diagonal++) {
    int col = diagonal - t;
    int value = 0;
    if (col >= 0 && col < 128) {
      int* two = score[(diagonal + 1) % 3];
      int* one = score[(diagonal + 2) % 3];
      value = max(0, two[t] + (mine == text[col] ? 2 : -1));
      value = max(value, max(one[t], one[t + 1]) - 1);
    }
    score[diagonal % 3][t + 1] = value;
    largest = max(largest, value);
    __syncthreads();
  }
  for (int offset = 16; offset > 0; offset /= 2) largest = max(largest, __shfl_xor_sync(0xffffffff, largest, offset));
  if (t % 32 == 0) atomicMax(&best[blockIdx.x], largest);
}

extern "C" __global__ void knapsackRow(const int* last, int* next, int weight, int value, int capacity) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c > capacity) return;
  int without = last[c];
  int with = c >= weight ? last[c - weight] + value : 0;
  next[c] = max(without, with);
}

// A step of the best path through hidden states, for each of many sequences.
extern "C" __global__ void viterbiStep(const float* last, const float* step, const float* emit, float* next, int* from,
                                       int states, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int to = blockIdx.y;
  if (i >= n) return;
  float best = -1e30f;
  int source = 0;
  for (int s = 0; s < states; s++) {
    float score = last[s * n + i] + step[s * states + to];
    if (score > best) {
      best = score;
      source = s;
    }
  }
  next[to * n + i] = best + emit[to * n + i];
  from[to * n + i] = source;
}
