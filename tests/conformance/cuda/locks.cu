// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain reads and writes of one place, which threads of a block take turns at between two barriers: each reads what the
// one before has left. A thread of each warp, which has up to 64: not every device lets threads of one wait for each other.

__global__ void inTurns(int* lock, int* counter, int* out) {
  int ticket = 0;
  if (threadIdx.x % 64 == 3) {
    while (atomicCAS(lock, 0, 1) != 0) continue;
    __threadfence();
    ticket = *counter + 1;
    *counter = ticket;
    __threadfence();
    atomicExch(lock, 0);
  }
  __syncthreads();
  atomicAdd(out + ticket, 1);
  if (ticket >= 3) return;
  atomicAdd(out + 16 + ticket, 1);
}

/// In shared memory, a list.
__global__ void pushed(int* out) {
  __shared__ int lock, head, next[256];
  if (threadIdx.x == 0) {
    lock = 0;
    head = -1;
  }
  __syncthreads();
  int before = -2;
  if (threadIdx.x % 64 == 3) {
    while (atomicCAS(&lock, 0, 1) != 0) continue;
    __threadfence_block();
    before = head;
    head = static_cast<int>(threadIdx.x);
    __threadfence_block();
    atomicExch(&lock, 0);
  }
  next[threadIdx.x] = before;
  __syncthreads();
  if (threadIdx.x != 0) return;
  int length = 0;
  for (int i = head; i >= 0 && length < 1000; i = next[i]) {
    out[i] += 1;
    ++length;
  }
  out[blockDim.x] = length;
}
