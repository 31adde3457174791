// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores with a cache operator in their name (PTX ISA, "Cache Operators"). On NVIDIA GPUs each is the
// instruction of that operator, of global memory, which no optimisation removes or merges; only __ldg, which promises
// that nobody writes the memory during the kernel, is a load like others (ld.global.nc). Elsewhere the operators that
// promise a value from beyond this thread's caches, or one that is not read again (cg, cv, lu, wt), are volatile
// accesses: a loop that waits with them goes on reading. The others are plain accesses.
#ifndef LATHE_CUDA_CACHED_ACCESSES_H
#define LATHE_CUDA_CACHED_ACCESSES_H

#include <lathe/cuda/vector_types.h>

namespace lathe::detail {

/// A string literal made of others, as the compiler takes it for asm().
struct PtxText {
  char text[64]{};
  unsigned length = 0;
  constexpr const char* data() const { return text; }
  constexpr unsigned long size() const { return length; }
  constexpr PtxText& operator<<(const char* more) {
    while (*more) text[length++] = *more++;
    return *this;
  }
};

/// The word that stands for an element of so many bytes, in C++ and in a register of PTX.
template <unsigned Bytes>
struct PtxWord;
#define LATHE_CUDA_WORD(bytes, memory, held, letter)  \
  template <>                                         \
  struct PtxWord<bytes> {                             \
    typedef memory __attribute__((may_alias)) Memory; \
    using Held = held;                                \
    static constexpr const char* constraint = letter; \
  };
LATHE_CUDA_WORD(1, unsigned char, unsigned, "r")
LATHE_CUDA_WORD(2, unsigned short, unsigned short, "h")
LATHE_CUDA_WORD(4, unsigned, unsigned, "r")
LATHE_CUDA_WORD(8, unsigned long long, unsigned long long, "l")
#undef LATHE_CUDA_WORD

/// PTX's name of an element's type; of what it has no name for, that of its bits.
template <class T>
inline constexpr const char* ptxType = sizeof(T) == 2   ? ".b16"
                                       : sizeof(T) == 4 ? ".b32"
                                                        : ".b64";
#define LATHE_CUDA_PTX_TYPE(type, name) \
  template <>                           \
  inline constexpr const char* ptxType<type> = name;
LATHE_CUDA_PTX_TYPE(char, ".s8")
LATHE_CUDA_PTX_TYPE(signed char, ".s8")
LATHE_CUDA_PTX_TYPE(unsigned char, ".u8")
LATHE_CUDA_PTX_TYPE(short, ".s16")
LATHE_CUDA_PTX_TYPE(unsigned short, ".u16")
LATHE_CUDA_PTX_TYPE(int, ".s32")
LATHE_CUDA_PTX_TYPE(unsigned, ".u32")
LATHE_CUDA_PTX_TYPE(long, ".s64")
LATHE_CUDA_PTX_TYPE(unsigned long, ".u64")
LATHE_CUDA_PTX_TYPE(long long, ".s64")
LATHE_CUDA_PTX_TYPE(unsigned long long, ".u64")
LATHE_CUDA_PTX_TYPE(float, ".f32")
LATHE_CUDA_PTX_TYPE(double, ".f64")
#undef LATHE_CUDA_PTX_TYPE

/// One access: so many elements side by side. A pair of 16-bit floats is one word.
template <class T>
struct PtxAccess {
  using Element = T;
  static constexpr unsigned count = 1;
};
#define LATHE_CUDA_PTX_VECTOR(type, element, elements) \
  template <>                                          \
  struct PtxAccess<type> {                             \
    using Element = element;                           \
    static constexpr unsigned count = elements;        \
  };
#define LATHE_CUDA_PTX_VECTORS(name, element) \
  LATHE_CUDA_PTX_VECTOR(name##2, element, 2)  \
  LATHE_CUDA_PTX_VECTOR(name##4, element, 4)
LATHE_CUDA_PTX_VECTORS(char, signed char)
LATHE_CUDA_PTX_VECTORS(uchar, unsigned char)
LATHE_CUDA_PTX_VECTORS(short, short)
LATHE_CUDA_PTX_VECTORS(ushort, unsigned short)
LATHE_CUDA_PTX_VECTORS(int, int)
LATHE_CUDA_PTX_VECTORS(uint, unsigned)
LATHE_CUDA_PTX_VECTORS(float, float)
LATHE_CUDA_PTX_VECTOR(long2, long, 2)
LATHE_CUDA_PTX_VECTOR(ulong2, unsigned long, 2)
LATHE_CUDA_PTX_VECTOR(longlong2, long long, 2)
LATHE_CUDA_PTX_VECTOR(ulonglong2, unsigned long long, 2)
LATHE_CUDA_PTX_VECTOR(double2, double, 2)
#undef LATHE_CUDA_PTX_VECTORS
#undef LATHE_CUDA_PTX_VECTOR

template <class T>
struct CachedAccess {
  using Element = typename PtxAccess<T>::Element;
  static constexpr unsigned count = PtxAccess<T>::count;
  static constexpr unsigned bytes = sizeof(Element);
  static_assert(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8,
                "accesses with cache operators are of numbers and of vectors of two and four, of 16 bytes at most");
  using Word = PtxWord<bytes>;
  using Held = typename Word::Held;
  using Memory = typename Word::Memory;
  struct Words {
    Memory word[count];
  };

  static constexpr PtxText name(const char* instruction) {
    PtxText out;
    return out << instruction << (count == 4 ? ".v4" : count == 2 ? ".v2" : "") << ptxType<Element>;
  }
  static constexpr PtxText load(const char* instruction) {
    return name(instruction) << (count == 4 ? " {%0,%1,%2,%3}, [%4];" : count == 2 ? " {%0,%1}, [%2];" : " %0, [%1];");
  }
  static constexpr PtxText store(const char* instruction) {
    return name(instruction) << (count == 4 ? " [%0], {%1,%2,%3,%4};" : count == 2 ? " [%0], {%1,%2};" : " [%0], %1;");
  }
  static constexpr PtxText in() { return PtxText() << Word::constraint; }
  static constexpr PtxText out() { return PtxText() << "=" << Word::constraint; }

  static constexpr bool isSigned() { return ptxType<Element>[1] == 's'; }
  LATHE_INLINE static Held held(Memory word) {
    if constexpr (bytes == 1 && isSigned()) return static_cast<Held>(static_cast<signed char>(word));
    return word;
  }

  LATHE_INLINE static T joined(const Held (&held)[count]) {
    Words words;
    for (unsigned i = 0; i < count; ++i) words.word[i] = static_cast<Memory>(held[i]);
    return __builtin_bit_cast(T, words);
  }

  LATHE_INLINE static T loadVolatile(const T* address) {
    Words words;
    for (unsigned i = 0; i < count; ++i) words.word[i] = reinterpret_cast<const volatile Memory*>(address)[i];
    return __builtin_bit_cast(T, words);
  }
  LATHE_INLINE static void storeVolatile(T* address, const T& value) {
    const Words words = __builtin_bit_cast(Words, value);
    for (unsigned i = 0; i < count; ++i) reinterpret_cast<volatile Memory*>(address)[i] = words.word[i];
  }

  /// Memory that nobody writes during the kernel: a load that the optimiser may move and merge. Of vectors it would
  /// make loads of elements, which are not marked any more (LLVM 22, VectorCombine).
  LATHE_INLINE static T loadConstant(const T* address) {
    if constexpr (bytes == 1)
      return __builtin_bit_cast(T, __nvvm_ldg_uc(reinterpret_cast<const unsigned char*>(address)));
    if constexpr (bytes == 2)
      return __builtin_bit_cast(T, __nvvm_ldg_us(reinterpret_cast<const unsigned short*>(address)));
    if constexpr (bytes == 4) return __builtin_bit_cast(T, __nvvm_ldg_ui(reinterpret_cast<const unsigned*>(address)));
    if constexpr (bytes == 8)
      return __builtin_bit_cast(T, __nvvm_ldg_ull(reinterpret_cast<const unsigned long long*>(address)));
  }
};

}  // namespace lathe::detail

// The body of a load on NVIDIA GPUs.
#define LATHE_CUDA_INSTRUCTION(operation)                                                                            \
  constexpr auto text = Access::load("ld.global." #operation);                                                       \
  constexpr auto out = Access::out();                                                                                \
  typename Access::Held held[Access::count];                                                                         \
  if constexpr (Access::count == 1) asm volatile((text) : (out)(held[0]) : "l"(address) : "memory");                 \
  if constexpr (Access::count == 2) asm volatile((text) : (out)(held[0]), (out)(held[1]) : "l"(address) : "memory"); \
  if constexpr (Access::count == 4)                                                                                  \
    asm volatile((text) : (out)(held[0]), (out)(held[1]), (out)(held[2]), (out)(held[3]) : "l"(address) : "memory"); \
  return Access::joined(held)
#define LATHE_CUDA_LOAD(name, operation, elsewhere)   \
  template <class T>                                  \
  LATHE_INLINE T name(const T* address) {             \
    using Access = lathe::detail::CachedAccess<T>;    \
    if (!__lathe_target_is("cuda")) return elsewhere; \
    LATHE_CUDA_INSTRUCTION(operation);                \
  }
LATHE_CUDA_LOAD(__ldca, ca, *address)
LATHE_CUDA_LOAD(__ldcg, cg, Access::loadVolatile(address))
LATHE_CUDA_LOAD(__ldcs, cs, *address)
LATHE_CUDA_LOAD(__ldlu, lu, Access::loadVolatile(address))
LATHE_CUDA_LOAD(__ldcv, cv, Access::loadVolatile(address))
#undef LATHE_CUDA_LOAD

template <class T>
LATHE_INLINE T __ldg(const T* address) {
  using Access = lathe::detail::CachedAccess<T>;
  if (!__lathe_target_is("cuda")) return *address;
  if constexpr (Access::count == 1) {
    return Access::loadConstant(address);
  } else {
    LATHE_CUDA_INSTRUCTION(nc);
  }
}
#undef LATHE_CUDA_INSTRUCTION

#define LATHE_CUDA_STORE(name, operation, elsewhere)                                                               \
  template <class T, class U>                                                                                      \
  LATHE_INLINE void name(T* address, const U& given) {                                                             \
    using Access = lathe::detail::CachedAccess<T>;                                                                 \
    const T value = given;                                                                                         \
    if (!__lathe_target_is("cuda")) return static_cast<void>(elsewhere);                                           \
    constexpr auto text = Access::store("st.global." #operation);                                                  \
    constexpr auto in = Access::in();                                                                              \
    const auto words = __builtin_bit_cast(typename Access::Words, value);                                          \
    const auto held = [&](unsigned i) __attribute__((always_inline)) { return Access::held(words.word[i]); };      \
    if constexpr (Access::count == 1) asm volatile((text)::"l"(address), (in)(held(0)) : "memory");                \
    if constexpr (Access::count == 2) asm volatile((text)::"l"(address), (in)(held(0)), (in)(held(1)) : "memory"); \
    if constexpr (Access::count == 4)                                                                              \
      asm volatile((text)::"l"(address), (in)(held(0)), (in)(held(1)), (in)(held(2)), (in)(held(3)) : "memory");   \
  }
LATHE_CUDA_STORE(__stwb, wb, *address = value)
LATHE_CUDA_STORE(__stcg, cg, Access::storeVolatile(address, value))
LATHE_CUDA_STORE(__stcs, cs, *address = value)
LATHE_CUDA_STORE(__stwt, wt, Access::storeVolatile(address, value))
#undef LATHE_CUDA_STORE

#endif
