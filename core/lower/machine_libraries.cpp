// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/lower/machine_libraries.h"

namespace lathe::detail {

llvm::StringRef PortableLibrary::entryOf(llvm::StringRef function) const {
  for (const std::string& variant : variants) {
    if (function.consume_back(variant)) break;
  }
  return function;
}

void PortableLibrary::nameVariants(llvm::Module& library) const {
  for (llvm::Function& function : library) {
    const std::string name = entryOf(function.getName()).str();
    if (name == function.getName()) continue;
    // Other functions of the library call it by that name.
    if (llvm::Function* const declared = library.getFunction(name)) {
      declared->replaceAllUsesWith(&function);
      declared->setName("");
    }
    function.setName(name);
  }
}

}  // namespace lathe::detail
