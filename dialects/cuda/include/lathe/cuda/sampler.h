// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Textures and surfaces in plain arithmetic, for devices without the hardware: addressing, filtering and conversion as
// in the CUDA C++ Programming Guide, "Texture Fetching". An object is the address of a lathe::Texture. Templates, so
// that only kernels that sample pay for them.
#ifndef LATHE_CUDA_SAMPLER_H
#define LATHE_CUDA_SAMPLER_H

#include <lathe/cuda/runtime/runtime_types.h>
#include <lathe/device/texture.h>

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

/// Where texel `i` of `n` is read. False: outside, where the border's colour is.
LATHE_INLINE bool placed(const Texture& t, int dimension, int& i, unsigned n) {
  const int extent = static_cast<int>(n);
  if (i >= 0 && i < extent) return true;
  TextureAddress mode = t.address[dimension];
  if (mode == TextureAddress::border) return false;
  if (!t.normalized) mode = TextureAddress::clamp;
  if (mode == TextureAddress::clamp) {
    i = i < 0 ? 0 : extent - 1;
  } else {
    const int period = mode == TextureAddress::wrap ? extent : 2 * extent;
    i %= period;
    if (i < 0) i += period;
    if (i >= extent) i = period - 1 - i;
  }
  return true;
}

/// Channel `c` of the texel at `from`. Numbers are real or integer as `V` wants them; integers that are read as real
/// become fractions.
template <class V>
LATHE_INLINE V channelOf(const Texture& t, const void* from, unsigned c) {
  if (c >= t.channels) return V{};
  if (t.kind == TexelKind::real) {
    if (t.bits == 16) return static_cast<V>(static_cast<const _Float16*>(from)[c]);
    return static_cast<V>(static_cast<const float*>(from)[c]);
  }
  const bool withSign = t.kind == TexelKind::signedInteger;
  int number = 0;
  if (t.bits == 8)
    number = withSign ? static_cast<const signed char*>(from)[c] : static_cast<const unsigned char*>(from)[c];
  else if (t.bits == 16)
    number = withSign ? static_cast<const short*>(from)[c] : static_cast<const unsigned short*>(from)[c];
  else
    number = static_cast<const int*>(from)[c];
  if constexpr (__is_floating_point(V)) {
    const float most = static_cast<float>((1ull << (t.bits - (withSign ? 1 : 0))) - 1);
    const float fraction =
        (withSign ? static_cast<float>(number) : static_cast<float>(static_cast<unsigned>(number))) / most;
    return fraction < -1 ? -1 : fraction;
  } else {
    return static_cast<V>(number);
  }
}

template <class V>
struct FourNumbers {
  V x, y, z, w;
};

/// A component of the border's colour. Of textures of integers it has an integer's bits, as CUDA says.
template <class V>
LATHE_INLINE V borderOf(float component) {
  if constexpr (__is_floating_point(V))
    return static_cast<V>(component);
  else
    return static_cast<V>(__builtin_bit_cast(int, component));
}

/// The texel at integer coordinates, after addressing.
template <class V, int Dimensions>
LATHE_INLINE FourNumbers<V> texelAt(const Texture& t, int x, int y, int z) {
  bool inside = placed(t, 0, x, t.width);
  if constexpr (Dimensions > 1) inside = placed(t, 1, y, t.height) && inside;
  if constexpr (Dimensions > 2) inside = placed(t, 2, z, t.depth) && inside;
  if (!inside) {
    return {borderOf<V>(t.border[0]), borderOf<V>(t.border[1]), borderOf<V>(t.border[2]), borderOf<V>(t.border[3])};
  }
  const unsigned long row = static_cast<unsigned long>(z) * t.height + static_cast<unsigned long>(y);
  const char* const at =
      static_cast<const char*>(t.data) + row * t.pitch + static_cast<unsigned long>(x) * (t.bits / 8u * t.channels);
  return {channelOf<V>(t, at, 0), channelOf<V>(t, at, 1), channelOf<V>(t, at, 2), channelOf<V>(t, at, 3)};
}

