// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers in kernels, with cuRAND's names, and cuRAND's numbers for the same seeds, sequences and offsets: words
// to the bit, what is computed from them as exactly as the functions that it takes.
#ifndef LATHE_CUDA_CURAND_KERNEL_H
#define LATHE_CUDA_CURAND_KERNEL_H

#include <lathe/cuda/random/distributions.h>
#include <lathe/cuda/random/poisson.h>

#endif
