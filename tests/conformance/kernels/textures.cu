// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes by texture and surface objects that the runtime makes, and a variable that host and device share.
#include <cuda_runtime.h>

/// The function that a read is made with; its coordinates are the first of x, y, z, and `w` is a layer or a level.
enum class Read : int { line, plane, space, lineLayer, planeLayer, cube, planeLevel, planeGradient, cubeLevel, index, gather };

__device__ float read(cudaTextureObject_t t, Read how, float4 at) {
  const int layer = static_cast<int>(at.w);
  switch (how) {
    case Read::line:
      return tex1D<float>(t, at.x);
    case Read::plane:
      return tex2D<float>(t, at.x, at.y);
    case Read::space:
      return tex3D<float>(t, at.x, at.y, at.z);
    case Read::lineLayer:
      return tex1DLayered<float>(t, at.x, layer);
    case Read::planeLayer:
      return tex2DLayered<float>(t, at.x, at.y, layer);
    case Read::cube:
      return texCubemap<float>(t, at.x, at.y, at.z);
    case Read::planeLevel:
      return tex2DLod<float>(t, at.x, at.y, at.w);
    case Read::planeGradient:  // z and w: the sides of the footprint
      return tex2DGrad<float>(t, at.x, at.y, make_float2(at.z, 0), make_float2(0, at.w));
    case Read::cubeLevel:
      return texCubemapLod<float>(t, at.x, at.y, at.z, at.w);
    case Read::index:
      return tex1Dfetch<float>(t, static_cast<int>(at.x));
    default:
      return tex2D<float>(t, at.x, at.y);
  }
}

__global__ void sampleOne(cudaTextureObject_t t, int how, const float4* at, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = read(t, static_cast<Read>(how), at[i]);
}

/// By tex1D, or all four texels by tex2Dgather.
__global__ void sampleFour(cudaTextureObject_t t, int how, const float4* at, float4* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = static_cast<Read>(how) == Read::gather ? tex2Dgather<float4>(t, at[i].x, at[i].y, 0) : tex1D<float4>(t, at[i].x);
}

__global__ void sampleInteger(cudaTextureObject_t t, int, const float4* at, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1D<int>(t, at[i].x);
}

/// Adds the place to every element of an image; places beside it, in the surface functions' default mode, trap.
__global__ void addPlace(cudaSurfaceObject_t s, int width, int height) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), y = static_cast<int>(blockIdx.y);
  if (x >= width || y >= height) return;
  const int offset = x * static_cast<int>(sizeof(float));
  const float old = surf2Dread<float>(s, offset, y);
  surf2Dwrite(old + static_cast<float>(100 * y + x), s, offset, y);
}

__device__ __managed__ int shared_count = 5;
__global__ void countUp(int by) {
  if (threadIdx.x == 0 && blockIdx.x == 0) shared_count += by;
}
