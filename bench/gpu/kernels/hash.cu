// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes, checksums and whole-number arithmetic.

// MurmurHash3, 32 bits, of eight words.
extern "C" __global__ void murmurHash(const unsigned* keys, unsigned* out, unsigned seed, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned h = seed;
  for (int w = 0; w < 8; w++) {
    unsigned k = keys[w * n + i];
    k *= 0xcc9e2d51u;
    k = (k << 15) | (k >> 17);
    k *= 0x1b873593u;
    h ^= k;
    h = (h << 13) | (h >> 19);
    h = h * 5 + 0xe6546b64u;
  }
  h ^= 32;
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  h ^= h >> 16;
  out[i] = h;
}

extern "C" __global__ void crcTable(const unsigned* words, const unsigned* table, unsigned* out, int length, int n) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned crc = 0xffffffffu;
  for (int w = 0; w < length; w++) {
    unsigned word = words[w * n + i];
    for (int b = 0; b < 4; b++) {
      crc = local[(crc ^ word) & 255] ^ (crc >> 8);
      word >>= 8;
    }
  }
  out[i] = ~crc;
}

extern "C" __global__ void crcBits(const unsigned char* bytes, unsigned* out, int length, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned crc = 0xffffffffu;
  for (int b = 0; b < length; b++) {
    crc ^= bytes[i * length + b];
    for (int k = 0; k < 8; k++) crc = (crc & 1) ? (crc >> 1) ^ 0xEDB88320u : crc >> 1;
  }
  out[i] = ~crc;
}

__constant__ unsigned sha_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

__device__ unsigned rotateRight(unsigned x, int n) {
  return (x >> n) | (x << (32 - n));
}

// SHA-256's compression of one block of 16 words for each thread.
extern "C" __global__ void shaBlock(const unsigned* message, unsigned* digest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned w[64];
  for (int t = 0; t < 16; t++) w[t] = message[t * n + i];
  for (int t = 16; t < 64; t++) {
    unsigned s0 = rotateRight(w[t - 15], 7) ^ rotateRight(w[t - 15], 18) ^ (w[t - 15] >> 3);
    unsigned s1 = rotateRight(w[t - 2], 17) ^ rotateRight(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  unsigned s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  unsigned a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
  for (int t = 0; t < 64; t++) {
    unsigned big1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
    unsigned t1 = h + big1 + ((e & f) ^ (~e & g)) + sha_constants[t] + w[t];
    unsigned big0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
    unsigned t2 = big0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  unsigned v[8] = {a, b, c, d, e, f, g, h};
  for (int k = 0; k < 8; k++) digest[k * n + i] = s[k] + v[k];
}

extern "C" __global__ void modularPower(const unsigned* base, const unsigned* exponent, unsigned* out, unsigned modulus,
                                        int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long result = 1, b = base[i] % modulus;
  for (unsigned e = exponent[i]; e > 0; e >>= 1) {
    if (e & 1) result = result * b % modulus;
    b = b * b % modulus;
  }
  out[i] = (unsigned)result;
}

extern "C" __global__ void divideLong(const long long* a, const long long* b, long long* quotient, long long* remainder,
                                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  quotient[i] = a[i] / b[i];
  remainder[i] = a[i] % b[i];
}

// The product of two numbers of 256 bits, in words of 32.
extern "C" __global__ void multiplyWide(const unsigned* a, const unsigned* b, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x[8], y[8], r[16];
  for (int k = 0; k < 8; k++) {
    x[k] = a[k * n + i];
    y[k] = b[k * n + i];
  }
  for (int k = 0; k < 16; k++) r[k] = 0;
  for (int j = 0; j < 8; j++) {
    unsigned long long carry = 0;
    for (int k = 0; k < 8; k++) {
      unsigned long long t = (unsigned long long)x[j] * y[k] + r[j + k] + carry;
      r[j + k] = (unsigned)t;
      carry = t >> 32;
    }
    r[j + 8] = (unsigned)carry;
  }
  for (int k = 0; k < 16; k++) out[k * n + i] = r[k];
}

extern "C" __global__ void greatestDivisor(const unsigned* a, const unsigned* b, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = a[i], y = b[i];
  while (y != 0) {
    unsigned t = x % y;
    x = y;
    y = t;
  }
  out[i] = x;
}

extern "C" __global__ void nearestFingerprint(const unsigned long long* queries, const unsigned long long* known,
                                              int* nearest, int count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long a = queries[2 * i], b = queries[2 * i + 1];
  int best = 1000, place = 0;
  for (int k = 0; k < count; k++) {
    int bits = __popcll(a ^ known[2 * k]) + __popcll(b ^ known[2 * k + 1]);
    if (bits < best) {
      best = bits;
      place = k;
    }
  }
  nearest[i] = place;
}

// Where each thread's line has the pattern first, or -1.
extern "C" __global__ void findPattern(const char* text, const char* pattern, int* found, int line, int length, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const char* mine = text + (size_t)i * line;
  int place = -1;
  for (int at = 0; at + length <= line; at++) {
    int k = 0;
    while (k < length && mine[at + k] == pattern[k]) k++;
    if (k == length) {
      place = at;
      break;
    }
  }
  found[i] = place;
}
