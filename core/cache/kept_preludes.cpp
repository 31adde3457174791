// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A prelude's key: the build of Lathe and of Clang, and the prelude's name. What it is made of is part of that build.
#include "core/cache/kept_preludes.h"

#include <fmt/format.h>

#include "core/cache/build_identity.h"
#include "core/cache/compile_cache.h"
#include "core/cache/disk_cache.h"
#include "core/frontend/clang/make_prelude.h"
#include "core/support/digest.h"
#include "core/support/log.h"

namespace lathe::detail {
namespace {

/// Null: it cannot be made.
std::shared_ptr<const std::string> made(const Dialect& dialect, PreludeScope scope) {
  auto out = makePrelude(dialect, scope);
  if (!out) {
    log(LogLevel::warning, "frontend", out.error().message);
    return nullptr;
  }
  log(LogLevel::info, "frontend", fmt::format("prelude {}: made", preludeName(dialect, scope)));
  return std::make_shared<const std::string>(*std::move(out));
}

}  // namespace

KeptPreludes::KeptPreludes(CacheConfig config) : config_(std::move(config)) {}
KeptPreludes::~KeptPreludes() = default;

void KeptPreludes::keepIn(const CacheConfig& config) {
  const std::scoped_lock lock(mutex_);
  config_ = config;
  disk_.reset();
}

const DiskCache* KeptPreludes::folder() {
  if (!disk_) {
    std::string why;
    disk_ = usesFolder(config_) ? openFolder(config_, why) : nullptr;
  }
  return disk_->get();
}

std::shared_ptr<const std::string> KeptPreludes::find(const Dialect& dialect, PreludeScope scope) {
  const std::string name = preludeName(dialect, scope);
  const auto key = [&] { return Digest().add("prelude").add(buildIdentity()).add(name).bytes(); };
  const DiskCache* disk = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    Entry& entry = entries_[name];
    if (entry.prelude || entry.isTaken) return entry.prelude;
    disk = folder();
    if (disk) {
      if (auto bytes = disk->read(key(), EntryKind::prelude))
        return entry.prelude = std::make_shared<const std::string>(*std::move(bytes));
    }
    ++entry.wishes;
    if ((!disk || disk->readOnly()) && entry.wishes < 2) return nullptr;
    entry.isTaken = true;
  }
  auto out = made(dialect, scope);
  if (!out) return nullptr;
  if (disk) disk->write(key(), EntryKind::prelude, *out);
  const std::scoped_lock lock(mutex_);
  Entry& entry = entries_[name];
  entry.isTaken = false;
  return entry.prelude = std::move(out);
}

}  // namespace lathe::detail
