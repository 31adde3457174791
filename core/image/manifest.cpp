// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The manifest: what a build system, a language binding or a loader wants to know of an object, as JSON. Layouts are
// written by the image's own JSON writer.
#include <nlohmann/json.hpp>

#include "core/image/interface.h"

namespace lathe::detail {
namespace {

using Json = nlohmann::ordered_json;

/// Parameters and, in front of them, the result.
Json layoutsOf(const ExportedFunction& function) {
  EntryPoint carrier;
  carrier.parameters.push_back({.name = "result", .type = function.result, .offset = 0, .readOnly = false});
  carrier.parameters.insert(carrier.parameters.end(), function.parameters.begin(), function.parameters.end());
  ImageInfo info;
  info.entries.push_back(std::move(carrier));
  return Json::parse(toJson(Image::build(std::move(info), {})))["entries"][0]["parameters"];
}

}  // namespace

std::string manifest(const ImageInfo& info, const ObjectInterface& interface) {
  const Json image = Json::parse(toJson(Image::build(info, {})));
  Json out = {{"lathe_manifest", 1},       {"target", info.target},      {"arch", info.arch},
              {"features", info.features}, {"triple", interface.triple}, {"pointer_bytes", interface.pointerBytes}};
  out["entries"] = Json::array();
  for (std::size_t i = 0; i < info.entries.size(); ++i) {
    Json entry = image["entries"][i];
    if (i < interface.hostStubs.size()) {
      entry["function"] = interface.hostStubs[i];
      entry["scratch_function"] = interface.hostStubs[i] + "_scratch";
      for (std::size_t p = 0; p < info.entries[i].parameters.size(); ++p)
        entry["parameters"][p]["by_value"] = passedByValue(info.entries[i].parameters[p].type);
    }
    out["entries"].push_back(std::move(entry));
  }
  out["functions"] = Json::array();
  for (const ExportedFunction& function : interface.functions) {
    Json parameters = layoutsOf(function);
    Json result = parameters[0]["type"];
    parameters.erase(0);
    for (Json& parameter : parameters) parameter.erase("offset");
    out["functions"].push_back(
        {{"name", function.name}, {"result", std::move(result)}, {"parameters", std::move(parameters)}});
  }
  out["globals"] = image["globals"];
  out["requires"] = interface.externals;
  out["provenance"] = image["provenance"];
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lathe::detail
