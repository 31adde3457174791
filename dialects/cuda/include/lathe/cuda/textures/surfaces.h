// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of textures.h: reads and writes of surface objects (PTX ISA, "Surface Instructions").
#ifndef LATHE_CUDA_SURFACES_H
#define LATHE_CUDA_SURFACES_H

// Surfaces: x in bytes, elements of 1, 2, 4, 8 and 16 bytes. The mode of accesses outside is a part of the instruction.
#define LATHE_CUDA_BOUNDED(before, after, ...)       \
  if (mode == cudaBoundaryModeZero)                  \
    asm volatile(before ".zero" after __VA_ARGS__);  \
  else if (mode == cudaBoundaryModeClamp)            \
    asm volatile(before ".clamp" after __VA_ARGS__); \
  else                                               \
    asm volatile(before ".trap" after __VA_ARGS__);
#define LATHE_CUDA_SURFACE_READ(width, constraint, geometry, coordinates, ...)                              \
  LATHE_CUDA_BOUNDED("suld.b." geometry width,                                                              \
                     " {%0}, [%[object], " coordinates "];", : "=" constraint(bits) : [object] "l"(object), \
                     __VA_ARGS__)                                                                           \
  __builtin_memcpy(&out, &bits, sizeof(T));
#define LATHE_CUDA_SURFACE_WRITE(width, constraint, bits, geometry, coordinates, ...)  \
  LATHE_CUDA_BOUNDED("sust.b." geometry width, " [%[object], " coordinates "], {%0};", \
                     ::constraint(bits), [object] "l"(object), __VA_ARGS__ : "memory")
#define LATHE_CUDA_SURFACE(name, geometry, parameters, names, place, coordinates, ...)                               \
  template <class T>                                                                                                 \
  LATHE_INLINE T name##read(cudaSurfaceObject_t object, LATHE_CUDA_UNPACK parameters,                                \
                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                   \
    if (!__lathe_target_is("cuda")) {                                                                                \
      const T* const from = lathe::detail::surfaceElement<const T>(object, LATHE_CUDA_UNPACK place, mode);           \
      return from ? *from : T{};                                                                                     \
    }                                                                                                                \
    T out;                                                                                                           \
    if constexpr (sizeof(T) == 1) {                                                                                  \
      unsigned short bits;                                                                                           \
      LATHE_CUDA_SURFACE_READ(".b8", "h", geometry, coordinates, __VA_ARGS__)                                        \
    } else if constexpr (sizeof(T) == 2) {                                                                           \
      unsigned short bits;                                                                                           \
      LATHE_CUDA_SURFACE_READ(".b16", "h", geometry, coordinates, __VA_ARGS__)                                       \
    } else if constexpr (sizeof(T) == 4) {                                                                           \
      unsigned bits;                                                                                                 \
      LATHE_CUDA_SURFACE_READ(".b32", "r", geometry, coordinates, __VA_ARGS__)                                       \
    } else if constexpr (sizeof(T) == 8) {                                                                           \
      unsigned long bits;                                                                                            \
      LATHE_CUDA_SURFACE_READ(".b64", "l", geometry, coordinates, __VA_ARGS__)                                       \
    } else {                                                                                                         \
      static_assert(sizeof(T) == 16, "a surface element has 1, 2, 4, 8 or 16 bytes");                                \
      uint4 bits;                                                                                                    \
      LATHE_CUDA_BOUNDED("suld.b." geometry ".v4.b32",                                                               \
                         " {%0, %1, %2, %3}, [%[object], " coordinates "];", : "=r"(bits.x), "=r"(bits.y),           \
                         "=r"(bits.z), "=r"(bits.w) : [object] "l"(object), __VA_ARGS__)                             \
      __builtin_memcpy(&out, &bits, sizeof(T));                                                                      \
    }                                                                                                                \
    return out;                                                                                                      \
  }                                                                                                                  \
  template <class T>                                                                                                 \
  LATHE_INLINE void name##read(T* out, cudaSurfaceObject_t object, LATHE_CUDA_UNPACK parameters,                     \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                \
    *out = name##read<T>(object, LATHE_CUDA_UNPACK names, mode);                                                     \
  }                                                                                                                  \
  template <class T>                                                                                                 \
  LATHE_INLINE void name##write(T value, cudaSurfaceObject_t object, LATHE_CUDA_UNPACK parameters,                   \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                               \
    if (!__lathe_target_is("cuda")) {                                                                                \
      if (T *const to = lathe::detail::surfaceElement<T>(object, LATHE_CUDA_UNPACK place, mode)) *to = value;        \
      return;                                                                                                        \
    }                                                                                                                \
    if constexpr (sizeof(T) == 16) {                                                                                 \
      uint4 bits;                                                                                                    \
      __builtin_memcpy(&bits, &value, sizeof(T));                                                                    \
      LATHE_CUDA_BOUNDED("sust.b." geometry ".v4.b32", " [%[object], " coordinates "], {%0, %1, %2, %3};",           \
                         ::"r"(bits.x), "r"(bits.y), "r"(bits.z), "r"(bits.w), [object] "l"(object),                 \
                         __VA_ARGS__ : "memory")                                                                     \
    } else if constexpr (sizeof(T) == 8) {                                                                           \
      LATHE_CUDA_SURFACE_WRITE(".b64", "l", __builtin_bit_cast(unsigned long, value), geometry, coordinates,         \
                               __VA_ARGS__)                                                                          \
    } else if constexpr (sizeof(T) == 4) {                                                                           \
      LATHE_CUDA_SURFACE_WRITE(".b32", "r", __builtin_bit_cast(unsigned, value), geometry, coordinates, __VA_ARGS__) \
    } else if constexpr (sizeof(T) == 2) {                                                                           \
      LATHE_CUDA_SURFACE_WRITE(".b16", "h", __builtin_bit_cast(unsigned short, value), geometry, coordinates,        \
                               __VA_ARGS__)                                                                          \
    } else {                                                                                                         \
      static_assert(sizeof(T) == 1, "a surface element has 1, 2, 4, 8 or 16 bytes");                                 \
      LATHE_CUDA_SURFACE_WRITE(".b8", "h", static_cast<unsigned short>(__builtin_bit_cast(unsigned char, value)),    \
                               geometry, coordinates, __VA_ARGS__)                                                   \
    }                                                                                                                \
  }
