// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/lathe/arguments/job_list.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "tools/lathe/arguments/files.h"
#include "tools/lathe/arguments/job_options.h"

namespace lathe::tool {
namespace {

constexpr std::size_t mostNodes = 4'000'000;  ///< an alias of aliases is larger read than written
constexpr unsigned mostDepth = 64;

Error wrong(std::string message, std::string hint = {}) {
  return {.code = ErrorCode::InvalidArgument, .message = std::move(message), .hint = std::move(hint)};
}

/// YAML as JSON. Scalars without quotes are numbers and truth values where they look so, but texts below the keys whose
/// values are texts in a job.
class YamlToJson {
 public:
  Json convert(const YAML::Node& node, bool isText = false, unsigned depth = 0) {
    if (++nodes_ > mostNodes || depth > mostDepth)
      throw YAML::ParserException(node.Mark(), "it is too large or nested");
    switch (node.Type()) {
      case YAML::NodeType::Scalar:
        return scalar(node, isText);
      case YAML::NodeType::Sequence: {
        Json out = Json::array();
        for (const YAML::Node& item : node) out.push_back(convert(item, isText, depth + 1));
        return out;
      }
      case YAML::NodeType::Map: {
        Json out = Json::object();
        for (const auto& member : node) {
          const std::string name = member.first.Scalar();
          if (out.contains(name)) throw YAML::ParserException(member.first.Mark(), "key '" + name + "' is there twice");
          out[name] = convert(member.second, isText || isOfTexts(name), depth + 1);
        }
        return out;
      }
      default:
        return nullptr;
    }
  }

 private:
  static bool isOfTexts(std::string_view key) {
    constexpr std::string_view keys[] = {"parameters", "arguments", "defines", "undefines", "name", "text", "features"};
    return std::ranges::find(keys, key) != std::end(keys);
  }

  static Json scalar(const YAML::Node& node, bool isText) {
    const std::string& text = node.Scalar();
    const bool isQuoted = node.Tag() == "!";
    if (isText || isQuoted) return text;
    if (text == "true" || text == "false") return text == "true";
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [at, status] = std::from_chars(text.data(), end, number);
    if (status == std::errc() && at == end) return number;
    return text;
  }

  std::size_t nodes_ = 0;
};

/// Takes `key` out of `object`; `fallback` where it is missing. Errors: it is no text.
Result<std::string> takeText(Json& object, const char* key, std::string fallback) {
  const auto at = object.find(key);
  if (at == object.end()) return fallback;
  if (!at->is_string()) return wrong(fmt::format("'{}' is a text", key));
  std::string out = at->get<std::string>();
  object.erase(at);
  return out;
}

/// Takes the targets out of `object`: of `targets`, else the one of `target`, which stays where it is.
Result<std::vector<std::string>> takeTargets(Json& object) {
  std::vector<std::string> out;
  if (const auto at = object.find("targets"); at != object.end()) {
    if (!at->is_array() || at->empty()) return wrong("'targets' is a list of NAME[:ARCH][=FORMAT,…]");
    for (const Json& target : *at) {
      if (!target.is_string()) return wrong("'targets' is a list of NAME[:ARCH][=FORMAT,…]");
      out.push_back(target.get<std::string>());
    }
    object.erase(at);
  } else if (const auto one = object.find("target"); one != object.end() && one->is_string()) {
    const std::string arch = object.value("arch", "");
    std::string target = one->get<std::string>();
    if (!arch.empty()) target.insert(std::min(target.find('='), target.size()), ":" + arch);
    out.push_back(std::move(target));
  }
  return out;
}

class Reader {
 public:
  explicit Reader(const std::string& path) : folder_(std::filesystem::path(path).parent_path()) {}

  Result<ListedJob> read(Json object) const {
    ListedJob out{.name = "kernel", .output = {}, .jobs = {}};
    const std::vector<Source> further = takeFurther(object, out.unreadable);
    const auto source = object.find("source");
    if (source == object.end() || !source->is_string()) {
      auto made = finish(std::move(object), std::move(out));
      if (made) addFurther(*made, further);
      return made;
    }
    const std::filesystem::path file = folder_ / source->get<std::string>();
    const auto text = readFile(file.string());
    out.name = file.stem().string();
    if (!text) out.unreadable = text.error();
    *source = {{"name", file.string()}};
    auto made = finish(std::move(object), std::move(out));
    if (!made || !text) return made;
    for (Job& job : made->jobs) job.source.text = *text;  // bytes, which JSON does not hold
    addFurther(*made, further);
    return made;
  }

