// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of BPF programs as the host sees them: keys to values, values of each CPU, and ring buffers. RawMap moves bytes;
// Map<Key, Value> has the types that the program gave it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <lathe/bpf_attach.h>
#include <lathe/export.h>
#include <lathe/result.h>

struct bpf_map;

namespace lathe::bpf {

/// The keys that update() takes: any, only new ones, only those that are there.
enum class UpdateMode : std::uint8_t { any, onlyNew, onlyPresent };

/// A map by its bytes. Copies are the same map. Usable from load() on; by any number of threads.
class LATHE_API RawMap {
 public:
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// The kernel's name of its kind: "hash", "percpu_array", "ringbuf"; empty if libbpf does not know it.
  [[nodiscard]] const std::string& kind() const noexcept { return kind_; }
  [[nodiscard]] std::uint32_t keyBytes() const noexcept { return keyBytes_; }
  [[nodiscard]] std::uint32_t valueBytes() const noexcept { return valueBytes_; }  ///< of one CPU
  [[nodiscard]] std::uint32_t maxEntries() const noexcept;
  /// Made by libbpf for variables, constants or kernel configuration.
  [[nodiscard]] bool isInternal() const noexcept { return internal_; }
  /// True if each CPU has a value of its own.
  [[nodiscard]] bool isPerCpu() const noexcept { return perCpu_; }
  /// Values of a key: the CPUs that the kernel may ever have for per-CPU maps, otherwise 1.
  [[nodiscard]] std::uint32_t valuesPerKey() const noexcept { return copies_; }
  /// Bytes from one CPU's value to the next in what lookup() gives: valueBytes(), for per-CPU maps rounded up to 8.
  [[nodiscard]] std::size_t valueStride() const noexcept { return stride_; }
  /// Changes the most entries. Before load(). Errors: InvalidArgument.
  [[nodiscard]] Result<void> setMaxEntries(std::uint32_t entries) const;

  /// False if there is no such key. `value` has valuesPerKey() × valueStride() bytes. Errors: InvalidArgument (sizes;
  /// not loaded), PermissionDenied, DriverError.
  [[nodiscard]] Result<bool> lookup(std::span<const std::byte> key, std::span<std::byte> value) const;
  /// Errors: InvalidArgument (sizes; not loaded; onlyNew and it is there, onlyPresent and it is not), ResourceLimit
  /// (the map is full), PermissionDenied, DriverError.
  [[nodiscard]] Result<void> update(std::span<const std::byte> key, std::span<const std::byte> value,
                                    UpdateMode mode = UpdateMode::any) const;
  /// False if there was no such key. Errors: as lookup().
  [[nodiscard]] Result<bool> erase(std::span<const std::byte> key) const;
  /// The key behind `key`, or the first if that is empty; false behind the last. Programs that erase keys meanwhile may
  /// make it begin again. Errors: as lookup().
  [[nodiscard]] Result<bool> nextKey(std::span<const std::byte> key, std::span<std::byte> next) const;
  /// Calls `each` with every key and its value, which it copies, until it returns false. Keys that are erased meanwhile
  /// are passed over; every key is given at most once unless the programs erase and insert meanwhile. Errors: as
  /// lookup().
  [[nodiscard]] Result<void> forEach(
      const std::function<bool(std::span<const std::byte> key, std::span<const std::byte> value)>& each) const;
  /// Keeps it in a BPF file system under `path`, also after this process. Errors: FileUnwritable, InvalidArgument.
  [[nodiscard]] Result<void> pin(const std::filesystem::path& path) const;
  /// Registers a struct_ops map with the kernel, until the link is detached. Killing the process does not detach it.
  /// Errors: InvalidArgument (no such map), PermissionDenied, DriverError.
  [[nodiscard]] Result<Link> attachStructOps() const;
  /// The descriptor, for other interfaces; -1 before load(). Not to be closed.
  [[nodiscard]] int descriptor() const noexcept;

 private:
  friend class Object;
  friend class RingBuffer;
  [[nodiscard]] Result<void> check(std::span<const std::byte> key, std::size_t value, bool hasValue) const;
  [[nodiscard]] Error failure(int status, std::string_view doing) const;
  std::shared_ptr<detail::ObjectState> object_;
  struct bpf_map* handle_ = nullptr;
  std::string name_, kind_;
  std::uint32_t keyBytes_ = 0, valueBytes_ = 0, copies_ = 1;
  std::size_t stride_ = 0;
  bool perCpu_ = false, internal_ = false;
};

/// A map from Key to Value. Copies are the same map.
template <class Key, class Value>
class Map {
  static_assert(std::is_trivially_copyable_v<Key> && std::is_trivially_copyable_v<Value>,
                "keys and values of maps are plain bytes");

