// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe new-target` and `lathe new-dialect`: a project of one's own out of the skeletons. These are the files of
// targets/null, dialects/null and the runtime of examples/plugin_target as they are in the tree, with the name
// replaced; only what a project has beside them is written for it (tools/lathe/skeletons).
#include <filesystem>
#include <span>

#include <fmt/format.h>
#include <unistd.h>

#include <lathe/compiler.h>
#include <lathe/runtime.h>

#include "tools/lathe/arguments/files.h"
#include "tools/lathe/commands/command.h"

#define LATHE_SKELETON(id) extern "C" const char lathe_skeleton_##id[], lathe_skeleton_##id##_end[];
LATHE_SKELETON(null_yaml)
LATHE_SKELETON(null_hooks)
LATHE_SKELETON(null_device)
LATHE_SKELETON(null_cmake)
LATHE_SKELETON(runtime)
LATHE_SKELETON(target_cmake)
LATHE_SKELETON(target_readme)
LATHE_SKELETON(kernel)
LATHE_SKELETON(null_dialect)
LATHE_SKELETON(null_header)
LATHE_SKELETON(dialect_cmake)
LATHE_SKELETON(dialect_readme)
LATHE_SKELETON(dialect_kernel)
#undef LATHE_SKELETON

namespace lathe::tool {
namespace {

/// A file of a skeleton. In path and text the skeleton's name stands for that of the project.
struct SkeletonFile {
  std::string_view path;
  const char* begin;
  const char* end;

  [[nodiscard]] std::string_view text() const { return {begin, static_cast<std::size_t>(end - begin)}; }
};

#define LATHE_SKELETON(id) lathe_skeleton_##id, lathe_skeleton_##id##_end

std::span<const SkeletonFile> targetFiles() {
  static const SkeletonFile files[] = {
      {"CMakeLists.txt", LATHE_SKELETON(target_cmake)}, {"README.md", LATHE_SKELETON(target_readme)},
      {"null.yaml", LATHE_SKELETON(null_yaml)},         {"device.cpp", LATHE_SKELETON(null_device)},
      {"hooks.cpp", LATHE_SKELETON(null_hooks)},        {"runtime.cpp", LATHE_SKELETON(runtime)},
      {"tests/kernel.cpp", LATHE_SKELETON(kernel)},
  };
  return files;
}

std::span<const SkeletonFile> dialectFiles() {
  static const SkeletonFile files[] = {
      {"CMakeLists.txt", LATHE_SKELETON(dialect_cmake)},
      {"README.md", LATHE_SKELETON(dialect_readme)},
      {"null.cpp", LATHE_SKELETON(null_dialect)},
      {"include/lathe/null.h", LATHE_SKELETON(null_header)},
      {"tests/kernel.null.cpp", LATHE_SKELETON(dialect_kernel)},
  };
  return files;
}

/// The one call by which targets/null registers, as its CMakeLists.txt has it.
std::string_view registrationOfNull() {
  const SkeletonFile file{"", LATHE_SKELETON(null_cmake)};
  const std::string_view text = file.text();
  const std::string_view call = text.substr(text.find("lathe_add_target("));
  return call.substr(0, call.find('\n'));
}

#undef LATHE_SKELETON

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    // "nullptr" and the like are words of their own; "NullHooks" and "nullDialect" are made of the name.
    const bool found = text.substr(at).starts_with(from) && (at == 0 || !isLetter(text[at - 1])) &&
                       !text.substr(at + from.size()).starts_with("ptr");
    out += found ? to : text.substr(at, 1);
    at += found ? from.size() : 1;
  }
  return out;
}

/// `text` for a project called `name`: "null" and "blink", the skeletons' names, become it, also at the head of the
/// names of classes.
std::string named(std::string_view text, const std::string& name) {
  std::string type;
  for (bool first = true; const char c : name) {
    if (c != '_') type += first && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    first = c == '_';
  }
  std::string out = replaced(text, "null", name);
  out = replaced(out, "Null", type);
  out = replaced(out, "blink", name);
  return replaced(out, "Blink", type);
}

Error invalid(std::string message, std::string hint) {
  return {.code = ErrorCode::InvalidArgument, .message = std::move(message), .hint = std::move(hint)};
}

/// A name that is a word in YAML, CMake, C++ and file names alike.
Result<void> checkName(const std::string& name) {
  constexpr std::size_t mostLetters = 40;
  const bool good = !name.empty() && name.size() <= mostLetters && name.front() >= 'a' && name.front() <= 'z' &&
                    name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
  if (good) return {};
  return invalid(fmt::format("'{}' is no name for a project", name),
                 fmt::format("take lower-case letters, digits and '_', a letter first, at most {}", mostLetters));
}

class NewProjectCommand : public Command {
 public:
  void configure(CLI::App& app) override {
    app.add_option("name", name_, fmt::format("the {}'s name", kind()))->type_name("NAME")->required();
    app.add_option("--dir", folder_, "the folder to make (default: NAME)")->type_name("DIR");
    app.footer(footer());
  }

  ExitCode run(Output& out) override {
    if (auto good = checkName(name_); !good) return out.fail(good.error());
    if (auto free = isFree(name_); !free) return out.fail(free.error());
    const std::filesystem::path folder = folder_.empty() ? name_ : folder_;
    auto written = write(folder);
    if (!written) return out.fail(written.error());
    if (out.json()) {
      out.document({{kind(), name_}, {"folder", folder.string()}, {"files", *written}});
    } else {
      out.text(fmt::format("{}: a {} of {} files; README.md says how to build it\n", folder.string(), kind(),
                           written->size()));
    }
    return ExitCode::ok;
  }

