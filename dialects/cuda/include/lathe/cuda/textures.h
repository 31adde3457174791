// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface objects. There is no portable way to read one, so these are PTX instructions (PTX ISA, "Texture
// Instructions" and "Surface Instructions"): kernels that use them compile for targets with inline PTX and are refused,
// with the line of the call, by the others. Texture references, which CUDA 12 removed, are not there.
#ifndef LATHE_CUDA_TEXTURES_H
#define LATHE_CUDA_TEXTURES_H

#include <lathe/cuda/runtime_types.h>

namespace lathe::detail {

/// The number type of a texel: a vector's members, or the number itself.
template <class T, bool = __is_arithmetic(T)>
struct Texel {
  using Number = T;
};
template <class T>
struct Texel<T, false> {
  using Number = decltype(T::x);
};

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

}  // namespace lathe::detail

// `geometry` and `coordinates` are PTX's; coordinates name the operands below.
#define LATHE_CUDA_FETCH(type, number, constraint, geometry, coordinates, ...)                      \
  type v;                                                                                           \
  asm volatile("tex." geometry ".v4." number " {%0, %1, %2, %3}, [%[object], " coordinates ";"      \
               : "=" constraint(v.x), "=" constraint(v.y), "=" constraint(v.z), "=" constraint(v.w) \
               : [object] "l"(object), __VA_ARGS__);                                                \
  return lathe::detail::texel<T>(v);
