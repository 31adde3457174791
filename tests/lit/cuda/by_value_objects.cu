// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CUDA's compilers take although C++ is stricter: classes with copies and destructors of their own as parameters,
// whose bytes a launch hands over; narrowing of what is no constant; standard traits that nobody included.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cpu -o %t.img
// SAID: warning: non-constant-expression cannot be narrowed
// CHECK: .entry {{.*}}tally
// CHECK-NEXT: .param .align 8 .b8 {{.*}}[16]
struct Counter {
  int* values = nullptr;
  int size;
  Counter(int size) : size(size) { cudaMalloc(&values, sizeof(int) * size); }
  Counter(const Counter& other) : values(other.values), size(other.size) {}
  __host__ __device__ ~Counter() { size = 0; }
  __device__ void add(int i) { atomicAdd(values + i % size, 1); }
};

template <class T>
__device__ std::enable_if_t<std::is_unsigned<T>::value, T> half(T x) {
  return x / 2;
}

__global__ void tally(Counter counter, const unsigned short* in) {
  const unsigned short x = in[threadIdx.x];
  const uchar2 bytes = {static_cast<unsigned short>(x & 0xff), static_cast<unsigned short>(x >> 8)};
  counter.add(half(x) + bytes.x + bytes.y);
}

int main() {
  Counter counter(10);
  tally<<<1, 32>>>(counter, nullptr);
}
