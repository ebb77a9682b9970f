// node run_wasm.mjs MODULE CALLS RESULTS: run calls of kernels in the WebAssembly module.
// CALLS: JSON lines {symbol, leaves: [{scalar} | {bytes, lengths, strides}], result: bytes of the result}.
import { readFileSync, writeFileSync } from "node:fs";

const [file, calls, results] = process.argv.slice(2);
// Abramowitz and Stegun's series: slow, and as exact as the sum of doubles.
function erf(x) {
  const far = Math.abs(x) > 6;
  let sum = x, term = x;
  for (let n = 1; !far && n < 200; n++) sum += (term *= (-x * x) / n) / (2 * n + 1);
  return far ? Math.sign(x) : (2 / Math.sqrt(Math.PI)) * sum;
}
// What the interpreter gives in the page: memory, with the module's data first and its stack below STACK.
const DATA = 1024, STACK = 8 << 20, PAGE = 1 << 16;
const memory = new WebAssembly.Memory({ initial: (2 * STACK) / PAGE });
const constant = (value) => new WebAssembly.Global({ value: "i32" }, value);
let top = STACK;
function malloc(size) {
  const place = (top + 15) & ~15;
  top = place + size;
  if (top > memory.buffer.byteLength) memory.grow(Math.ceil((top - memory.buffer.byteLength) / PAGE));
  return place;
}
// Kernels allocate nothing, so there is no malloc.
const env = {
  memory,
  exp: Math.exp,
  expf: (x) => Math.fround(Math.exp(x)),
  erf,
  __stack_pointer: new WebAssembly.Global({ value: "i32", mutable: true }, STACK),
  __memory_base: constant(DATA),
  __table_base: constant(0),
};
const { instance } = await WebAssembly.instantiate(readFileSync(file), { env });
const kernels = instance.exports;
kernels.__wasm_apply_data_relocs?.();
kernels.__wasm_call_ctors?.();
const bytes = () => new Uint8Array(memory.buffer);
const view = () => new DataView(memory.buffer);

const done = readFileSync(calls, "utf8").trim().split("\n").map((line) => {
  const { symbol, leaves, result } = JSON.parse(line);
  top = STACK;
  const slots = malloc(8 * leaves.length);
  const out = malloc(64);
  const arrays = [];
  leaves.forEach((leaf, at) => {
    if (leaf.bytes === undefined) return bytes().set(Buffer.from(leaf.scalar, "base64"), slots + 8 * at);
    const content = Buffer.from(leaf.bytes, "base64");
    const place = malloc(content.length + 64);
    const data = (place + 63) & ~63;
    bytes().set(content, data);
    const parts = [data, ...leaf.lengths, ...leaf.strides];
    const array = malloc(8 * parts.length);
    parts.forEach((part, number) => view().setBigInt64(array + 8 * number, BigInt(part), true));
    view().setBigInt64(slots + 8 * at, BigInt(array), true);
    arrays.push([data, content.length]);
  });
  let status;
  try {
    status = kernels[symbol](slots, out);
  } catch (error) {
    throw new Error(symbol, { cause: error });
  }
  const read = (at, length) => Buffer.from(bytes().slice(at, at + length)).toString("base64");
  const found = { status, result: read(out, result), arrays: arrays.map(([at, length]) => read(at, length)) };
  return JSON.stringify(found);
});
writeFileSync(results, done.join("\n"));
