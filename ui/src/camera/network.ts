/**
 * The two small networks of the dice reader: the file of their weights (docs/camera.md) and their
 * layers. WebAssembly does the convolutions (convolution.wat), in the memory of the network.
 */
import convolution from './convolution.wat';

interface Layer {
  op: 'conv' | 'up' | 'add' | 'mean';
  /** Numbers of the tensors that go in: 0 is the input of the network, n the result of layer n. */
  from: number[];
  kernel?: 1 | 3;
  stride?: 1 | 2;
  in?: number;
  out?: number;
  relu?: boolean;
}

export interface Decoding {
  peak: number;
  most: number;
  overlap: number;
  /** The share of a box in the box of a surer die above which it is a part of that die. */
  inside: number;
  /** The side of what the classifier sees, in sides of the box. */
  crop: number;
  /** The same for the quarter turns of an unclear die. */
  crop_turned: number;
  none: number;
  /** The probability of a class from which a place is not looked at in a mirror and in turns. */
  settled: number;
  /** The probability of a face from which a die is clear. */
  clear: number;
  /** How many clear dice are looked at after quarter turns. */
  tested: number;
  /** The share of these looks that show the same face again in a picture from above. */
  alike: number;
  /** The probability of a face below which a die is doubtful in a picture from above. */
  sure: number;
  /** The same in another picture. */
  sure_slanted: number;
  sure_score: number;
}

interface Header {
  version: number;
  detector: { size: number; layers: Layer[] };
  classifier: { size: number; layers: Layer[] };
  decoding: Decoding;
}

export interface Tensor {
  /** Width and height of a plane. */
  size: number;
  /** Values by channel, row and column. */
  data: Float32Array<ArrayBuffer>;
}

interface Weights {
  /** Values by output, tap and input. */
  matrix: Float32Array<ArrayBuffer>;
  bias: Float32Array<ArrayBuffer>;
}

/** Planes in the memory of a network, with zeros around each. All places and distances are in floats. */
interface Planes {
  size: number;
  channels: number;
  /** The place of the first value. */
  begin: number;
  /** Distance of two rows. */
  row: number;
  /** Distance of two channels. */
  plane: number;
}

interface Exports {
  memory: WebAssembly.Memory;
  convolve: (...values: number[]) => void;
}

export interface Model {
  detector: Network;
  classifier: Network;
  decoding: Decoding;
}

const VERSION = 1;
const COLOURS = 3;
/** Output channels that a call of `convolve` calculates, and outputs of a row that it calculates at once. */
const BLOCK = 8;
const LANES = 4;
const FLOAT = 4;
const PAGE = 65_536;

const roundedUp = (count: number, to: number): number => Math.ceil(count / to) * to;

/** Return the networks of a file of weights. Throws `RangeError` where it is of another version, or not whole. */
export function readModel(file: ArrayBuffer): Model {
  const length = new DataView(file).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 4, length))) as Header;
  if (header.version !== VERSION) throw new RangeError(`weights of version ${header.version}`);
  const layers = [...header.detector.layers, ...header.classifier.layers].filter(({ op }) => op === 'conv');
  const outputs = layers.reduce((sum, { out }) => sum + out!, 0);
  const factors = new Float32Array(file.slice(4 + length, 4 + length + 2 * FLOAT * outputs));
  const values = new Int8Array(file, 4 + length + 2 * FLOAT * outputs);
  const found = new Map<Layer, Weights>();
  let factor = 0;
  let value = 0;
  for (const layer of layers) {
    const [outs, inputs] = [layer.out!, layer.in! * tapsOf(layer)];
    const scales = factors.subarray(factor, factor + outs);
    const stored = values.subarray(value, value + outs * inputs);
    const matrix = Float32Array.from(stored, (weight, at) => weight * scales[Math.floor(at / inputs)]!);
    found.set(layer, { matrix, bias: factors.slice(factor + outs, factor + 2 * outs) });
    factor += 2 * outs;
    value += outs * inputs;
  }
  if (value !== values.length) throw new RangeError('weights that are not whole');
  const module = new WebAssembly.Module(convolution);
  const network = ({ size, layers: own }: Header['detector']): Network => new Network(module, size, own, found);
  return { detector: network(header.detector), classifier: network(header.classifier), decoding: header.decoding };
}

const tapsOf = ({ kernel }: Layer): number => kernel! * kernel!;

/** A network with the memory for one picture. */
export class Network {
  readonly size: number;
  /** The values of the picture by channel, row and column, which the caller fills in. */
  readonly input: Float32Array<ArrayBuffer>;
  #exports: Exports;
  /** Floats of the memory that are in use. */
  #used = 0;
  #first: Planes;
  #last: Planes;
  #steps: (() => void)[] = [];