LATHE_CUDA_SURFACE(surf1D, "1d", (int x), (x), (x, 0, 0), "{%[x]}", [x] "r"(x))
LATHE_CUDA_SURFACE(surf2D, "2d", (int x, int y), (x, y), (x, y, 0), "{%[x], %[y]}", [x] "r"(x), [y] "r"(y))
LATHE_CUDA_SURFACE(surf3D, "3d", (int x, int y, int z), (x, y, z), (x, y, z),
                   "{%[x], %[y], %[z], %[z]}", [x] "r"(x), [y] "r"(y), [z] "r"(z))
LATHE_CUDA_SURFACE(surf1DLayered, "a1d", (int x, int layer), (x, layer), (x, 0, layer),
                   "{%[layer], %[x]}", [x] "r"(x), [layer] "r"(layer))
LATHE_CUDA_SURFACE(surf2DLayered, "a2d", (int x, int y, int layer), (x, y, layer), (x, y, layer),
                   "{%[layer], %[x], %[y], %[y]}", [x] "r"(x), [y] "r"(y), [layer] "r"(layer))
// Faces are layers; those of a layered cube map are six for each layer.
LATHE_CUDA_SURFACE(surfCubemap, "a2d", (int x, int y, int face), (x, y, face), (x, y, face),
                   "{%[face], %[x], %[y], %[y]}", [x] "r"(x), [y] "r"(y), [face] "r"(face))
LATHE_CUDA_SURFACE(surfCubemapLayered, "a2d", (int x, int y, int layerFace), (x, y, layerFace), (x, y, layerFace),
                   "{%[face], %[x], %[y], %[y]}", [x] "r"(x), [y] "r"(y), [face] "r"(layerFace))
#undef LATHE_CUDA_SURFACE
#undef LATHE_CUDA_SURFACE_WRITE
#undef LATHE_CUDA_SURFACE_READ
#undef LATHE_CUDA_BOUNDED

#endif
