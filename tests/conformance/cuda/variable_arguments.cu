// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions with a variable number of arguments, of types whose places in memory differ.
#include <stdarg.h>

/// Each letter is the type of an argument; the first is taken twice.
__device__ double sumOf(const char* letters, ...) {
  va_list arguments, again;
  va_start(arguments, letters);
  va_copy(again, arguments);
  double sum = 100 * va_arg(again, int);
  va_end(again);
  for (; *letters; ++letters) {
    switch (*letters) {
      case 'i':
        sum += va_arg(arguments, int);
        break;
      case 'l':
        sum += va_arg(arguments, long long);
        break;
      case 'p':
        sum += *va_arg(arguments, const float*);
        break;
      default:
        sum += va_arg(arguments, double);
    }
  }
  va_end(arguments);
  return sum;
}

__device__ __noinline__ int countOf(int count, ...) {
  va_list arguments;
  va_start(arguments, count);
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += va_arg(arguments, int);
  va_end(arguments);
  return sum;
}

__global__ void sums(const int* in, const float* floats, double* out) {
  const int i = threadIdx.x, n = in[i];
  const char narrow = static_cast<char>(n);
  double* const mine = out + 4 * i;
  mine[0] = sumOf("i", n);
  mine[1] = sumOf("idlpi", narrow, floats[i], n * 5000000000ll, floats + i, 7);
  mine[2] = n > 0 ? sumOf("ild", n, -1ll, 0.5) : sumOf("ip", 3, floats);
  mine[3] = countOf(5, n, 1, 2, narrow, -n);
}