#define LATHE_CUDA_TEXTURE(name, parameters, geometry, kind, coordinates, ...)       \
  template <class T>                                                                 \
  LATHE_INLINE T name parameters {                                                   \
    using Number = typename lathe::detail::Texel<T>::Number;                         \
    if constexpr (__is_floating_point(Number)) {                                     \
      LATHE_CUDA_FETCH(float4, "f32." kind, "f", geometry, coordinates, __VA_ARGS__) \
    } else if constexpr (static_cast<Number>(-1) < Number{}) {                       \
      LATHE_CUDA_FETCH(int4, "s32." kind, "r", geometry, coordinates, __VA_ARGS__)   \
    } else {                                                                         \
      LATHE_CUDA_FETCH(uint4, "u32." kind, "r", geometry, coordinates, __VA_ARGS__)  \
    }                                                                                \
  }                                                                                  \
  template <class T>                                                                 \
  LATHE_INLINE void name(T* out, LATHE_CUDA_UNPACK parameters) {                     \
    *out = name<T>(LATHE_CUDA_NAMES_##name);                                         \
  }
#define LATHE_CUDA_UNPACK(...) __VA_ARGS__
#define LATHE_CUDA_NAMES_tex1Dfetch object, x
#define LATHE_CUDA_NAMES_tex1D object, x
#define LATHE_CUDA_NAMES_tex2D object, x, y
#define LATHE_CUDA_NAMES_tex3D object, x, y, z
#define LATHE_CUDA_NAMES_tex1DLayered object, x, layer
#define LATHE_CUDA_NAMES_tex2DLayered object, x, y, layer
#define LATHE_CUDA_NAMES_texCubemap object, x, y, z
#define LATHE_CUDA_NAMES_tex2DLod object, x, y, level
#define LATHE_CUDA_NAMES_tex3DLod object, x, y, z, level
LATHE_CUDA_TEXTURE(tex1Dfetch, (cudaTextureObject_t object, int x), "1d", "s32", "{%[x]}]", [x] "r"(x))
LATHE_CUDA_TEXTURE(tex1D, (cudaTextureObject_t object, float x), "1d", "f32", "{%[x]}]", [x] "f"(x))
LATHE_CUDA_TEXTURE(tex2D, (cudaTextureObject_t object, float x, float y), "2d", "f32",
                   "{%[x], %[y]}]", [x] "f"(x), [y] "f"(y))
LATHE_CUDA_TEXTURE(tex3D, (cudaTextureObject_t object, float x, float y, float z), "3d", "f32",
                   "{%[x], %[y], %[z], %[z]}]", [x] "f"(x), [y] "f"(y), [z] "f"(z))
LATHE_CUDA_TEXTURE(tex1DLayered, (cudaTextureObject_t object, float x, int layer), "a1d", "f32",
                   "{%[layer], %[x]}]", [x] "f"(x), [layer] "r"(layer))
LATHE_CUDA_TEXTURE(tex2DLayered, (cudaTextureObject_t object, float x, float y, int layer), "a2d", "f32",
                   "{%[layer], %[x], %[y], %[y]}]", [x] "f"(x), [y] "f"(y), [layer] "r"(layer))
LATHE_CUDA_TEXTURE(texCubemap, (cudaTextureObject_t object, float x, float y, float z), "cube", "f32",
                   "{%[x], %[y], %[z], %[z]}]", [x] "f"(x), [y] "f"(y), [z] "f"(z))
LATHE_CUDA_TEXTURE(tex2DLod, (cudaTextureObject_t object, float x, float y, float level), "level.2d", "f32",
                   "{%[x], %[y]}], %[level]", [x] "f"(x), [y] "f"(y), [level] "f"(level))
LATHE_CUDA_TEXTURE(tex3DLod, (cudaTextureObject_t object, float x, float y, float z, float level), "level.3d", "f32",
                   "{%[x], %[y], %[z], %[z]}], %[level]", [x] "f"(x), [y] "f"(y), [z] "f"(z), [level] "f"(level))
#undef LATHE_CUDA_TEXTURE
#undef LATHE_CUDA_FETCH

// Surfaces: x in bytes, elements of 1, 2, 4, 8 and 16 bytes. An access outside traps, which is CUDA's default; the
// other modes are not told apart.
#define LATHE_CUDA_SURFACE_AS(width, constraint, geometry, coordinates, ...)        \
  asm volatile("suld.b." geometry width ".trap {%0}, [%[object], " coordinates "];" \
               : "=" constraint(bits)                                               \
               : [object] "l"(object), __VA_ARGS__);
#define LATHE_CUDA_SURFACE(name, geometry, parameters, names, coordinates, ...)                                     \
  template <class T>                                                                                                \
  LATHE_INLINE T name##read(cudaSurfaceObject_t object, LATHE_CUDA_UNPACK parameters,                               \
                            cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {                                       \
    T out;                                                                                                          \
    if constexpr (sizeof(T) == 1) {                                                                                 \
      unsigned short bits;                                                                                          \
      LATHE_CUDA_SURFACE_AS(".b8", "h", geometry, coordinates, __VA_ARGS__)                                         \
      __builtin_memcpy(&out, &bits, sizeof(T));                                                                     \
    } else if constexpr (sizeof(T) == 2) {                                                                          \
      unsigned short bits;                                                                                          \
      LATHE_CUDA_SURFACE_AS(".b16", "h", geometry, coordinates, __VA_ARGS__)                                        \
      __builtin_memcpy(&out, &bits, sizeof(T));                                                                     \
    } else if constexpr (sizeof(T) == 4) {                                                                          \
      unsigned bits;                                                                                                \
      LATHE_CUDA_SURFACE_AS(".b32", "r", geometry, coordinates, __VA_ARGS__)                                        \
      __builtin_memcpy(&out, &bits, sizeof(T));                                                                     \
    } else if constexpr (sizeof(T) == 8) {                                                                          \
      unsigned long bits;                                                                                           \
      LATHE_CUDA_SURFACE_AS(".b64", "l", geometry, coordinates, __VA_ARGS__)                                        \
      __builtin_memcpy(&out, &bits, sizeof(T));                                                                     \
    } else {                                                                                                        \
      static_assert(sizeof(T) == 16, "a surface element has 1, 2, 4, 8 or 16 bytes");                               \
      uint4 bits;                                                                                                   \
      asm volatile("suld.b." geometry ".v4.b32.trap {%0, %1, %2, %3}, [%[object], " coordinates "];"                \
                   : "=r"(bits.x), "=r"(bits.y), "=r"(bits.z), "=r"(bits.w)                                         \
                   : [object] "l"(object), __VA_ARGS__);                                                            \
      __builtin_memcpy(&out, &bits, sizeof(T));                                                                     \
    }                                                                                                               \
    return out;                                                                                                     \
  }                                                                                                                 \
  template <class T>                                                                                                \
  LATHE_INLINE void name##read(T* out, cudaSurfaceObject_t object, LATHE_CUDA_UNPACK parameters,                    \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                               \
    *out = name##read<T>(object, LATHE_CUDA_UNPACK names, mode);                                                    \
  }                                                                                                                 \
  template <class T>                                                                                                \
  LATHE_INLINE void name##write(T value, cudaSurfaceObject_t object, LATHE_CUDA_UNPACK parameters,                  \
                                cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {                                   \
    if constexpr (sizeof(T) == 16) {                                                                                \
      uint4 bits;                                                                                                   \
      __builtin_memcpy(&bits, &value, sizeof(T));                                                                   \
      asm volatile("sust.b." geometry ".v4.b32.trap [%[object], " coordinates "], {%0, %1, %2, %3};" ::"r"(bits.x), \
                   "r"(bits.y), "r"(bits.z), "r"(bits.w), [object] "l"(object), __VA_ARGS__                         \
                   : "memory");                                                                                     \
    } else if constexpr (sizeof(T) == 8) {                                                                          \
      asm volatile("sust.b." geometry ".b64.trap [%[object], " coordinates                                          \
                   "], {%0};" ::"l"(__builtin_bit_cast(unsigned long, value)),                                      \
                   [object] "l"(object), __VA_ARGS__                                                                \
                   : "memory");                                                                                     \
    } else if constexpr (sizeof(T) == 4) {                                                                          \
      asm volatile("sust.b." geometry ".b32.trap [%[object], " coordinates                                          \
                   "], {%0};" ::"r"(__builtin_bit_cast(unsigned, value)),                                           \
                   [object] "l"(object), __VA_ARGS__                                                                \
                   : "memory");                                                                                     \
    } else if constexpr (sizeof(T) == 2) {                                                                          \
      asm volatile("sust.b." geometry ".b16.trap [%[object], " coordinates                                          \
                   "], {%0};" ::"h"(__builtin_bit_cast(unsigned short, value)),                                     \
                   [object] "l"(object), __VA_ARGS__                                                                \
                   : "memory");                                                                                     \
    } else {                                                                                                        \
      static_assert(sizeof(T) == 1, "a surface element has 1, 2, 4, 8 or 16 bytes");                                \
      asm volatile("sust.b." geometry ".b8.trap [%[object], " coordinates                                           \
                   "], {%0};" ::"h"(static_cast<unsigned short>(__builtin_bit_cast(unsigned char, value))),         \
                   [object] "l"(object), __VA_ARGS__                                                                \
                   : "memory");                                                                                     \
    }                                                                                                               \
  }
LATHE_CUDA_SURFACE(surf1D, "1d", (int x), (x), "{%[x]}", [x] "r"(x))
LATHE_CUDA_SURFACE(surf2D, "2d", (int x, int y), (x, y), "{%[x], %[y]}", [x] "r"(x), [y] "r"(y))
LATHE_CUDA_SURFACE(surf3D, "3d", (int x, int y, int z), (x, y, z),
                   "{%[x], %[y], %[z], %[z]}", [x] "r"(x), [y] "r"(y), [z] "r"(z))
LATHE_CUDA_SURFACE(surf2DLayered, "a2d", (int x, int y, int layer), (x, y, layer),
                   "{%[layer], %[x], %[y], %[y]}", [x] "r"(x), [y] "r"(y), [layer] "r"(layer))
#undef LATHE_CUDA_SURFACE
#undef LATHE_CUDA_SURFACE_AS

#endif
