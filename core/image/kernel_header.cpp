// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header with which a C++ program launches the kernels of its own images as functions. Parameters are spelled from
// the layouts in the image, so that the program's compiler checks arguments as it does those of any function.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lathe/embed.h>

#include "core/image/c_types.h"
#include "core/image/interface.h"

namespace lathe {
namespace {

using detail::CTypes;

Error invalid(std::string message, std::string hint = {}) {
  return {.code = ErrorCode::InvalidArgument, .message = std::move(message), .hint = std::move(hint)};
}

bool isIdentifier(std::string_view name) {
  return !name.empty() && name == detail::cIdentifier(name);
}

/// A C++ name's parts, split at each "::" that is not inside template arguments or parameter lists.
std::vector<std::string> partsOf(std::string_view name) {
  std::vector<std::string> out(1);
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<' || name[i] == '(') ++depth;
    if (name[i] == '>' || name[i] == ')') --depth;
    if (depth == 0 && name.substr(i).starts_with("::")) {
      if (!out.back().empty()) out.emplace_back();
      ++i;
    } else {
      out.back() += name[i];
    }
  }
  return out;
}

/// A word that is none of C++'s and not one of `taken`, to which it is added.
std::string distinct(std::string name, std::set<std::string>& taken) {
  // "module" and "restrict" are words in places.
  while (detail::isCxxKeyword(name) || name == "module" || name == "restrict" || !taken.insert(name).second)
    name += '_';
  return name;
}

/// One kernel of the header, as one of the images describes it.
struct Function {
  EntryPoint entry;
  std::string target;  ///< that it was seen for first
  std::vector<std::string> path;
};

bool sameParameters(const EntryPoint& a, const EntryPoint& b) {
  return std::ranges::equal(a.parameters, b.parameters, [](const Parameter& left, const Parameter& right) {
    return detail::sameLayout(left.type, right.type);
  });
}

Result<std::vector<Function>> functionsOf(const FatImage& images) {
  std::vector<Function> out;
  std::map<std::vector<std::string>, std::string> names;
  for (std::size_t i = 0; i < images.entries().size(); ++i) {
    const auto image = images.image(i);
    if (!image) return image.error();
    const ImageInfo& info = image->info();
    const bool isCompiledAtLoad = info.target == "portable";
    if (info.runtime.empty() && !isCompiledAtLoad) continue;
    const std::string target = info.arch.empty() ? info.target : info.target + ":" + info.arch;
    for (const EntryPoint& entry : info.entries) {
      const auto known = std::ranges::find(out, entry.name, [](const Function& f) { return f.entry.name; });
      if (known != out.end()) {
        if (sameParameters(known->entry, entry)) continue;
        return invalid(
            fmt::format("kernel '{}': its parameters on {} are not those on {}", entry.name, target, known->target),
            "one header declares one function for all targets: make its parameters alike");
      }
      auto path = partsOf(entry.name);
      for (std::string& part : path) part = detail::cIdentifier(part);
      if (const auto [at, isNew] = names.emplace(path, entry.name); !isNew) {
        return invalid(
            fmt::format("kernels '{}' and '{}' are both {} in C++", at->second, entry.name, fmt::join(path, "::")),
            "name the kernels that the program launches (-k), or rename one");
      }
      out.push_back({entry, target, std::move(path)});
    }
  }
  if (out.empty()) return invalid("kernel header: nothing in the image is for launching; no runtime loads it");
  return out;
}

/// The type and name of a parameter, or nothing if C++20 has no such type.
std::string declared(CTypes& types, Parameter parameter, const std::string& name) {
  const TypeLayout& type = parameter.type;
  const bool isWord = type.kind != TypeKind::record && type.kind != TypeKind::vector && type.kind != TypeKind::pointer;
  if (isWord && (type.size == 0 || type.size > 8)) return {};
  if (type.kind == TypeKind::opaque || type.kind == TypeKind::array) return {};
  parameter.name = name;
  return type.kind == TypeKind::pointer ? types.parameter(parameter, 0) : types.declare(type, name);
}

std::string inComment(std::string text) {
  std::ranges::replace_if(text, [](unsigned char letter) { return letter < ' ' || letter == '\\'; }, ' ');
  return text;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') out += '\\';
    out += letter;
  }
  return out + '"';
}

std::string definition(CTypes& types, const Function& function, std::size_t number, const std::string& images) {
  const EntryPoint& entry = function.entry;
  std::set<std::string> taken = {images};
  std::string parameters, arguments;
  std::string bounds;
  if (const auto& size = entry.bounds.groupSize; size[0])
    bounds += fmt::format(" Groups have {} x {} x {} items.", size[0], size[1], size[2]);
  else if (entry.bounds.maxItems)
    bounds += fmt::format(" Groups have at most {} items.", entry.bounds.maxItems);
  for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
    const std::string& own = entry.parameters[i].name;
    const std::string name = distinct(own.empty() ? fmt::format("argument{}", i) : detail::cIdentifier(own), taken);
    const std::string text = declared(types, entry.parameters[i], name);
    if (text.empty()) {
      return fmt::format("// Kernel {} takes what C++ has no type for: bind it by {}.module(device).\n",
                         inComment(entry.name), images);
    }
    parameters += ", " + text;
    arguments += ", " + name;
  }
  const std::string device = distinct("device", taken), launch = distinct("launch", taken);
  const std::string scopes = fmt::format("{}", fmt::join(function.path.begin(), function.path.end() - 1, "::"));
  std::string out = fmt::format("/// Kernel {}.{}\n", inComment(entry.name), bounds);
  out += fmt::format(
      "[[nodiscard, gnu::visibility(\"hidden\")]] inline ::lathe::Result<void> {}(const ::lathe::Device& {}, "
      "const ::lathe::LaunchOptions& {}{}) {{\n  return {}.launch({}, {}, {}, {}{});\n}}\n",
      function.path.back(), device, launch, parameters, images, device, number, quoted(entry.name), launch, arguments);
  if (function.path.size() == 1) return out;
  return fmt::format("namespace {0} {{\n{1}}}  // namespace {0}\n", scopes, out);
}

