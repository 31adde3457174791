// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse matrices and graphs, in compressed rows, in rows of equal length (ELL), and as lists of entries.

extern "C" __global__ void csrRowPerThread(const int* offsets, const int* columns, const float* values, const float* x,
                                           float* y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = offsets[row]; i < offsets[row + 1]; i++) sum += values[i] * x[columns[i]];
  y[row] = sum;
}

extern "C" __global__ void csrRowPerWarp(const int* __restrict__ offsets, const int* __restrict__ columns,
                                         const float* __restrict__ values, const float* __restrict__ x,
                                         float* __restrict__ y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  int lane = threadIdx.x & 31;
  if (row >= rows) return;
  float sum = 0;
  int end = offsets[row + 1];
  for (int i = offsets[row] + lane; i < end; i += 32) sum += values[i] * x[columns[i]];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (lane == 0) y[row] = sum;
}

extern "C" __global__ void ellRows(const int* columns, const double* values, const double* x, double* y, int rows,
                                   int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double sum = 0;
  for (int k = 0; k < width; k++) {
    int column = columns[k * rows + row];
    if (column >= 0) sum += values[k * rows + row] * x[column];
  }
  y[row] = sum;
}

extern "C" __global__ void entriesScatter(const int* row, const int* column, const float* value, const float* x,
                                          float* y, int entries) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < entries) atomicAdd(&y[row[i]], value[i] * x[column[i]]);
}

extern "C" __global__ void breadthFirstStep(const int* offsets, const int* neighbours, const int* level, int* next,
                                            int* found, int current, int nodes) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || level[node] != current) return;
  for (int i = offsets[node]; i < offsets[node + 1]; i++) {
    int other = neighbours[i];
    if (level[other] < 0) {
      next[other] = current + 1;
      *found = 1;
    }
  }
}

extern "C" __global__ void pageRankStep(const int* offsets, const int* sources, const int* degree, const float* rank,
                                        float* out, float damping, int nodes) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  float sum = 0;
  for (int i = offsets[node]; i < offsets[node + 1]; i++) {
    int source = sources[i];
    sum += rank[source] / (float)degree[source];
  }
  out[node] = (1.0f - damping) / (float)nodes + damping * sum;
}

extern "C" __global__ void shortestPathRelax(const int* offsets, const int* neighbours, const int* weights,
                                             const int* distance, int* out, int nodes) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  int here = distance[node];
  if (here == 0x7fffffff) return;
  for (int i = offsets[node]; i < offsets[node + 1]; i++) atomicMin(&out[neighbours[i]], here + weights[i]);
}

// The lists of neighbours are sorted.
extern "C" __global__ void countTriangles(const int* offsets, const int* neighbours, int* count, int nodes) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  int triangles = 0;
  int begin = offsets[node], end = offsets[node + 1];
  for (int i = begin; i < end; i++) {
    int other = neighbours[i];
    int a = begin, b = offsets[other];
    int bEnd = offsets[other + 1];
    while (a < end && b < bEnd) {
      int x = neighbours[a], y = neighbours[b];
      if (x == y) {
        triangles++;
        a++;
        b++;
      } else if (x < y) {
        a++;
      } else {
        b++;
      }
    }
  }
  count[node] = triangles;
}
