// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose code is compared with clang's for the same text (../code_sizes.py). The language is what CUDA C++, HIP
// and OpenCL C share; GLOBAL marks pointers to global memory and TABLE constant tables, as OpenCL C wants it.

// Memory: one access after the other.

__global__ void saxpy(int n, float a, GLOBAL const float* x, GLOBAL float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void triad_strided(int n, float a, GLOBAL const float* __restrict__ x, GLOBAL const float* __restrict__ y,
                              GLOBAL float* __restrict__ z) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) z[i] = x[i] + a * y[i];
}

__global__ void copy_float4(int n, GLOBAL const float4* from, GLOBAL float4* to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

__global__ void swap_int4(int n, GLOBAL int4* __restrict__ a, GLOBAL int4* __restrict__ b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int4 x = a[i], y = b[i];
  int t = x.x;
  x.x = x.w;
  x.w = t;
  a[i] = y;
  b[i] = x;
}

struct Particle {
  float x, y, z, mass;
  float vx, vy, vz;
  int kind;
};

__global__ void move_particles(int n, GLOBAL struct Particle* particles, float step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  struct Particle p = particles[i];
  if (p.kind < 0) return;
  p.x += step * p.vx;
  p.y += step * p.vy;
  p.z += step * p.vz;
  if (p.x < 0.0f) p.vx = -p.vx;
  particles[i] = p;
}

struct Node {
  float low, high;
};

__global__ void gather_nodes(int n, GLOBAL const struct Node* __restrict__ nodes, GLOBAL const int* __restrict__ index,
                             GLOBAL struct Node* __restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  struct Node a = nodes[index[i]], b = nodes[index[i] + 1];
  struct Node joined = {fminf(a.low, b.low), fmaxf(a.high, b.high)};
  out[i] = joined;
}

// Neighbours.

__global__ void stencil_2d(int width, int height, GLOBAL const float* __restrict__ in, GLOBAL float* __restrict__ out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  int i = y * width + x;
  out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

__global__ void stencil_3d(int nx, int ny, int nz, GLOBAL const float* __restrict__ in, GLOBAL float* __restrict__ out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
  int plane = nx * ny, i = plane + y * nx + x;
  float below = in[i - plane], here = in[i];
  for (int z = 1; z < nz - 1; ++z) {
    float above = in[i + plane];
    out[i] = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + below + above - 6.0f * here;
    below = here;
    here = above;
    i += plane;
  }
}

__global__ void sobel(int width, int height, GLOBAL const unsigned char* __restrict__ in, GLOBAL unsigned char* __restrict__ out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  int gx = 0, gy = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      int p = in[(y + dy) * width + x + dx];
      gx += p * dx * (dy == 0 ? 2 : 1);
      gy += p * dy * (dx == 0 ? 2 : 1);
    }
  }
  int g = (int)sqrtf((float)(gx * gx + gy * gy));
  out[y * width + x] = (unsigned char)(g > 255 ? 255 : g);
}

__global__ void game_of_life(int width, int height, GLOBAL const unsigned char* __restrict__ in, GLOBAL unsigned char* __restrict__ out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      alive += in[(y + dy + height) % height * width + (x + dx + width) % width];
    }
  }
  out[y * width + x] = alive == 3 || (alive == 2 && in[y * width + x]);
}

TABLE float weights[9] = {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.4f, 0.3f, 0.2f, 0.1f};

__global__ void convolution(int n, GLOBAL const float* __restrict__ in, GLOBAL float* __restrict__ out) {
  __shared__ float tile[256 + 8];
  int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0.0f;
  if (threadIdx.x < 8) tile[256 + threadIdx.x] = i + 256 < n ? in[i + 256] : 0.0f;
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < 9; ++k) sum += weights[k] * tile[threadIdx.x + k];
  if (i < n) out[i] = sum;
}

// Dense and sparse matrices.

