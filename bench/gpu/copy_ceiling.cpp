// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "copy_ceiling.h"

#include <vector>

#include "../kernels.h"
#include "../measure.h"

namespace lathe::bench::gpu {

double copyCeiling(const CudaDriver& driver, const Device& device, Stream& stream) {
  constexpr std::size_t bytes = std::size_t{1} << 30;
  constexpr unsigned warmUps = 3, samples = 15;
  Memory from = need(device.allocateBytes(bytes)), to = need(device.allocateBytes(bytes));
  const CudaDriver::Event begin = driver.createEvent(), end = driver.createEvent();
  std::vector<double> rates;
  for (unsigned i = 0; i < warmUps + samples; ++i) {
    driver.record(begin, stream.nativeHandle());
    need(stream.copy(to, from, bytes));
    driver.record(end, stream.nativeHandle());
    const double rate = 2.0 * double(bytes) / driver.elapsed(begin, end) * 1e-6;
    if (i >= warmUps) rates.push_back(rate);
  }
  return summarise(rates).median;
}

}  // namespace lathe::bench::gpu
