// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What bounds the code that a kernel with many barriers becomes: a loop over items computes what it uses, not what
// passes through it; rows are not looped over in planes where no item asks for its row; and a large kernel is not made
// a second time for a group size that only the length of a shared array hints at, nor has its strided loops four
// iterations at a time.
//
// RUN: %dump-after work_groups -t cpu -O 2 2> %t
// RUN: FileCheck %s --check-prefix=USED < %t
// RUN: FileCheck %s --check-prefix=ROWS < %t
// RUN: FileCheck %s --check-prefix=STEPS < %t
// RUN: FileCheck %s --check-prefix=ONCE --implicit-check-not="@large.group." < %t

// The address is needed before the first barrier and behind the second, and only passes between them.
// USED-LABEL: region.0.item:
// USED: getelementptr {{.*}}%struct.Cell
// USED-LABEL: region.1.item:
// USED-NOT: %struct.Cell
// USED-LABEL: region.1.latch:
// USED-LABEL: region.2.item:
// USED: getelementptr {{.*}}%struct.Cell
extern "C" __global__ void passing(int* data, const int* more) {
  __shared__ int part[32];
  struct Cell {
    int values[8];
    int far;
  };
  const unsigned i = threadIdx.x;
  volatile int* const place = &reinterpret_cast<Cell*>(data)[i + 1].values[2];
  *place = more[i];
  __syncthreads();
  part[i] = more[i + 7];
  __syncthreads();
  *place = part[31 - i];
}

// ROWS: define {{.*}}@along.group
// ROWS-NOT: {{^}}define
// ROWS-NOT: %z{{[0-9]*}} = phi
// ROWS: %y{{[0-9]*}} = phi
// ROWS-NOT: %z{{[0-9]*}} = phi
// ROWS: define {{.*}}@planes.group
// ROWS: %z{{[0-9]*}} = phi
extern "C" __global__ void along(int* data) {
  __shared__ int part[48];
  part[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = part[47 - threadIdx.x];
}
extern "C" __global__ void planes(int* data) {
  __shared__ int part[48];
  part[threadIdx.z] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = part[47 - threadIdx.y];
}

// Scans have an element more than items.
// ONCE-DAG: define {{.*}}@small.group.128.1.1
// ONCE-DAG: define {{.*}}@large.group(
extern "C" __global__ void small(int* data) {
  __shared__ int part[129];
  part[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = part[128 - threadIdx.x];
}
#define TWICE(x) x x
extern "C" __global__ void large(unsigned* data, unsigned n) {
  __shared__ unsigned part[129];
  part[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  unsigned value = part[128 - threadIdx.x];
  TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(value = (value ^ part[value % 128]) * 2654435761u;))))))))
  data[threadIdx.x] = value;
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) data[i + 128] = i;
}

// STEPS: define {{.*}}@large.group(
// STEPS: {{^}}for.body.iteration{{[0-9]*}}:
// STEPS-NOT: {{^}}for.body.iteration{{[0-9]*}}:
// STEPS: define {{.*}}@steps.group(
// STEPS-COUNT-5: {{^}}for.body.iteration{{[0-9]*}}:
extern "C" __global__ void steps(unsigned* data, unsigned n) {
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) data[i + 128] = i;
}
