// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hipCUB, which is CUB under its own namespace; a warp of its collectives is the target's.
#ifndef LATHE_HIPCUB_H
#define LATHE_HIPCUB_H

#if defined LATHE_HIP_WARP && !defined LATHE_CUB_WARP
#define LATHE_CUB_WARP LATHE_HIP_WARP
#endif
#ifndef LATHE_CUB
#define LATHE_CUB hipcub
#define LATHE_HIPCUB_OWN
#endif
#include <cub/cub.cuh>

// That of a CUB of the user's, or of one that the source has read before by its own name.
#if !defined LATHE_HIPCUB_OWN || !defined LATHE_CUDA_CUB_H
namespace hipcub = cub;
#endif

#ifdef LATHE_HIP_WARP
#define HIPCUB_WARP_THREADS LATHE_HIP_WARP
#define HIPCUB_DEVICE_WARP_THREADS LATHE_HIP_WARP
#define HIPCUB_HOST_WARP_THREADS LATHE_HIP_WARP
#else
#define HIPCUB_WARP_THREADS 32
#endif

#endif
