// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SARIF 2.1.0: one run, one rule for each error code that occurs, one result for each finding. A call chain becomes a
// code flow from the kernel to the call; other notes with a place become related locations.
#include "sarif.h"

#include <algorithm>

#include <fmt/format.h>

#include <lathe/compiler.h>

#include "error_pages.h"

namespace lathe::tool {
namespace {

constexpr const char* schema = "https://json.schemastore.org/sarif-2.1.0.json";

/// RFC 3986: what a path may hold as it is.
bool isPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/!$&'()*+,;=@").find(c) != std::string_view::npos;
}

std::string uriOf(const std::string& path) {
  std::string out = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    if (isPlain(c))
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

/// Columns of diagnostics count bytes; SARIF's here count characters.
std::uint32_t characterColumn(std::uint32_t byteColumn, std::string_view line) {
  if (byteColumn == 0 || byteColumn > line.size() + 1) return byteColumn;
  const std::string_view before = line.substr(0, byteColumn - 1);
  const auto characters =
      std::ranges::count_if(before, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return static_cast<std::uint32_t>(characters) + 1;
}

Json physical(const SourceLocation& at, const std::string& snippet) {
  Json out = {{"artifactLocation", {{"uri", uriOf(at.file)}}}};
  if (at.line == 0) return out;
  Json& region = out["region"];
  region["startLine"] = at.line;
  const std::string line = snippet.substr(0, snippet.find('\n'));
  if (at.column > 0) region["startColumn"] = line.empty() ? at.column : characterColumn(at.column, line);
  if (!line.empty()) region["snippet"] = {{"text", line}};
  return out;
}

/// A step of a call chain, as core/check/reachability.cpp words them.
bool isStep(const Note& note) {
  return note.message.starts_with("called from '") || note.message.starts_with("in kernel '");
}

Json flowStep(const std::string& message, const SourceLocation& at, const std::string& snippet) {
  Json location = {{"message", {{"text", message}}}};
  if (!at.file.empty()) location["physicalLocation"] = physical(at, snippet);
  return {{"location", location}};
}

/// From the kernel down to the finding.
Json codeFlow(const Diagnostic& finding) {
  Json steps = Json::array();
  for (auto note = finding.notes.rbegin(); note != finding.notes.rend(); ++note) {
    if (isStep(*note)) steps.push_back(flowStep(note->message, note->location, note->snippet));
  }
  steps.push_back(flowStep(finding.message, finding.location, finding.snippet));
  return {{"threadFlows", Json::array({{{"locations", steps}}})}};
}

std::string_view levelOf(Severity severity) {
  return severity == Severity::remark ? "note" : severityName(severity);
}

std::string ruleOf(const Diagnostic& finding) {
  return finding.severity == Severity::error ? std::string(errorName(finding.code)) : "warning";
}

Json resultOf(const Diagnostic& finding, const std::optional<Error>& error, const std::string& source,
              std::size_t ruleIndex) {
  std::string text = finding.message;
  for (const Note& note : finding.notes)
    if (!isStep(note) && note.location.file.empty()) text += "\n" + note.message;
  if (!finding.hint.empty()) text += "\n" + finding.hint;
  const SourceLocation at = finding.location.file.empty() ? SourceLocation{source, 0, 0} : finding.location;
  Json out = {{"ruleId", ruleOf(finding)},
              {"ruleIndex", ruleIndex},
              {"level", levelOf(finding.severity)},
              {"message", {{"text", text}}},
              {"locations", Json::array({{{"physicalLocation", physical(at, finding.snippet)}}})}};
  Json related = Json::array();
  for (const Note& note : finding.notes) {
    if (isStep(note) || note.location.file.empty()) continue;
    related.push_back({{"id", related.size() + 1},
                       {"message", {{"text", note.message}}},
                       {"physicalLocation", physical(note.location, note.snippet)}});
  }
  if (!related.empty()) out["relatedLocations"] = std::move(related);
  if (std::ranges::any_of(finding.notes, isStep)) out["codeFlows"] = Json::array({codeFlow(finding)});
  Json properties = Json::object();
  if (error && !error->target.empty()) properties["target"] = error->target;
  if (error && !error->stage.empty()) properties["stage"] = error->stage;
  if (!properties.empty()) out["properties"] = std::move(properties);
  return out;
}

Json ruleJson(const std::string& id) {
  const auto code = errorCodeNamed(id);
  if (!code) {
    return {{"id", id},
            {"shortDescription", {{"text", "a warning of the front end or a back end"}}},
            {"defaultConfiguration", {{"level", "warning"}}}};
  }
  Json out = {{"id", id},
              {"shortDescription", {{"text", errorMeaning(*code)}}},
              {"defaultConfiguration", {{"level", "error"}}},
              {"properties", {{"family", familyName(errorFamily(*code))}, {"value", static_cast<int>(*code)}}}};
  const std::string page = errorPage(*code);
  out["help"] = {{"text", page}, {"markdown", page}};
  if (const std::string uri = errorPageUri(*code); !uri.empty()) out["helpUri"] = uri;
  return out;
}

}  // namespace

Json sarif(const std::vector<Diagnostic>& findings, const std::optional<Error>& error, const std::string& source,
           ExitCode code) {
  std::vector<std::string> rules;
  Json results = Json::array();
  for (const Diagnostic& finding : findings) {
    const std::string id = ruleOf(finding);
    auto at = std::ranges::find(rules, id);
    if (at == rules.end()) at = rules.insert(at, id);
    results.push_back(resultOf(finding, error, source, static_cast<std::size_t>(at - rules.begin())));
  }
  Json ruleList = Json::array();
  for (const std::string& id : rules) ruleList.push_back(ruleJson(id));
  Json driver = {{"name", "lathe"}, {"semanticVersion", version()}, {"version", version()}, {"rules", ruleList}};
  Json run = {{"tool", {{"driver", driver}}},
              {"invocations",
               Json::array({{{"executionSuccessful", code == ExitCode::ok}, {"exitCode", static_cast<int>(code)}}})},
              {"columnKind", "unicodeCodePoints"},
              {"results", results}};
  return {{"$schema", schema}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
}

}  // namespace lathe::tool
