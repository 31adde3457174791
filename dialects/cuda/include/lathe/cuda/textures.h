// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface objects, and texture references. On NVIDIA a read is a PTX instruction (PTX ISA, "Texture
// Instructions" and "Surface Instructions"); elsewhere sampler.h computes it. The faces of a cube map are layers.
#ifndef LATHE_CUDA_TEXTURES_H
#define LATHE_CUDA_TEXTURES_H

#include <lathe/cuda/sampler.h>

namespace lathe::detail {

/// As many of four numbers as T has members.
template <class T, class V>
LATHE_INLINE T texel(const V& v) {
  if constexpr (__is_arithmetic(T)) {
    return static_cast<T>(v.x);
  } else {
    using Number = typename Texel<T>::Number;
    constexpr auto members = sizeof(T) / sizeof(Number);
    T out;
    out.x = static_cast<Number>(v.x);
    if constexpr (members > 1) out.y = static_cast<Number>(v.y);
    if constexpr (members > 2) out.z = static_cast<Number>(v.z);
    if constexpr (members > 3) out.w = static_cast<Number>(v.w);
    return out;
  }
}

/// What reading a reference gives: the texels' type, or fractions of as many members.
template <class T, cudaTextureReadMode Mode, unsigned Members = sizeof(T) / sizeof(typename Texel<T>::Number)>
struct ReadAs {
  using Result = T;
};
template <class T>
struct ReadAs<T, cudaReadModeNormalizedFloat, 1> {
  using Result = float;
};
template <class T>
struct ReadAs<T, cudaReadModeNormalizedFloat, 2> {
  using Result = float2;
};
template <class T>
struct ReadAs<T, cudaReadModeNormalizedFloat, 4> {
  using Result = float4;
};

}  // namespace lathe::detail

#define cudaTextureType1D 1
#define cudaTextureType2D 2
#define cudaTextureType3D 3
#define cudaTextureTypeCubemap 12
#define cudaTextureType1DLayered 241
#define cudaTextureType2DLayered 242
struct textureReference {
  cudaTextureObject_t object = 0;
  int normalized = 0;
  cudaTextureFilterMode filterMode = cudaFilterModePoint;
  cudaTextureAddressMode addressMode[3] = {cudaAddressModeClamp, cudaAddressModeClamp, cudaAddressModeClamp};
  cudaChannelFormatDesc channelDesc = {};
  int sRGB = 0;
};
/// CUDA's texture references, which CUDA 12 took from its runtime: a variable of the device that begins with a texture
/// object. The host sets that object under the variable's name; the other members are host code's to write, without
/// effect.
template <class T, int Type = 1, cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((annotate("lathe.device_variable"))) texture : textureReference {
  constexpr texture(int normal = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
                    cudaTextureAddressMode mode = cudaAddressModeClamp)
      : textureReference{0, normal, filter, {mode, mode, mode}, {}, 0} {}
  constexpr texture(int normal, cudaTextureFilterMode filter, cudaTextureAddressMode mode,
                    cudaChannelFormatDesc channel)
      : textureReference{0, normal, filter, {mode, mode, mode}, channel, 0} {}
};

// `geometry` and `coordinates` are PTX's; coordinates name the operands below. `elsewhere` is the read in software, or
// nothing.
#define LATHE_CUDA_FETCH(type, number, constraint, geometry, coordinates, ...)                      \
  type v;                                                                                           \
  asm volatile("tex." geometry ".v4." number " {%0, %1, %2, %3}, [%[object], " coordinates ";"      \
               : "=" constraint(v.x), "=" constraint(v.y), "=" constraint(v.z), "=" constraint(v.w) \
               : [object] "l"(object), __VA_ARGS__);                                                \
  return lathe::detail::texel<T>(v);
#define LATHE_CUDA_ELSEWHERE(...) \
  if (!__lathe_target_is("cuda")) return lathe::detail::texel<T>(lathe::detail::__VA_ARGS__);
