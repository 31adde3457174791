// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is broken and used by a kernel stops the compile, however far away it is.
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DBODY 2>&1 | FileCheck %s --check-prefix=BODY
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DRECORD 2>&1 | FileCheck %s --check-prefix=RECORD
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DCONSTANT 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DCALL 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DQUALIFIER 2>&1 | FileCheck %s --check-prefix=QUALIFIER
#include <vendor/types.h>
void host() { alsoUnknown(); }

#if defined(BODY)
__global__ void kernel(float* p) { p[0] = unknownFunction(p[1]); }
// BODY: 'vendor/types.h' file not found
// BODY: use of undeclared identifier 'unknownFunction'
// BODY: use of undeclared identifier 'alsoUnknown'
#elif defined(RECORD)
struct Parameters {
  vendorType_t first;
  float second;
};
__global__ void kernel(Parameters q, float* p) { p[0] = q.second; }
// RECORD: unknown type name 'vendorType_t'
// RECORD: device code uses 'Parameters', which could not be compiled
#elif defined(CONSTANT)
const int size = VENDOR_SIZE;
__global__ void kernel(float* p) { p[0] = size; }
// CONSTANT: error: {{.*}}size
// CONSTANT: use of undeclared identifier 'VENDOR_SIZE'
#elif defined(CALL)
constexpr int half(int x) { return vendorDivide(x, 2); }
__global__ void kernel(int* p) { p[0] = half(p[1]); }
// CALL: use of undeclared identifier 'vendorDivide'
// CALL: device code uses 'half', which could not be compiled
#elif defined(QUALIFIER)
__device__ vendorType_t helper(int x) { return x; }
__global__ void kernel(int* p) { p[0] = 1; }
// QUALIFIER: unknown type name 'vendorType_t'
#endif
