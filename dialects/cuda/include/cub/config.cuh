// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lathe's stand-in for CUB: the names of its namespace, its version and a warp's size. A CUB of the user's, given with
// -I, comes first. Interfaces are those of CUB's documentation, names that CUB 3 dropped included; algorithm choices
// are accepted and have no effect on results.
#ifndef LATHE_CUB_CONFIG_H
#define LATHE_CUB_CONFIG_H

#include <lathe/cuda/prelude.h>

// Threads of a warp.
#ifndef LATHE_CUB_WARP
#define LATHE_CUB_WARP 32
#endif

// The namespace: hipCUB's is another, and its users may call it cub themselves.
#ifndef LATHE_CUB
#define LATHE_CUB cub
#endif

// The last version that has both the older names (cub::Max) and those of C++ (cuda::maximum).
#ifndef CUB_VERSION
#define CUB_VERSION 200802
#define CUB_MAJOR_VERSION (CUB_VERSION / 100000)
#define CUB_MINOR_VERSION (CUB_VERSION / 100 % 1000)
#define CUB_SUBMINOR_VERSION (CUB_VERSION % 100)
#define CUB_PATCH_NUMBER 0
#endif
#ifndef CubDebug
#define CubDebug(e) (e)
#define CubDebugExit(e) (e)
#endif
#define CUB_PTX_WARP_THREADS LATHE_CUB_WARP
#define CUB_RUNTIME_FUNCTION __host__

#endif