/// The body of a read of a T, by fetch(vector, type, constraint, …).
#define LATHE_CUDA_BY_NUMBER(fetch, elsewhere, geometry, kind, coordinates, ...) \
  using Number = typename lathe::detail::Texel<T>::Number;                       \
  if constexpr (__is_floating_point(Number)) {                                   \
    using Wide [[maybe_unused]] = float;                                         \
    elsewhere;                                                                   \
    fetch(float4, "f32." kind, "f", geometry, coordinates, __VA_ARGS__)          \
  } else if constexpr (static_cast<Number>(-1) < Number{}) {                     \
    using Wide [[maybe_unused]] = int;                                           \
    elsewhere;                                                                   \
    fetch(int4, "s32." kind, "r", geometry, coordinates, __VA_ARGS__)            \
  } else {                                                                       \
    using Wide [[maybe_unused]] = unsigned;                                      \
    elsewhere;                                                                   \
    fetch(uint4, "u32." kind, "r", geometry, coordinates, __VA_ARGS__)           \
  }
#define LATHE_CUDA_TEXTURE(name, parameters, elsewhere, geometry, kind, coordinates, ...)       \
  template <class T>                                                                            \
  LATHE_INLINE T name parameters {                                                              \
    LATHE_CUDA_BY_NUMBER(LATHE_CUDA_FETCH, elsewhere, geometry, kind, coordinates, __VA_ARGS__) \
  }                                                                                             \
  template <class T>                                                                            \
  LATHE_INLINE void name(T* out, LATHE_CUDA_UNPACK parameters) {                                \
    *out = name<T>(LATHE_CUDA_NAMES_##name);                                                    \
  }                                                                                             \
  template <class T, int Type, cudaTextureReadMode Mode, class... Coordinates>                  \
  LATHE_INLINE auto name(const texture<T, Type, Mode>& reference, Coordinates... at) {          \
    return name<typename lathe::detail::ReadAs<T, Mode>::Result>(reference.object, at...);      \
  }
#define LATHE_CUDA_UNPACK(...) __VA_ARGS__
// The same, and reads that tell whether the texels are in memory, which they always are in software.
#define LATHE_CUDA_FETCH_SPARSE(type, number, constraint, geometry, coordinates, ...)                               \
  type v;                                                                                                           \
  unsigned resident;                                                                                                \
  asm volatile("{ .reg .pred p;\n\ttex." geometry ".v4." number " {%0, %1, %2, %3}|p, [%[object], " coordinates     \
               ";\n\tselp.u32 %4, 1, 0, p; }"                                                                       \
               : "=" constraint(v.x), "=" constraint(v.y), "=" constraint(v.z), "=" constraint(v.w), "=r"(resident) \
               : [object] "l"(object), __VA_ARGS__);                                                                \
  *isResident = resident != 0;                                                                                      \
  return lathe::detail::texel<T>(v);
#define LATHE_CUDA_SPARSE_TEXTURE(name, parameters, elsewhere, geometry, kind, coordinates, ...)       \
  LATHE_CUDA_TEXTURE(name, parameters, elsewhere, geometry, kind, coordinates, __VA_ARGS__)            \
  template <class T>                                                                                   \
  LATHE_INLINE T name(LATHE_CUDA_UNPACK parameters, bool* isResident) {                                \
    *isResident = true;                                                                                \
    LATHE_CUDA_BY_NUMBER(LATHE_CUDA_FETCH_SPARSE, elsewhere, geometry, kind, coordinates, __VA_ARGS__) \
  }                                                                                                    \
  template <class T>                                                                                   \
  LATHE_INLINE void name(T* out, LATHE_CUDA_UNPACK parameters, bool* isResident) {                     \
    *out = name<T>(LATHE_CUDA_NAMES_##name, isResident);                                               \
  }
#define LATHE_CUDA_NAMES_tex1Dfetch object, x
#define LATHE_CUDA_NAMES_tex1D object, x
#define LATHE_CUDA_NAMES_tex2D object, x, y
#define LATHE_CUDA_NAMES_tex3D object, x, y, z
#define LATHE_CUDA_NAMES_tex1DLayered object, x, layer
#define LATHE_CUDA_NAMES_tex2DLayered object, x, y, layer
#define LATHE_CUDA_NAMES_texCubemap object, x, y, z
#define LATHE_CUDA_NAMES_texCubemapLayered object, x, y, z, layer
#define LATHE_CUDA_NAMES_texCubemapLod object, x, y, z, level
#define LATHE_CUDA_NAMES_texCubemapLayeredLod object, x, y, z, layer, level
#define LATHE_CUDA_NAMES_texCubemapGrad object, x, y, z, a, b
#define LATHE_CUDA_NAMES_texCubemapLayeredGrad object, x, y, z, layer, a, b
#define LATHE_CUDA_NAMES_tex1DLod object, x, level
#define LATHE_CUDA_NAMES_tex2DLod object, x, y, level
#define LATHE_CUDA_NAMES_tex3DLod object, x, y, z, level
#define LATHE_CUDA_NAMES_tex1DLayeredLod object, x, layer, level
#define LATHE_CUDA_NAMES_tex2DLayeredLod object, x, y, layer, level
#define LATHE_CUDA_NAMES_tex1DGrad object, x, a, b
#define LATHE_CUDA_NAMES_tex2DGrad object, x, y, a, b
#define LATHE_CUDA_NAMES_tex3DGrad object, x, y, z, a, b
#define LATHE_CUDA_NAMES_tex1DLayeredGrad object, x, layer, a, b
#define LATHE_CUDA_NAMES_tex2DLayeredGrad object, x, y, layer, a, b
LATHE_CUDA_TEXTURE(tex1Dfetch, (cudaTextureObject_t object, int x), LATHE_CUDA_ELSEWHERE(fetched<Wide>(object, x)),
                   "1d", "s32", "{%[x]}]", [x] "r"(x))
LATHE_CUDA_TEXTURE(tex1D, (cudaTextureObject_t object, float x),
                   LATHE_CUDA_ELSEWHERE(sampledAtLevel<Wide, 1>(object, x, 0, 0, 0, 0)), "1d", "f32",
                   "{%[x]}]", [x] "f"(x))
LATHE_CUDA_SPARSE_TEXTURE(tex2D, (cudaTextureObject_t object, float x, float y),
                          LATHE_CUDA_ELSEWHERE(sampledAtLevel<Wide, 2>(object, x, y, 0, 0, 0)), "2d", "f32",
                          "{%[x], %[y]}]", [x] "f"(x), [y] "f"(y))
LATHE_CUDA_SPARSE_TEXTURE(tex3D, (cudaTextureObject_t object, float x, float y, float z),
                          LATHE_CUDA_ELSEWHERE(sampledAtLevel<Wide, 3>(object, x, y, z, 0, 0)), "3d", "f32",
                          "{%[x], %[y], %[z], %[z]}]", [x] "f"(x), [y] "f"(y), [z] "f"(z))
LATHE_CUDA_TEXTURE(tex1DLayered, (cudaTextureObject_t object, float x, int layer),
                   LATHE_CUDA_ELSEWHERE(sampledAtLevel<Wide, 1>(object, x, 0, 0, layer, 0)), "a1d", "f32",
                   "{%[layer], %[x]}]", [x] "f"(x), [layer] "r"(layer))
LATHE_CUDA_SPARSE_TEXTURE(tex2DLayered, (cudaTextureObject_t object, float x, float y, int layer),
                          LATHE_CUDA_ELSEWHERE(sampledAtLevel<Wide, 2>(object, x, y, 0, layer, 0)), "a2d", "f32",
                          "{%[layer], %[x], %[y], %[y]}]", [x] "f"(x), [y] "f"(y), [layer] "r"(layer))
LATHE_CUDA_TEXTURE(texCubemap, (cudaTextureObject_t object, float x, float y, float z),
                   LATHE_CUDA_ELSEWHERE(sampledCubeAtLevel<Wide>(object, x, y, z, 0, 0)), "cube", "f32",
                   "{%[x], %[y], %[z], %[z]}]", [x] "f"(x), [y] "f"(y), [z] "f"(z))
LATHE_CUDA_TEXTURE(texCubemapLayered, (cudaTextureObject_t object, float x, float y, float z, int layer),
                   LATHE_CUDA_ELSEWHERE(sampledCubeAtLevel<Wide>(object, x, y, z, layer, 0)), "acube", "f32",
                   "{%[layer], %[x], %[y], %[z]}]", [x] "f"(x), [y] "f"(y), [z] "f"(z), [layer] "r"(layer))
LATHE_CUDA_TEXTURE(texCubemapLod, (cudaTextureObject_t object, float x, float y, float z, float level),
                   LATHE_CUDA_ELSEWHERE(sampledCubeAtLevel<Wide>(object, x, y, z, 0, level)), "level.cube", "f32",
                   "{%[x], %[y], %[z], %[z]}], %[level]", [x] "f"(x), [y] "f"(y), [z] "f"(z), [level] "f"(level))
LATHE_CUDA_TEXTURE(texCubemapLayeredLod,
                   (cudaTextureObject_t object, float x, float y, float z, int layer, float level),
                   LATHE_CUDA_ELSEWHERE(sampledCubeAtLevel<Wide>(object, x, y, z, layer, level)), "level.acube", "f32",
                   "{%[layer], %[x], %[y], %[z]}], %[level]", [x] "f"(x), [y] "f"(y), [z] "f"(z), [layer] "r"(layer),
                   [level] "f"(level))
#define LATHE_CUDA_GRADIENTS "{%[ax], %[ay], %[az], %[az]}, {%[bx], %[by], %[bz], %[bz]}"
#define LATHE_CUDA_GRADIENT_OPERANDS \
  [ax] "f"(a.x), [ay] "f"(a.y), [az] "f"(a.z), [bx] "f"(b.x), [by] "f"(b.y), [bz] "f"(b.z)
LATHE_CUDA_TEXTURE(texCubemapGrad, (cudaTextureObject_t object, float x, float y, float z, float4 a, float4 b),
                   LATHE_CUDA_ELSEWHERE(sampledCubeAtLevel<Wide>(object, x, y, z, 0,
                                                                 lathe::detail::cubeLevelOf(object, x, y, z, a, b))),
                   "grad.cube", "f32",
                   "{%[x], %[y], %[z], %[z]}], " LATHE_CUDA_GRADIENTS, [x] "f"(x), [y] "f"(y), [z] "f"(z),
                   LATHE_CUDA_GRADIENT_OPERANDS)
LATHE_CUDA_TEXTURE(
    texCubemapLayeredGrad, (cudaTextureObject_t object, float x, float y, float z, int layer, float4 a, float4 b),
    LATHE_CUDA_ELSEWHERE(sampledCubeAtLevel<Wide>(object, x, y, z, layer,
                                                  lathe::detail::cubeLevelOf(object, x, y, z, a, b))),
    "grad.acube", "f32",
    "{%[layer], %[x], %[y], %[z]}], " LATHE_CUDA_GRADIENTS, [x] "f"(x), [y] "f"(y), [z] "f"(z), [layer] "r"(layer),
    LATHE_CUDA_GRADIENT_OPERANDS)
LATHE_CUDA_TEXTURE(tex1DLod, (cudaTextureObject_t object, float x, float level),
                   LATHE_CUDA_ELSEWHERE(sampledAtLevel<Wide, 1>(object, x, 0, 0, 0, level)), "level.1d", "f32",
                   "{%[x]}], %[level]", [x] "f"(x), [level] "f"(level))
LATHE_CUDA_SPARSE_TEXTURE(tex2DLod, (cudaTextureObject_t object, float x, float y, float level),
                          LATHE_CUDA_ELSEWHERE(sampledAtLevel<Wide, 2>(object, x, y, 0, 0, level)), "level.2d", "f32",
                          "{%[x], %[y]}], %[level]", [x] "f"(x), [y] "f"(y), [level] "f"(level))
LATHE_CUDA_SPARSE_TEXTURE(tex3DLod, (cudaTextureObject_t object, float x, float y, float z, float level),
                          LATHE_CUDA_ELSEWHERE(sampledAtLevel<Wide, 3>(object, x, y, z, 0, level)), "level.3d", "f32",
                          "{%[x], %[y], %[z], %[z]}], %[level]", [x] "f"(x), [y] "f"(y), [z] "f"(z), [level] "f"(level))
LATHE_CUDA_TEXTURE(tex1DLayeredLod, (cudaTextureObject_t object, float x, int layer, float level),
                   LATHE_CUDA_ELSEWHERE(sampledAtLevel<Wide, 1>(object, x, 0, 0, layer, level)), "level.a1d", "f32",
                   "{%[layer], %[x]}], %[level]", [x] "f"(x), [layer] "r"(layer), [level] "f"(level))
LATHE_CUDA_SPARSE_TEXTURE(
    tex2DLayeredLod, (cudaTextureObject_t object, float x, float y, int layer, float level),
    LATHE_CUDA_ELSEWHERE(sampledAtLevel<Wide, 2>(object, x, y, 0, layer, level)), "level.a2d", "f32",
    "{%[layer], %[x], %[y], %[y]}], %[level]", [x] "f"(x), [y] "f"(y), [layer] "r"(layer), [level] "f"(level))
LATHE_CUDA_TEXTURE(tex1DGrad, (cudaTextureObject_t object, float x, float a, float b),
                   LATHE_CUDA_ELSEWHERE(sampledAtLevel<Wide, 1>(object, x, 0, 0, 0,
                                                                lathe::detail::levelOf(object, a, 0, 0, b, 0, 0))),
                   "grad.1d", "f32", "{%[x]}], {%[a]}, {%[b]}", [x] "f"(x), [a] "f"(a), [b] "f"(b))
LATHE_CUDA_SPARSE_TEXTURE(tex2DGrad, (cudaTextureObject_t object, float x, float y, float2 a, float2 b),
                          LATHE_CUDA_ELSEWHERE(sampledAtLevel<Wide, 2>(
                              object, x, y, 0, 0, lathe::detail::levelOf(object, a.x, a.y, 0, b.x, b.y, 0))),
                          "grad.2d", "f32", "{%[x], %[y]}], {%[ax], %[ay]}, {%[bx], %[by]}", [x] "f"(x), [y] "f"(y),
                          [ax] "f"(a.x), [ay] "f"(a.y), [bx] "f"(b.x), [by] "f"(b.y))
LATHE_CUDA_SPARSE_TEXTURE(tex3DGrad, (cudaTextureObject_t object, float x, float y, float z, float4 a, float4 b),
                          LATHE_CUDA_ELSEWHERE(sampledAtLevel<Wide, 3>(
                              object, x, y, z, 0, lathe::detail::levelOf(object, a.x, a.y, a.z, b.x, b.y, b.z))),
                          "grad.3d", "f32",
                          "{%[x], %[y], %[z], %[z]}], " LATHE_CUDA_GRADIENTS, [x] "f"(x), [y] "f"(y), [z] "f"(z),
                          LATHE_CUDA_GRADIENT_OPERANDS)
LATHE_CUDA_TEXTURE(tex1DLayeredGrad, (cudaTextureObject_t object, float x, int layer, float a, float b),
                   LATHE_CUDA_ELSEWHERE(sampledAtLevel<Wide, 1>(object, x, 0, 0, layer,
                                                                lathe::detail::levelOf(object, a, 0, 0, b, 0, 0))),
                   "grad.a1d", "f32",
                   "{%[layer], %[x]}], {%[a]}, {%[b]}", [x] "f"(x), [layer] "r"(layer), [a] "f"(a), [b] "f"(b))
LATHE_CUDA_SPARSE_TEXTURE(
    tex2DLayeredGrad, (cudaTextureObject_t object, float x, float y, int layer, float2 a, float2 b),
    LATHE_CUDA_ELSEWHERE(sampledAtLevel<Wide, 2>(object, x, y, 0, layer,
                                                 lathe::detail::levelOf(object, a.x, a.y, 0, b.x, b.y, 0))),
    "grad.a2d", "f32", "{%[layer], %[x], %[y], %[y]}], {%[ax], %[ay]}, {%[bx], %[by]}", [x] "f"(x), [y] "f"(y),
    [layer] "r"(layer), [ax] "f"(a.x), [ay] "f"(a.y), [bx] "f"(b.x), [by] "f"(b.y))
#undef LATHE_CUDA_SPARSE_TEXTURE
#undef LATHE_CUDA_TEXTURE
#undef LATHE_CUDA_BY_NUMBER
#undef LATHE_CUDA_FETCH_SPARSE
#undef LATHE_CUDA_FETCH
#undef LATHE_CUDA_GRADIENTS
#undef LATHE_CUDA_GRADIENT_OPERANDS

// The instruction's name has the channel in it.
#define LATHE_CUDA_GATHER(type, number, constraint, channel)                                        \
  asm volatile("tld4." channel ".2d.v4." number ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"            \
               : "=" constraint(v.x), "=" constraint(v.y), "=" constraint(v.z), "=" constraint(v.w) \
               : "l"(object), "f"(x), "f"(y));
#define LATHE_CUDA_GATHERED(type, number, constraint)                                                  \
  if (!__lathe_target_is("cuda"))                                                                      \
    return lathe::detail::texel<T>(lathe::detail::gathered<decltype(type::x)>(object, x, y, channel)); \
  type v;                                                                                              \
  if (channel == 0) {                                                                                  \
    LATHE_CUDA_GATHER(type, number, constraint, "r")                                                   \
  } else if (channel == 1) {                                                                           \
    LATHE_CUDA_GATHER(type, number, constraint, "g")                                                   \
  } else if (channel == 2) {                                                                           \
    LATHE_CUDA_GATHER(type, number, constraint, "b")                                                   \
  } else {                                                                                             \
    LATHE_CUDA_GATHER(type, number, constraint, "a")                                                   \
  }                                                                                                    \
  return lathe::detail::texel<T>(v);
template <class T>
LATHE_INLINE T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0) {
  using Number = typename lathe::detail::Texel<T>::Number;
  if constexpr (__is_floating_point(Number)) {
    LATHE_CUDA_GATHERED(float4, "f32", "f")
  } else if constexpr (static_cast<Number>(-1) < Number{}) {
    LATHE_CUDA_GATHERED(int4, "s32", "r")
  } else {
    LATHE_CUDA_GATHERED(uint4, "u32", "r")
  }
}
template <class T>
LATHE_INLINE void tex2Dgather(T* out, cudaTextureObject_t object, float x, float y, int channel = 0) {
  *out = tex2Dgather<T>(object, x, y, channel);
}
#undef LATHE_CUDA_GATHERED
#undef LATHE_CUDA_GATHER
// The same with the question for memory.
#define LATHE_CUDA_GATHER(type, number, constraint, channel)                                                        \
  asm volatile("{ .reg .pred p;\n\ttld4." channel ".2d.v4." number                                                  \
               ".f32 {%0, %1, %2, %3}|p, [%5, {%6, %7}];\n\tselp.u32 %4, 1, 0, p; }"                                \
               : "=" constraint(v.x), "=" constraint(v.y), "=" constraint(v.z), "=" constraint(v.w), "=r"(resident) \
               : "l"(object), "f"(x), "f"(y));
#define LATHE_CUDA_GATHERED(type, number, constraint) \
  type v;                                             \
  unsigned resident;                                  \
  if (channel == 0) {                                 \
    LATHE_CUDA_GATHER(type, number, constraint, "r")  \
  } else if (channel == 1) {                          \
    LATHE_CUDA_GATHER(type, number, constraint, "g")  \
  } else if (channel == 2) {                          \
    LATHE_CUDA_GATHER(type, number, constraint, "b")  \
  } else {                                            \
    LATHE_CUDA_GATHER(type, number, constraint, "a")  \
  }                                                   \
  *isResident = resident != 0;                        \
  return lathe::detail::texel<T>(v);
template <class T>
LATHE_INLINE T tex2Dgather(cudaTextureObject_t object, float x, float y, bool* isResident, int channel = 0) {
  using Number = typename lathe::detail::Texel<T>::Number;
  *isResident = true;
  if (!__lathe_target_is("cuda")) return tex2Dgather<T>(object, x, y, channel);
  if constexpr (__is_floating_point(Number)) {
    LATHE_CUDA_GATHERED(float4, "f32", "f")
  } else if constexpr (static_cast<Number>(-1) < Number{}) {
    LATHE_CUDA_GATHERED(int4, "s32", "r")
  } else {
    LATHE_CUDA_GATHERED(uint4, "u32", "r")
  }
}
template <class T>
LATHE_INLINE void tex2Dgather(T* out, cudaTextureObject_t object, float x, float y, bool* isResident, int channel = 0) {
  *out = tex2Dgather<T>(object, x, y, isResident, channel);
}
#undef LATHE_CUDA_GATHERED
#undef LATHE_CUDA_GATHER
#undef LATHE_CUDA_ELSEWHERE

#include <lathe/cuda/textures/surfaces.h>

#endif