__global__ void transpose(int width, int height, GLOBAL const float* __restrict__ in, GLOBAL float* __restrict__ out) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    if (x < width && y + k < height) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    if (x < height && y + k < width) out[(y + k) * height + x] = tile[threadIdx.x][threadIdx.y + k];
}

__global__ void matrix_tiled(int n, GLOBAL const float* __restrict__ a, GLOBAL const float* __restrict__ b, GLOBAL float* __restrict__ c) {
  __shared__ float as[16][16], bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int t = 0; t < n; t += 16) {
    as[ty][tx] = a[row * n + t + tx];
    bs[ty][tx] = b[(t + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void matrix_in_registers(int n, GLOBAL const float* __restrict__ a, GLOBAL const float* __restrict__ b, GLOBAL float* __restrict__ c) {
  __shared__ float as[8][64], bs[8][64];
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16, row = blockIdx.y * 64, column = blockIdx.x * 64;
  float sums[4][4];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) sums[i][j] = 0.0f;
  for (int t = 0; t < n; t += 8) {
    for (int k = threadIdx.x; k < 512; k += 256) {
      as[k % 8][k / 8] = a[(row + k / 8) * n + t + k % 8];
      bs[k / 64][k % 64] = b[(t + k / 64) * n + column + k % 64];
    }
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) sums[i][j] += as[k][ty * 4 + i] * bs[k][tx * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) c[(row + ty * 4 + i) * n + column + tx * 4 + j] = sums[i][j];
}

__global__ void matrix_vector(int rows, int columns, GLOBAL const float* __restrict__ a, GLOBAL const float* __restrict__ x, GLOBAL float* __restrict__ y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = 0; k < columns; ++k) sum += a[(long)k * rows + row] * x[k];
  y[row] = sum;
}

__global__ void sparse_rows(int rows, GLOBAL const int* __restrict__ begin, GLOBAL const int* __restrict__ column, GLOBAL const float* __restrict__ value,
                            GLOBAL const float* __restrict__ x, GLOBAL float* __restrict__ y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = begin[row]; k < begin[row + 1]; ++k) sum += value[k] * x[column[k]];
  y[row] = sum;
}