 private:
  static Result<void> takeNames(Json& object, ListedJob& out) {
    auto name = takeText(object, "name", out.name);
    if (!name) return std::move(name).error();
    auto output = takeText(object, "output", *name + std::string(imageExtension));
    if (!output) return std::move(output).error();
    for (const std::string& text : {*name, *output}) {
      if (text.empty() || text.find('\0') != std::string::npos)
        return wrong(text.empty() ? "a name is empty" : "a name has a zero byte");
    }
    out.name = *std::move(name);
    out.output = std::filesystem::path(*output).lexically_normal().string();
    if (const std::filesystem::path path(out.output); path.is_absolute() || *path.begin() == "..")
      return wrong(fmt::format("it would make '{}', which is not in the folder of the results", *output),
                   "give it another 'name' or 'output', below that folder");
    if (out.output == indexName || out.output.ends_with('/'))
      return wrong(fmt::format("it would make '{}', which is {}", *output,
                               out.output == indexName ? "the index of the results" : "a folder"),
                   "give it another 'name' or 'output'");
    return {};
  }

  /// Takes the files that `furtherSources` names out of it; sources that are written there stay. Says if one cannot be
  /// read.
  std::vector<Source> takeFurther(Json& object, std::optional<Error>& unreadable) const {
    std::vector<Source> out;
    const auto at = object.find("furtherSources");
    if (at == object.end() || !at->is_array()) return out;
    for (const Json& file : *at) {
      if (!file.is_string()) return {};
    }
    for (const Json& file : *at) {
      Source& one = out.emplace_back();
      one.name = (folder_ / file.get<std::string>()).string();
      auto text = readFile(one.name);
      if (text)
        one.text = *std::move(text);
      else
        unreadable = std::move(text).error();
    }
    object.erase(at);
    return out;
  }

  static void addFurther(ListedJob& listed, const std::vector<Source>& further) {
    for (Job& job : listed.jobs) job.furtherSources.insert(job.furtherSources.end(), further.begin(), further.end());
  }

  Result<ListedJob> finish(Json object, ListedJob out) const {
    if (const auto done = takeNames(object, out); !done) return done.error();
    auto targets = takeTargets(object);
    if (!targets) return std::move(targets).error();
    auto job = jobFromJson(object.dump());
    if (!job) return std::move(job).error();
    for (std::string& include : job->options.includeDirs) include = (folder_ / include).string();
    if (targets->empty()) targets->push_back(job->target);
    for (const std::string& target : *targets) {
      Job& one = out.jobs.emplace_back(*job);
      aim(one, target == "portable" ? "cpu" : target);  // portable IR is no target's
      if (target == "portable") one.emit = target;
    }
    return out;
  }

  std::filesystem::path folder_;
};

Result<Json> parse(const std::string& path, const std::string& text) {
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.size() > 1)
      return wrong(fmt::format("{}: it holds {} documents", path, documents.size()),
                   "one file is one document: put the jobs of all into one list");
    return YamlToJson().convert(documents.empty() ? YAML::Node() : documents.front());
  } catch (const YAML::Exception& error) {
    Error out = wrong(fmt::format("{}: {}", path, error.msg));
    if (!error.mark.is_null())
      out.location = {.file = path,
                      .line = static_cast<std::uint32_t>(error.mark.line + 1),
                      .column = static_cast<std::uint32_t>(error.mark.column + 1)};
    return out;
  }
}

}  // namespace

Result<std::vector<ListedJob>> readJobList(const std::string& path) {
  const auto text = readFile(path);
  if (!text) return text.error();
  const auto document = parse(path, *text);
  if (!document) return document.error();
  const bool isList = document->is_array();
  const auto jobs = isList ? document->end() : document->find("jobs");
  if (!isList && (!document->is_object() || jobs == document->end() || !jobs->is_array()))
    return wrong(path + ": it is no list of jobs", "it is a list, or a map with 'jobs', a list, and 'defaults'");
  Json defaults = Json::object();
  if (!isList) {
    for (const auto& [key, value] : document->items()) {
      if (key == "defaults" && value.is_object())
        defaults = value;
      else if (key != "jobs")
        return wrong(fmt::format("{}: '{}' is not 'jobs', nor 'defaults' with keys of jobs", path, key));
    }
  }
  const Reader reader(path);
  std::vector<ListedJob> out;
  std::map<std::string, std::string> outputs;
  for (const Json& item : isList ? *document : *jobs) {
    const auto place = fmt::format("{}: job {}", path, out.size() + 1);
    if (!item.is_object()) return wrong(place + ": it is no map");
    Json merged = defaults;
    if (item.contains("target")) merged.erase("targets");
    merged.merge_patch(item);
    auto job = reader.read(std::move(merged));
    if (!job) {
      Error error = std::move(job).error();
      error.message = place + ": " + error.message;
      return error;
    }
    if (const auto [first, isNew] = outputs.emplace(job->output, job->name); !isNew)
      return wrong(fmt::format("{}: it makes '{}' as job '{}' before", place, job->output, first->second),
                   "give it another 'name' or 'output'");
    out.push_back(*std::move(job));
  }
  return out;
}

}  // namespace lathe::tool
