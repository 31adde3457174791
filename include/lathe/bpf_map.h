// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of BPF programs as the host sees them: keys to values, values of each CPU, and the buffers that programs write
// records to. RawMap moves bytes; Map<Key, Value> has the types that the program gave it.
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

namespace lathe::detail {
struct Libbpf;
}

namespace lathe::bpf {

struct MapTypes;

namespace detail {
struct ArenaState;
struct OpenMap;
}  // namespace detail

/// Memory that programs and this process know by the same addresses (Linux 6.9). Copies are the same memory, which goes
/// with the last of them and of the programs that use it.
class LATHE_API Arena {
 public:
  /// `pages` of the machine's size, zeros; memory is taken for those that are touched. Errors: DriverMissing,
  /// DriverTooOld, Unsupported (by this kernel), PermissionDenied, DriverError.
  [[nodiscard]] static Result<Arena> create(std::uint32_t pages);
  /// Programs write only to pages that this process has touched before.
  [[nodiscard]] std::span<std::byte> bytes() const noexcept;
  /// The map's descriptor, for other interfaces. Not to be closed.
  [[nodiscard]] int descriptor() const noexcept;

 private:
  explicit Arena(std::shared_ptr<detail::ArenaState> state) : state_(std::move(state)) {}
  std::shared_ptr<detail::ArenaState> state_;
};

/// The keys that update() takes: any, only new ones, only those that are there.
enum class UpdateMode : std::uint8_t { any, onlyNew, onlyPresent };

/// A map by its bytes. Copies are the same map. Usable from load() on; by any number of threads.
class LATHE_API RawMap {
 public:
  /// A map that the kernel has already, made by whichever process, by its number or by the file that it is pinned to.
  /// Errors: DriverMissing, DriverTooOld, InvalidArgument (there is none), PermissionDenied, DriverError.
  [[nodiscard]] static Result<RawMap> ofId(std::uint32_t id);
  [[nodiscard]] static Result<RawMap> ofPin(const std::filesystem::path& path);

  /// The kernel's number of the map. Errors: InvalidArgument (not loaded), DriverError.
  [[nodiscard]] Result<std::uint32_t> id() const;
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

  /// Sets many entries: `keys` and `values` hold the same number of them, one behind the other, each value of
  /// valuesPerKey() × valueStride() bytes. One call of the kernel where the kind of map has it (hashes, arrays, LPM
  /// tries; Linux 5.6), else one an entry. Not a transaction: entries before one that fails stay set. Errors: as
  /// update().
  [[nodiscard]] Result<void> updateAll(std::span<const std::byte> keys, std::span<const std::byte> values,
                                       UpdateMode mode = UpdateMode::any) const;
  /// Erases those of `keys` that are there, in the same way, and returns their number. Errors: as erase().
  [[nodiscard]] Result<std::size_t> eraseAll(std::span<const std::byte> keys) const;
  /// Gives every key with its value to `each`, and erases it; what programs add meanwhile may stay. In hashes no update
  /// is lost: the kernel reads and erases a bucket under its lock. Errors: as lookup().
  [[nodiscard]] Result<void> takeAll(
      const std::function<void(std::span<const std::byte> key, std::span<const std::byte> value)>& each) const;

  /// Makes an empty map with the same kind, sizes and flags, which maps of maps take beside it. Errors: InvalidArgument
  /// (not loaded), PermissionDenied, DriverError.
  [[nodiscard]] Result<RawMap> emptyCopy() const;
  /// In a map of maps, sets the map of `key`, and gives it, as its programs see it now; nothing if there is none.
  /// Errors: as update() and lookup(), and InvalidArgument (no map of maps).
  [[nodiscard]] Result<void> setInner(std::span<const std::byte> key, const RawMap& inner) const;
  [[nodiscard]] Result<std::optional<RawMap>> inner(std::span<const std::byte> key) const;

  /// Keeps it in a BPF file system under `path`, also after this process. Errors: FileUnwritable, InvalidArgument.
  [[nodiscard]] Result<void> pin(const std::filesystem::path& path) const;
  /// Registers a struct_ops map with the kernel, until the link is detached. Killing the process does not detach it.
  /// Errors: InvalidArgument (no such map), PermissionDenied, DriverError.
  [[nodiscard]] Result<Link> attachStructOps() const;
  /// The descriptor, for other interfaces; -1 before load(). Not to be closed.
  [[nodiscard]] int descriptor() const noexcept;

