// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of vector_makers.cu: members one behind the other, without gaps.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t n = 8;

template <class T>
void reference(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const T* const in = a[0].as<T>() + 4 * i;
    for (std::size_t members = 1; members <= 4; ++members)
      for (std::size_t k = 0; k < members; ++k) a[members].as<T>()[i * members + k] = in[members - 1 - k];
  }
}
template <class T>
void aligned(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < 4; ++k) a[1].as<T>()[4 * i + k] = a[2].as<T>()[4 * i + k] = a[0].as<T>()[4 * i + 3 - k];
}

template <class T>
Argument numbers() {
  std::vector<T> out;
  for (const std::int64_t bits : scrambled<std::int64_t>(4 * n, 981)) out.push_back(static_cast<T>(bits));
  return array(out);
}
template <class T>
Case makeCase(const std::string& type) {
  return {.name = type,
          .kernel = "make_" + type,
          .launch = {.group = {n}},
          .arguments = {numbers<T>(), zeros<T>(n), zeros<T>(2 * n), zeros<T>(3 * n), zeros<T>(4 * n)},
          .reference = reference<T>};
}
template <class T>
Case makeAligned(const std::string& type) {
  return {.name = "aligned_" + type,
          .kernel = "make_aligned_" + type,
          .launch = {.group = {n}},
          .arguments = {numbers<T>(), zeros<T>(4 * n), zeros<T>(4 * n)},
          .reference = aligned<T>};
}

}  // namespace

std::vector<Case> cases_cuda_vector_makers() {
  return {makeCase<std::int8_t>("char"),
          makeCase<std::uint8_t>("uchar"),
          makeCase<std::int16_t>("short"),
          makeCase<std::uint16_t>("ushort"),
          makeCase<std::int32_t>("int"),
          makeCase<std::uint32_t>("uint"),
          makeCase<std::int64_t>("long"),
          makeCase<std::uint64_t>("ulong"),
          makeCase<std::int64_t>("longlong"),
          makeCase<std::uint64_t>("ulonglong"),
          makeCase<float>("float"),
          makeCase<double>("double"),
          makeAligned<std::int64_t>("long"),
          makeAligned<std::uint64_t>("ulong"),
          makeAligned<std::int64_t>("longlong"),
          makeAligned<std::uint64_t>("ulonglong"),
          makeAligned<double>("double")};
}

}  // namespace lathe::conformance
