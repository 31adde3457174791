// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses behind an address with a policy of the second-level cache (what libcu++'s annotated_ptr makes) have that policy,
// those behind others have none, and where an access may be behind either it has none.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx && FileCheck %s --implicit-check-not="cache policy" < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cuda:sm_75 --emit ptx -o - | FileCheck %s --check-prefix=OLD
// RUN: %lathe run %s -t cpu -k scaled --grid 1 --group 4 --arg zeros:f32[4] --arg iota:f32[4] --arg 7 --print 0 | FileCheck %s --check-prefix=RUNS
// OLD-NOT: cache_hint
// RUNS: 0 2 4 6
template <class T>
__device__ T* withPolicy(T* pointer, unsigned long long policy) {
  return static_cast<T*>(__nv_associate_access_property(pointer, policy));
}
// CHECK-LABEL: .entry scaled(
// CHECK: ld.global.L2::cache_hint.b32 %r{{[0-9]+}}, [%rd{{[0-9]+}}], %rd{{[0-9]+}};
// CHECK: st.global.L2::cache_hint.b32 [%rd{{[0-9]+}}], %r{{[0-9]+}}, %rd{{[0-9]+}};
extern "C" __global__ void scaled(float* out, const float* in, unsigned long long policy) {
  withPolicy(out, policy)[threadIdx.x] = 2 * withPolicy(in, policy)[threadIdx.x];
}
// CHECK-LABEL: .entry wide(
// CHECK: ld.global.L2::cache_hint.v4.b32 {
// CHECK: ld.global.L2::cache_hint.v2.b64 {
// CHECK: ld.global.L2::cache_hint.b16 %rs
// CHECK: st.global.{{v4|b128}}
extern "C" __global__ void wide(float4* out, const float4* in, const double2* doubles, const short* shorts, unsigned long long policy) {
  const float4 value = withPolicy(in, policy)[threadIdx.x];
  const double2 pair = withPolicy(doubles, policy)[threadIdx.x];
  out[threadIdx.x] = make_float4(value.x, value.y, pair.x * pair.y, withPolicy(shorts, policy)[threadIdx.x] + value.z * value.w);
}
// CHECK-LABEL: .entry walked(
// CHECK: ld.global.L2::cache_hint.b32
// CHECK-NOT: cache_hint
extern "C" __global__ void walked(float* out, const float* in, int n, unsigned long long policy) {
  float sum = 0;
#pragma unroll 1
  for (const float *at = withPolicy(in, policy), *end = at + n; at != end; ++at) sum += *at;
  *out = sum;
}
// CHECK-LABEL: .entry either(
// CHECK-NOT: cache_hint
// CHECK: ret;
extern "C" __global__ void either(float* out, const float* in, int n, unsigned long long policy) {
  const float* from = n > 3 ? withPolicy(in, policy) : in + 5;
  *out = *from;
}
