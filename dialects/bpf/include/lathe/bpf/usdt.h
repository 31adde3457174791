// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs at static probes of programs and libraries (USDT), in C++. libbpf writes where a probe's arguments lie into
// two maps, whose names and layout are those of its usdt.bpf.h (libbpf 1.0 and later); they are there only where this
// header is included.
//
//   #include <lathe/bpf.h>
//   #include <lathe/bpf/usdt.h>
//   SEC("usdt") int BPF_USDT(on_query, const char* text, long length) { … }
#ifndef LATHE_BPF_USDT_H
#define LATHE_BPF_USDT_H

namespace lathe::bpf::detail {

enum class usdt_place : __u8 { constant, in_register, in_memory };
struct usdt_argument {
  __u64 value;  ///< the constant, or the offset of the memory
  usdt_place place;
  __u8 more[3];
  short offset;  ///< of the register in pt_regs
  bool isSigned;
  char shift;  ///< bits that are not the argument's
};
constexpr int usdt_most_arguments = 12;
struct usdt_probe {
  usdt_argument arguments[usdt_most_arguments];
  __u64 cookie;
  short count;
};

}  // namespace lathe::bpf::detail

extern "C" {
lathe::bpf::array_map<lathe::bpf::detail::usdt_probe, 256> __bpf_usdt_specs SEC(".maps") __weak;
lathe::bpf::hash_map<__u64, __u32, 1024> __bpf_usdt_ip_to_spec_id SEC(".maps") __weak;
extern const bool LINUX_HAS_BPF_COOKIE __kconfig;
}

namespace lathe::bpf {

namespace detail {
inline __attribute__((always_inline)) usdt_probe* usdt_probe_of(pt_regs* ctx) {
  if (LINUX_HAS_BPF_COOKIE) return __bpf_usdt_specs.lookup(static_cast<__u32>(bpf_get_attach_cookie(ctx)));
  const __u32* const number = __bpf_usdt_ip_to_spec_id.lookup(PT_REGS_IP(ctx));
  return number ? __bpf_usdt_specs.lookup(*number) : nullptr;
}
}  // namespace detail

/// The probe's argument at place `Index`; 0 if it has fewer, or if its memory cannot be read.
template <int Index>
__attribute__((noinline)) static __u64 usdt_argument(pt_regs* ctx) {
  static_assert(Index < detail::usdt_most_arguments, "libbpf finds up to 12 arguments of a probe");
  const detail::usdt_probe* const probe = detail::usdt_probe_of(ctx);
  if (!probe || Index >= probe->count) return 0;
  const detail::usdt_argument& argument = probe->arguments[Index];
  __u64 value = argument.value;
  if (argument.place != detail::usdt_place::constant) {
    const char* const registers = reinterpret_cast<const char*>(ctx);
    if (bpf_probe_read_kernel(&value, sizeof(value), registers + argument.offset) != 0) return 0;
    if (argument.place == detail::usdt_place::in_memory) {
      const void* const memory = reinterpret_cast<const void*>(value + argument.value);
      if (bpf_probe_read_user(&value, sizeof(value), memory) != 0) return 0;
    }
  }
  value <<= argument.shift & 63;
  return argument.isSigned ? static_cast<__u64>(static_cast<__s64>(value) >> (argument.shift & 63))
                           : value >> (argument.shift & 63);
}

/// The number of the probe's arguments.
inline __attribute__((always_inline)) int usdt_arguments(pt_regs* ctx) {
  const detail::usdt_probe* const probe = detail::usdt_probe_of(ctx);
  return probe ? probe->count : 0;
}

}  // namespace lathe::bpf

/// A program over the probe's arguments, up to 12.
#define BPF_USDT(name, ...)      \
  LATHE_BPF_OVER_REGISTERS(name, \
                           LATHE_BPF_JOIN(LATHE_BPF_USDT, LATHE_BPF_COUNT(__VA_ARGS__)) __VA_OPT__(, ) __VA_ARGS__)
#define LATHE_BPF_USDT_AT(index)            \
  ::lathe::bpf::context_word {              \
    ::lathe::bpf::usdt_argument<index>(ctx) \
  }
#define LATHE_BPF_USDT0 ctx
#define LATHE_BPF_USDT1 LATHE_BPF_USDT0, LATHE_BPF_USDT_AT(0)
#define LATHE_BPF_USDT2 LATHE_BPF_USDT1, LATHE_BPF_USDT_AT(1)
#define LATHE_BPF_USDT3 LATHE_BPF_USDT2, LATHE_BPF_USDT_AT(2)
#define LATHE_BPF_USDT4 LATHE_BPF_USDT3, LATHE_BPF_USDT_AT(3)
#define LATHE_BPF_USDT5 LATHE_BPF_USDT4, LATHE_BPF_USDT_AT(4)
#define LATHE_BPF_USDT6 LATHE_BPF_USDT5, LATHE_BPF_USDT_AT(5)
#define LATHE_BPF_USDT7 LATHE_BPF_USDT6, LATHE_BPF_USDT_AT(6)
#define LATHE_BPF_USDT8 LATHE_BPF_USDT7, LATHE_BPF_USDT_AT(7)
#define LATHE_BPF_USDT9 LATHE_BPF_USDT8, LATHE_BPF_USDT_AT(8)
#define LATHE_BPF_USDT10 LATHE_BPF_USDT9, LATHE_BPF_USDT_AT(9)
#define LATHE_BPF_USDT11 LATHE_BPF_USDT10, LATHE_BPF_USDT_AT(10)
#define LATHE_BPF_USDT12 LATHE_BPF_USDT11, LATHE_BPF_USDT_AT(11)

#endif
