// One thing in each kernel that devices have not, most of them behind a function. bad_input.test counts lines.
#include <vector>

int onHost(int x) { return std::vector<int>(x).size(); }

struct Shape {
  __device__ virtual int area(int) = 0;
};
struct Box : Shape {
  __device__ int area(int x) override { return x; }
};

__device__ int thrower(int n) {
  if (n > 3) throw n;
  return n;
}
__device__ int catcher(int n) {
  try {
    return thrower(n);
  } catch (int code) {
    return code;
  }
}
thread_local int counter = 3;
__device__ int isBox(Shape* s) {
  return dynamic_cast<Box*>(s) ? 1 : 2;
}
__device__ int assembly(int x) {
  int y;
  asm volatile("frobnicate %0, %1;" : "=r"(y) : "r"(x));
  return y;
}
__device__ long double scaled(long double x) {
  return x * 3.0L;
}
__device__ int paths(int n, const int* next) {
  return n < 2 ? 1 : paths(next[n], next) + 2 * paths(next[n + 1], next);
}

__global__ void exceptions(int* p) {
  p[0] = catcher(p[1]);
}
__global__ void threadLocal(int* p) {
  p[0] = counter++;
}
__global__ void typeInformation(int* p, Shape* s) {
  p[0] = isBox(s);
}
__global__ void inlineAssembly(int* p) {
  p[0] = assembly(p[1]);
}
__global__ void longDouble(double* p) {
  p[0] = static_cast<double>(scaled(p[1]));
}
__global__ void hostFunction(int* p) {
  p[0] = onHost(p[1]);
}
__global__ void indirect(int* p, int (*f)(int)) {
  p[0] = f(p[1]);
}
__global__ void recursion(int* p) {
  p[0] = paths(p[1], p);
}
__global__ void misspelt(int* p) {
  p[0] = groopIdx.x;
}
__global__ void shared(float* p) {
  __shared__ float tile[30000];
  __shared__ float more[20000];
  tile[p[0] > 1] = 1;
  more[p[1] > 2] = 2;
  __syncthreads();
  p[2] = tile[1] + more[0];
}
