// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs kernels of a WebAssembly module in Node: launches and arrays are laid out in the module's own memory.
import { readFileSync } from 'node:fs';

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const { memory, saxpy, apply, group_sums, group_sums_scratch, dot, further, __heap_base } = instance.exports;
memory.grow(4);
const view = new DataView(memory.buffer);
let free = (__heap_base.value + 63) & ~63;
const take = (bytes) => { const at = free; free = (free + bytes + 63) & ~63; return at; };
const floats = (values) => { const at = take(4 * values.length); values.forEach((v, i) => view.setFloat32(at + 4 * i, v, true)); return at; };
const launch = (grid, group, dynamicShared = 0, scratch = 0, scratchBytes = 0) => {
  const at = take(64);
  [...grid, ...group, dynamicShared, 0].forEach((v, i) => view.setUint32(at + 4 * i, v, true));
  view.setUint32(at + 48, scratch, true);
  view.setUint32(at + 52, scratchBytes, true);
  return at;
};
let good = true;
const expect = (condition, what) => { if (!condition) { good = false; console.log('wrong:', what); } };

const n = 100, x = floats(Array.from({ length: n }, (_, i) => i)), y = floats(Array(n).fill(1));
expect(saxpy(launch([2, 1, 1], [64, 1, 1]), n, 2, x, y) === 0, 'saxpy runs');
for (let i = 0; i < n; ++i) expect(view.getFloat32(y + 4 * i, true) === 1 + 2 * i, 'saxpy');

// struct Params with 32-bit pointers: tag 0, scale 8, at 16, table 32, last 36.
const params = take(40), wide = take(32), either = take(4), flags = take(8), out = take(8 * 4);
view.setInt8(params, -3);
view.setFloat64(params + 8, 0.5, true);
view.setFloat32(params + 28, 10, true);
view.setUint32(params + 32, x, true);
view.setUint16(params + 36, 1000, true);
view.setInt32(wide + 12, 4, true);
view.setUint8(either, 7);
view.setUint8(flags, 5 | (9 << 3));
expect(apply(launch([1, 1, 1], [4, 1, 1]), params, wide, either, flags, 1, -20, out) === 0, 'apply runs');
for (let i = 0; i < 4; ++i) expect(view.getFloat64(out + 8 * i, true) === -(0.5 * i + 10 - 3 + 1000 + 4 + 7 + 5 + 9 - 20), 'apply');

const groups = 3, items = 8, input = take(4 * groups * items), sums = take(4 * groups * items);
for (let i = 0; i < groups * items; ++i) view.setInt32(input + 4 * i, i, true);
const plain = launch([groups, 1, 1], [items, 1, 1], 4 * items);
expect(group_sums(plain, input, sums) === 2, 'group_sums without scratch has no memory');
const bytes = group_sums_scratch(plain);
const prepared = launch([groups, 1, 1], [items, 1, 1], 4 * items, take(bytes), bytes);
expect(group_sums(prepared, input, sums) === 0, 'group_sums runs');
for (let i = 0; i < groups * items; ++i) {
  const first = Math.floor(i / items) * items;
  expect(view.getInt32(sums + 4 * i, true) === (items * first + 28) * 100 + i, 'group_sums');
}
expect(dot(x, x, 4) === 14, 'dot');
const a = floats([1, 1]), b = floats([2, 2]);
expect(further(a, b) === b, 'further');
console.log(good ? 'all correct' : 'failed');
process.exit(good ? 0 : 1);
