// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where items wait apart, a function of the lowering's own says who goes on (core/group/emit/schedule.h). It is
// there for kernels that need it, in the form they need, and once.
//
// RUN: %dump-after work_groups -t cpu -k alike 2>&1 | FileCheck %s --check-prefix=ALIKE --implicit-check-not=lathe.schedule
// RUN: %dump-after work_groups -t cpu -k returns 2>&1 | FileCheck %s --check-prefix=RETURNS --implicit-check-not=lathe.schedule
// RUN: %dump-after work_groups -t cpu -k apart 2>&1 | FileCheck %s --check-prefix=APART --implicit-check-not=subgroups
// RUN: %dump-after work_groups -t cpu -k lanes 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: %dump-after work_groups -t cpu -k lanes -k others 2>&1 | FileCheck %s --check-prefix=BOTH

// All items come to each barrier together: loops in a row.
// ALIKE: define internal {{.*}}@{{.*}}alike{{.*}}.group(
// ALIKE-NOT: dispatch
__global__ void alike(int* data, int turns) {
  __shared__ int part[64];
  for (int i = 0; i < turns; ++i) {
    part[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = part[63 - threadIdx.x];
    __syncthreads();
  }
}

// Some return and the rest go on together. Least and greatest continuation say so.
// RETURNS: define internal {{.*}}@{{.*}}returns{{.*}}.group(
// RETURNS: dispatch:
// RETURNS-NEXT: %[[LEAST:.+]] = load i32, ptr %least
// RETURNS-NEXT: %[[GREATEST:.+]] = load i32, ptr %greatest
// RETURNS-NEXT: icmp eq i32 %[[LEAST]], %[[GREATEST]]
__global__ void returns(int* data) {
  if (data[threadIdx.x] == 7) return;
  __syncthreads();
  data[threadIdx.x] = 1;
}

// Items meet at different barriers. What each waits for is in the context; nobody waits for a mask.
// APART: define internal {{.*}}@{{.*}}apart{{.*}}.group(
// An item that comes to a barrier notes the region behind it, and that it waits (1 << 30).
// APART-DAG: store i32 1073741825, ptr %
// APART-DAG: store i32 1073741826, ptr %
// APART: dispatch:
// APART-NEXT: %[[NEXT:.+]] = call i32 @lathe.schedule(ptr %{{[^,]+}}, ptr null, i64 %items)
// APART-NEXT: %[[REGION:.+]] = and i32 %[[NEXT]], 2147483647
// The highest bit: all go on together, by the plain copies of the regions, else those whose turn it is by others.
// APART: br i1 %{{.+}}, label %dispatch.some, label %dispatch.all
// APART: dispatch.some:
// APART-NEXT: switch i32 %[[REGION]], label %group.end [
// APART-NEXT: i32 1, label
// APART: dispatch.all:
// APART-NEXT: switch i32 %[[REGION]], label %group.end [
// APART: define internal i32 @lathe.schedule(ptr %waiting, ptr %masks, i64 %items)
// Who may go on is looked for first; where nobody may, all barriers open; where nobody waits, the group is done.
// APART: scanned:
// APART: br i1 %somebody, label %found, label %open
// APART: open:
// APART: and i32 %closed, -1073741825
// APART: end:
// APART-NEXT: ret i32 0
__global__ void apart(int* data) {
  if (threadIdx.x & 1) {
    __syncthreads();
    data[threadIdx.x] = 1;
  } else {
    __syncthreads();
    data[threadIdx.x] = 2;
    __syncthreads();
  }
}

// Subgroups wait apart too, with the masks they named.
// LANES: define internal {{.*}}@{{.*}}lanes{{.*}}.group(
// LANES: dispatch:
// LANES-NEXT: %{{.+}} = call i32 @lathe.schedule.subgroups(ptr %{{[^,]+}}, ptr %{{[^,]+}}, i64 %items)
// LANES: define internal i32 @lathe.schedule.subgroups(
// LANES: load <32 x i32>
// LANES: define internal <32 x i1> @lathe.inside(
__global__ void lanes(int* data) {
  int x = data[threadIdx.x];
  while (x > 1) {
    const unsigned here = __ballot_sync(__activemask(), x & 1);
    x = x / 2 + (here == 5);
  }
  data[threadIdx.x] = x;
}

// BOTH-COUNT-2: call i32 @lathe.schedule.subgroups(
// BOTH: define internal i32 @lathe.schedule.subgroups(
// BOTH-NOT: define internal i32 @lathe.schedule
__global__ void others(int* data) {
  if (data[threadIdx.x] & 1) data[threadIdx.x] = __shfl_xor_sync(__activemask(), 3, 1);
}
