// A kernel in the dialect's spelling.
kernel void twice(float* data) {
  data[lathe::global_id().x] *= 2.0f;
}
