// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators and small functions on CUDA's vector types, under the names that CUDA's samples gave them.
#ifndef LATHE_CUDA_HELPER_MATH_H
#define LATHE_CUDA_HELPER_MATH_H

#include <lathe/cuda/prelude.h>

// LANES(e) is e(x), e(y), … for the members of a vector V of E.
#define LATHE_LANES2(e) e(x), e(y)
#define LATHE_LANES3(e) e(x), e(y), e(z)
#define LATHE_LANES4(e) e(x), e(y), e(z), e(w)
#define LATHE_VECTOR_OPERATOR(V, E, LANES, op, vv, vs, sv) \
  LATHE_CUDA_BOTH V operator op(V a, V b) {                \
    return {LANES(vv)};                                    \
  }                                                        \
  LATHE_CUDA_BOTH V operator op(V a, E b) {                \
    return {LANES(vs)};                                    \
  }                                                        \
  LATHE_CUDA_BOTH V operator op(E a, V b) {                \
    return {LANES(sv)};                                    \
  }                                                        \
  LATHE_CUDA_BOTH void operator op## = (V & a, V b) {      \
    a = a op b;                                            \
  }                                                        \
  LATHE_CUDA_BOTH void operator op## = (V & a, E b) {      \
    a = a op b;                                            \
  }
#define LATHE_ADD_VV(m) a.m + b.m
#define LATHE_ADD_VS(m) a.m + b
#define LATHE_ADD_SV(m) a + b.m
#define LATHE_SUB_VV(m) a.m - b.m
#define LATHE_SUB_VS(m) a.m - b
#define LATHE_SUB_SV(m) a - b.m
#define LATHE_MUL_VV(m) a.m* b.m
#define LATHE_MUL_VS(m) a.m* b
#define LATHE_MUL_SV(m) a* b.m
#define LATHE_DIV_VV(m) a.m / b.m
#define LATHE_DIV_VS(m) a.m / b
#define LATHE_DIV_SV(m) a / b.m
#define LATHE_NEGATE(m) -a.m
#define LATHE_SAME(m) s
#define LATHE_MIN(m) min(a.m, b.m)
#define LATHE_MAX(m) max(a.m, b.m)
#define LATHE_CLAMP(m) max(low.m, min(a.m, high.m))
#define LATHE_CLAMP_S(m) max(low, min(a.m, high))
#define LATHE_VECTOR(V, E, LANES)                                                 \
  LATHE_VECTOR_OPERATOR(V, E, LANES, +, LATHE_ADD_VV, LATHE_ADD_VS, LATHE_ADD_SV) \
  LATHE_VECTOR_OPERATOR(V, E, LANES, -, LATHE_SUB_VV, LATHE_SUB_VS, LATHE_SUB_SV) \
  LATHE_VECTOR_OPERATOR(V, E, LANES, *, LATHE_MUL_VV, LATHE_MUL_VS, LATHE_MUL_SV) \
  LATHE_CUDA_BOTH V make_##V(E s) {                                               \
    return {LANES(LATHE_SAME)};                                                   \
  }                                                                               \
  LATHE_CUDA_BOTH V min(V a, V b) {                                               \
    return {LANES(LATHE_MIN)};                                                    \
  }                                                                               \
  LATHE_CUDA_BOTH V max(V a, V b) {                                               \
    return {LANES(LATHE_MAX)};                                                    \
  }                                                                               \
  LATHE_CUDA_BOTH V clamp(V a, V low, V high) {                                   \
    return {LANES(LATHE_CLAMP)};                                                  \
  }                                                                               \
  LATHE_CUDA_BOTH V clamp(V a, E low, E high) {                                   \
    return {LANES(LATHE_CLAMP_S)};                                                \
  }
#define LATHE_SIGNED(V, LANES)       \
  LATHE_CUDA_BOTH V operator-(V a) { \
    return {LANES(LATHE_NEGATE)};    \
  }
LATHE_VECTOR(int2, int, LATHE_LANES2)
LATHE_VECTOR(int3, int, LATHE_LANES3)
LATHE_VECTOR(int4, int, LATHE_LANES4)
LATHE_VECTOR(uint2, unsigned, LATHE_LANES2)
LATHE_VECTOR(uint3, unsigned, LATHE_LANES3)
LATHE_VECTOR(uint4, unsigned, LATHE_LANES4)
LATHE_VECTOR(float2, float, LATHE_LANES2)
LATHE_VECTOR(float3, float, LATHE_LANES3)
LATHE_VECTOR(float4, float, LATHE_LANES4)
LATHE_SIGNED(int2, LATHE_LANES2)
LATHE_SIGNED(int3, LATHE_LANES3)
LATHE_SIGNED(int4, LATHE_LANES4)
LATHE_SIGNED(float2, LATHE_LANES2)
LATHE_SIGNED(float3, LATHE_LANES3)
LATHE_SIGNED(float4, LATHE_LANES4)
LATHE_VECTOR_OPERATOR(float2, float, LATHE_LANES2, /, LATHE_DIV_VV, LATHE_DIV_VS, LATHE_DIV_SV)
LATHE_VECTOR_OPERATOR(float3, float, LATHE_LANES3, /, LATHE_DIV_VV, LATHE_DIV_VS, LATHE_DIV_SV)
LATHE_VECTOR_OPERATOR(float4, float, LATHE_LANES4, /, LATHE_DIV_VV, LATHE_DIV_VS, LATHE_DIV_SV)