  /** `module` is the compiled convolution. */
  constructor(module: WebAssembly.Module, size: number, layers: readonly Layer[], weights: ReadonlyMap<Layer, Weights>) {
    this.size = size;
    this.input = new Float32Array(COLOURS * size * size);
    this.#exports = new WebAssembly.Instance(module).exports as unknown as Exports;
    this.#first = this.#planes(size, COLOURS);
    const tensors = [this.#first];
    for (const layer of layers) {
      const inputs = layer.from.map((number) => tensors[number]!);
      const to = this.#planes(sizeAfter(layer, inputs[0]!.size), layer.out ?? inputs[0]!.channels);
      const found = weights.get(layer);
      this.#steps.push(found ? this.#convolution(layer, inputs[0]!, to, found) : () => apply(layer, this.#values(), inputs, to));
      tensors.push(to);
    }
    this.#last = tensors.at(-1)!;
  }

  /** Return the result for the input. */
  run(): Tensor {
    const values = this.#values();
    copyRows(this.#first, (inside, dense, size) => values.set(this.input.subarray(dense, dense + size), inside));
    for (const step of this.#steps) step();
    const { size, channels } = this.#last;
    const data = new Float32Array(channels * size * size);
    copyRows(this.#last, (inside, dense) => data.set(values.subarray(inside, inside + size), dense));
    return { size, data };
  }

  #values(): Float32Array<ArrayBuffer> {
    return new Float32Array(this.#exports.memory.buffer as ArrayBuffer);
  }

  /** Return the place of so many more floats, which are zero. The convolution may read some more behind them. */
  #reserve(count: number): number {
    const begin = this.#used;
    this.#used += roundedUp(count, LANES);
    const missing = FLOAT * (this.#used + 4 * LANES) - this.#exports.memory.buffer.byteLength;
    if (missing > 0) this.#exports.memory.grow(Math.ceil(missing / PAGE));
    return begin;
  }

  #planes(size: number, channels: number): Planes {
    const row = roundedUp(size, LANES) + LANES;
    const plane = row * (size + 1);
    const above = LANES + row;
    return { size, channels, row, plane, begin: this.#reserve(above + plane * roundedUp(channels, BLOCK)) + above };
  }

  /** Return a step that convolves planes. */
  #convolution(layer: Layer, from: Planes, to: Planes, { matrix, bias }: Weights): () => void {
    const stride = layer.stride ?? 1;
    const seen = offsets(layer.kernel!, from);
    const offsetsAt = this.#reserve(seen.length);
    new Int32Array(this.#exports.memory.buffer).set(seen, offsetsAt);
    const blocks = Array.from({ length: Math.ceil(to.channels / BLOCK) }, (_, block) => {
      const at = this.#reserve(BLOCK * (1 + seen.length));
      const values = this.#values();
      for (let out = block * BLOCK; out < Math.min(to.channels, (block + 1) * BLOCK); out++) {
        values[at + (out % BLOCK)] = bias[out]!;
        for (let input = 0; input < seen.length; input++) values[at + BLOCK * (1 + input) + (out % BLOCK)] = matrix[out * seen.length + input]!;
      }
      return { weights: at, to: to.begin + block * BLOCK * to.plane };
    });
    return () => {
      for (const block of blocks) {
        const places = [from.begin, stride * from.row, stride * LANES, offsetsAt, offsetsAt + seen.length, block.weights, block.to, to.row, to.plane];
        this.#exports.convolve(...places.map((place) => FLOAT * place), to.size, layer.relu ? 0 : -Infinity);
      }
    };
  }
}

function sizeAfter({ op, stride }: Layer, size: number): number {
  if (op === 'mean') return 1;
  return op === 'up' ? 2 * size : size / (stride ?? 1);
}

/** Call a function for each row: with its place, its place among values without zeros between them, and its length. */
function copyRows({ size, channels, begin, row, plane }: Planes, copy: (inside: number, dense: number, size: number) => void): void {
  for (let line = 0; line < channels * size; line++) copy(begin + Math.floor(line / size) * plane + (line % size) * row, line * size, size);
}

/** Return the distances in bytes from a value to those that a convolution sees around it, by tap and input. */
function offsets(kernel: 1 | 3, { channels, row, plane }: Planes): number[] {
  const margin = kernel >> 1;
  const taps = Array.from({ length: kernel * kernel }, (_, tap) => (Math.floor(tap / kernel) - margin) * row + (tap % kernel) - margin);
  return taps.flatMap((tap) => Array.from({ length: channels }, (_, channel) => FLOAT * (channel * plane + tap)));
}

/** Write the result of a layer without weights. */
function apply({ op, relu }: Layer, values: Float32Array, [from, other]: readonly Planes[], to: Planes): void {
  const placeOf = ({ begin, row, plane }: Planes, channel: number, line: number): number => begin + channel * plane + line * row;
  const least = relu ? 0 : -Infinity;
  for (let channel = 0; channel < to.channels; channel++) {
    for (let line = 0; line < to.size; line++) {
      const at = placeOf(to, channel, line);
      if (op === 'up') {
        const source = placeOf(from!, channel, line >> 1);
        for (let column = 0; column < to.size; column++) values[at + column] = values[source + (column >> 1)]!;
      } else if (op === 'add') {
        const [one, two] = [placeOf(from!, channel, line), placeOf(other!, channel, line)];
        for (let column = 0; column < to.size; column++) values[at + column] = Math.max(least, values[one + column]! + values[two + column]!);
      } else values[at] = meanOf(values, from!, placeOf(from!, channel, 0));
    }
  }
}

/** Return the mean of a plane, whose first value is at `begin`. */
function meanOf(values: Float32Array, { size, row }: Planes, begin: number): number {
  let sum = 0;
  for (let line = 0; line < size; line++) for (let column = 0; column < size; column++) sum += values[begin + line * row + column]!;
  return sum / size ** 2;
}