std::string stemOf(std::string name) {
  if (const auto slash = name.rfind('/'); slash != std::string::npos) name.erase(0, slash + 1);
  if (const auto dot = name.rfind('.'); dot != std::string::npos && dot != 0) name.erase(dot);
  return detail::cIdentifier(name);
}

}  // namespace

Result<std::string> kernelHeader(const FatImage& images, const KernelHeaderOptions& options) {
  for (const std::string& part : partsOf(options.nameSpace)) {
    if (!isIdentifier(part)) return invalid(fmt::format("kernel header: '{}' is no namespace", options.nameSpace));
  }
  if (options.symbol.empty() == options.file.empty() || (!options.symbol.empty() && !isIdentifier(options.symbol)))
    return invalid("kernel header: it needs the image's symbol, a C identifier, or the image's file");
  const auto functions = functionsOf(images);
  if (!functions) return functions.error();
  const auto first = images.image(0);
  if (!first) return first.error();
  const Provenance& provenance = first->info().provenance;
  // Programs may hold several images of one source's name: what is inline is of this one.
  const std::string inner =
      "of_" + (options.symbol.empty() ? stemOf(options.file) : detail::cIdentifier(options.symbol));
  const std::string object = "from_" + stemOf(provenance.sourceName) + "_images";

  CTypes types("", {"static_assert", "alignof", "alignas", !options.includes.empty()});
  std::string definitions;
  for (std::size_t i = 0; i < functions->size(); ++i)
    definitions += "\n" + definition(types, (*functions)[i], i, object);

  std::string out =
      fmt::format("// Made by {} from {}. Do not edit.\n#pragma once\n\n#include <stddef.h>\n#include <stdint.h>\n\n",
                  inComment(provenance.producer), inComment(provenance.sourceName));
  for (const std::string& include : options.includes) {
    const bool isSpelled = include.starts_with('<') || include.starts_with('"');
    out += fmt::format("#include {}\n", isSpelled ? include : "\"" + include + "\"");
  }
  out += "#include <lathe/embedded.h>\n\n";
  if (!options.symbol.empty()) {
    out += fmt::format(
        "extern \"C\" {{\n[[gnu::visibility(\"hidden\")]] extern const unsigned char {0}[];\n"
        "[[gnu::visibility(\"hidden\")]] extern const size_t {0}_size;\n}}\n\n",
        options.symbol);
  }
  out += fmt::format("namespace {} {{\ninline namespace {} {{\n", options.nameSpace, inner);
  if (!types.definitions().empty()) out += "\n" + types.definitions();
  if (!types.assertions().empty()) out += "\n" + types.assertions();
  out += fmt::format(
      "\n/// The image, and its modules on each device. Hidden: each program and library has its own.\n"
      "[[gnu::visibility(\"hidden\")]] inline constinit ::lathe::EmbeddedImages {}({});\n",
      object, options.symbol.empty() ? quoted(options.file) : fmt::format("{0}, &{0}_size", options.symbol));
  out += definitions;
  return out + fmt::format("\n}}  // namespace {}\n}}  // namespace {}\n", inner, options.nameSpace);
}

}  // namespace lathe
