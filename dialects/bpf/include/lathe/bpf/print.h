// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text with values in it, whose types say how they are printed: lines of the trace (trace_pipe, `lathe bpf trace`),
// what an iterator's reader gets, and text into a buffer.
//
//   lathe::bpf::print<"{} opened {} for {:x}">(process, name, flags);
//
// {} is an integer, bool, enumeration, character, pointer or text (char[N], const char*), {:x} an integer with
// hexadecimal digits; {{ and }} are braces. The kernel's own format is made of it when the program is compiled. Texts
// have to be in the kernel's memory or the program's: a process's are copied first (bpf_probe_read_user_str).
#ifndef LATHE_BPF_PRINT_H
#define LATHE_BPF_PRINT_H

namespace lathe::bpf {

namespace detail {

template <unsigned Size>
struct format_text {
  char chars[Size];
  consteval format_text(const char (&text)[Size]) {  // NOLINT: a literal is one
    for (unsigned i = 0; i < Size; ++i) chars[i] = text[i];
  }
};

template <unsigned Size>
format_text(const char (&)[Size]) -> format_text<Size>;

/// A printk conversion: up to 4 characters.
struct conversion {
  char chars[5];
};
template <class T>
consteval conversion conversion_of(bool hexadecimal) {
  if constexpr (__is_same(T, bool)) {
    return {"%d"};
  } else if constexpr (__is_same(T, char)) {
    return {"%c"};
  } else if constexpr (__is_array(T)) {
    static_assert(__is_same(__remove_cv(__remove_extent(T)), char), "arrays other than of char are not printed");
    return {"%s"};
  } else if constexpr (__is_pointer(T)) {
    return __is_same(__remove_cv(__remove_pointer(T)), char) ? conversion{"%s"} : conversion{"%px"};
  } else if constexpr (__is_enum(T)) {
    return conversion_of<__underlying_type(T)>(hexadecimal);
  } else {
    static_assert(__is_integral(T), "integers, bool, enumerations, characters, pointers and texts are printed");
    constexpr bool isLong = sizeof(T) == 8;
    if (hexadecimal) return isLong ? conversion{"%llx"} : conversion{"%x"};
    if (__is_signed(T)) return isLong ? conversion{"%lld"} : conversion{"%d"};
    return isLong ? conversion{"%llu"} : conversion{"%u"};
  }
}

/// Calls `put` with each character of the kernel's format. Returns the number of values, or -1 - i for a brace at i
/// that is none of {}, {:x}, {{ and }}.
template <class... Values, unsigned Size, class Put>
consteval int make_format(const format_text<Size>& text, Put put) {
  int values = 0;
  for (unsigned i = 0; i + 1 < Size; ++i) {
    const char c = text.chars[i];
    const char next = text.chars[i + 1];
    if (c == '%') put('%');
    if (c != '{' && c != '}') {
      put(c);
      continue;
    }
    if (next == c) {
      put(c);
      ++i;
      continue;
    }
    const bool hexadecimal = i + 3 < Size && next == ':' && text.chars[i + 2] == 'x' && text.chars[i + 3] == '}';
    if (c != '{' || (next != '}' && !hexadecimal)) return -1 - static_cast<int>(i);
    int at = 0;
    const auto one = [&](const conversion& its) {
      for (unsigned k = 0; at == values && its.chars[k]; ++k) put(its.chars[k]);
      ++at;
    };
    (one(conversion_of<Values>(hexadecimal)), ...);
    ++values;
    i += hexadecimal ? 3 : 1;
  }
  put('\0');
  return values;
}

template <format_text Text, class... Values>
struct kernel_format {
  struct measure {
    unsigned bytes;
    int values;
  };
  static consteval measure measured() {
    measure out{0, 0};
    out.values = make_format<Values...>(Text, [&](char) { ++out.bytes; });
    return out;
  }
  static_assert(measured().values >= 0, "a format has {} and {:x} for values, {{ and }} for braces");
  static_assert(measured().values < 0 || measured().values == static_cast<int>(sizeof...(Values)),
                "a format has as many {} as there are values");
  struct text {
    char chars[measured().bytes];
  };
  static consteval text made() {
    text out{};
    unsigned at = 0;
    make_format<Values...>(Text, [&](char c) { out.chars[at++] = c; });
    return out;
  }
};

/// The kernel takes each value as 64 bits. The compiler takes addresses for unknown: of constants it would make an
/// initial value, and libbpf fills no addresses into those.
template <class T>
inline __attribute__((always_inline)) __u64 word_of(const T& value) {
  if constexpr (__is_array(T) || __is_pointer(T)) {
    auto address = (__u64)(const void*)value;
    asm("" : "+r"(address));
    return address;
  } else {
    return static_cast<__u64>(value);
  }
}

}  // namespace detail

/// A line of the trace; 0 or more, or an error below 0. More than 3 values: Linux 5.16.
template <detail::format_text Text, class... Values>
inline __attribute__((always_inline)) long print(const Values&... values) {
  static constexpr auto format = detail::kernel_format<Text, Values...>::made();
  if constexpr (sizeof...(Values) <= 3) {
    return bpf_trace_printk(format.chars, sizeof(format.chars), detail::word_of(values)...);
  } else {
    const __u64 words[] = {detail::word_of(values)...};
    return bpf_trace_vprintk(format.chars, sizeof(format.chars), words, sizeof(words));
  }
}

/// What an iterator's reader gets (Linux 5.8): `print_to<"{} {}\n">(context->meta->seq, task->pid, task->comm)`.
template <detail::format_text Text, class... Values>
inline __attribute__((always_inline)) long print_to(seq_file* out, const Values&... values) {
  static constexpr auto format = detail::kernel_format<Text, Values...>::made();
  if constexpr (sizeof...(Values) == 0) {
    return bpf_seq_printf(out, format.chars, sizeof(format.chars), nullptr, 0);
  } else {
    const __u64 words[] = {detail::word_of(values)...};
    return bpf_seq_printf(out, format.chars, sizeof(format.chars), words, sizeof(words));
  }
}

/// Text into a buffer, which ends with 0 (Linux 5.13). Returns the bytes that the text has, that 0 among them, which
/// may be more than there is room for.
template <detail::format_text Text, unsigned Room, class... Values>
inline __attribute__((always_inline)) long format_to(char (&out)[Room], const Values&... values) {
  static constexpr auto format = detail::kernel_format<Text, Values...>::made();
  if constexpr (sizeof...(Values) == 0) {
    return bpf_snprintf(out, Room, format.chars, nullptr, 0);
  } else {
    __u64 words[] = {detail::word_of(values)...};
    return bpf_snprintf(out, Room, format.chars, words, sizeof(words));
  }
}

}  // namespace lathe::bpf

#endif
