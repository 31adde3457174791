// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace lathe::detail {

struct DeviceLibrary;
struct Lowering;

/// Replaces llvm.sincos and llvm.sincospi. A library that has `sincos` (`sincospi`) is called, which reduces the
/// argument once for both; else they are a sine and a cosine. `library` may be null. Returns whether anything changed.
///
///   before: %both = call { float, float } @llvm.sincos.f32(float %x)
///   after:  call void @__nv_sincosf(float %x, ptr %sine, ptr %cosine)
///   or:     %sine = call float @llvm.sin.f32(float %x)      %cosine = call float @llvm.cos.f32(float %x)
bool lowerSineAndCosine(Lowering& lowering, const DeviceLibrary* library);

}  // namespace lathe::detail
