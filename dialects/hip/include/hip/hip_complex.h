// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complex numbers as functions: <cuComplex.h> under HIP's names.
#ifndef LATHE_HIP_COMPLEX_H
#define LATHE_HIP_COMPLEX_H

#include <cuComplex.h>

#define hipComplex cuComplex
#define hipFloatComplex cuFloatComplex
#define hipDoubleComplex cuDoubleComplex
#define make_hipComplex make_cuComplex
#define make_hipFloatComplex make_cuFloatComplex
#define make_hipDoubleComplex make_cuDoubleComplex
#define hipCrealf cuCrealf
#define hipCimagf cuCimagf
#define hipConjf cuConjf
#define hipCaddf cuCaddf
#define hipCsubf cuCsubf
#define hipCmulf cuCmulf
#define hipCdivf cuCdivf
#define hipCabsf cuCabsf
#define hipCfmaf cuCfmaf
#define hipCreal cuCreal
#define hipCimag cuCimag
#define hipConj cuConj
#define hipCadd cuCadd
#define hipCsub cuCsub
#define hipCmul cuCmul
#define hipCdiv cuCdiv
#define hipCabs cuCabs
#define hipCfma cuCfma
#define hipComplexFloatToDouble cuComplexFloatToDouble
#define hipComplexDoubleToFloat cuComplexDoubleToFloat

LATHE_CUDA_BOTH float hipCsqabsf(hipFloatComplex z) {
  return z.x * z.x + z.y * z.y;
}
LATHE_CUDA_BOTH double hipCsqabs(hipDoubleComplex z) {
  return z.x * z.x + z.y * z.y;
}

#endif