/// A coordinate in texels within what an int holds, one more too: infinity is far outside, what is not a number at 0.
LATHE_INLINE float limited(float at) {
  constexpr float most = 0x1p30f;
  return at > most ? most : at < -most ? -most : at == at ? at : 0;
}
LATHE_INLINE int texelIndex(float at) {
  return static_cast<int>(__builtin_floorf(limited(at)));
}
LATHE_INLINE float fractionOf(float x) {
  const float part = x - __builtin_floorf(x);
  return part < 1 ? part : 0x1.fffffep-1f;  // of what is a little below 0
}
/// A coordinate in texels of one that may be normalised. Whole periods go first: the product would round the rest away.
LATHE_INLINE float inTexels(const Texture& t, int dimension, float x, unsigned n) {
  if (!t.normalized) return x;
  const TextureAddress mode = t.address[dimension];
  if (mode == TextureAddress::wrap) x = fractionOf(x);
  if (mode == TextureAddress::mirror) x = 2 * fractionOf(x / 2);
  return x * static_cast<float>(n);
}

/// The lower of the two texels around `at`, and the weight of the upper one in steps of 1/256.
LATHE_INLINE int lowerTexel(float at, float& weight) {
  at = limited(at);
  const float low = __builtin_floorf(at - 0.5f);
  weight = __builtin_floorf((at - 0.5f - low) * 256.0f + 0.5f) / 256.0f;
  return static_cast<int>(low);
}

/// A texture read: `Dimensions` coordinates, and the layer for arrays of images.
template <class V, int Dimensions>
LATHE_INLINE FourNumbers<V> sampled(cudaTextureObject_t object, float x, float y, float z, int layer) {
  const Texture& t = *reinterpret_cast<const Texture*>(object);
  x = inTexels(t, 0, x, t.width);
  if constexpr (Dimensions > 1) y = inTexels(t, 1, y, t.height);
  if constexpr (Dimensions > 2) z = inTexels(t, 2, z, t.depth);
  if constexpr (Dimensions < 3) {
    const int last = static_cast<int>(t.depth) - 1;
    layer = layer < 0 ? 0 : layer > last ? last : layer;
  }
  if constexpr (__is_floating_point(V)) {
    if (t.linear) {
      float wx = 0, wy = 0, wz = 0;
      const int x0 = lowerTexel(x, wx);
      const int y0 = Dimensions > 1 ? lowerTexel(y, wy) : 0;
      const int z0 = Dimensions > 2 ? lowerTexel(z, wz) : layer;
      FourNumbers<V> sum{0, 0, 0, 0};
      for (int corner = 0; corner < 1 << Dimensions; ++corner) {
        const int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
        float weight = dx ? wx : 1 - wx;
        if constexpr (Dimensions > 1) weight *= dy ? wy : 1 - wy;
        if constexpr (Dimensions > 2) weight *= dz ? wz : 1 - wz;
        const FourNumbers<V> texel = texelAt<V, Dimensions>(t, x0 + dx, y0 + dy, z0 + dz);
        sum = {sum.x + weight * texel.x, sum.y + weight * texel.y, sum.z + weight * texel.z, sum.w + weight * texel.w};
      }
      return sum;
    }
  }
  return texelAt<V, Dimensions>(t, texelIndex(x), Dimensions > 1 ? texelIndex(y) : 0,
                                Dimensions > 2 ? texelIndex(z) : layer);
}

/// A level between two others: the lower one, and the weight of the next in steps of 1/256.
struct BetweenLevels {
  unsigned lower;
  float weight;
};

