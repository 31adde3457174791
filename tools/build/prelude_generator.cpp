// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build tool: `lathe_prelude_generator NAME OUT` writes one precompiled prelude.
#include <cstdio>
#include <fstream>

#include "llvm/Support/TargetSelect.h"

#include "core/frontend/clang/make_prelude.h"
#include "core/frontend/dialect.h"
#include "core/frontend/embedded.h"
#include "core/target/builtin.h"

std::span<const lathe::detail::EmbeddedPrelude> lathe::detail::embeddedPreludes() {
  return {};
}

int main(int argc, char** argv) {
  using namespace lathe::detail;
  if (argc != 3) return 2;
  llvm::InitializeAllTargetInfos();
  for (const lathe::detail::Dialect* dialect : lathe::detail::builtinDialects()) {
    for (const PreludeScope scope : {PreludeScope::own, PreludeScope::library}) {
      if (preludeName(*dialect, scope) != argv[1]) continue;
      const auto made = makePrelude(*dialect, scope);
      if (!made) {
        std::fputs(made.error().render().c_str(), stderr);
        return 1;
      }
      std::ofstream file(argv[2], std::ios::binary);
      if (file.write(made->data(), static_cast<std::streamsize>(made->size())).flush()) return 0;
      std::fprintf(stderr, "%s cannot be written\n", argv[2]);
      return 1;
    }
  }
  std::fprintf(stderr, "no prelude is called '%s'\n", argv[1]);
  return 1;
}
