// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/store/file_identity.h"

#include <sys/stat.h>

namespace lathe::detail {

std::string fileIdentity(const std::filesystem::path& path) {
  struct stat facts{};
  if (path.empty() || ::stat(path.c_str(), &facts) != 0) return {};
  std::string fraction = std::to_string(facts.st_mtim.tv_nsec);
  fraction.insert(0, 9 - fraction.size(), '0');
  return path.string() + " " + std::to_string(facts.st_size) + " " + std::to_string(facts.st_mtim.tv_sec) + "." +
         fraction;
}

}  // namespace lathe::detail
