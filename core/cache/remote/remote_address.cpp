// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/cache/remote/remote_address.h"

#include <charconv>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "core/support/nearest.h"

namespace lathe::detail {
namespace {

constexpr int redisPort = 6379;
constexpr int mostPorts = 65535;
constexpr std::int64_t mostMilliseconds = 60'000;
constexpr const char* hint =
    "write http://HOST/PATH, https://…, redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE] or redis+unix:///SOCKET, and "
    "attributes after it: |read-only|timeout=500";

/// A whole number from 0 to `most`.
std::optional<std::int64_t> number(std::string_view text, std::int64_t most) {
  std::int64_t out = -1;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (failed != std::errc() || end != text.data() + text.size() || out < 0 || out > most) return std::nullopt;
  return out;
}

std::string_view after(std::string_view text, char separator) {
  const std::size_t at = text.find(separator);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
}

std::string_view before(std::string_view text, char separator) {
  return text.substr(0, text.find(separator));
}

/// Characters written as % and two hexadecimal digits.
std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const std::string_view digits = text.substr(i + 1, 2);
    unsigned value = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() != 2 || failed != std::errc() || end != digits.data() + 2) return std::nullopt;
    out += static_cast<char>(value);
    i += 2;
  }
  return out;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<RemoteAddress> parse() {
    const std::string_view url = before(text_, '|');
    const std::size_t colon = url.find("://");
    const std::string scheme(colon == std::string_view::npos ? std::string_view() : url.substr(0, colon));
    const std::string_view rest = scheme.empty() ? std::string_view() : url.substr(colon + 3);
    if (rest.empty()) return wrong("it is no URL");
    std::string_view authority = before(rest, '/');
    const std::string_view path = after(rest, '/');
    std::string_view login;
    if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
      login = authority.substr(0, at);
      authority.remove_prefix(at + 1);
    }
    out_.shown = scheme + "://" + std::string(authority) + (path.empty() ? "" : "/" + std::string(path));
    std::string reason;
    if (scheme == "http" || scheme == "https") {
      out_.url = url;
      while (out_.url.ends_with('/')) out_.url.pop_back();
      if (authority.empty()) reason = "it names no host";
    } else if (scheme == "redis") {
      reason = readRedis(login, authority, path);
    } else if (scheme == "redis+unix") {
      out_.scheme = RemoteScheme::redisSocket;
      out_.host = "/" + std::string(path);
      if (!authority.empty() || path.empty()) reason = "it names no socket's file";
    } else {
      reason = "its scheme is unknown" + didYouMean(scheme, {"http", "https", "redis", "redis+unix"});
    }
    if (!reason.empty()) return wrong(reason);
    for (std::string_view left = after(text_, '|'); !left.empty(); left = after(left, '|')) {
      const std::string_view attribute = before(left, '|');
      if (reason = read(before(attribute, '='), after(attribute, '=')); !reason.empty()) return wrong(reason);
    }
    return std::move(out_);
  }

 private:
  /// The reason why it is wrong, or nothing.
  std::string readRedis(std::string_view login, std::string_view authority, std::string_view path) {
    out_.scheme = RemoteScheme::redis;
    std::string_view port;
    if (authority.starts_with('[')) {  // an address of IPv6
      const std::size_t end = authority.find(']');
      if (end == std::string_view::npos) return "its address has no ']'";
      out_.host = authority.substr(1, end - 1);
      port = after(authority.substr(end), ':');
    } else {
      out_.host = before(authority, ':');
      port = after(authority, ':');
    }
    if (out_.host.empty()) return "it names no host";
    const auto portNumber = number(port.empty() ? std::to_string(redisPort) : port, mostPorts);
    const auto database = number(path.empty() ? "0" : path, mostPorts);
    if (!portNumber) return fmt::format("'{}' is no port", port);
    if (!database) return fmt::format("'{}' is no number of a database", path);
    out_.port = static_cast<int>(*portNumber);
    out_.database = static_cast<int>(*database);
    // As ccache has it, a login without a colon is the password.
    const bool hasUser = login.find(':') != std::string_view::npos;
    const auto user = decoded(hasUser ? before(login, ':') : "");
    const auto password = decoded(hasUser ? after(login, ':') : login);
    if (!user || !password) return "a % in its user or password is not followed by two digits";
    out_.user = *user;
    out_.password = *password;
    return {};
  }

  std::string read(std::string_view name, std::string_view value) {
    const bool isHttp = out_.scheme == RemoteScheme::http;
    if (name == "read-only") {
      if (!value.empty() && value != "true" && value != "false") return "read-only is true or false";
      out_.readOnly = value != "false";
    } else if (name == "connect-timeout" || name == "timeout") {
      const auto milliseconds = number(value, mostMilliseconds);
      if (!milliseconds || *milliseconds == 0)
        return fmt::format("'{}' is no {} in milliseconds, 1 to {}", value, name, mostMilliseconds);
      (name == "timeout" ? out_.timeout : out_.connectTimeout) = std::chrono::milliseconds(*milliseconds);
    } else if (name == "layout" && isHttp) {
      if (value != "bazel" && value != "subdirs" && value != "flat") return "layout is bazel, subdirs or flat";
      out_.layout = value == "bazel" ? HttpLayout::bazel : value == "subdirs" ? HttpLayout::subdirs : HttpLayout::flat;
    } else if (name == "bearer-token" && isHttp) {
      if (value.empty() || value.find_first_of("\r\n") != std::string_view::npos) return "bearer-token is empty";
      out_.bearerToken = value;
    } else if (name == "key-prefix" && !isHttp) {
      out_.keyPrefix = value;
    } else {
      std::vector<std::string> known = {"read-only", "connect-timeout", "timeout"};
      if (isHttp) known.insert(known.end(), {"layout", "bearer-token"});
      if (!isHttp) known.emplace_back("key-prefix");
      return fmt::format("its attribute '{}' is unknown{}", name, didYouMean(name, known));
    }
    return {};
  }

  [[nodiscard]] Error wrong(std::string_view why) const {
    const std::string_view shown = out_.shown.empty() ? before(text_, '|') : out_.shown;
    return {
        .code = ErrorCode::InvalidArgument, .message = fmt::format("remote cache '{}': {}", shown, why), .hint = hint};
  }

  std::string_view text_;
  RemoteAddress out_;
};

}  // namespace

Result<RemoteAddress> parseRemoteAddress(std::string_view text) {
  return Parser(text).parse();
}

Result<std::vector<RemoteAddress>> remoteAddresses(const CacheConfig& config) {
  if (!config.enabled) return std::vector<RemoteAddress>();
  std::vector<std::string> texts = config.remotes;
  if (const char* const list = std::getenv("LATHE_CACHE_REMOTE"); texts.empty() && list) {
    llvm::SmallVector<llvm::StringRef> parts;
    llvm::StringRef(list).split(parts, ' ', -1, /*KeepEmpty=*/false);
    for (const llvm::StringRef part : parts) texts.push_back(part.str());
  }
  std::vector<RemoteAddress> out;
  for (const std::string& text : texts) {
    auto address = parseRemoteAddress(text);
    if (!address) return std::move(address).error();
    out.push_back(*std::move(address));
  }
  return out;
}

}  // namespace lathe::detail
