// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What travels between a worker and its caller, as CBOR.
#include "core/driver/worker_values.h"

#include <nlohmann/json.hpp>

#include "core/values/frame.h"

namespace lathe::detail {
namespace {

/// Lists of structs of three strings: paths may be any bytes, so each travels as bytes.
template <class T>
Json triples(const std::vector<T>& list) {
  Json out = Json::array();
  for (const auto& [first, second, third] : list) out.push_back({bytesOf(first), bytesOf(second), bytesOf(third)});
  return out;
}
template <class T>
std::vector<T> triplesFrom(const Json& json) {
  std::vector<T> out;
  for (const Json& one : json) out.push_back({stringOf(one.at(0)), stringOf(one.at(1)), stringOf(one.at(2))});
  return out;
}

Json toJson(const CompileRecord& record) {
  return {bytesOf(record.workingDirectory), bytesOf(record.arch),        bytesOf(record.plugin),  triples(record.files),
          triples(record.libraries),        triples(record.descriptors), triples(record.settings)};
}
CompileRecord recordFrom(const Json& json) {
  return {.workingDirectory = stringOf(json.at(0)),
          .arch = stringOf(json.at(1)),
          .plugin = stringOf(json.at(2)),
          .files = triplesFrom<InputFile>(json.at(3)),
          .libraries = triplesFrom<InputLibrary>(json.at(4)),
          .descriptors = triplesFrom<InputDescriptor>(json.at(5)),
          .settings = triplesFrom<Setting>(json.at(6))};
}

Json toJson(const CompileResult& result) {
  Json out;
  const auto image = result.image.bytes();
  out["image"] = bytesOf({reinterpret_cast<const char*>(image.data()), image.size()});
  out["warnings"] = detail::toJson(result.warnings);
  out["times"] = Json::array();
  for (const StageTime& time : result.times) out["times"].push_back({time.stage, time.milliseconds});
  out["dumps"] = Json::array();
  for (const StageDump& dump : result.dumps) out["dumps"].push_back({dump.stage, dump.ir});
  return out;
}

}  // namespace

std::string encodeCompile(const CompileCall& call) {
  Json out;
  out["job"] = bytesOf(canonicalBytes(call.job));
  out["time"] = call.request.timeStages;
  out["record"] = call.request.record != nullptr;
  out["scan"] = call.scanOnly;
  if (call.inputs) out["inputs"] = toJson(*call.inputs);
  out["dump"] = call.request.dumpAfter;
  out["replace"] = Json::object();
  for (const auto& [stage, file] : call.request.replaceAt) out["replace"][stage] = file.string();
  out["path"] = Json::array();
  for (const auto& folder : call.config.targetPath) out["path"].push_back(folder.string());
  out["program"] = call.config.workerProgram.string();
  return toFrame(out);
}

Result<DecodedCompile> decodeCompile(std::string_view payload) {
  const Json in = fromFrame(payload);
  try {
    auto job = jobFromBytes(stringOf(in.at("job")));
    if (!job) return std::move(job).error();
    DecodedCompile out;
    out.job = *std::move(job);
    out.recorded = in.at("record");
    out.scanOnly = in.at("scan");
    for (const Json& folder : in.at("path")) out.config.targetPath.emplace_back(folder.get<std::string>());
    out.config.workerProgram = in.at("program").get<std::string>();
    out.request.isolation = Isolation::inProcess;
    out.request.timeStages = in.at("time");
    out.request.dumpAfter = in.at("dump").get<std::vector<std::string>>();
    for (const auto& [stage, file] : in.at("replace").items()) out.request.replaceAt[stage] = file.get<std::string>();
    if (in.contains("inputs")) out.inputs = recordFrom(in.at("inputs"));
    return out;
  } catch (const Json::exception&) {
    return brokenFrame();
  }
}

std::string encodeCompileResult(const Result<CompileResult>& result, const CompileRecord* record) {
  Json out;
  if (result) {
    out = toJson(*result);
  } else {
    out["error"] = detail::toJson(result.error());
  }
  if (record) out["record"] = toJson(*record);
  return toFrame(out);
}

Result<CompileResult> decodeCompileResult(std::string_view bytes, CompileRecord* record) {
  const Json in = fromFrame(bytes);
  try {
    if (record && in.contains("record")) *record = recordFrom(in.at("record"));
    if (in.contains("error")) return errorFrom(in.at("error"));
    const auto& raw = in.at("image").get_binary();
    auto image = Image::fromBytes(std::as_bytes(std::span(raw)));
    if (!image) return std::move(image).error();
    CompileResult out{*std::move(image), diagnosticsFrom(in.at("warnings")), {}, {}};
    for (const Json& time : in.at("times")) out.times.push_back({time.at(0), time.at(1)});
    for (const Json& dump : in.at("dumps")) out.dumps.push_back({dump.at(0), dump.at(1)});
    return out;
  } catch (const Json::exception&) {
    return brokenFrame();
  }
}

}  // namespace lathe::detail
