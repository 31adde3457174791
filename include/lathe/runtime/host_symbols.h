// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program gives to code that it loads: addresses for the functions and variables that the code leaves undefined
// (LATHE_IMPORT, docs/objects.md). Nothing else of the program can be reached by name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <lathe/export.h>

namespace lathe {

/// One address by the name that code has for it.
struct HostSymbol {
  std::string name;
  void* address = nullptr;
  bool isFunction = false;
  /// A function's result and parameters in short: v is void, p a pointer, i4 an integer and f8 a floating-point number
  /// of so many bytes, r16 any other type: "f4(p,i4)". Empty: not known, and not compared.
  std::string signature;
  std::uint64_t bytes = 0;  ///< of a variable; 0: not known
};

namespace detail {
template <class T>
std::string signatureCode() {
  using Plain = std::remove_cv_t<T>;
  if constexpr (std::is_void_v<Plain>)
    return "v";
  else if constexpr (std::is_pointer_v<Plain> || std::is_reference_v<T> || std::is_null_pointer_v<Plain>)
    return "p";
  else if constexpr (std::is_integral_v<Plain> || std::is_enum_v<Plain>)
    return "i" + std::to_string(sizeof(Plain));
  else if constexpr (std::is_floating_point_v<Plain>)
    return "f" + std::to_string(sizeof(Plain));
  else
    return "r" + std::to_string(sizeof(Plain));
}
}  // namespace detail

/// A table of addresses, built up by chained calls. What it points to must outlive the modules that are loaded with it.
///
///   auto module = device.load(image, lathe::HostSymbols().function("twice", &twice).variable("table", table));
class HostSymbols {
 public:
  /// A function of C's calling convention. Kernels call it from any thread, from several at the same time; it must not
  /// throw.
  template <class R, class... P>
  HostSymbols& function(std::string name, R (*address)(P...)) {
    std::string signature = detail::signatureCode<R>() + "(";
    ((signature += (signature.back() == '(' ? "" : ",") + detail::signatureCode<P>()), ...);
    return add({std::move(name), reinterpret_cast<void*>(address), true, signature + ")", 0});
  }
  /// A variable, which kernels may write unless it is constant to them too.
  template <class T>
  HostSymbols& variable(std::string name, T& value) {
    static_assert(!std::is_function_v<T>, "a function is given with function()");
    return add({std::move(name), const_cast<void*>(static_cast<const volatile void*>(&value)), false, {}, sizeof(T)});
  }
  /// Memory of so many bytes as a variable.
  HostSymbols& memory(std::string name, void* address, std::uint64_t bytes) {
    return add({std::move(name), address, false, {}, bytes});
  }
  /// A symbol as it is. Of two with one name the later one counts.
  HostSymbols& add(HostSymbol symbol) {
    symbols_.push_back(std::move(symbol));
    return *this;
  }

  /// The symbol of that name, or null.
  [[nodiscard]] const HostSymbol* find(std::string_view name) const noexcept {
    for (auto at = symbols_.rbegin(); at != symbols_.rend(); ++at) {
      if (at->name == name) return &*at;
    }
    return nullptr;
  }
  [[nodiscard]] bool empty() const noexcept { return symbols_.empty(); }

 private:
  std::vector<HostSymbol> symbols_;
};

}  // namespace lathe
