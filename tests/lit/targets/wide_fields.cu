// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields of 128 bits lie where the host has them, at multiples of 16 bytes, also where LLVM aligns such integers to 8.
// RUN: %compile %s -t amdgpu -o %t.limg --dump-after retarget 2> %t.amdgpu
// RUN: FileCheck %s --check-prefix TYPE < %t.amdgpu
// RUN: %compile %s -t spirv -o %t.limg --dump-after retarget 2> %t.spirv
// RUN: FileCheck %s --check-prefix TYPE < %t.spirv
// RUN: %compile %s -t spirv -O0 -o %t.limg
// RUN: %if spirv-val %{ %lathe compile %s -t spirv --emit spv -o %t.spv && spirv-val --target-env spv1.4 %t.spv %}
// RUN: %compile %s -t cuda -o %t.limg --dump-after retarget 2> %t.cuda
// RUN: FileCheck %s --check-prefix SAME < %t.cuda
// TYPE-DAG: %struct.Wide = type { i32, <2 x i64>, i32 }
// TYPE-DAG: @table = {{.*}}[2 x %struct.Wide] [%struct.Wide { i32 1, <2 x i64> splat (i64 -1), i32 3 }
// TYPE-NOT: getelementptr {{.*}}i128
// TYPE: define {{.*}}byval(%struct.Wide) align 16
// SAME: %struct.Wide = type { i32, i128, i32 }
struct Wide {
  unsigned first;
  __int128 number;
  unsigned last;
};
__constant__ Wide table[2] = {{1, -1, 3}, {4, 5, 6}};

__global__ void choose(Wide value, unsigned* out) {
  Wide local[2] = {value, table[threadIdx.x & 1]};
  out[threadIdx.x] = local[out[threadIdx.x] & 1].last + static_cast<unsigned>(local[threadIdx.x & 1].number >> 70);
}
