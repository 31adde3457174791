// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions with rounding modes, saturation included, and reinterpretations, each into its own column.
__global__ void floatToInteger(const float* in, long long* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  long long* row = out + i * 8;
  row[0] = __float2int_rn(x);
  row[1] = __float2int_rz(x);
  row[2] = __float2int_ru(x);
  row[3] = __float2int_rd(x);
  row[4] = __float2uint_rn(x);
  row[5] = __float2ll_rd(x);
  row[6] = static_cast<long long>(__float2ull_ru(x));
  row[7] = __float_as_int(x);
}

__global__ void doubleToInteger(const double* in, long long* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = in[i];
  long long* row = out + i * 6;
  row[0] = __double2int_rn(x);
  row[1] = __double2uint_rz(x);
  row[2] = __double2ll_ru(x);
  row[3] = static_cast<long long>(__double2ull_rd(x));
  row[4] = __double_as_longlong(__hiloint2double(__double2hiint(x), __double2loint(x)));
  row[5] = __float_as_int(__double2float_rn(x));
}
