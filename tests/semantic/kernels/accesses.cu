// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Volatile accesses, accesses with cache operators, and loads through the read-only path. Kernels whose name begins with
// `counted_` have no loop: how often an access happens is compared as well.
#define TYPES(use)                     \
  use(schar, signed char)              \
  use(uchar, unsigned char)            \
  use(short, short)                    \
  use(ushort, unsigned short)          \
  use(int, int)                        \
  use(unsigned, unsigned)              \
  use(long, long long)                 \
  use(ulong, unsigned long long)       \
  use(float, float)                    \
  use(double, double)

#define VOLATILE(title, type)                                                                          \
  extern "C" __global__ void counted_volatile_##title(volatile type* p) {                              \
    const type a = p[0];                                                                               \
    const type b = p[0];                                                                               \
    p[1] = a;                                                                                          \
    p[1] = b;                                                                                          \
  }                                                                                                    \
  extern "C" __global__ void counted_volatile_shared_##title(type* out) {                              \
    __shared__ volatile type cells[2];                                                                 \
    cells[threadIdx.x & 1] = 1;                                                                        \
    __syncthreads();                                                                                   \
    const type a = cells[0];                                                                           \
    out[threadIdx.x] = static_cast<type>(a + cells[0]);                                                \
  }
TYPES(VOLATILE)
extern "C" __global__ void counted_volatile_unused(volatile int* p) {
  (void)p[0];
  const int unused = p[1];
  (void)unused;
}
extern "C" __global__ void counted_volatile_by_cast(int* p) {
  *const_cast<volatile int*>(p) = 1;
  *const_cast<volatile int*>(p) = 2;
  p[2] = *static_cast<volatile const int*>(p + 1) + *static_cast<volatile const int*>(p + 1);
}
struct Device {
  volatile unsigned status;
  unsigned padding;
  volatile unsigned long long data;
};
extern "C" __global__ void counted_volatile_members(Device* device, unsigned long long* out) {
  device->status = 1;
  out[0] = device->data;
  out[1] = device->data;
  device->status = 0;
}
__device__ volatile int global_flag;
extern "C" __global__ void counted_volatile_variable(int* out) {
  out[0] = global_flag;
  out[1] = global_flag;
  global_flag = 1;
}
extern "C" __global__ void waits_on_volatile(volatile int* flag) {
  while (*flag == 0) {
  }
}

#define HINTS_LOADED(title, type, operation)                                                           \
  extern "C" __global__ void counted_##operation##_##title(const type* p, type* out) {                 \
    out[0] = __##operation(p);                                                                         \
    out[1] = __##operation(p);                                                                         \
  }
#define HINTS_STORED(title, type, operation)                                                           \
  extern "C" __global__ void counted_##operation##_##title(type* p, const type* in) {                  \
    __##operation(p, in[0]);                                                                           \
    __##operation(p, in[1]);                                                                           \
  }
#define HINTS(title, type)                                                                             \
  HINTS_LOADED(title, type, ldca)                                                                      \
  HINTS_LOADED(title, type, ldcg)                                                                      \
  HINTS_LOADED(title, type, ldcs)                                                                      \
  HINTS_LOADED(title, type, ldcv)                                                                      \
  HINTS_LOADED(title, type, ldlu)                                                                      \
  HINTS_STORED(title, type, stcg)                                                                      \
  HINTS_STORED(title, type, stcs)                                                                      \
  HINTS_STORED(title, type, stwb)                                                                      \
  HINTS_STORED(title, type, stwt)                                                                      \
  extern "C" __global__ void ldg_##title(const type* p, type* out) { out[0] = __ldg(p); }
TYPES(HINTS)
HINTS(char, char)
HINTS(char4, char4)
HINTS(short4, short4)
HINTS(int2, int2)
HINTS(int4, int4)
HINTS(uint4, uint4)
HINTS(float2, float2)
HINTS(float4, float4)
HINTS(double2, double2)
HINTS(ulonglong2, ulonglong2)

extern "C" __global__ void waits_on_ldcv(const int* flag) {
  while (__ldcv(flag) == 0) {
  }
}
extern "C" __global__ void waits_on_ldcg(const int* flag) {
  while (__ldcg(flag) == 0) {
  }
}
extern "C" __global__ void counted_unused_ldcv(const int* p) { __ldcv(p); }
