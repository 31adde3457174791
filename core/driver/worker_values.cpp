// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a call in the order of its struct, each as its description says (core/values).
#include "core/driver/worker_values.h"

#include "core/values/cbor.h"
#include "core/values/compile_values.h"
#include "core/values/frame.h"

namespace lathe::detail {

std::string encodeCompile(const CompileCall& call) {
  const auto& [job, request, config, mode, preludeFolder] = call;
  const bool recorded = request.record != nullptr, logged = mode.files != nullptr;
  const bool told = static_cast<bool>(request.progress);
  CborWriter out;
  writeValues(out, job, request, config, mode.inputs, recorded, mode.scanOnly, logged, told, mode.reuse, mode.key,
              preludeFolder, config.cache.diskBytes, config.cache.readOnly);
  return out.take();
}

Result<DecodedCompile> decodeCompile(std::string_view payload) {
  CborReader in(payload);
  DecodedCompile out;
  auto& [job, request, config, inputs, recorded, scanOnly, logged, told, reuse, key, preludeFolder, preludeBytes,
         preludesReadOnly] = out;
  readValues(in, job, request, config, inputs, recorded, scanOnly, logged, told, reuse, key, preludeFolder,
             preludeBytes, preludesReadOnly);
  if (!in.atEnd()) return brokenFrame();
  request.isolation = Isolation::inProcess;
  return out;
}

std::string encodeProgress(const CompileProgress& progress) {
  CborWriter out;
  writeValues(out, progress.step, progress.done, progress.steps);
  return out.take();
}

void tellProgress(std::string_view message, const std::function<void(const CompileProgress&)>& told) {
  CborReader in(message);
  CompileProgress progress;
  readValues(in, progress.step, progress.done, progress.steps);
  if (in.atEnd()) told(progress);
}

}  // namespace lathe::detail
