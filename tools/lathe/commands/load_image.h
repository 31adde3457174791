// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of an image and a device for it, of a file that is compiled already.
#pragma once

#include <lathe/image.h>
#include <lathe/runtime.h>

#include "tools/lathe/arguments/job_options.h"

namespace lathe::tool {

struct LoadedImage {
  Image image;
  Device device;
};

/// The first image, in the file's order of targets, whose device is here and takes it; of one target if it was named.
/// Where nothing else fits, portable IR is compiled for the target (the CPU, if none was named). Errors: those of
/// opening the devices and of the compile.
[[nodiscard]] Result<LoadedImage> loadImage(const FatImage& fat, const JobOptions& options, int deviceIndex);

}  // namespace lathe::tool
