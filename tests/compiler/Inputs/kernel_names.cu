// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel templates of all shapes. kernel_names.txt has the names that nvcc 13.0 gives to these instances
// (`nvcc -std=c++17 -ptx`); kernel_names_test.cpp looks for them in an image.
#include <cuda_fp16.h>

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

template <class T>
struct Box {
  T value;
};
template <class T, int N>
struct Array {
  T values[N];
};
struct Increment {
  __device__ int operator()(int x) const { return x + 1; }
};
namespace ns {
enum class Kind { first, second };
inline namespace v2 {
template <class T>
struct View {
  T* data;
};
}  // namespace v2
}  // namespace ns
__device__ int counter;

template <class T, std::enable_if_t<std::is_same_v<T, float>, int> = 0>
__global__ void enabledAlias(T* p) { *p = 0; }
template <class T, typename std::enable_if<sizeof(T) == 4, int>::type = 0>
__global__ void enabledMember(T* p) { *p = 0; }
template <class T>
__global__ typename std::enable_if<std::is_floating_point<T>::value>::type enabledResult(T* p) { *p = 0; }
template <class T, class = std::enable_if_t<std::is_integral<T>::value>>
__global__ void enabledType(T* p) { *p = 0; }
template <class T, std::enable_if_t<std::is_same<T, __half2>::value, int> = 0>
__global__ void blockStride(unsigned n, unsigned m, T* p) { p[n * m] = T(); }
template <class T>
__global__ void takesTuple(std::tuple<T, int> t, T* p) { *p = T(); }
template <class... T>
__global__ void takesPack(std::tuple<T...>* p) {}
template <int N>
__global__ void takesConstant(std::integral_constant<int, N>, int* p) { *p = N; }
template <class T, T V>
__global__ void dependentValue(T* p) { *p = V; }
template <template <class> class C>
__global__ void templateTemplate(C<int>* p) {}
template <auto N>
__global__ void automaticValue(int* p) { *p = N; }
template <auto... N>
__global__ void automaticValues(int* p) {}
namespace ns {
template <class T>
__global__ void inNamespace(T* p, const Box<T>* q) { *p = q->value; }
template <class T>
__global__ void inlineNamespace(View<T> view) { *view.data = 0; }
}  // namespace ns
template <ns::Kind K>
__global__ void enumerator(int* p) { *p = static_cast<int>(K); }
template <class F>
__global__ void functionObject(F f, int* p) { *p = f(*p); }
template <bool B>
__global__ void conditional(std::conditional_t<B, int, float>* p) { *p = 0; }
template <class T>
__global__ void pairs(std::pair<T, T>* p, std::pair<T, int>* q) {}
__global__ void plainPairs(std::tuple<int, float>* p, const std::pair<int, int>& q) {}
template <int* P>
__global__ void address() { *P = 1; }
template <class T>
__global__ void declaredType(T p, decltype(T{} + 1) q) {}
template <class T, int N>
__global__ void arrayReference(T (&a)[N]) {}
template <unsigned long long N>
__global__ void wideValue(int* p) { *p = N; }
template <char C>
__global__ void character(int* p) { *p = C; }
template <class T>
__global__ void madeUnsigned(T a, std::make_unsigned_t<T> b, T* p) { *p = a + b; }
template <class T, int N>
__global__ void nested(Array<Box<T>, N>* p) {}
template <class T>
__global__ void fixedWidth(std::int64_t n, std::uint8_t* p, T* q) {}
template <class T>
__global__ void constVolatile(const volatile T* p, T* const q) { *q = *p; }
template <bool Checked, int Width, class T>
__global__ void flags(T* p) { *p = Checked ? Width : 0; }
template <class T>
__global__ void halves(const __half* a, __half2* b, T c) {}
template <class T>
__global__ void functionPointer(T (*f)(T), T* p) { *p = f(*p); }
template <class T, class... Rest>
__global__ void variadic(T first, Rest... rest) {}
template <int N>
__global__ void expression(Array<int, N + 1>* p) {}
template <class T>
__global__ void references(T& a, const T& b) {}
template <class A, class B>
__global__ void repeated(A a, B b, std::pair<A, B> ab, std::pair<B, A> ba, std::tuple<A, B, A> aba) {}
template <int A, int B>
__global__ void sequence(std::integer_sequence<int, A, B> s, int* p) {}
extern "C" __global__ void unmangled(int* p) {}

template __global__ void enabledAlias<float>(float*);
template __global__ void enabledMember<int>(int*);
template __global__ void enabledMember<float>(float*);
template __global__ void enabledResult<float>(float*);
template __global__ void enabledResult<double>(double*);
template __global__ void enabledType<int>(int*);
template __global__ void blockStride<__half2>(unsigned, unsigned, __half2*);
template __global__ void takesTuple<int>(std::tuple<int, int>, int*);
template __global__ void takesTuple<float>(std::tuple<float, int>, float*);
template __global__ void takesPack<int, float>(std::tuple<int, float>*);
template __global__ void takesConstant<3>(std::integral_constant<int, 3>, int*);
template __global__ void dependentValue<long, 5>(long*);
template __global__ void templateTemplate<Box>(Box<int>*);
template __global__ void automaticValue<7u>(int*);
template __global__ void automaticValues<1, 2u>(int*);
template __global__ void ns::inNamespace<double>(double*, const Box<double>*);
template __global__ void ns::inlineNamespace<int>(ns::View<int>);
template __global__ void enumerator<ns::Kind::second>(int*);
template __global__ void functionObject<Increment>(Increment, int*);
template __global__ void conditional<true>(int*);
template __global__ void conditional<false>(float*);
template __global__ void pairs<int>(std::pair<int, int>*, std::pair<int, int>*);
template __global__ void address<&counter>();
template __global__ void declaredType<int>(int, int);
template __global__ void arrayReference<int, 4>(int (&)[4]);
template __global__ void wideValue<9>(int*);
template __global__ void character<'a'>(int*);
template __global__ void madeUnsigned<int>(int, unsigned, int*);
template __global__ void nested<double, 2>(Array<Box<double>, 2>*);
template __global__ void fixedWidth<long long>(std::int64_t, std::uint8_t*, long long*);
template __global__ void constVolatile<int>(const volatile int*, int* const);
template __global__ void flags<true, 16, float>(float*);
template __global__ void halves<float>(const __half*, __half2*, float);
template __global__ void functionPointer<int>(int (*)(int), int*);
template __global__ void variadic<int, float, char>(int, float, char);
template __global__ void expression<3>(Array<int, 4>*);
template __global__ void references<int>(int&, const int&);
template __global__ void repeated<int, float>(int, float, std::pair<int, float>, std::pair<float, int>,
                                              std::tuple<int, float, int>);
template __global__ void sequence<1, 2>(std::integer_sequence<int, 1, 2>, int*);
