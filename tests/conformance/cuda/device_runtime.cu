// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels call of CUDA's runtime API beside launches: copies and fills in the order of a stream, of rows and
// slices at any byte; streams that wait for each other; memory of the heap.
#include <cuda_runtime.h>

__global__ void addTo(int* data, int n, int by) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) data[i] = data[i] * 3 + by;
}

/// Between kernels of the same stream.
__global__ void inOrder(const int* in, int* out, int n, int* status) {
  if (threadIdx.x != 0) return;
  int failed = cudaMemcpyAsync(out, in, n * sizeof(int), cudaMemcpyDeviceToDevice);
  addTo<<<(n + 31) / 32, 32>>>(out, n, 1);
  failed |= cudaMemsetAsync(out + n / 2, 0x5a, n / 4 * sizeof(int), nullptr);
  addTo<<<(n + 31) / 32, 32>>>(out, n, 2);
  failed |= cudaMemcpyAsync(out + n, out + 1, (n - 1) * sizeof(int), cudaMemcpyDefault, nullptr);
  failed |= cudaMemcpyAsync(reinterpret_cast<char*>(out) + 5, reinterpret_cast<const char*>(in) + 2, 6,
                            cudaMemcpyDeviceToDevice, nullptr);
  failed |= cudaMemcpyAsync(out, in, 0, cudaMemcpyDeviceToDevice, nullptr);
  *status = failed;
}

/// `pitch` bytes a row, `rows` rows a slice; three slices.
__global__ void slices(char* to, const char* from, int pitch, int rows, int* status) {
  if (threadIdx.x != 0) return;
  const int slice = pitch * rows;
  status[0] = cudaMemset2DAsync(to + 3, pitch, 7, pitch / 2, rows - 1);
  status[1] = cudaMemset3DAsync(cudaPitchedPtr{to + slice, size_t(pitch), size_t(pitch), size_t(rows)}, 9,
                                cudaExtent{size_t(pitch - 1), size_t(rows - 2), 2}, nullptr);
  status[2] = cudaMemcpy2DAsync(to + 1, pitch, from, pitch, pitch / 4, 2, cudaMemcpyDeviceToDevice, nullptr);
  cudaMemcpy3DParms block = {};
  block.srcPtr = cudaPitchedPtr{const_cast<char*>(from), size_t(pitch), size_t(pitch), size_t(rows)};
  block.dstPtr = cudaPitchedPtr{to, size_t(pitch), size_t(pitch), size_t(rows)};
  block.srcPos = {2, 0, 1};
  block.dstPos = {4, 1, 0};
  block.extent = {5, 2, 2};
  block.kind = cudaMemcpyDeviceToDevice;
  status[3] = cudaMemcpy3DAsync(&block);
  status[4] = cudaMemset2DAsync(to, 4, 1, 5, 1) != cudaSuccess;
}

/// The second stream waits for the first one, and the third for both.
__global__ void apart(int* data, int n, int* status) {
  if (threadIdx.x != 0) return;
  cudaStream_t streams[3];
  cudaEvent_t events[2];
  int failed = 0;
  for (cudaStream_t& stream : streams) failed |= cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (cudaEvent_t& event : events) failed |= cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  addTo<<<1, n, 0, streams[0]>>>(data, n, 1);
  failed |= cudaEventRecord(events[0], streams[0]);
  failed |= cudaStreamWaitEvent(streams[1], events[0]);
  addTo<<<1, n, 0, streams[1]>>>(data, n, 2);
  failed |= cudaEventRecordWithFlags(events[1], streams[1], cudaEventRecordDefault);
  failed |= cudaStreamWaitEvent(streams[2], events[1], 0);
  addTo<<<1, n, 0, streams[2]>>>(data, n, 3);
  for (const cudaEvent_t event : events) failed |= cudaEventDestroy(event);
  for (const cudaStream_t stream : streams) failed |= cudaStreamDestroy(stream);
  *status = failed;
}

/// Each item's own list, and what cannot be had.
__global__ void heap(const int* in, int* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  int* mine = nullptr;
  void* tooMuch = out;
  const int failed = cudaMalloc(&mine, (i + 1) * sizeof(int)), refused = cudaMalloc(&tooMuch, ~size_t(0) / 4);
  int sum = failed != cudaSuccess || refused != cudaErrorMemoryAllocation || tooMuch != nullptr;
  for (int k = 0; k <= i; ++k) mine[k] = in[k] + k;
  for (int k = 0; k <= i; ++k) sum += mine[i - k] * (k + 1);
  out[i] = sum + cudaFree(mine) + cudaFree(nullptr);
}

/// A launch as the compiler writes it.
__global__ void byHand(int* data, int n, int by) {
  struct Arguments {
    int* data;
    int n, by;
  };
  if (threadIdx.x != 0) return;
  auto* const arguments = static_cast<Arguments*>(cudaGetParameterBuffer(alignof(Arguments), sizeof(Arguments)));
  if (!arguments) return;
  *arguments = {data, n, by};
  data[n] = cudaLaunchDevice(reinterpret_cast<void*>(&addTo), arguments, dim3((n + 31) / 32), dim3(32), 0, nullptr);
}

__global__ void asks(int* out) {
  int device = -1, count = 0, version = 0;
  out[0] = cudaGetDevice(&device) | cudaGetDeviceCount(&count) | cudaRuntimeGetVersion(&version);
  out[1] = device >= 0 && device < count;
  out[2] = version == CUDART_VERSION;
}