LATHE_CUDA_BOTH float2 make_float2(float3 v) {
  return {v.x, v.y};
}
LATHE_CUDA_BOTH float2 make_float2(int2 v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y)};
}
LATHE_CUDA_BOTH float2 make_float2(uint2 v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y)};
}
LATHE_CUDA_BOTH float3 make_float3(float2 v) {
  return {v.x, v.y, 0};
}
LATHE_CUDA_BOTH float3 make_float3(float2 v, float z) {
  return {v.x, v.y, z};
}
LATHE_CUDA_BOTH float3 make_float3(float4 v) {
  return {v.x, v.y, v.z};
}
LATHE_CUDA_BOTH float3 make_float3(int3 v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
LATHE_CUDA_BOTH float3 make_float3(uint3 v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
LATHE_CUDA_BOTH float4 make_float4(float3 v) {
  return {v.x, v.y, v.z, 0};
}
LATHE_CUDA_BOTH float4 make_float4(float3 v, float w) {
  return {v.x, v.y, v.z, w};
}
LATHE_CUDA_BOTH float4 make_float4(int4 v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), static_cast<float>(v.w)};
}
LATHE_CUDA_BOTH float4 make_float4(uint4 v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), static_cast<float>(v.w)};
}
LATHE_CUDA_BOTH int2 make_int2(float2 v) {
  return {static_cast<int>(v.x), static_cast<int>(v.y)};
}
LATHE_CUDA_BOTH int3 make_int3(float3 v) {
  return {static_cast<int>(v.x), static_cast<int>(v.y), static_cast<int>(v.z)};
}
LATHE_CUDA_BOTH int3 make_int3(uint3 v) {
  return {static_cast<int>(v.x), static_cast<int>(v.y), static_cast<int>(v.z)};
}
LATHE_CUDA_BOTH uint3 make_uint3(int3 v) {
  return {static_cast<unsigned>(v.x), static_cast<unsigned>(v.y), static_cast<unsigned>(v.z)};
}

LATHE_CUDA_BOTH float dot(float2 a, float2 b) {
  return a.x * b.x + a.y * b.y;
}
LATHE_CUDA_BOTH float dot(float3 a, float3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
LATHE_CUDA_BOTH float dot(float4 a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
LATHE_CUDA_BOTH float3 cross(float3 a, float3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
LATHE_CUDA_BOTH float clamp(float x, float low, float high) {
  return fmaxf(low, fminf(x, high));
}
LATHE_CUDA_BOTH int clamp(int x, int low, int high) {
  return max(low, min(x, high));
}
LATHE_CUDA_BOTH unsigned clamp(unsigned x, unsigned low, unsigned high) {
  return max(low, min(x, high));
}
LATHE_CUDA_BOTH float lerp(float a, float b, float t) {
  return a + t * (b - a);
}
LATHE_CUDA_BOTH float fracf(float x) {
  return x - floorf(x);
}
LATHE_CUDA_BOTH float smoothstep(float a, float b, float x) {
  const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3 - 2 * y);
}
#define LATHE_FLOOR(m) floorf(v.m)
#define LATHE_FRAC(m) fracf(v.m)
#define LATHE_FABS(m) fabsf(v.m)
#define LATHE_GEOMETRY(V, LANES)              \
  LATHE_CUDA_BOTH float length(V v) {         \
    return sqrtf(dot(v, v));                  \
  }                                           \
  LATHE_CUDA_BOTH V normalize(V v) {          \
    return v * rsqrtf(dot(v, v));             \
  }                                           \
  LATHE_CUDA_BOTH V reflect(V i, V n) {       \
    return i - 2.0f * n * dot(n, i);          \
  }                                           \
  LATHE_CUDA_BOTH V lerp(V a, V b, float t) { \
    return a + t * (b - a);                   \
  }                                           \
  LATHE_CUDA_BOTH V floorf(V v) {             \
    return {LANES(LATHE_FLOOR)};              \
  }                                           \
  LATHE_CUDA_BOTH V fracf(V v) {              \
    return {LANES(LATHE_FRAC)};               \
  }                                           \
  LATHE_CUDA_BOTH V fabs(V v) {               \
    return {LANES(LATHE_FABS)};               \
  }                                           \
  LATHE_CUDA_BOTH V fminf(V a, V b) {         \
    return min(a, b);                         \
  }                                           \
  LATHE_CUDA_BOTH V fmaxf(V a, V b) {         \
    return max(a, b);                         \
  }
LATHE_GEOMETRY(float2, LATHE_LANES2)
LATHE_GEOMETRY(float3, LATHE_LANES3)
LATHE_GEOMETRY(float4, LATHE_LANES4)

#undef LATHE_ADD_VV
#undef LATHE_ADD_VS
#undef LATHE_ADD_SV
#undef LATHE_SUB_VV
#undef LATHE_SUB_VS
#undef LATHE_SUB_SV
#undef LATHE_MUL_VV
#undef LATHE_MUL_VS
#undef LATHE_MUL_SV
#undef LATHE_DIV_VV
#undef LATHE_DIV_VS
#undef LATHE_DIV_SV
#undef LATHE_NEGATE
#undef LATHE_SAME
#undef LATHE_MIN
#undef LATHE_MAX
#undef LATHE_CLAMP
#undef LATHE_CLAMP_S
#undef LATHE_FLOOR
#undef LATHE_FRAC
#undef LATHE_FABS
#undef LATHE_GEOMETRY
#undef LATHE_SIGNED
#undef LATHE_VECTOR
#undef LATHE_VECTOR_OPERATOR
#undef LATHE_LANES2
#undef LATHE_LANES3
#undef LATHE_LANES4

#endif