__global__ void dot_double(int n, GLOBAL const double* x, GLOBAL const double* y, GLOBAL double* out) {
  __shared__ double sums[256];
  double sum = 0.0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += x[i] * y[i];
  sums[threadIdx.x] = sum;
  for (int reach = 128; reach > 0; reach /= 2) {
    __syncthreads();
    if (threadIdx.x < reach) sums[threadIdx.x] += sums[threadIdx.x + reach];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sqrt(sums[0]) / (1.0 + sums[0]);
}

// Groups that work together.

__global__ void reduce(int n, GLOBAL const float* in, GLOBAL float* out) {
  __shared__ float sums[256];
  int i = blockIdx.x * 512 + threadIdx.x;
  sums[threadIdx.x] = (i < n ? in[i] : 0.0f) + (i + 256 < n ? in[i + 256] : 0.0f);
  __syncthreads();
  for (int reach = 128; reach > 0; reach /= 2) {
    if (threadIdx.x < reach) sums[threadIdx.x] += sums[threadIdx.x + reach];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

__global__ void scan(int n, GLOBAL const int* in, GLOBAL int* out, GLOBAL int* totals) {
  __shared__ int sums[2][256];
  int i = blockIdx.x * 256 + threadIdx.x, from = 0;
  sums[0][threadIdx.x] = i < n ? in[i] : 0;
  for (int step = 1; step < 256; step *= 2) {
    __syncthreads();
    int value = sums[from][threadIdx.x];
    if (threadIdx.x >= step) value += sums[from][threadIdx.x - step];
    from = 1 - from;
    sums[from][threadIdx.x] = value;
  }
  if (i < n) out[i] = sums[from][threadIdx.x];
  if (threadIdx.x == 255) totals[blockIdx.x] = sums[from][255];
}

__global__ void histogram(int n, GLOBAL const unsigned char* in, GLOBAL unsigned int* counts) {
  __shared__ unsigned int bins[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (bins[i] != 0) atomicAdd(&counts[i], bins[i]);
}

__global__ void softmax(int columns, GLOBAL const float* in, GLOBAL float* out) {
  __shared__ float parts[256];
  GLOBAL const float* row = in + (long)blockIdx.x * columns;
  float most = -3.0e38f, sum = 0.0f;
  for (int i = threadIdx.x; i < columns; i += 256) most = fmaxf(most, row[i]);
  parts[threadIdx.x] = most;
  for (int reach = 128; reach > 0; reach /= 2) {
    __syncthreads();
    if (threadIdx.x < reach) parts[threadIdx.x] = fmaxf(parts[threadIdx.x], parts[threadIdx.x + reach]);
  }
  __syncthreads();
  most = parts[0];
  __syncthreads();
  for (int i = threadIdx.x; i < columns; i += 256) sum += expf(row[i] - most);
  parts[threadIdx.x] = sum;
  for (int reach = 128; reach > 0; reach /= 2) {
    __syncthreads();
    if (threadIdx.x < reach) parts[threadIdx.x] += parts[threadIdx.x + reach];
  }
  __syncthreads();
  sum = parts[0];
  for (int i = threadIdx.x; i < columns; i += 256) out[(long)blockIdx.x * columns + i] = expf(row[i] - most) / sum;
}

__global__ void layer_norm(int columns, GLOBAL const float* in, GLOBAL const float* scale, GLOBAL const float* shift, GLOBAL float* out) {
  __shared__ float sums[256], squares[256];
  float sum = 0.0f, square = 0.0f;
  for (int i = threadIdx.x; i < columns; i += 256) {
    float x = in[blockIdx.x * columns + i];
    sum += x;
    square += x * x;
  }
  sums[threadIdx.x] = sum;
  squares[threadIdx.x] = square;
  for (int reach = 128; reach > 0; reach /= 2) {
    __syncthreads();
    if (threadIdx.x < reach) {
      sums[threadIdx.x] += sums[threadIdx.x + reach];
      squares[threadIdx.x] += squares[threadIdx.x + reach];
    }
  }
  __syncthreads();
  float mean = sums[0] / columns, deviation = 1.0f / sqrtf(squares[0] / columns - mean * mean + 1.0e-5f);
  for (int i = threadIdx.x; i < columns; i += 256)
    out[blockIdx.x * columns + i] = (in[blockIdx.x * columns + i] - mean) * deviation * scale[i] + shift[i];
}

__global__ void bitonic_step(GLOBAL int* data, int distance, int block) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
  if (other <= i) return;
  int a = data[i], b = data[other];
  if ((i & block) == 0 ? a > b : a < b) {
    data[i] = b;
    data[other] = a;
  }
}

__global__ void bitonic_shared(GLOBAL int* data) {
  __shared__ int values[512];
  int t = threadIdx.x;
  values[t] = data[blockIdx.x * 512 + t];
  values[t + 256] = data[blockIdx.x * 512 + t + 256];
  for (int block = 2; block <= 512; block *= 2) {
    for (int distance = block / 2; distance > 0; distance /= 2) {
      __syncthreads();
      int i = 2 * t - (t & (distance - 1)), j = i + distance;
      int a = values[i], b = values[j];
      if ((a > b) == ((i & block) == 0)) {
        values[i] = b;
        values[j] = a;
      }
    }
  }
  __syncthreads();
  data[blockIdx.x * 512 + t] = values[t];
  data[blockIdx.x * 512 + t + 256] = values[t + 256];
}

// Arithmetic.

__global__ void n_body(int n, float step, GLOBAL const float4* __restrict__ bodies, GLOBAL float4* __restrict__ speeds) {
  __shared__ float4 tile[128];
  int i = blockIdx.x * 128 + threadIdx.x;
  float4 own = bodies[i];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int t = 0; t < n; t += 128) {
    tile[threadIdx.x] = bodies[t + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; ++k) {
      float dx = tile[k].x - own.x, dy = tile[k].y - own.y, dz = tile[k].z - own.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      float pull = tile[k].w * inverse * inverse * inverse;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    __syncthreads();
  }
  float4 speed = speeds[i];
  speed.x += step * ax;
  speed.y += step * ay;
  speed.z += step * az;
  speeds[i] = speed;
}

DEVICE float normal_distribution(float x) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(x));
  float tail = 0.39894228f * expf(-0.5f * x * x) * k *
               (0.31938153f + k * (-0.35656378f + k * (1.7814779f + k * (-1.8212559f + k * 1.3302744f))));
  return x > 0.0f ? 1.0f - tail : tail;
}

__global__ void black_scholes(int n, GLOBAL const float* price, GLOBAL const float* strike, GLOBAL const float* years, GLOBAL float* call, GLOBAL float* put, float rate,
                              float volatility) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = price[i], x = strike[i], t = years[i], root = sqrtf(t);
  float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
  float d2 = d1 - volatility * root, discount = expf(-rate * t);
  float n1 = normal_distribution(d1), n2 = normal_distribution(d2);
  call[i] = s * n1 - x * discount * n2;
  put[i] = x * discount * (1.0f - n2) - s * (1.0f - n1);
}

