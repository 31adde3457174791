// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The qualifiers of kernels, their parameters and their shared memory.
#define BODY                    \
  {                             \
    p[threadIdx.x] = threadIdx.x; \
  }
extern "C" __global__ void plain(int* p) BODY
extern "C" __global__ void __launch_bounds__(256) bounded(int* p) BODY
extern "C" __global__ void __launch_bounds__(256, 2) bounded_with_blocks(int* p) BODY
template <int Size>
__global__ void __launch_bounds__(Size) bounded_template(int* p) BODY
template __global__ void bounded_template<64>(int*);
template __global__ void bounded_template<1024>(int*);
extern "C" __global__ void __maxnreg__(64) registers(int* p) BODY
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
extern "C" __global__ void __launch_bounds__(256, 2, 4) bounded_with_clusters(int* p) BODY
extern "C" __global__ void __cluster_dims__(2) cluster_line(int* p) BODY
extern "C" __global__ void __cluster_dims__(2, 2, 1) cluster_square(int* p) BODY
extern "C" __global__ void __cluster_dims__(4, 1, 1) __launch_bounds__(128) cluster_bounded(int* p) BODY
#endif

struct Small {
  char a;
  short b;
};
struct Mixed {
  double d;
  char c;
};
struct alignas(16) Aligned {
  float f[5];
};
struct alignas(64) Map {
  unsigned long long words[16];
};
struct Nested {
  Small small[3];
  Mixed mixed;
  int* pointer;
};
struct Empty {};
enum Choice : unsigned char { no, yes };
extern "C" __global__ void scalars(bool a, char b, short c, int d, long long e, float f, double g, int* out) {
  out[0] = static_cast<int>(a + b + c + d + e + f + g);
}
extern "C" __global__ void vectors(char2 a, uchar4 b, short3 c, int3 d, float4 e, double2 f, longlong2 g, int* out) {
  out[0] = static_cast<int>(a.y + b.w + c.z + d.z + e.w + f.y + g.y);
}
extern "C" __global__ void structures(Small a, Mixed b, Aligned c, Nested d, Choice e, int* out) {
  out[0] = static_cast<int>(a.b + b.d + c.f[4] + d.mixed.d + d.small[2].b + e);
}
extern "C" __global__ void nothing_in_between(char a, Empty, Map b, int* out) { out[0] = static_cast<int>(b.words[a & 15]); }
extern "C" __global__ void no_parameters() {}
extern "C" __global__ void unused_parameters(int, double, Small, int*) {}

// The address of a parameter that is only read is an address in the parameters' space.
__device__ __noinline__ unsigned long long first(const Map* map) { return map->words[0]; }
extern "C" __global__ void constant_parameter(const __grid_constant__ Map map, unsigned long long* out, int i) {
  out[0] = map.words[i];
  out[1] = first(&map);
}
extern "C" __global__ void descriptor_by_address(const __grid_constant__ Map map, const Map** out) { *out = &map; }

extern __shared__ double by_launch[];
extern "C" __global__ void sized_by_launch(double* out) {
  by_launch[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = by_launch[threadIdx.x ^ 1];
}
extern "C" __global__ void static_arrays(double* out) {
  __shared__ double wide[33];
  __shared__ char narrow[7];
  __shared__ float4 fours[5];
  wide[threadIdx.x & 31] = out[threadIdx.x];
  narrow[threadIdx.x & 3] = 1;
  fours[threadIdx.x & 3].x = 2;
  __syncthreads();
  out[threadIdx.x] = wide[threadIdx.x & 15] + narrow[threadIdx.x & 1] + fours[threadIdx.x & 1].x;
}
