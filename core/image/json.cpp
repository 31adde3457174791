// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An image's description as JSON, for people and other tools. Keys stand in the order of the declarations.
#include <array>

#include <nlohmann/json.hpp>

#include <lathe/image.h>

namespace lathe {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kindNames = {"bool",    "int",   "uint",   "float",  "bfloat",
                                  "pointer", "array", "vector", "record", "opaque"};

Json toJson(const TypeLayout& type) {
  Json out = {{"kind", kindNames[static_cast<std::size_t>(type.kind)]},
              {"name", type.name},
              {"size", type.size},
              {"align", type.align}};
  if (type.count != 0) out["count"] = type.count;
  if (!type.element.empty()) out["element"] = toJson(type.element.front());
  for (const TypeLayout::Field& field : type.fields) {
    out["fields"].push_back({{"name", field.name}, {"offset", field.offset}, {"type", toJson(field.type)}});
  }
  return out;
}

Json toJson(const LaunchBounds& bounds) {
  return {{"max_items", bounds.maxItems},
          {"min_groups", bounds.minGroups},
          {"max_registers", bounds.maxRegisters},
          {"group_size", bounds.groupSize}};
}

Json toJson(const ClusterBounds& cluster) {
  return {{"size", cluster.size}, {"most", cluster.most}, {"counts_clusters", cluster.countsClusters}};
}

/// What is not known (-1) is null.
Json toJson(const ResourceUse& use) {
  const auto known = [](std::int64_t value) { return value < 0 ? Json(nullptr) : Json(value); };
  return {{"registers", known(use.registers)},        {"shared_bytes", known(use.sharedBytes)},
          {"local_bytes", known(use.localBytes)},     {"constant_bytes", known(use.constantBytes)},
          {"context_bytes", known(use.contextBytes)}, {"vector_width", known(use.vectorWidth)}};
}

Json toJson(const std::vector<Parameter>& parameters) {
  Json out = Json::array();
  for (const Parameter& parameter : parameters) {
    out.push_back({{"name", parameter.name},
                   {"offset", parameter.offset},
                   {"read_only", parameter.readOnly},
                   {"type", toJson(parameter.type)}});
  }
  return out;
}

Json toJson(const EntryPoint& entry) {
  return {{"name", entry.name},
          {"symbol", entry.symbol},
          {"parameters", toJson(entry.parameters)},
          {"hidden", toJson(entry.hidden)},
          {"parameter_bytes", entry.parameterBytes},
          {"parameter_align", entry.parameterAlign},
          {"abi", entry.abi == EntryAbi::state ? "state" : "bare"},
          {"bounds", toJson(entry.bounds)},
          {"cluster", toJson(entry.cluster)},
          {"resources", toJson(entry.resources)},
          {"dynamic_shared", entry.dynamicShared},
          {"section", entry.section},
          {"kind", entry.kind}};
}

}  // namespace

std::string toJson(const Image& image) {
  const ImageInfo& info = image.info();
  Json out = {{"target", info.target},
              {"arch", info.arch},
              {"features", info.features},
              {"runtime", info.runtime},
              {"opt_level", info.optLevel}};
  out["entries"] = Json::array();
  for (const EntryPoint& entry : info.entries) out["entries"].push_back(toJson(entry));
  out["globals"] = Json::array();
  for (const GlobalVariable& global : info.globals) {
    out["globals"].push_back(
        {{"name", global.name}, {"symbol", global.symbol}, {"space", global.space}, {"type", toJson(global.type)}});
  }
  out["requires"] = info.requires_;
  const Provenance& from = info.provenance;
  out["provenance"] = {{"producer", from.producer},
                       {"compiler", from.compiler},
                       {"job", from.jobHash},
                       {"source", from.sourceName},
                       {"description", from.description}};
  out["code"] = Json::array();
  for (const Code& code : image.code())
    out["code"].push_back({{"format", code.format}, {"arch", code.arch}, {"bytes", code.bytes.size()}});
  // Names may hold any bytes; JSON may not.
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace lathe
