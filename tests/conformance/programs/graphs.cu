// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graph traversals on compressed adjacency lists: levels by a queue, shortest paths by relaxation, components by
// label propagation until nothing changes, ranks, all pairs.
#include <cuda_runtime.h>

struct Graph {
  const int* first;
  const int* to;
  const int* weight;
  int nodes;
};

#define GRAPH const int *first, const int *to, const int *weight, int nodes

// One block runs the whole search; the queue is shared memory's.
__global__ void breadthFirst(GRAPH, int start, int* level) {
  const Graph g = {first, to, weight, nodes};
  __shared__ int queue[2][256];
  __shared__ int size[2];
  for (int i = threadIdx.x; i < g.nodes; i += blockDim.x) level[i] = i == start ? 0 : -1;
  if (threadIdx.x == 0) {
    queue[0][0] = start;
    size[0] = 1;
  }
  __syncthreads();
  for (int depth = 1, now = 0; size[now] > 0; ++depth, now ^= 1) {
    if (threadIdx.x == 0) size[now ^ 1] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < size[now]; i += blockDim.x) {
      const int node = queue[now][i];
      for (int e = g.first[node]; e < g.first[node + 1]; ++e) {
        const int next = g.to[e];
        if (atomicCAS(&level[next], -1, depth) == -1) queue[now ^ 1][atomicAdd(&size[now ^ 1], 1)] = next;
      }
    }
    __syncthreads();
  }
}

__global__ void shortestPaths(GRAPH, int start, int* distance) {
  const Graph g = {first, to, weight, nodes};
  __shared__ bool changed;
  for (int i = threadIdx.x; i < g.nodes; i += blockDim.x) distance[i] = i == start ? 0 : 0x3fffffff;
  do {
    __syncthreads();
    changed = false;
    __syncthreads();
    for (int node = threadIdx.x; node < g.nodes; node += blockDim.x) {
      const int here = distance[node];
      if (here == 0x3fffffff) continue;
      for (int e = g.first[node]; e < g.first[node + 1]; ++e)
        if (atomicMin(&distance[g.to[e]], here + g.weight[e]) > here + g.weight[e]) changed = true;
    }
    __syncthreads();
  } while (changed);
}

__global__ void components(GRAPH, int* label) {
  const Graph g = {first, to, weight, nodes};
  int round = 0;
  for (int i = threadIdx.x; i < g.nodes; i += blockDim.x) label[i] = i;
  __syncthreads();
  while (true) {
    int changed = 0;
    for (int node = threadIdx.x; node < g.nodes; node += blockDim.x) {
      for (int e = g.first[node]; e < g.first[node + 1]; ++e) {
        const int mine = label[node], other = label[g.to[e]];
        if (mine == other) continue;
        changed = 1;
        atomicMin(&label[mine > other ? node : g.to[e]], min(mine, other));
      }
    }
    if (!__syncthreads_or(changed) || ++round > 10000) return;
  }
}

__global__ void rankStep(GRAPH, const float* rank, float* next, float damping) {
  const Graph g = {first, to, weight, nodes};
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= g.nodes) return;
  const int degree = g.first[node + 1] - g.first[node];
  if (degree == 0) return;
  const float share = damping * rank[node] / static_cast<float>(degree);
  for (int e = g.first[node]; e < g.first[node + 1]; ++e) atomicAdd(&next[g.to[e]], share);
}

__global__ void allPairs(int* distance, int n) {
  __shared__ int through[64];
  for (int k = 0; k < n; ++k) {
    if (threadIdx.x < n) through[threadIdx.x] = distance[k * n + threadIdx.x];
    __syncthreads();
    for (int i = threadIdx.x; i < n * n; i += blockDim.x) {
      const int row = i / n, way = distance[row * n + k] + through[i % n];
      if (row != k && way < distance[i] && i % n != k) distance[i] = way;
    }
    __syncthreads();
  }
}

// Triangles by intersecting sorted lists, one warp an edge, the total by a reduction of the block.
__global__ void triangles(GRAPH, int* total) {
  const Graph g = {first, to, weight, nodes};
  int found = 0;
  for (int node = blockIdx.x; node < g.nodes; node += gridDim.x)
    for (int e = g.first[node] + threadIdx.x / 32; e < g.first[node + 1]; e += blockDim.x / 32) {
      const int other = g.to[e];
      if (other <= node) continue;
      for (int f = g.first[other] + threadIdx.x % 32; f < g.first[other + 1]; f += 32) {
        const int third = g.to[f];
        if (third <= other) continue;
        int low = g.first[node], high = g.first[node + 1];
        while (low < high) {
          const int middle = (low + high) / 2;
          if (g.to[middle] < third)
            low = middle + 1;
          else
            high = middle;
        }
        if (low < g.first[node + 1] && g.to[low] == third) ++found;
      }
    }
  for (int d = 16; d > 0; d /= 2) found += __shfl_xor_sync(0xffffffff, found, d);
  if (threadIdx.x % 32 == 0) atomicAdd(total, found);
}

int main() {
  Graph g = {};
  breadthFirst<<<1, 64>>>(g.first, g.to, g.weight, g.nodes, 0, nullptr);
  rankStep<<<(g.nodes + 63) / 64, 64>>>(g.first, g.to, g.weight, g.nodes, nullptr, nullptr, 0.85f);
}
