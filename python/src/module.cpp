// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extension module's parts, put together.
#include "binding.h"

NB_MODULE(_lathe, module) {
  lathe::python::bindErrors(module);
  lathe::python::bindImages(module);
  lathe::python::bindCompile(module);
  lathe::python::bindDevices(module);
}