/// The levels that a read at `level` is of.
LATHE_INLINE BetweenLevels levelsAt(const Texture& t, float level) {
  const float last = static_cast<float>(t.levels - 1);
  level += t.levelBias;
  level = level > t.minLevel ? level : t.minLevel;  // of NaN: the first
  level = level < t.maxLevel ? level : t.maxLevel;
  level = level < 0 ? 0 : level > last ? last : level;
  if (!t.linearLevels) return {static_cast<unsigned>(__builtin_ceilf(level + 0.5f) - 1), 0};
  const float lower = __builtin_floorf(level);
  return {static_cast<unsigned>(lower), __builtin_floorf((level - lower) * 256.0f + 0.5f) / 256.0f};
}

/// The object of one level.
LATHE_INLINE cudaTextureObject_t levelObject(cudaTextureObject_t object, unsigned level) {
  return object + level * sizeof(Texture);
}

/// What `read`, which takes the object of a level, gives at `level`: of one level or mixed of two.
template <class V, class Read>
LATHE_INLINE FourNumbers<V> atLevel(cudaTextureObject_t object, float level, const Read& read) {
  const Texture& t = *reinterpret_cast<const Texture*>(object);
  if (t.levels == 1) return read(object);
  const BetweenLevels at = levelsAt(t, level);
  const FourNumbers<V> a = read(levelObject(object, at.lower));
  if constexpr (__is_floating_point(V)) {
    if (at.weight != 0) {
      const FourNumbers<V> b = read(levelObject(object, at.lower + 1));
      const float w = at.weight, v = 1 - w;
      return {v * a.x + w * b.x, v * a.y + w * b.y, v * a.z + w * b.z, v * a.w + w * b.w};
    }
  }
  return a;
}

template <class V, int Dimensions>
LATHE_INLINE FourNumbers<V> sampledAtLevel(cudaTextureObject_t object, float x, float y, float z, int layer,
                                           float level) {
  return atLevel<V>(object, level, [&](cudaTextureObject_t of) { return sampled<V, Dimensions>(of, x, y, z, layer); });
}

/// The level at which texels are as large as the footprint, whose sides in normalised coordinates are `a` and `b`: the
/// logarithm of the longer one in texels (OpenGL 4.6, section 8.14).
LATHE_INLINE float levelOf(cudaTextureObject_t object, float ax, float ay, float az, float bx, float by, float bz) {
  const Texture& t = *reinterpret_cast<const Texture*>(object);
  if (t.levels == 1) return 0;
  const float width = static_cast<float>(t.width), height = static_cast<float>(t.height);
  const float depth = static_cast<float>(t.depth);
  ax *= width, ay *= height, az *= depth;
  bx *= width, by *= height, bz *= depth;
  const float a = ax * ax + ay * ay + az * az, b = bx * bx + by * by + bz * bz;
  return 0.5f * __builtin_log2f(a > b ? a : b);
}

/// The four texels that filtering would mix, of each the channel `channel`: (0, 1), (1, 1), (1, 0) and (0, 0), counted
/// from the lower one.
template <class V>
LATHE_INLINE FourNumbers<V> gathered(cudaTextureObject_t object, float x, float y, int channel) {
  const Texture& t = *reinterpret_cast<const Texture*>(object);
  x = inTexels(t, 0, x, t.width);
  y = inTexels(t, 1, y, t.height);
  float weight = 0;
  const int x0 = lowerTexel(x, weight), y0 = lowerTexel(y, weight);
  V out[4];
  for (int i = 0; i < 4; ++i) {
    const FourNumbers<V> texel = texelAt<V, 2>(t, x0 + (i == 1 || i == 2), y0 + (i < 2), 0);
    out[i] = channel == 0 ? texel.x : channel == 1 ? texel.y : channel == 2 ? texel.z : texel.w;
  }
  return {out[0], out[1], out[2], out[3]};
}

/// The face of a cube map that a direction meets, by its longest coordinate: +x, -x, +y, -y, +z, -z.
LATHE_INLINE int cubeFace(float x, float y, float z) {
  const float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
  if (ax >= ay && ax >= az) return x < 0;
  return ay >= az ? 2 + (y < 0) : 4 + (z < 0);
}