 protected:
  [[nodiscard]] virtual std::string kind() const = 0;
  [[nodiscard]] virtual std::string footer() const = 0;
  [[nodiscard]] virtual std::span<const SkeletonFile> files() const = 0;
  /// Errors: InvalidArgument where something else has the name.
  [[nodiscard]] virtual Result<void> isFree(const std::string& name) const = 0;

 private:
  /// The text of a file for the project.
  [[nodiscard]] std::string textOf(const SkeletonFile& file) const {
    constexpr std::string_view placeholder = "@lathe_add_target@";
    std::string text(file.text());
    if (const auto at = text.find(placeholder); at != std::string::npos)
      text.replace(at, placeholder.size(), registrationOfNull());
    return named(text, name_);
  }

  /// Writes all files to a folder beside the wanted one and renames it, so that there is all or nothing. Returns their
  /// paths within it. Errors: FileUnwritable.
  [[nodiscard]] Result<std::vector<std::string>> write(const std::filesystem::path& folder) const {
    const auto unwritable = [&](const std::string& why) {
      return Error{.code = ErrorCode::FileUnwritable,
                   .message = fmt::format("{}: {}", folder.string(), why),
                   .hint = "name another folder by --dir"};
    };
    std::error_code failed;
    if (std::filesystem::exists(folder, failed) &&
        !(std::filesystem::is_directory(folder, failed) && std::filesystem::is_empty(folder, failed)))
      return unwritable("is there already and not an empty folder");
    std::filesystem::path unfinished = std::filesystem::absolute(folder, failed).lexically_normal();
    if (!unfinished.has_filename()) unfinished = unfinished.parent_path();  // a slash at the end
    const std::filesystem::path final = unfinished;
    unfinished += fmt::format(".{}.tmp", ::getpid());
    auto paths = fill(unfinished);
    if (paths) {
      std::filesystem::rename(unfinished, final, failed);
      if (!failed) return paths;
      paths = unwritable(failed.message());
    }
    std::filesystem::remove_all(unfinished, failed);
    return paths;
  }

  [[nodiscard]] Result<std::vector<std::string>> fill(const std::filesystem::path& folder) const {
    std::vector<std::string> paths;
    for (const SkeletonFile& file : files()) {
      const std::filesystem::path path = folder / named(file.path, name_);
      std::error_code failed;
      std::filesystem::create_directories(path.parent_path(), failed);
      if (failed) {
        return Error{.code = ErrorCode::FileUnwritable,
                     .message = fmt::format("{}: cannot be made: {}", path.parent_path().string(), failed.message())};
      }
      if (auto written = writeFile(path, textOf(file)); !written) return std::move(written).error();
      paths.push_back(std::filesystem::relative(path, folder).string());
    }
    return paths;
  }

  std::string name_;
  std::string folder_;
};

class NewTargetCommand final : public NewProjectCommand {
 public:
  std::string_view name() const override { return "new-target"; }
  std::string_view summary() const override { return "write the project of a target of your own"; }

 protected:
  std::string kind() const override { return "target"; }
  std::string footer() const override {
    return "Writes descriptor, device code, hooks, runtime, tests and CMakeLists.txt, which compile as they are.\n"
           "Example:\n"
           "  lathe new-target mill && cmake -S mill -B mill/build && cmake --build mill/build";
  }
  std::span<const SkeletonFile> files() const override { return targetFiles(); }
  Result<void> isFree(const std::string& name) const override {
    const auto compiler = Compiler::create();
    if (!compiler) return compiler.error();
    const auto runtimes = Device::runtimes();
    for (const TargetInfo& target : compiler->targets()) {
      if (target.name == name) return invalid(fmt::format("there is a target '{}' already", name), "take another name");
    }
    if (std::ranges::find(runtimes, name) != runtimes.end())
      return invalid(fmt::format("there is a runtime '{}' already", name), "take another name");
    return {};
  }
};

class NewDialectCommand final : public NewProjectCommand {
 public:
  std::string_view name() const override { return "new-dialect"; }
  std::string_view summary() const override { return "write the project of a source dialect of your own"; }

 protected:
  std::string kind() const override { return "dialect"; }
  std::string footer() const override {
    return "Writes the definition, its header, a test and CMakeLists.txt, which compile as they are.\n"
           "Example:\n"
           "  lathe new-dialect weave && cmake -S weave -B weave/build && cmake --build weave/build";
  }
  std::span<const SkeletonFile> files() const override { return dialectFiles(); }
  Result<void> isFree(const std::string& name) const override {
    const std::vector<std::string> known = Compiler::dialects();
    if (name == "ir" || std::ranges::find(known, name) != known.end())
      return invalid(fmt::format("there is a dialect '{}' already", name), "take another name");
    return {};
  }
};

}  // namespace

std::unique_ptr<Command> makeNewTargetCommand() {
  return std::make_unique<NewTargetCommand>();
}
std::unique_ptr<Command> makeNewDialectCommand() {
  return std::make_unique<NewDialectCommand>();
}

}  // namespace lathe::tool
