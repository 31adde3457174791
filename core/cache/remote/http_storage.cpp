// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GET and PUT by the machine's libcurl, which is opened when the first address asks for it: programs without a remote
// cache do not load it, and Lathe is built without its headers.
#include <array>
#include <cstdlib>
#include <mutex>

#include <fmt/format.h>

#include "core/cache/remote/remote_storage.h"
#include "core/support/dynamic_library.h"

namespace lathe::detail {
namespace {

struct Curl {
#define LATHE_CURL(name, result, parameters) result(*name) parameters = nullptr;
#include "core/cache/remote/curl_functions.def"
#undef LATHE_CURL
  DynamicLibrary library;

  static Result<Curl> open() {
    const char* const named = std::getenv("LATHE_CURL_LIBRARY");
    const std::vector<const char*> names =
        named && *named ? std::vector{named} : std::vector{"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.so"};
    auto library = DynamicLibrary::open(names);
    if (!library) {
      Error error = std::move(library).error();
      error.hint = "install libcurl (Debian: libcurl4), or set LATHE_CURL_LIBRARY to its file";
      return error;
    }
    Curl out{.library = *std::move(library)};
#define LATHE_CURL(name, result, parameters)                                                                       \
  out.name = reinterpret_cast<decltype(out.name)>(out.library.symbol(#name));                                      \
  if (!out.name) {                                                                                                 \
    return Error{.code = ErrorCode::DriverTooOld, .message = fmt::format("libcurl: the library lacks {}", #name)}; \
  }
#include "core/cache/remote/curl_functions.def"
#undef LATHE_CURL
    constexpr long everything = 3;
    if (out.curl_global_init(everything) != 0)
      return Error{.code = ErrorCode::DriverError, .message = "libcurl: it cannot be initialised"};
    return out;
  }

  /// The library of this process, opened once and never closed.
  static const Result<Curl>& get() {
    static const auto& curl = *new Result<Curl>(open());
    return curl;
  }
};

/// The options and facts that are used, by libcurl's numbers.
enum Option : int {
  writeData = 10001,
  urlText = 10002,
  postFields = 10015,
  httpHeader = 10023,
  customRequest = 10036,
  protocols = 181,
  noSignal = 99,
  timeoutMs = 155,
  connectTimeoutMs = 156,
  writeFunction = 20011,
  postFieldsSize = 30120,
};
constexpr int responseCode = 0x200002;
constexpr long httpAndHttps = 3;

std::size_t collect(const char* bytes, std::size_t, std::size_t count, void* to) {
  auto& out = *static_cast<std::string*>(to);
  if (out.size() + count > mostRemoteBytes) return 0;  // which ends the transfer
  out.append(bytes, count);
  return count;
}

class Connection {
 public:
  explicit Connection(const Curl& curl) : curl_(curl), handle_(curl.curl_easy_init()) {}
  Connection(const Connection&) = delete;
  ~Connection() {
    if (handle_) curl_.curl_easy_cleanup(handle_);
  }

  /// `bytes`: null to get, else what to put.
  RemoteAnswer request(const RemoteAddress& address, const std::string& url, const std::string_view* bytes) {
    if (!handle_) return {RemoteAnswer::Kind::failed, "libcurl: out of memory"};
    std::string body;
    void* headers = nullptr;
    const auto header = [&](const std::string& text) { headers = curl_.curl_slist_append(headers, text.c_str()); };
    curl_.curl_easy_reset(handle_);  // the connection stays
    curl_.curl_easy_setopt(handle_, urlText, url.c_str());
    curl_.curl_easy_setopt(handle_, protocols, httpAndHttps);
    curl_.curl_easy_setopt(handle_, noSignal, 1L);
    curl_.curl_easy_setopt(handle_, timeoutMs, static_cast<long>(address.timeout.count()));
    curl_.curl_easy_setopt(handle_, connectTimeoutMs, static_cast<long>(address.connectTimeout.count()));
    curl_.curl_easy_setopt(handle_, writeFunction, &collect);
    curl_.curl_easy_setopt(handle_, writeData, &body);
    if (!address.bearerToken.empty()) header("Authorization: Bearer " + address.bearerToken);
    if (bytes) {
      header("Content-Type: application/octet-stream");
      header("Expect:");  // no round trip to ask whether it may
      curl_.curl_easy_setopt(handle_, customRequest, "PUT");
      curl_.curl_easy_setopt(handle_, postFieldsSize, static_cast<long long>(bytes->size()));
      curl_.curl_easy_setopt(handle_, postFields, bytes->data());
    }
    if (headers) curl_.curl_easy_setopt(handle_, httpHeader, headers);
    const int status = curl_.curl_easy_perform(handle_);
    long code = 0;
    curl_.curl_easy_getinfo(handle_, responseCode, &code);
    curl_.curl_slist_free_all(headers);
    if (status != 0) return {RemoteAnswer::Kind::failed, curl_.curl_easy_strerror(status)};
    return answer(code, std::move(body), bytes != nullptr);
  }

 private:
  static RemoteAnswer answer(long code, std::string body, bool isPut) {
    constexpr long ok = 200, firstOther = 300, unauthorised = 401, forbidden = 403, notFound = 404, notAllowed = 405,
                   gone = 410, tooLarge = 413;
    if (isPut && code >= ok && code < firstOther) return {RemoteAnswer::Kind::done, {}};
    if (!isPut && code == ok) return {RemoteAnswer::Kind::done, std::move(body)};
    const bool isRefusal = code == unauthorised || code == forbidden || code == notAllowed || code == tooLarge;
    if (!isPut && (code == notFound || code == gone)) return {RemoteAnswer::Kind::absent, {}};
    return {isRefusal ? RemoteAnswer::Kind::refused : RemoteAnswer::Kind::failed,
            fmt::format("it answers with HTTP status {}", code)};
  }

  const Curl& curl_;
  void* handle_;
};

class HttpStorage final : public RemoteStorage {
 public:
  HttpStorage(RemoteAddress address, const Curl& curl) : address_(std::move(address)), curl_(curl) {}

  RemoteAnswer get(const std::string& name) override { return request(name, nullptr); }
  RemoteAnswer put(const std::string& name, std::string_view bytes) override { return request(name, &bytes); }

 private:
  [[nodiscard]] std::string urlOf(const std::string& name) const {
    switch (address_.layout) {
      case HttpLayout::bazel:
        return address_.url + "/ac/" + name;
      case HttpLayout::subdirs:
        return address_.url + "/" + name.substr(0, 2) + "/" + name.substr(2);
      case HttpLayout::flat:
        break;
    }
    return address_.url + "/" + name;
  }

  RemoteAnswer request(const std::string& name, const std::string_view* bytes) {
    auto connection = idle_.take();
    if (!connection) connection = std::make_unique<Connection>(curl_);
    auto out = connection->request(address_, urlOf(name), bytes);
    if (out.kind != RemoteAnswer::Kind::failed) idle_.give(std::move(connection));
    return out;
  }

  const RemoteAddress address_;
  const Curl& curl_;
  IdleConnections<Connection> idle_;
};

}  // namespace

Result<std::unique_ptr<RemoteStorage>> makeHttpStorage(const RemoteAddress& address) {
  const auto& curl = Curl::get();
  if (!curl) return curl.error();
  return std::unique_ptr<RemoteStorage>(std::make_unique<HttpStorage>(address, *curl));
}

}  // namespace lathe::detail
