// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions by their addresses: in tables, structures and objects with virtual functions, and of members.

__device__ int tripled(int x) { return 3 * x; }
__device__ int turned(int x) { return x ^ 5; }
__device__ int lessened(int x) { return x - 7; }

__global__ void inTables(const int* in, int* out) {
  int (*const table[])(int) = {tripled, turned, lessened};
  const unsigned i = threadIdx.x;
  out[i] = table[in[i] % 3](static_cast<int>(i));
}

struct Step {
  char tag;
  int (*run)(int);
  short times;
};
__device__ const Step steps[] = {{'a', tripled, 2}, {'b', nullptr, 0}, {'c', lessened, 3}};
__global__ void inStructures(const int* in, int* out) {
  const unsigned i = threadIdx.x;
  const Step& step = steps[in[i] % 3];
  int x = static_cast<int>(i) + step.tag;
  for (int k = 0; k < step.times; ++k) x = step.run(x);
  out[i] = x;
}

struct Shape {
  int size;
  __device__ explicit Shape(int s) : size(s) {}
  __device__ virtual int area(int scale) const { return size * scale; }
};
struct Square : Shape {
  using Shape::Shape;
  __device__ int area(int scale) const override { return size * size * scale; }
};
struct Hole : Square {
  using Square::Square;
  __device__ int area(int scale) const override { return -Square::area(scale); }
};
__global__ void ofObjects(const int* in, int* out) {
  const unsigned i = threadIdx.x;
  const Shape line(in[i]);
  const Square square(in[i] + 1);
  const Hole hole(in[i] + 2);
  const Shape* const shapes[] = {&line, &square, &hole};
  out[i] = shapes[in[i] % 3]->area(static_cast<int>(i)) + shapes[i % 3]->area(1000);
}

struct Counter {
  int at;
  __device__ int forth(int by) { return at += by; }
  __device__ int back(int by) { return at -= 2 * by; }
};
__global__ void ofMembers(const int* in, int* out) {
  int (Counter::*const moves[])(int) = {&Counter::forth, &Counter::back};
  const unsigned i = threadIdx.x;
  Counter counter{100};
  for (int k = 0; k < 5; ++k) (counter.*moves[(in[i] >> k) & 1])(k + 1);
  out[i] = counter.at;
}

/// Owns a number that it adds to a sum when it is destroyed, unless another took it.
struct Owner {
  int* sum;
  int number;
  __device__ Owner(int* s, int n) : sum(s), number(n) {}
  __device__ Owner(Owner&& other) : sum(other.sum), number(other.number) { other.sum = nullptr; }
  Owner(const Owner&) = delete;
  __device__ ~Owner() {
    if (sum) *sum += number;
  }
};
__device__ __noinline__ int taken(Owner o) {
  const Owner kept(static_cast<Owner&&>(o));
  return kept.number * 1000;
}
__device__ __noinline__ int changed(Owner o) { return o.number += 7; }
struct Taker {
  __device__ virtual int take(Owner o) const { return changed(static_cast<Owner&&>(o)); }
};
struct Doubler : Taker {
  __device__ int take(Owner o) const override { return o.number *= 2; }
};
struct Named {
  __device__ virtual int name() const { return 3; }
};
struct Both : Named, Taker {
  __device__ int take(Owner o) const override { return o.number += name(); }
};
__global__ void ofOwners(const int* in, int* out) {
  int (*const table[])(Owner) = {taken, changed};
  const unsigned i = threadIdx.x;
  const Taker taker;
  const Doubler doubler;
  const Both both;
  const Taker* const takers[] = {&taker, &doubler, &both};
  int sum = 0;
  int returned = table[in[i] & 1](Owner(&sum, in[i]));
  returned += takers[in[i] % 3]->take(Owner(&sum, in[i]));
  out[i] = sum * 100000 + returned;
}

/// Addresses of variables, and inside of them, in tables; a union of which a constant sets the first member.
struct Row {
  int number;
  unsigned char bytes[4];
};
__device__ const Row rows[3] = {{1, {2, 3}}, {4, {5, 6}}, {7, {8, 9}}};
__device__ const unsigned char* const insideRows[4] = {rows[1].bytes, rows[2].bytes, rows[0].bytes + 1, rows[1].bytes + 1};
__device__ const int counts[3] = {10, 20, 30};
__device__ const int* const countsAt[3] = {counts, counts + 2, &counts[1]};
union Number {
  unsigned whole;
  unsigned char bytes[8];
};
__device__ const Number number = {0x04030201u};
__global__ void ofVariables(const int* in, int* out) {
  const unsigned i = threadIdx.x;
  const unsigned char* picked[2][2];
  for (int k = 0; k < 4; ++k) picked[k & 1][k >> 1] = insideRows[(in[i] + k) & 3];
  out[i] = *picked[in[i] & 1][1] + *countsAt[in[i] % 3] * 100 + number.bytes[i & 3] * 10000;
}
