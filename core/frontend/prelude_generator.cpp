// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build tool: `lathe_prelude_generator NAME OUT` writes one precompiled prelude.
#include <cstdio>
#include <string_view>

#include "llvm/Support/TargetSelect.h"

#include "core/frontend/dialect.h"
#include "core/frontend/prelude.h"

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
      const auto built = buildPrelude(*dialect, scope, argv[2]);
      if (built) return 0;
      std::fputs(built.error().render().c_str(), stderr);
      return 1;
    }
  }
  std::fprintf(stderr, "no prelude is called '%s'\n", argv[1]);
  return 1;
}
