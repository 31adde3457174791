// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions with rounding modes, saturation included, and reinterpretations, one output a function; casts to narrow
// integers; conversions that control flow chooses.
#define MODES(name, x) put(name##_rn(x)), put(name##_rz(x)), put(name##_ru(x)), put(name##_rd(x));
#define OUTPUT(type)                                \
  const int i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i >= n) return;                               \
  type* o = out + i;                                \
  const auto put = [&](auto value) {                \
    *o = static_cast<type>(value);                  \
    o += n;                                         \
  };

__global__ void floatToInteger(const float* in, long long* out, int n) {
  OUTPUT(long long)
  const float x = in[i];
  MODES(__float2int, x)
  MODES(__float2uint, x)
  MODES(__float2ll, x)
  MODES(__float2ull, x)
  put(__float_as_int(x));
  put(__float_as_uint(__uint_as_float(__float_as_uint(__int_as_float(__float_as_int(x))))));
}

__global__ void doubleToInteger(const double* in, long long* out, int n) {
  OUTPUT(long long)
  const double x = in[i];
  MODES(__double2int, x)
  MODES(__double2uint, x)
  MODES(__double2ll, x)
  MODES(__double2ull, x)
  put(__double_as_longlong(__hiloint2double(__double2hiint(x), __double2loint(x))));
  put(__double_as_longlong(__longlong_as_double(__double_as_longlong(x))));
}

__global__ void toFloat(const long long* in, const double* wide, float* out, int n) {
  OUTPUT(float)
  const long long x = in[i];
  MODES(__int2float, static_cast<int>(x))
  MODES(__uint2float, static_cast<unsigned>(x))
  MODES(__ll2float, x)
  MODES(__ull2float, static_cast<unsigned long long>(x))
  MODES(__double2float, wide[i])
}

__global__ void toDouble(const long long* in, double* out, int n) {
  OUTPUT(double)
  const long long x = in[i];
  put(__int2double_rn(static_cast<int>(x)));
  put(__uint2double_rn(static_cast<unsigned>(x)));
  MODES(__ll2double, x)
  MODES(__ull2double, static_cast<unsigned long long>(x))
}

/// Casts to integers of 8 and 16 bits, of numbers beyond them too.
template <class Real>
__global__ void narrowed(const Real* in, int* out, int n) {
  OUTPUT(int)
  const Real x = in[i];
  put(static_cast<unsigned char>(x));
  put(static_cast<signed char>(x));
  put((char)x);
  put(static_cast<unsigned short>(x));
  put(static_cast<short>(x));
  Real constant = 300;
  put(static_cast<unsigned char>(constant));
}

/// The low bits of what an instruction for floats made, into narrow memory.
__global__ void lowBits(const float* x, unsigned char* bytes, unsigned short* words) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ unsigned char byte[64];
  __shared__ unsigned short word[64];
  const unsigned root = __float_as_uint(sqrtf(x[i])), product = __float_as_uint(x[i] * 3.7f);
  byte[threadIdx.x] = static_cast<unsigned char>(root);
  word[threadIdx.x] = static_cast<unsigned short>(product);
  __syncthreads();
  bytes[2 * i] = byte[threadIdx.x ^ 1];
  bytes[2 * i + 1] = static_cast<unsigned char>(product);
  words[2 * i] = word[threadIdx.x ^ 1];
  words[2 * i + 1] = static_cast<unsigned short>(root);
}

// A loop that is entered at four places: conversions are chosen by the way that an item came.
__global__ void chosenByWay(const unsigned* in, unsigned long long* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned x = in[i] & 0xffffu;
  const unsigned steps = 1 + (~i & 15);
  unsigned turns = (steps + 7) / 8;
  unsigned long long sum = i * 74565u + 1;
  switch (steps % 8) {
    case 0:
      do {
        sum = (sum ^ x) * 0x9e3779b97f4a7c15ull;
        case 7:
          sum += (sum << 4) ^ ~17ull;
        case 6:
          sum += (sum << 2) ^ static_cast<unsigned long long>(x);
        case 5:
          sum += (sum << 7) ^ static_cast<unsigned long long>(x);
      } while (--turns > 0);
  }
  out[i] = sum;
}