 private:
  friend class Object;
  friend Result<MapTypes> typesOf(const RawMap& map);
  friend class RingBuffer;
  friend class PerfBuffer;
  friend class UserRingBuffer;
  /// A step of going over entries in batches; see maps/map_batch.cpp.
  enum class Batch : std::uint8_t { done, notThere };
  [[nodiscard]] static Result<RawMap> ofDescriptor(int descriptor);
  /// Sets what follows from the kind, by its number, and the size of values.
  void setKind(std::uint32_t kind);
  [[nodiscard]] Result<Batch> eachBatch(
      bool erase, const std::function<bool(std::span<const std::byte>, std::span<const std::byte>)>& each) const;
  [[nodiscard]] const lathe::detail::Libbpf& library() const noexcept;
  [[nodiscard]] Error notLoaded() const;
  [[nodiscard]] Result<void> check(std::span<const std::byte> key, std::size_t value, bool hasValue) const;
  [[nodiscard]] Error failure(int status, std::string_view doing) const;
  std::shared_ptr<detail::ObjectState> object_;
  struct bpf_map* handle_ = nullptr;
  std::shared_ptr<const detail::OpenMap> open_;  ///< of a map that no object of this process made, instead of these two
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
    std::vector<std::byte> bytes;
    append(bytes, value);
    return raw_.update(bytesOf(key), bytes, mode);
  }
  /// Sets many entries by as few calls of the kernel as it permits. Errors: as RawMap::updateAll().
  [[nodiscard]] Result<void> setAll(std::span<const std::pair<Key, Value>> entries,
                                    UpdateMode mode = UpdateMode::any) const {
    std::vector<std::byte> keys, values;
    for (const auto& [key, value] : entries) {
      const auto bytes = bytesOf(key);
      keys.insert(keys.end(), bytes.begin(), bytes.end());
      append(values, value);
    }
    return raw_.updateAll(keys, values, mode);
  }
  /// Sets the value of each CPU, of which there are RawMap::valuesPerKey(). Errors: as RawMap::update().
  [[nodiscard]] Result<void> setEach(const Key& key, std::span<const Value> values,
                                     UpdateMode mode = UpdateMode::any) const {
    std::vector<std::byte> bytes(values.size() * raw_.valueStride());
    for (std::size_t i = 0; i < values.size(); ++i)
      std::memcpy(bytes.data() + i * raw_.valueStride(), &values[i], sizeof(Value));
    return raw_.update(bytesOf(key), bytes, mode);
  }
  /// False if there was no such key. Errors: as RawMap::erase().
  [[nodiscard]] Result<bool> erase(const Key& key) const { return raw_.erase(bytesOf(key)); }
  /// Erases those that are there, and returns their number. Errors: as RawMap::eraseAll().
  [[nodiscard]] Result<std::size_t> eraseAll(std::span<const Key> keys) const {
    return raw_.eraseAll(std::as_bytes(keys));
  }
  /// All keys with their values, of a per-CPU map the first CPU's, which are erased. Errors: as RawMap::takeAll().
  [[nodiscard]] Result<std::vector<std::pair<Key, Value>>> takeAll() const {
    std::vector<std::pair<Key, Value>> out;
    auto done = raw_.takeAll([&](std::span<const std::byte> key, std::span<const std::byte> value) {
      out.emplace_back(as<Key>(key), as<Value>(value));
    });
    if (!done) return std::move(done).error();
    return out;
  }
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
  void append(std::vector<std::byte>& to, const Value& value) const {
    for (std::size_t i = 0; i < raw_.valuesPerKey(); ++i) {
      const std::size_t at = to.size();
      to.resize(at + raw_.valueStride());
      std::memcpy(to.data() + at, &value, sizeof(Value));
    }
  }
  std::vector<Value> valuesIn(std::span<const std::byte> bytes) const {
    std::vector<Value> out;
    for (std::size_t i = 0; i < raw_.valuesPerKey(); ++i)
      out.push_back(as<Value>(bytes.subspan(i * raw_.valueStride())));
    return out;
  }
  RawMap raw_;
};

