// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build tool: `lathe_prelude_generator NAME OUT [WORDS]` writes one precompiled prelude, and the names of its
// dialect's.
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

namespace {

/// Says what is wrong on standard error.
bool write(const char* path, const lathe::Result<std::string>& made) {
  if (!made) {
    std::fputs(made.error().render().c_str(), stderr);
    return false;
  }
  std::ofstream file(path, std::ios::binary);
  if (file.write(made->data(), static_cast<std::streamsize>(made->size())).flush()) return true;
  std::fprintf(stderr, "%s cannot be written\n", path);
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace lathe::detail;
  if (argc != 3 && argc != 4) return 2;
  llvm::InitializeAllTargetInfos();
  for (const lathe::detail::Dialect* dialect : lathe::detail::builtinDialects()) {
    for (const PreludeScope scope : {PreludeScope::own, PreludeScope::library}) {
      if (preludeName(*dialect, scope) != argv[1]) continue;
      const bool done =
          write(argv[2], makePrelude(*dialect, scope)) && (argc == 3 || write(argv[3], preludeWords(*dialect)));
      return done ? 0 : 1;
    }
  }
  std::fprintf(stderr, "no prelude is called '%s'\n", argv[1]);
  return 1;
}
