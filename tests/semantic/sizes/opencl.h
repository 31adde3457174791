// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kernels.cu as OpenCL C.
#define __global__ kernel
#define __shared__ local
#define GLOBAL global
#define TABLE constant
#define DEVICE static

#define INDICES(function) ((uint3)((uint)function(0), (uint)function(1), (uint)function(2)))
#define threadIdx INDICES(get_local_id)
#define blockIdx INDICES(get_group_id)
#define blockDim INDICES(get_local_size)
#define gridDim INDICES(get_num_groups)
#define __syncthreads() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define atomicAdd atomic_add

#define sinf sin
#define cosf cos
#define tanhf tanh
#define powf pow
#define rsqrtf rsqrt
#define sqrtf sqrt
#define expf exp
#define logf log
#define fabsf fabs
#define fminf fmin
#define fmaxf fmax
#define rintf rint
