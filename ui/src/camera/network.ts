/**
 * The two small networks of the dice reader: the file of their weights (docs/camera.md) and their
 * layers, in plain typed arrays. A tensor holds one plane for each channel.
 */

interface Layer {
  op: 'conv' | 'depthwise' | 'up' | 'add' | 'concat' | 'mean';
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
  crop: number;
  none: number;
  /** The probability of a class from which a place is not looked at in a mirror. */
  settled: number;
  /** The probability of a face from which a die is clear. */
  clear: number;
  /** How many clear dice are looked at after a quarter turn. */
  tested: number;
  /** The share of them that show the same face again in a picture from above. */
  alike: number;
  sure: number;
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
  channels: number;
  /** Values by channel, row and column. */
  data: Float32Array<ArrayBuffer>;
}

/** Weights by output and input, padded with zeros to multiples of `BLOCK`. */
interface Weights {
  matrix: Float32Array<ArrayBuffer>;
  bias: Float32Array<ArrayBuffer>;
}

export interface Model {
  detector: Network;
  classifier: Network;
  decoding: Decoding;
}

const VERSION = 1;
const COLOURS = 3;
const BLOCK = 4;
/** Pixels that are multiplied at once: what they need stays in the cache of a core. */
const TILE = 512;

const padded = (count: number): number => Math.ceil(count / BLOCK) * BLOCK;

/** Return the networks of a file of weights. Throws `RangeError` where it is of another version, or not whole. */
export function readModel(file: ArrayBuffer): Model {
  const length = new DataView(file).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 4, length))) as Header;
  if (header.version !== VERSION) throw new RangeError(`weights of version ${header.version}`);
  const layers = [...header.detector.layers, ...header.classifier.layers].filter(hasWeights);
  const outputs = layers.reduce((sum, { out }) => sum + out!, 0);
  const factors = new Float32Array(file.slice(4 + length, 4 + length + 8 * outputs));
  const values = new Int8Array(file, 4 + length + 8 * outputs);
  const found = new Map<Layer, Weights>();
  let factor = 0;
  let value = 0;
  for (const layer of layers) {
    const [outs, taps] = [layer.out!, tapsOf(layer)];
    const channels = layer.op === 'conv' ? layer.in! : 1;
    const width = padded(channels * taps);
    const matrix = new Float32Array(padded(outs) * width);
    for (let out = 0; out < outs; out++) {
      const scale = factors[factor + out]!;
      for (let tap = 0; tap < taps; tap++) {
        for (let channel = 0; channel < channels; channel++) matrix[out * width + channel * taps + tap] = scale * values[value++]!;
      }
    }
    found.set(layer, { matrix, bias: factors.slice(factor + outs, factor + 2 * outs) });
    factor += 2 * outs;
  }
  if (value !== values.length) throw new RangeError('weights that are not whole');
  const network = ({ size, layers: own }: Header['detector']): Network => new Network(size, own, found);
  return { detector: network(header.detector), classifier: network(header.classifier), decoding: header.decoding };
}

const hasWeights = ({ op }: Layer): boolean => op === 'conv' || op === 'depthwise';
const tapsOf = ({ op, kernel }: Layer): number => (op === 'depthwise' ? 9 : kernel! * kernel!);

/** A network with the memory for one picture. */
export class Network {
  readonly size: number;
  #layers: readonly Layer[];
  #weights: ReadonlyMap<Layer, Weights>;
  #tensors: Tensor[];
  #columns: Float32Array<ArrayBuffer>;

