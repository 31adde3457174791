// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers that only host code needs are not there. They are read as empty, what cannot be understood without them is put
// aside, and a template named in a call that cannot be resolved is still instantiated.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: %compile %s -t cpu -o %t.limg
// CHECK: warning: 'vendor/solver.h' file not found; it was read as empty
// CHECK: remark: host code was not understood in {{[0-9]+}} places
// PTX-DAG: .entry {{.*}}shiftIfE
// PTX-DAG: .entry {{.*}}shiftIdE
// PTX-DAG: .entry {{.*}}plain
#include <vendor/solver.h>
#include <vector>

solverHandle_t globalHandle;

template <typename T>
__global__ void shift(T* data, T by, int n) {
  int i = threadIdx.x;
  if (i < n) data[i] += by;
}

__global__ void plain(int* data) {
  data[threadIdx.x] = 1;
}

void solve(solverHandle_t handle, std::vector<float>& x) {
  if (solverInit(&handle) != SOLVER_OK) throw x;
}

template <typename T>
void solveAll(std::vector<T>& x) {
  shift<double><<<1, 100>>>(nullptr, 1.0, solver::size(x));
}

int main() {
  solver::Vector<float> values(100);
  shift<float><<<1, 100>>>(values.data(), 1.0f, 100);
  plain<<<1, 32>>>(solver::raw(values));
  solverDestroy(globalHandle);
}
