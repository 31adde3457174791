// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB's device-wide algorithms, which are host code: declared and never defined. One function takes what all of them
// take.
#ifndef LATHE_CUB_DEVICE_ALGORITHMS_H
#define LATHE_CUB_DEVICE_ALGORITHMS_H

#include <cub/config.cuh>

namespace LATHE_CUB {

#define LATHE_CUB_HOST(name)    \
  template <class... Arguments> \
  __host__ static cudaError_t name(Arguments&&...);
struct DeviceReduce {
  LATHE_CUB_HOST(Sum)
  LATHE_CUB_HOST(Min)
  LATHE_CUB_HOST(Max)
  LATHE_CUB_HOST(ArgMin)
  LATHE_CUB_HOST(ArgMax)
  LATHE_CUB_HOST(Reduce)
  LATHE_CUB_HOST(ReduceByKey)
  LATHE_CUB_HOST(TransformReduce)
};
struct DeviceSegmentedReduce : DeviceReduce {};
struct DeviceScan {
  LATHE_CUB_HOST(ExclusiveSum)
  LATHE_CUB_HOST(InclusiveSum)
  LATHE_CUB_HOST(ExclusiveScan)
  LATHE_CUB_HOST(InclusiveScan)
  LATHE_CUB_HOST(ExclusiveSumByKey)
  LATHE_CUB_HOST(InclusiveSumByKey)
};
struct DeviceSelect {
  LATHE_CUB_HOST(Flagged)
  LATHE_CUB_HOST(If)
  LATHE_CUB_HOST(Unique)
  LATHE_CUB_HOST(UniqueByKey)
};
struct DevicePartition : DeviceSelect {};
struct DeviceRadixSort {
  LATHE_CUB_HOST(SortKeys)
  LATHE_CUB_HOST(SortPairs)
  LATHE_CUB_HOST(SortKeysDescending)
  LATHE_CUB_HOST(SortPairsDescending)
};
struct DeviceMergeSort : DeviceRadixSort {};
struct DeviceSegmentedRadixSort : DeviceRadixSort {};
struct DeviceSegmentedSort : DeviceRadixSort {};
struct DeviceHistogram {
  LATHE_CUB_HOST(HistogramEven)
  LATHE_CUB_HOST(HistogramRange)
  LATHE_CUB_HOST(MultiHistogramEven)
};
struct DeviceRunLengthEncode {
  LATHE_CUB_HOST(Encode)
  LATHE_CUB_HOST(NonTrivialRuns)
};
#undef LATHE_CUB_HOST

class CachingDeviceAllocator {
 public:
  template <class... Arguments>
  __host__ CachingDeviceAllocator(Arguments&&...);
  template <class... Arguments>
  __host__ cudaError_t DeviceAllocate(Arguments&&...);
  template <class... Arguments>
  __host__ cudaError_t DeviceFree(Arguments&&...);
  __host__ cudaError_t FreeAllCached();
};

}  // namespace LATHE_CUB

#endif