__global__ void mandelbrot(int width, int height, int most, GLOBAL int* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float cr = -2.0f + 3.0f * x / width, ci = -1.0f + 2.0f * y / height, zr = 0.0f, zi = 0.0f;
  int count = 0;
  while (count < most && zr * zr + zi * zi < 4.0f) {
    float next = zr * zr - zi * zi + cr;
    zi = 2.0f * zr * zi + ci;
    zr = next;
    ++count;
  }
  out[y * width + x] = count;
}

__global__ void fourier_radix_4(int n, int span, GLOBAL const float2* __restrict__ in, GLOBAL float2* __restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, quarter = n / 4, k = i % span;
  if (i >= quarter) return;
  float2 v[4];
  for (int r = 0; r < 4; ++r) {
    float2 z = in[i + r * quarter];
    float angle = -6.2831853f * (r * k) / (4 * span), c = cosf(angle), s = sinf(angle);
    v[r].x = z.x * c - z.y * s;
    v[r].y = z.x * s + z.y * c;
  }
  float2 a, b, c, d;
  a.x = v[0].x + v[2].x;
  a.y = v[0].y + v[2].y;
  b.x = v[0].x - v[2].x;
  b.y = v[0].y - v[2].y;
  c.x = v[1].x + v[3].x;
  c.y = v[1].y + v[3].y;
  d.x = v[1].y - v[3].y;
  d.y = v[3].x - v[1].x;
  int to = (i / span) * 4 * span + k;
  float2 t;
  t.x = a.x + c.x;
  t.y = a.y + c.y;
  out[to] = t;
  t.x = b.x + d.x;
  t.y = b.y + d.y;
  out[to + span] = t;
  t.x = a.x - c.x;
  t.y = a.y - c.y;
  out[to + 2 * span] = t;
  t.x = b.x - d.x;
  t.y = b.y - d.y;
  out[to + 3 * span] = t;
}

__global__ void functions(int n, GLOBAL const float* x, GLOBAL float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = expf(sinf(x[i])) + tanhf(x[i]) * logf(fabsf(x[i]) + 1.0f);
}

__global__ void powers(int n, float exponent, GLOBAL const float* x, GLOBAL float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = powf(x[i], exponent) / (powf(x[i], exponent) + 1.0f);
}

__global__ void polynomial_double(int n, GLOBAL const double* x, GLOBAL double* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = x[i], sum = 0.0;
  for (int k = 0; k < 12; ++k) sum = sum * t + 1.0 / (k + 1);
  y[i] = sum;
}

// Integers.

__global__ void divide_64(int n, GLOBAL const long* a, GLOBAL const long* b, GLOBAL long* quotient, GLOBAL long* remainder) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  quotient[i] = a[i] / b[i];
  remainder[i] = a[i] % b[i];
}