/// A vector in the coordinates of a face: right, down, and away from the cube's centre.
struct OnFace {
  float s, r, away;
};
LATHE_INLINE OnFace onFace(int face, float x, float y, float z) {
  switch (face) {
    case 0:
      return {-z, -y, x};
    case 1:
      return {z, -y, -x};
    case 2:
      return {x, z, y};
    case 3:
      return {x, -z, -y};
    case 4:
      return {x, -y, z};
    default:
      return {-x, -y, -z};
  }
}

/// A read of a cube map, whose faces are layers, without filtering across edges.
template <class V>
LATHE_INLINE FourNumbers<V> sampledCube(cudaTextureObject_t object, float x, float y, float z, int layer) {
  const Texture& t = *reinterpret_cast<const Texture*>(object);
  const int face = cubeFace(x, y, z);
  const OnFace at = onFace(face, x, y, z);
  float s = (at.s / at.away + 1) / 2, r = (at.r / at.away + 1) / 2;
  if (!t.normalized) {
    s *= static_cast<float>(t.width);
    r *= static_cast<float>(t.height);
  }
  const int last = static_cast<int>(t.depth) / 6 - 1;
  layer = layer < 0 ? 0 : layer > last ? last : layer;
  return sampled<V, 2>(object, s, r, 0, 6 * layer + face);
}
template <class V>
LATHE_INLINE FourNumbers<V> sampledCubeAtLevel(cudaTextureObject_t object, float x, float y, float z, int layer,
                                               float level) {
  return atLevel<V>(object, level, [&](cudaTextureObject_t of) { return sampledCube<V>(of, x, y, z, layer); });
}

/// levelOf() for a direction that changes by `a` and `b`: by what its place on the face changes.
template <class Vector>
LATHE_INLINE float cubeLevelOf(cudaTextureObject_t object, float x, float y, float z, const Vector& a,
                               const Vector& b) {
  const int face = cubeFace(x, y, z);
  const OnFace at = onFace(face, x, y, z), da = onFace(face, a.x, a.y, a.z), db = onFace(face, b.x, b.y, b.z);
  const float scale = 1 / (2 * at.away * at.away);
  return levelOf(object, (da.s * at.away - at.s * da.away) * scale, (da.r * at.away - at.r * da.away) * scale, 0,
                 (db.s * at.away - at.s * db.away) * scale, (db.r * at.away - at.r * db.away) * scale, 0);
}

/// A read from linear memory: an index outside gives zero.
template <class V>
LATHE_INLINE FourNumbers<V> fetched(cudaTextureObject_t object, int x) {
  const Texture& t = *reinterpret_cast<const Texture*>(object);
  if (x < 0 || static_cast<unsigned>(x) >= t.width) return {V{}, V{}, V{}, V{}};
  return texelAt<V, 1>(t, x, 0, 0);
}

/// The address of a surface's element, `x` in bytes; null outside, where the mode has accesses ignored.
template <class T>
LATHE_INLINE T* surfaceElement(cudaSurfaceObject_t object, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  const Texture& t = *reinterpret_cast<const Texture*>(object);
  const int bytes = static_cast<int>(t.width * (t.bits / 8u * t.channels));
  const int lastX = bytes - static_cast<int>(sizeof(T)), lastY = static_cast<int>(t.height) - 1;
  const int lastZ = static_cast<int>(t.depth) - 1;
  if (x < 0 || y < 0 || z < 0 || x > lastX || y > lastY || z > lastZ) {
    if (mode == cudaBoundaryModeTrap) __lathe_trap();
    if (mode != cudaBoundaryModeClamp) return nullptr;
    x = x < 0 ? 0 : x > lastX ? lastX : x;
    y = y < 0 ? 0 : y > lastY ? lastY : y;
    z = z < 0 ? 0 : z > lastZ ? lastZ : z;
  }
  const unsigned long row = static_cast<unsigned long>(z) * t.height + static_cast<unsigned long>(y);
  return reinterpret_cast<T*>(static_cast<char*>(t.data) + row * t.pitch + x);
}

}  // namespace lathe::detail

#endif
