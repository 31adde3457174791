// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making job bundles, and compiling what is in one. Their bytes are the matter of core/job/bundle_bytes.cpp.
#include <lathe/bundle.h>

#include "core/driver/compiler_impl.h"
#include "core/support/file.h"

namespace lathe {

std::string versionDifference(const JobBundle& bundle) {
  const std::string here = "lathe " + std::string(version());
  if (bundle.producer == here && bundle.compiler == compilerVersion()) return {};
  return "the bundle was saved by " + bundle.producer + " (" + bundle.compiler + "), this is " + here + " (" +
         compilerVersion() + "): headers and libraries that are built in may differ";
}

Result<void> saveBundle(const JobBundle& bundle, const std::filesystem::path& path) {
  return detail::writeFile(path, bundleBytes(bundle));
}

Result<JobBundle> loadBundle(const std::filesystem::path& path) {
  auto bytes = detail::readFile(path);
  if (!bytes) return std::move(bytes).error();
  auto bundle = bundleFromBytes(*bytes);
  if (!bundle) bundle.error().message = path.string() + ": " + bundle.error().message;
  return bundle;
}

Result<JobBundle> Compiler::bundle(const Job& job, const CompileRequest& request, std::optional<Error>* failure) const {
  JobBundle out{.job = job, .inputs = {}, .producer = "lathe " + std::string(version()), .compiler = compilerVersion()};
  CompileRequest recorded = request;
  recorded.record = &out.inputs;
  auto result = impl_->start(job, recorded, {});
  // A compile that ended its process took its record with it. What it read can be had without compiling.
  if (!result && out.inputs.descriptors.empty()) (void)impl_->start(job, recorded, {.scanOnly = true});
  if (!result && out.inputs.descriptors.empty()) return std::move(result).error();
  if (result) {
    out.imageHash = hashOf(result->image);
  } else {
    out.failure = std::string(errorName(result.error().code));
    if (failure) *failure = std::move(result).error();
  }
  return out;
}

Result<CompileResult> Compiler::replay(const JobBundle& bundle, const CompileRequest& request) const {
  return impl_->start(bundle.job, request, {.inputs = &bundle.inputs});
}

}  // namespace lathe
