// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SARIF 2.1.0 (OASIS): one run, one rule for each error code that occurs, one result for each finding. A call chain
// becomes a code flow from the kernel to the call, its functions logical locations; other notes with a place become
// related locations. Relative paths are relative to the working folder, which stands in the run as %SRCROOT%.
#include "tools/lathe/output/sarif.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include <lathe/compiler.h>

#include "tools/lathe/output/error_pages.h"

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

constexpr const char* baseName = "%SRCROOT%";

Json physical(const SourceLocation& at, const std::string& snippet) {
  Json out = {{"artifactLocation", {{"uri", uriOf(at.file)}}}};
  if (!at.file.starts_with('/')) out["artifactLocation"]["uriBaseId"] = baseName;
  if (at.line == 0) return out;
  Json& region = out["region"];
  region["startLine"] = at.line;
  const std::string line = snippet.substr(0, snippet.find('\n'));
  if (at.column > 0) region["startColumn"] = line.empty() ? at.column : characterColumn(at.column, line);
  if (!line.empty()) region["snippet"] = {{"text", line}};
  return out;
}

/// The function of a step of a call chain, as core/lower/reachability.cpp words them; empty: another note.
std::string_view functionOf(std::string_view step) {
  for (const std::string_view words : {"called from '", "in kernel '", "in program '"}) {
    if (step.starts_with(words) && step.ends_with('\''))
      return step.substr(words.size(), step.size() - words.size() - 1);
  }
  return {};
}
bool isStep(const Note& note) {
  return !functionOf(note.message).empty();
}

void addFunction(Json& location, std::string_view name) {
  if (!name.empty())
    location["logicalLocations"] = Json::array({{{"fullyQualifiedName", std::string(name)}, {"kind", "function"}}});
}

Json flowStep(const std::string& message, const SourceLocation& at, const std::string& snippet,
              std::string_view function) {
  Json location = {{"message", {{"text", message}}}};
  addFunction(location, function);
  if (!at.file.empty()) location["physicalLocation"] = physical(at, snippet);
  return {{"location", location}};
}

/// The function that the finding is in.
std::string_view holderOf(const Diagnostic& finding) {
  const auto step = std::ranges::find_if(finding.notes, isStep);
  return step == finding.notes.end() ? std::string_view() : functionOf(step->message);
}

/// The kernel or program that leads there.
std::string_view entryOf(const Diagnostic& finding) {
  const auto isEntry = [](const Note& note) { return isStep(note) && note.message.starts_with("in "); };
  const auto step = std::ranges::find_if(finding.notes, isEntry);
  return step == finding.notes.end() ? std::string_view() : functionOf(step->message);
}

/// From the kernel down to the finding.
Json codeFlow(const Diagnostic& finding) {
  Json steps = Json::array();
  for (auto note = finding.notes.rbegin(); note != finding.notes.rend(); ++note) {
    if (isStep(*note))
      steps.push_back(flowStep(note->message, note->location, note->snippet, functionOf(note->message)));
  }
  steps.push_back(flowStep(finding.message, finding.location, finding.snippet, holderOf(finding)));
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
              {"message", {{"text", text}}}};
  Json location = Json::object();
  if (!at.file.empty()) location["physicalLocation"] = physical(at, finding.snippet);
  addFunction(location, holderOf(finding));
  if (!location.empty()) out["locations"] = Json::array({std::move(location)});
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
  if (const auto entry = entryOf(finding); !entry.empty()) properties["entry"] = std::string(entry);
  if (!properties.empty()) out["properties"] = std::move(properties);
  return out;
}

/// The working folder, which relative paths of a report start from.
std::string baseUri() {
  std::error_code unknown;
  std::string path = std::filesystem::current_path(unknown).string();
  if (!path.ends_with('/')) path += '/';
  return uriOf(path);
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
              {"originalUriBaseIds", {{baseName, {{"uri", baseUri()}}}}},
              {"columnKind", "unicodeCodePoints"},
              {"results", results}};
  return {{"$schema", schema}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
}

}  // namespace lathe::tool