 public:
  /// Errors: ArgumentMismatch: the map's keys or values have other sizes.
  [[nodiscard]] static Result<Map> of(RawMap raw) {
    if (raw.keyBytes() == sizeof(Key) && raw.valueBytes() == sizeof(Value)) return Map(std::move(raw));
    return Error{.code = ErrorCode::ArgumentMismatch,
                 .message = "map '" + raw.name() + "': it has keys of " + std::to_string(raw.keyBytes()) +
                            " and values of " + std::to_string(raw.valueBytes()) + " bytes, not " +
                            std::to_string(sizeof(Key)) + " and " + std::to_string(sizeof(Value)),
                 .target = "bpf"};
  }
  [[nodiscard]] const RawMap& raw() const noexcept { return raw_; }
  /// The value of `key`, of a per-CPU map the first CPU's; nothing if there is no such key. Errors: as
  /// RawMap::lookup().
  [[nodiscard]] Result<std::optional<Value>> find(const Key& key) const {
    auto all = findAll(key);
    if (!all) return std::move(all).error();
    return all->empty() ? std::optional<Value>() : std::optional<Value>(all->front());
  }
  /// The values of all CPUs, or the one there is; none if there is no such key. Errors: as RawMap::lookup().
  [[nodiscard]] Result<std::vector<Value>> findAll(const Key& key) const {
    std::vector<std::byte> bytes(raw_.valuesPerKey() * raw_.valueStride());
    auto found = raw_.lookup(bytesOf(key), bytes);
    if (!found) return std::move(found).error();
    return *found ? valuesIn(bytes) : std::vector<Value>();
  }
  /// Sets the value of `key`, of a per-CPU map that of all CPUs. Errors: as RawMap::update().
  [[nodiscard]] Result<void> set(const Key& key, const Value& value, UpdateMode mode = UpdateMode::any) const {
    std::vector<std::byte> bytes(raw_.valuesPerKey() * raw_.valueStride());
    for (std::size_t i = 0; i < raw_.valuesPerKey(); ++i)
      std::memcpy(bytes.data() + i * raw_.valueStride(), &value, sizeof(Value));
    return raw_.update(bytesOf(key), bytes, mode);
  }
  /// False if there was no such key. Errors: as RawMap::erase().
  [[nodiscard]] Result<bool> erase(const Key& key) const { return raw_.erase(bytesOf(key)); }
  /// All keys with their values, of a per-CPU map the first CPU's. Errors: as RawMap::forEach().
  [[nodiscard]] Result<std::vector<std::pair<Key, Value>>> entries() const {
    std::vector<std::pair<Key, Value>> out;
    auto done = raw_.forEach([&](std::span<const std::byte> key, std::span<const std::byte> value) {
      out.emplace_back(as<Key>(key), as<Value>(value));
      return true;
    });
    if (!done) return std::move(done).error();
    return out;
  }
  /// All keys with the values of all CPUs. Errors: as RawMap::forEach().
  [[nodiscard]] Result<std::vector<std::pair<Key, std::vector<Value>>>> allEntries() const {
    std::vector<std::pair<Key, std::vector<Value>>> out;
    auto done = raw_.forEach([&](std::span<const std::byte> key, std::span<const std::byte> value) {
      out.emplace_back(as<Key>(key), valuesIn(value));
      return true;
    });
    if (!done) return std::move(done).error();
    return out;
  }

 private:
  explicit Map(RawMap raw) : raw_(std::move(raw)) {}
  static std::span<const std::byte> bytesOf(const Key& key) { return std::as_bytes(std::span(&key, 1)); }
  template <class T>
  static T as(std::span<const std::byte> bytes) {
    T out;
    std::memcpy(&out, bytes.data(), sizeof(T));
    return out;
  }
  std::vector<Value> valuesIn(std::span<const std::byte> bytes) const {
    std::vector<Value> out;
    for (std::size_t i = 0; i < raw_.valuesPerKey(); ++i)
      out.push_back(as<Value>(bytes.subspan(i * raw_.valueStride())));
    return out;
  }
  RawMap raw_;
};

/// Takes the records that programs write into ring buffers. Used by one thread at a time. Move-only.
class LATHE_API RingBuffer {
 public:
  /// Takes one record, which lies in the buffer as long as the call lasts; it must not throw.
  using Take = std::function<void(std::span<const std::byte> record)>;
  /// Errors: InvalidArgument (another kind of map; not loaded), DriverError.
  [[nodiscard]] static Result<RingBuffer> open(const RawMap& map, Take take);
  RingBuffer(RingBuffer&&) noexcept;
  RingBuffer& operator=(RingBuffer&&) noexcept;
  ~RingBuffer();
  /// Gives all records that are there to `take`, and their number. Errors: DriverError.
  [[nodiscard]] Result<std::size_t> consume();
  /// Waits up to `milliseconds` for records (-1: for ever; a signal ends it with 0 records) and gives those that are
  /// there. Errors: DriverError.
  [[nodiscard]] Result<std::size_t> poll(int milliseconds);

 private:
  struct State;
  explicit RingBuffer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace lathe::bpf
