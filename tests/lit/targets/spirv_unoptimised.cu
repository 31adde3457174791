// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without optimisation too, accesses on spirv name the memory that they reach, and a kernel that writes to a structure
// parameter writes to its copy, which the optimiser leaves out where nothing is written.
//
// RUN: %compile %s -t spirv -O0 --emit ir -o - | FileCheck %s --check-prefix=BOTH
// RUN: %compile %s -t spirv --emit ir -o - | FileCheck %s --check-prefixes=BOTH,O3

// BOTH-LABEL: @_Z5countPi(
// BOTH: atomicrmw add ptr addrspace(3) @{{.*}}sum
// BOTH: atomicrmw add ptr addrspace(1) %out
__global__ void count(int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

struct Numbers {
  int values[8];
};

// BOTH-LABEL: @_Z5write7NumbersPi(
// BOTH-SAME: ptr {{.*}}byval(%struct.Numbers){{.*}}%numbers
// BOTH: [[COPY:%.*]] = alloca %struct.Numbers
// BOTH: @llvm.memcpy.{{.*}}[[COPY]], {{.*}}%numbers
__global__ void write(Numbers numbers, int* out) {
  const int i = threadIdx.x & 7;
  numbers.values[i] += i;
  out[threadIdx.x] = numbers.values[out[threadIdx.x] & 7];
}

// BOTH-LABEL: @_Z4read7NumbersPi(
// O3-NOT: alloca
// O3: getelementptr {{.*}}%numbers
__global__ void read(Numbers numbers, int* out) { out[threadIdx.x] = numbers.values[threadIdx.x & 7]; }
