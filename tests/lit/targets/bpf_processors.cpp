// Sources see which instructions the processor has, by the macros that Clang defines for it; with and without the
// precompiled header. What is not the default processor's is compiled as text.
//
// RUN: %compile --target bpf:v1 -DWANTED=1 -o %t %s
// RUN: %compile --target bpf:v2 -DWANTED=2 -o %t %s
// RUN: %compile --target bpf -DWANTED=3 -o %t %s
// RUN: %compile --target bpf:v4 -DWANTED=4 -o %t %s
// RUN: %compile --target bpfeb:v4 -DWANTED=4 -o %t %s
#include <lathe/bpf.h>

static_assert(__BPF_CPU_VERSION__ == WANTED);
#if WANTED == 4
static_assert(__BPF_FEATURE_MAY_GOTO == 1 && __BPF_FEATURE_GOTOL == 1 && __BPF_FEATURE_SDIV_SMOD == 1);
#endif
#if defined(__BPF_FEATURE_JMP_EXT) != (WANTED >= 2) || defined(__BPF_FEATURE_ALU32) != (WANTED >= 3)
#error "not this processor's"
#endif

SEC("xdp") int program(xdp_md*) {
  return XDP_PASS;
}
