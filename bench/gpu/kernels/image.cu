// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Filters and conversions of images.

__device__ int clampTo(int v, int limit) {
  return v < 0 ? 0 : v >= limit ? limit - 1 : v;
}

extern "C" __global__ void boxBlur(const float* in, float* out, int width, int height, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++)
      sum += in[clampTo(y + dy, height) * width + clampTo(x + dx, width)];
  int side = 2 * radius + 1;
  out[y * width + x] = sum / (side * side);
}

__constant__ float gauss_weights[9] = {0.028f, 0.066f, 0.124f, 0.18f, 0.204f, 0.18f, 0.124f, 0.066f, 0.028f};

extern "C" __global__ void gaussRows(const float* __restrict__ in, float* __restrict__ out, int width, int height) {
  __shared__ float line[256 + 8];
  int y = blockIdx.y;
  int x0 = blockIdx.x * 256;
  for (int i = threadIdx.x; i < 256 + 8; i += 256) line[i] = in[y * width + clampTo(x0 + i - 4, width)];
  __syncthreads();
  int x = x0 + threadIdx.x;
  if (x >= width) return;
  float sum = 0;
  for (int k = 0; k < 9; k++) sum += gauss_weights[k] * line[threadIdx.x + k];
  out[y * width + x] = sum;
}

extern "C" __global__ void sobelBytes(const unsigned char* in, unsigned char* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  const unsigned char* up = in + (y - 1) * width + x;
  const unsigned char* mid = in + y * width + x;
  const unsigned char* down = in + (y + 1) * width + x;
  int gx = up[1] + 2 * mid[1] + down[1] - up[-1] - 2 * mid[-1] - down[-1];
  int gy = down[-1] + 2 * down[0] + down[1] - up[-1] - 2 * up[0] - up[1];
  out[y * width + x] = min(255, (abs(gx) + abs(gy)) / 4);
}

extern "C" __global__ void bilateral(const float* in, float* out, int width, int height, float spaceFactor,
                                     float valueFactor) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float center = in[y * width + x];
  float sum = 0, weights = 0;
  for (int dy = -3; dy <= 3; dy++)
    for (int dx = -3; dx <= 3; dx++) {
      float v = in[clampTo(y + dy, height) * width + clampTo(x + dx, width)];
      float d = v - center;
      float w = __expf(-(dx * dx + dy * dy) * spaceFactor - d * d * valueFactor);
      sum += w * v;
      weights += w;
    }
  out[y * width + x] = sum / weights;
}

__device__ void order(unsigned char& a, unsigned char& b) {
  unsigned char low = min(a, b);
  b = max(a, b);
  a = low;
}

extern "C" __global__ void medianNine(const unsigned char* in, unsigned char* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  unsigned char v[9];
  for (int k = 0; k < 9; k++) v[k] = in[clampTo(y + k / 3 - 1, height) * width + clampTo(x + k % 3 - 1, width)];
  for (int i = 0; i < 5; i++)
    for (int j = 8; j > i; j--) order(v[j - 1], v[j]);
  out[y * width + x] = v[4];
}

extern "C" __global__ void resizeBilinear(const uchar4* in, uchar4* out, int inWidth, int inHeight, int outWidth,
                                          int outHeight) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= outWidth || y >= outHeight) return;
  float sx = fmaxf((x + 0.5f) * inWidth / outWidth - 0.5f, 0.0f);
  float sy = fmaxf((y + 0.5f) * inHeight / outHeight - 0.5f, 0.0f);
  int x0 = (int)sx, y0 = (int)sy;
  int x1 = min(x0 + 1, inWidth - 1), y1 = min(y0 + 1, inHeight - 1);
  float fx = sx - x0, fy = sy - y0;
  uchar4 a = in[y0 * inWidth + x0], b = in[y0 * inWidth + x1];
  uchar4 c = in[y1 * inWidth + x0], d = in[y1 * inWidth + x1];
  float wa = (1 - fx) * (1 - fy), wb = fx * (1 - fy), wc = (1 - fx) * fy, wd = fx * fy;
  uchar4 result;
  result.x = (unsigned char)(wa * a.x + wb * b.x + wc * c.x + wd * d.x + 0.5f);
  result.y = (unsigned char)(wa * a.y + wb * b.y + wc * c.y + wd * d.y + 0.5f);
  result.z = (unsigned char)(wa * a.z + wb * b.z + wc * c.z + wd * d.z + 0.5f);
  result.w = (unsigned char)(wa * a.w + wb * b.w + wc * c.w + wd * d.w + 0.5f);
  out[y * outWidth + x] = result;
}

extern "C" __global__ void colorToGrey(const uchar3* in, unsigned char* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uchar3 p = in[i];
  out[i] = (unsigned char)((77 * p.x + 150 * p.y + 29 * p.z) >> 8);
}

extern "C" __global__ void colorToHue(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r = in[3 * i], g = in[3 * i + 1], b = in[3 * i + 2];
  float most = fmaxf(r, fmaxf(g, b)), least = fminf(r, fminf(g, b));
  float range = most - least;
  float hue = 0;
  if (range > 0) {
    if (most == r)
      hue = fmodf((g - b) / range + 6.0f, 6.0f);
    else if (most == g)
      hue = (b - r) / range + 2.0f;
    else
      hue = (r - g) / range + 4.0f;
  }
  out[3 * i] = hue * 60.0f;
  out[3 * i + 1] = most > 0 ? range / most : 0;
  out[3 * i + 2] = most;
}
