// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Member classes that are declared again with another access, of which nvcc warns.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=SAID --allow-empty
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_80 %s -o %t.nvcc.ptx %}
// RUN: %lathe run %s -t cpu -k all --grid 1 --group 1 --arg zeros:i32[2] --print 0 | FileCheck %s --check-prefix=RESULT
// SAID-NOT: {{error|warning|remark}}
// RESULT: 3 5
template <class T>
class List {
  template <class U>
  struct Element;

 public:
  __device__ T first() const { return Element<T>{3}.value; }
  template <class U>
  struct Element {
    U value;
  };
};
class View {
 public:
  struct Part;

 private:
  struct Part {
    int size;
  };

 public:
  __device__ int size() const { return Part{5}.size; }
};

extern "C" __global__ void all(int* out) {
  out[0] = List<int>().first();
  out[1] = View().size();
}
