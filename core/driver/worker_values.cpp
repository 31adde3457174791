// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a call in the order of its struct, each as its description says (core/values).
#include "core/driver/worker_values.h"

#include "core/values/cbor.h"
#include "core/values/compile_values.h"
#include "core/values/frame.h"

namespace lathe::detail {

std::string encodeCompile(const CompileCall& call) {
  const auto& [job, request, config, mode] = call;
  const bool recorded = request.record != nullptr, logged = mode.files != nullptr;
  CborWriter out;
  writeValues(out, job, request, config, mode.inputs, recorded, mode.scanOnly, logged, mode.reuse);
  return out.take();
}

Result<DecodedCompile> decodeCompile(std::string_view payload) {
  CborReader in(payload);
  DecodedCompile out;
  auto& [job, request, config, inputs, recorded, scanOnly, logged, reuse] = out;
  readValues(in, job, request, config, inputs, recorded, scanOnly, logged, reuse);
  if (!in.atEnd()) return brokenFrame();
  request.isolation = Isolation::inProcess;
  return out;
}

}  // namespace lathe::detail
