extern "C" __global__ void waves(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = sinf(in[i]) + expf(in[i]);
}
