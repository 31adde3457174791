// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build tool: `lathe_header_packer OUT LIST` packs headers into the archive that core/frontend/files/header_archive.h
// describes. Each line of LIST is a name in the archive, a tab and a file. What programs include of libc++, under v1/,
// gets a header of the same name in front, under wrap/: it makes libc++'s functions callable on both sides of a dialect
// that knows two.
#include <cstdio>
#include <fstream>
#include <sstream>

#include "core/frontend/files/header_archive.h"

namespace {

/// Include guards stand in the wrapper, so that Clang does not open it again.
std::string wrapperOf(const std::string& name) {
  std::string guard = "LATHE_WRAP_";
  for (const char letter : name) guard += letter == '.' ? '_' : letter;
  return "#ifndef " + guard + "\n#define " + guard +
         "\n#ifdef __CUDA__\n#pragma clang force_cuda_host_device begin\n#endif\n#include_next <" + name +
         ">\n#ifdef __CUDA__\n#pragma clang force_cuda_host_device end\n#endif\n#endif\n";
}

/// Declarations that promise an instance in a library that device code does not have.
std::string withoutExternTemplates(std::string text) {
  constexpr std::string_view start = "\nextern template ";
  for (std::size_t at = 0; (at = text.find(start, at)) != std::string::npos;) {
    const std::size_t end = text.find(';', at);
    if (end == std::string::npos) break;
    text.erase(at, end + 1 - at);
  }
  return text;
}

/// Clang is told with the folder that these are system headers. The pragma says it again, of each header and with its
/// name: a prelude gets a table of lines from it that every compile reads, a fifteenth of a small one.
std::string withoutSystemPragma(std::string text) {
  const std::size_t words = text.find("pragma GCC system_header\n");
  if (words == std::string::npos) return text;
  const std::size_t line = text.rfind('\n', words) + 1;  // 0 where there is none before
  text.erase(line, text.find('\n', words) - line);
  return text;
}

/// Clang lets a function of one side override one of both only if that is constexpr and the sides are nobody's word, as
/// in programs whose own exceptions derive from the library's.
std::string withOverridableWords(std::string text) {
  for (const std::string_view type : {"const char*", "char const*"}) {
    const std::string declaration = std::string(type) + " what() const";
    for (std::size_t at = 0; (at = text.find(declaration, at)) != std::string::npos;) {
      constexpr std::string_view word = "constexpr ";
      text.insert(at, word);
      at += word.size() + declaration.size();
    }
  }
  return text;
}

/// CCCL 3.0 asks libc++'s iterator_traits by the name of its own alias whether a program has specialised them. Can go
/// when no CCCL in use does.
std::string withTraitsOfToolkit(std::string text) {
  constexpr std::string_view alias = "using __primary_template _LIBCPP_NODEBUG = iterator_traits;";
  constexpr std::string_view another = "using __cccl_primary_template = iterator_traits; ";
  for (std::size_t at = 0; (at = text.find(alias, at)) != std::string::npos; at += another.size() + alias.size())
    text.insert(at, another);
  return text;
}

/// What keeps libc++'s functions out of the interface of a library that is linked: attributes on each, made by forty
/// expansions of macros, which were two fifths of a prelude. Nothing is linked with a libc++ here.
std::string withoutAbiMarks(std::string text) {
  for (const std::string_view macro : {"_LIBCPP_HIDE_FROM_ABI", "_LIBCPP_HIDE_FROM_ABI_VIRTUAL"}) {
    const std::string definition = "define " + std::string(macro) + ' ';
    for (std::size_t at = 0; (at = text.find(definition, at)) != std::string::npos;) {
      at += definition.size();
      std::size_t end = text.find('\n', at);
      while (end != std::string::npos && text[end - 1] == '\\') end = text.find('\n', end + 1);
      text.erase(at, end - at);
    }
  }
  return text;
}

std::string adapted(std::string text) {
  return withoutAbiMarks(
      withTraitsOfToolkit(withOverridableWords(withoutSystemPragma(withoutExternTemplates(std::move(text))))));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::vector<std::pair<std::string, std::string>> headers;
  std::ifstream list(argv[2]);
  for (std::string line; std::getline(list, line);) {
    if (line.empty()) continue;
    const std::size_t tab = line.find('\t');
    const std::string name = line.substr(0, tab);
    std::ifstream file(tab == std::string::npos ? std::string() : line.substr(tab + 1), std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "cannot read '%s'\n", line.c_str());
      return 1;
    }
    std::ostringstream text;
    text << file.rdbuf();
    const std::string library = "v1/";
    headers.emplace_back(name, name.starts_with(library) ? adapted(text.str()) : text.str());
    if (!name.starts_with(library) || name.starts_with(library + "__") ||
        name.find('/', library.size()) != std::string::npos)
      continue;
    headers.emplace_back("wrap/" + name.substr(library.size()), wrapperOf(name.substr(library.size())));
  }
  std::ofstream out(argv[1], std::ios::binary);
  out << lathe::detail::packHeaders(std::move(headers));
  return out.good() ? 0 : 1;
}
