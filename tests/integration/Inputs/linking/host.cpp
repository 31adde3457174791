// The launches of link_sources.test, item by item: two objects that a host's compiler and linker made.
#include <cstdio>

#include "language.h"

Position blockIdx, blockDim, threadIdx;
void apply(int n, const int* in, float* out);
template <class T>
void fill(int n, T* out);

void print(const char* name, const float* values, int n) {
  std::printf("%s f32[%d]:", name, n);
  for (int i = 0; i < n; ++i) std::printf(" %g", values[i]);
  std::printf("\n");
}

int main(int argc, char**) {
  int in[8];
  float out[8];
  for (int i = 0; i < 8; ++i) in[i] = i;
  blockDim.x = 4;
  if (argc > 1) {
    for (threadIdx.x = 0; threadIdx.x < 4; ++threadIdx.x) fill(4, out);
    print("out", out, 4);
    return 0;
  }
  for (blockIdx.x = 0; blockIdx.x < 2; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < 4; ++threadIdx.x) apply(8, in, out);
  print("out", out, 8);
}