__global__ void divide_32(int n, unsigned int by, GLOBAL const unsigned int* a, GLOBAL unsigned int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] / by * 3u + a[i] % by + a[i] / 7u;
}

__global__ void hash(int n, unsigned int seed, GLOBAL const unsigned int* keys, GLOBAL unsigned int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned int h = seed;
  for (int k = 0; k < 4; ++k) {
    unsigned int word = keys[i * 4 + k] * 0xcc9e2d51u;
    word = (word << 15) | (word >> 17);
    h ^= word * 0x1b873593u;
    h = ((h << 13) | (h >> 19)) * 5u + 0xe6546b64u;
  }
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  out[i] = h;
}

__global__ void random_walk(int n, int steps, GLOBAL unsigned long* states, GLOBAL float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long state = states[i];
  float place = 0.0f;
  for (int k = 0; k < steps; ++k) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    place += (float)(unsigned int)(state >> 32) * 4.6566129e-10f - 1.0f;
  }
  states[i] = state;
  out[i] = place;
}

__global__ void count_bits(int n, GLOBAL const unsigned int* in, GLOBAL int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int count = 0;
  for (unsigned int word = in[i]; word != 0; word &= word - 1) ++count;
  out[i] = count;
}

__global__ void checksum(int n, GLOBAL const unsigned char* __restrict__ in, GLOBAL unsigned int* __restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int crc = ~0u;
  for (int k = 0; k < n; ++k) {
    crc ^= in[i * n + k];
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
  }
  out[i] = ~crc;
}

__global__ void quantise(int n, float scale, GLOBAL const float* __restrict__ in, GLOBAL signed char* __restrict__ out) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 3 >= n) return;
  for (int k = 0; k < 4; ++k) out[i + k] = (signed char)fminf(fmaxf(rintf(in[i + k] * scale), -127.0f), 127.0f);
}

__global__ void edit_distance(int n, int m, GLOBAL const char* __restrict__ a, GLOBAL const char* __restrict__ b, GLOBAL int* __restrict__ rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  GLOBAL int* row = rows + i * (m + 1);
  for (int k = 0; k <= m; ++k) row[k] = k;
  for (int j = 0; j < n; ++j) {
    int diagonal = row[0];
    row[0] = j + 1;
    for (int k = 0; k < m; ++k) {
      int above = row[k + 1], least = diagonal + (a[i * n + j] != b[k]);
      if (above + 1 < least) least = above + 1;
      if (row[k] + 1 < least) least = row[k] + 1;
      row[k + 1] = least;
      diagonal = above;
    }
  }
}

__global__ void insertion_sort(int n, GLOBAL const int* __restrict__ in, GLOBAL int* __restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int values[8];
  for (int k = 0; k < 8; ++k) values[k] = in[i * 8 + k];
  for (int k = 1; k < 8; ++k) {
    for (int j = k; j > 0; --j) {
      if (values[j - 1] > values[j]) {
        int t = values[j];
        values[j] = values[j - 1];
        values[j - 1] = t;
      }
    }
  }
  for (int k = 0; k < 8; ++k) out[i * 8 + k] = values[k];
}

__global__ void dispatch(int n, GLOBAL const int* __restrict__ codes, GLOBAL const float* __restrict__ x, GLOBAL float* __restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  switch (codes[i]) {
    case 0: v = v + y[i]; break;
    case 1: v = v - y[i]; break;
    case 2: v = v * y[i]; break;
    case 3: v = v / y[i]; break;
    case 4: v = sqrtf(v) + y[i]; break;
    case 5: v = fmaxf(v, y[i]); break;
    default: return;
  }
  y[i] = v;
}

__global__ void breadth_first(int level, int vertices, GLOBAL const int* __restrict__ begin, GLOBAL const int* __restrict__ edges, GLOBAL int* levels, GLOBAL int* changed) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices || levels[v] != level) return;
  for (int e = begin[v]; e < begin[v + 1]; ++e) {
    if (levels[edges[e]] < 0) {
      levels[edges[e]] = level + 1;
      *changed = 1;
    }
  }
}