namespace detail {
/// Gives a record to who takes it by its type.
template <class Record>
void giveAs(const std::function<void(const Record&)>& take, std::span<const std::byte> bytes) {
  static_assert(std::is_trivially_copyable_v<Record>, "records of buffers are plain bytes");
  if (bytes.size() < sizeof(Record)) return;
  Record record;
  std::memcpy(&record, bytes.data(), sizeof(Record));
  take(record);
}
}  // namespace detail

/// Takes the records that programs write into ring buffers. Used by one thread at a time. Move-only.
class LATHE_API RingBuffer {
 public:
  /// Takes one record, which lies in the buffer as long as the call lasts; it must not throw.
  using Take = std::function<void(std::span<const std::byte> record)>;
  /// Errors: InvalidArgument (another kind of map; not loaded), DriverError.
  [[nodiscard]] static Result<RingBuffer> open(const RawMap& map, Take take);
  /// The same of records of one type, which `take` gets copies of; shorter ones are passed over. Errors: as open().
  template <class Record>
  [[nodiscard]] static Result<RingBuffer> openFor(const RawMap& map, std::function<void(const Record&)> take) {
    return open(map,
                [take = std::move(take)](std::span<const std::byte> bytes) { detail::giveAs<Record>(take, bytes); });
  }
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

/// Sends records to programs, which take them with user_ring_buffer::drain() (Linux 6.1). Used by one thread at a time,
/// and by one process. Move-only.
class LATHE_API UserRingBuffer {
 public:
  /// Errors: InvalidArgument (another kind of map; not loaded), DriverError.
  [[nodiscard]] static Result<UserRingBuffer> open(const RawMap& map);
  UserRingBuffer(UserRingBuffer&&) noexcept;
  UserRingBuffer& operator=(UserRingBuffer&&) noexcept;
  ~UserRingBuffer();
  /// Errors: ResourceLimit (there is no room until a program takes records), InvalidArgument (longer than the buffer).
  [[nodiscard]] Result<void> send(std::span<const std::byte> record);

 private:
  struct State;
  explicit UserRingBuffer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Takes the records that programs write into perf buffers, one buffer a CPU: records of one CPU come in order, those
/// of several do not. Used by one thread at a time. Move-only.
class LATHE_API PerfBuffer {
 public:
  /// Takes one record, which lies in the buffer as long as the call lasts. The kernel fills records up to a multiple of
  /// 8 bytes less 4, so `record` may be longer than what was written. Must not throw.
  using Take = std::function<void(int cpu, std::span<const std::byte> record)>;
  /// Opens a buffer of `pages`, a power of two, for each CPU that is online. Errors: InvalidArgument (another kind of
  /// map; not loaded; `pages`), PermissionDenied, DriverError.
  [[nodiscard]] static Result<PerfBuffer> open(const RawMap& map, Take take, std::size_t pages = 16);
  /// The same of records of one type, which `take` gets copies of; shorter ones are passed over. Errors: as open().
  template <class Record>
  [[nodiscard]] static Result<PerfBuffer> openFor(const RawMap& map, std::function<void(const Record&)> take,
                                                  std::size_t pages = 16) {
    return open(
        map, [take = std::move(take)](int, std::span<const std::byte> bytes) { detail::giveAs<Record>(take, bytes); },
        pages);
  }
  PerfBuffer(PerfBuffer&&) noexcept;
  PerfBuffer& operator=(PerfBuffer&&) noexcept;
  ~PerfBuffer();
  /// Gives all records that are there to `take`, and their number. Errors: DriverError.
  [[nodiscard]] Result<std::size_t> consume();
  /// Waits up to `milliseconds` for records (-1: for ever; a signal ends it with 0 records) and gives those that are
  /// there. Errors: DriverError.
  [[nodiscard]] Result<std::size_t> poll(int milliseconds);
  /// Records that the kernel dropped because a buffer was full, as far as was consumed.
  [[nodiscard]] std::uint64_t lost() const noexcept;

 private:
  struct State;
  explicit PerfBuffer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace lathe::bpf