  constructor(size: number, layers: readonly Layer[], weights: ReadonlyMap<Layer, Weights>) {
    this.size = size;
    this.#layers = layers;
    this.#weights = weights;
    this.#tensors = [tensor(size, COLOURS)];
    let most = 0;
    for (const layer of layers) {
      const inputs = layer.from.map((number) => this.#tensors[number]!);
      this.#tensors.push(tensor(sizeAfter(layer, inputs[0]!.size), channelsAfter(layer, inputs)));
      if (layer.op === 'conv') most = Math.max(most, padded(layer.in! * tapsOf(layer)));
    }
    this.#columns = new Float32Array(most * (TILE + size));
  }

  /** The values of the picture, which the caller fills in. */
  get input(): Float32Array {
    return this.#tensors[0]!.data;
  }

  /** Return the result for the input. The next run overwrites it. */
  run(): Tensor {
    this.#layers.forEach((layer, number) => this.#apply(layer, this.#tensors[number + 1]!));
    return this.#tensors.at(-1)!;
  }

  #apply(layer: Layer, to: Tensor): void {
    const inputs = layer.from.map((number) => this.#tensors[number]!);
    const from = inputs[0]!;
    switch (layer.op) {
      case 'conv':
        convolve(layer, from, this.#weights.get(layer)!, this.#columns, to);
        break;
      case 'depthwise':
        convolveEach(layer, from, this.#weights.get(layer)!, to);
        break;
      case 'up':
        enlarge(from, to);
        break;
      case 'add':
        to.data.set(from.data);
        for (const { data } of inputs.slice(1)) for (let at = 0; at < data.length; at++) to.data[at]! += data[at]!;
        break;
      case 'concat':
        inputs.reduce((at, { data }) => (to.data.set(data, at), at + data.length), 0);
        break;
      case 'mean':
        for (let channel = 0; channel < from.channels; channel++) {
          const plane = planeOf(from, channel);
          to.data[channel] = plane.reduce((sum, value) => sum + value, 0) / plane.length;
        }
    }
    if (layer.relu) for (let at = 0; at < to.data.length; at++) if (to.data[at]! < 0) to.data[at] = 0;
  }
}

const tensor = (size: number, channels: number): Tensor => ({ size, channels, data: new Float32Array(size * size * channels) });
const planeOf = ({ size, data }: Tensor, channel: number): Float32Array => data.subarray(channel * size * size, (channel + 1) * size * size);

function sizeAfter({ op, stride }: Layer, size: number): number {
  if (op === 'mean') return 1;
  return op === 'up' ? 2 * size : size / (stride ?? 1);
}

function channelsAfter({ op, out }: Layer, inputs: readonly Tensor[]): number {
  if (op === 'conv') return out!;
  return op === 'concat' ? inputs.reduce((sum, { channels }) => sum + channels, 0) : inputs[0]!.channels;
}

function enlarge({ size, data }: Tensor, to: Tensor): void {
  const wide = to.size;
  for (let row = 0; row < wide * to.channels; row++) {
    const start = (row >> 1) * size;
    for (let column = 0; column < wide; column++) to.data[row * wide + column] = data[start + (column >> 1)]!;
  }
}

/** Convolve by multiplying matrices: the pixels that each output sees are the columns. */
function convolve(layer: Layer, from: Tensor, { matrix, bias }: Weights, columns: Float32Array, to: Tensor): void {
  const taps = tapsOf(layer);
  const width = padded(from.channels * taps);
  const rows = Math.max(1, Math.floor(TILE / to.size));
  const plane = to.size * to.size;
  for (let out = 0; out < to.channels; out++) to.data.fill(bias[out]!, out * plane, (out + 1) * plane);
  for (let row = 0; row < to.size; row += rows) {
    const count = Math.min(rows, to.size - row) * to.size;
    if (taps === 1 && width === from.channels) multiply(matrix, width, from.data, plane, row * to.size, to, row * to.size, count);
    else {
      gather(from, taps, layer.stride ?? 1, row, to.size, count, columns);
      columns.fill(0, from.channels * taps * count, width * count);
      multiply(matrix, width, columns, count, 0, to, row * to.size, count);
    }
  }
}

/** Write for each channel and tap a row with the pixels that the outputs from `row` on see there. */
function gather({ size, channels, data }: Tensor, taps: number, stride: number, row: number, wide: number, count: number, columns: Float32Array): void {
  const side = taps === 9 ? 3 : 1;
  const margin = side >> 1;
  let to = 0;
  for (let channel = 0; channel < channels; channel++) {
    for (let down = 0; down < side; down++) {
      for (let right = 0; right < side; right++) {
        for (let y = row; y < row + count / wide; y++, to += wide) {
          const line = y * stride + down - margin;
          if (line < 0 || line >= size) {
            columns.fill(0, to, to + wide);
            continue;
          }
          // Only the ends of a line may see pixels outside.
          const first = right < margin ? 1 : 0;
          const last = right - margin + (wide - 1) * stride >= size ? wide - 1 : wide;
          if (first > 0) columns[to] = 0;
          if (last < wide) columns[to + last] = 0;
          const start = (channel * size + line) * size + right - margin;
          for (let x = first; x < last; x++) columns[to + x] = data[start + x * stride]!;
        }
      }
    }
  }
}

/**
 * Add to each output the products of its weights with `count` columns. `step` is the distance
 * between the inputs of a column, and `begin` the place of the first.
 */
function multiply(
  matrix: Float32Array,
  width: number,
  inputs: Float32Array,
  step: number,
  begin: number,
  { size, channels, data }: Tensor,
  place: number,
  count: number,
): void {
  const plane = size * size;
  let out = 0;
  for (; out + BLOCK <= channels; out += BLOCK) {
    const y0 = out * plane + place;
    const y1 = y0 + plane;
    const y2 = y1 + plane;
    const y3 = y2 + plane;
    for (let input = 0; input < width; input += BLOCK) {
      const x0 = begin + input * step;
      const x1 = x0 + step;
      const x2 = x1 + step;
      const x3 = x2 + step;
      const w0 = out * width + input;
      const w1 = w0 + width;
      const w2 = w1 + width;
      const w3 = w2 + width;
      const a0 = matrix[w0]!, a1 = matrix[w0 + 1]!, a2 = matrix[w0 + 2]!, a3 = matrix[w0 + 3]!;
      const b0 = matrix[w1]!, b1 = matrix[w1 + 1]!, b2 = matrix[w1 + 2]!, b3 = matrix[w1 + 3]!;
      const c0 = matrix[w2]!, c1 = matrix[w2 + 1]!, c2 = matrix[w2 + 2]!, c3 = matrix[w2 + 3]!;
      const d0 = matrix[w3]!, d1 = matrix[w3 + 1]!, d2 = matrix[w3 + 2]!, d3 = matrix[w3 + 3]!;
      for (let at = 0; at < count; at++) {
        const p = inputs[x0 + at]!;
        const q = inputs[x1 + at]!;
        const r = inputs[x2 + at]!;
        const s = inputs[x3 + at]!;
        data[y0 + at]! += a0 * p + a1 * q + a2 * r + a3 * s;
        data[y1 + at]! += b0 * p + b1 * q + b2 * r + b3 * s;
        data[y2 + at]! += c0 * p + c1 * q + c2 * r + c3 * s;
        data[y3 + at]! += d0 * p + d1 * q + d2 * r + d3 * s;
      }
    }
  }
  for (; out < channels; out++) {
    for (let input = 0; input < width; input++) {
      const weight = matrix[out * width + input]!;
      for (let at = 0; at < count; at++) data[out * plane + place + at]! += weight * inputs[begin + input * step + at]!;
    }
  }
}

/** Convolve each channel alone. */
function convolveEach({ stride = 1 }: Layer, from: Tensor, { matrix, bias }: Weights, to: Tensor): void {
  const width = padded(9);
  const { size } = from;
  for (let channel = 0; channel < to.channels; channel++) {
    const weights = matrix.subarray(channel * width, channel * width + 9);
    for (let y = 0; y < to.size; y++) {
      for (let x = 0; x < to.size; x++) {
        let sum = bias[channel]!;
        for (let tap = 0; tap < 9; tap++) {
          const line = y * stride + Math.floor(tap / 3) - 1;
          const column = x * stride + (tap % 3) - 1;
          if (line >= 0 && line < size && column >= 0 && column < size) sum += weights[tap]! * from.data[(channel * size + line) * size + column]!;
        }
        to.data[(channel * to.size + y) * to.size + x] = sum;
      }
    }
  }
}
