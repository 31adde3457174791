// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads of texture objects, reads and writes of surface objects.
#define FETCHED(title, ...)                                                                             \
  extern "C" __global__ void fetch_##title(cudaTextureObject_t t, float* out, float x, int i) {         \
    out[0] = __VA_ARGS__;                                                                               \
  }
FETCHED(line_by_index, tex1Dfetch<float>(t, i))
FETCHED(line, tex1D<float>(t, x))
FETCHED(line_level, tex1DLod<float>(t, x, x))
FETCHED(line_gradient, tex1DGrad<float>(t, x, x, x))
FETCHED(line_layer, tex1DLayered<float>(t, x, i))
FETCHED(line_layer_gradient, tex1DLayeredGrad<float>(t, x, i, x, x))
FETCHED(line_layer_level, tex1DLayeredLod<float>(t, x, i, x))
FETCHED(plane, tex2D<float>(t, x, x))
FETCHED(plane_int, static_cast<float>(tex2D<int>(t, x, x)))
FETCHED(plane_four, tex2D<float4>(t, x, x).w)
FETCHED(plane_bytes, static_cast<float>(tex2D<uchar4>(t, x, x).y))
FETCHED(plane_level, tex2DLod<float>(t, x, x, x))
FETCHED(plane_gradient, tex2DGrad<float>(t, x, x, make_float2(x, x), make_float2(x, x)))
FETCHED(plane_layer, tex2DLayered<float>(t, x, x, i))
FETCHED(plane_layer_gradient, tex2DLayeredGrad<float>(t, x, x, i, make_float2(x, x), make_float2(x, x)))
FETCHED(plane_layer_level, tex2DLayeredLod<float>(t, x, x, i, x))
FETCHED(space, tex3D<float>(t, x, x, x))
FETCHED(space_level, tex3DLod<float>(t, x, x, x, x))
FETCHED(space_gradient, tex3DGrad<float>(t, x, x, x, make_float4(x, x, x, x), make_float4(x, x, x, x)))
FETCHED(cube, texCubemap<float>(t, x, x, x))
FETCHED(cube_level, texCubemapLod<float>(t, x, x, x, x))
FETCHED(cube_gradient, texCubemapGrad<float>(t, x, x, x, make_float4(x, x, x, x), make_float4(x, x, x, x)))
FETCHED(cube_layer, texCubemapLayered<float>(t, x, x, x, i))
FETCHED(cube_layer_level, texCubemapLayeredLod<float>(t, x, x, x, i, x))
FETCHED(cube_layer_gradient,
        texCubemapLayeredGrad<float>(t, x, x, x, i, make_float4(x, x, x, x), make_float4(x, x, x, x)))
FETCHED(gathered, tex2Dgather<float4>(t, x, x).z)
FETCHED(gathered_alpha, static_cast<float>(tex2Dgather<int4>(t, x, x, 3).y))

#define SURFACE(title, type)                                                                            \
  extern "C" __global__ void surface_##title(cudaSurfaceObject_t s, type* p, int i) {                   \
    const int at = i * static_cast<int>(sizeof(type));                                                  \
    surf1Dwrite(surf1Dread<type>(s, at), s, at + 16);                                                   \
    surf2Dwrite(surf2Dread<type>(s, at, i), s, at, i + 1);                                              \
    surf3Dwrite(surf3Dread<type>(s, at, i, i), s, at, i, i + 1);                                        \
    surf1DLayeredwrite(surf1DLayeredread<type>(s, at, i), s, at, i + 1);                                \
    surf2DLayeredwrite(surf2DLayeredread<type>(s, at, i, i), s, at, i, i + 1);                          \
    surfCubemapwrite(surfCubemapread<type>(s, at, i, i), s, at, i, i + 1);                              \
    surfCubemapLayeredwrite(surfCubemapLayeredread<type>(s, at, i, i), s, at, i, i + 1);                \
  }                                                                                                     \
  extern "C" __global__ void surface_modes_##title(cudaSurfaceObject_t s, type* p, int i) {             \
    const int at = i * static_cast<int>(sizeof(type));                                                  \
    p[0] = surf2Dread<type>(s, at, i, cudaBoundaryModeZero);                                            \
    p[1] = surf2Dread<type>(s, at, i, cudaBoundaryModeClamp);                                           \
    surf2Dwrite(p[2], s, at, i, cudaBoundaryModeZero);                                                  \
    surf2Dwrite(p[3], s, at, i, cudaBoundaryModeClamp);                                                 \
  }
SURFACE(float, float)
SURFACE(int, int)
SURFACE(uchar, unsigned char)
SURFACE(ushort2, ushort2)
SURFACE(float4, float4)
