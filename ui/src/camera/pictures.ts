/** Pictures on their way to the networks: the working picture, its smaller levels, and crops of them. */

export interface Picture {
  width: number;
  height: number;
  /** Red, green, blue and opacity of each pixel, as a canvas gives them. */
  data: Uint8ClampedArray;
}

export const WORKING_SIZE = 640;
const EMPTY = 128;
const CONTRAST = 64;
const COLOURS = 3;
/** Colours, and the opacity. */
const CHANNELS = 4;
const WEIGHTS_OF_LUMA = [0.299, 0.587, 0.114];

/** A square of three planes with values of the networks. */
export interface Level {
  size: number;
  data: Float32Array;
}

export interface WorkingPicture {
  /** Factor from pixels of the picture to pixels of the working picture. */
  scale: number;
  /** The working picture and three smaller ones, each half as large as the one before. */
  levels: Level[];
  /** Mean brightness of the picture, from 0 to 255. */
  brightness: number;
}

/** Return the working picture: the whole picture at the top left of a grey square (docs/camera.md). */
export function workingPicture(picture: Picture): WorkingPicture {
  const scale = WORKING_SIZE / Math.max(picture.width, picture.height);
  const width = Math.max(1, Math.floor(picture.width * scale + 0.5));
  const height = Math.max(1, Math.floor(picture.height * scale + 0.5));
  const narrow = narrowed(picture, width);
  const plane = WORKING_SIZE ** 2;
  const data = new Float32Array(COLOURS * plane); // zero is the grey
  const values = new Float64Array(COLOURS * width);
  const totals = [0, 0, 0];
  triangles(picture.height, height).forEach(({ first, weights }, y) => {
    values.fill(0);
    weights.forEach((weight, tap) => {
      const line = (first + tap) * values.length;
      for (let at = 0; at < values.length; at++) values[at]! += weight * narrow[line + at]!;
    });
    for (let colour = 0; colour < COLOURS; colour++) {
      const line = colour * plane + y * WORKING_SIZE;
      for (let x = 0; x < width; x++) {
        const value = Math.floor(values[COLOURS * x + colour]! + 0.5);
        totals[colour]! += value;
        data[line + x] = (value - EMPTY) / CONTRAST;
      }
    }
  });
  const levels: Level[] = [{ size: WORKING_SIZE, data }];
  while (levels.length < 4) levels.push(halved(levels.at(-1)!));
  const brightness = totals.reduce((sum, total, colour) => sum + (WEIGHTS_OF_LUMA[colour]! * total) / (width * height), 0);
  return { scale, levels, brightness };
}

/** Return the rows of a picture at another width: red, green and blue of each pixel. */
function narrowed(picture: Picture, toWidth: number): Float64Array {
  const data = opaque(picture);
  const result = new Float64Array(COLOURS * toWidth * picture.height);
  const taps = triangles(picture.width, toWidth);
  let to = 0;
  for (let line = 0; line < data.length; line += CHANNELS * picture.width) {
    for (const { first, weights } of taps) {
      let red = 0;
      let green = 0;
      let blue = 0;
      let from = line + CHANNELS * first;
      for (let tap = 0; tap < weights.length; tap++, from += CHANNELS) {
        const weight = weights[tap]!;
        red += weight * data[from]!;
        green += weight * data[from + 1]!;
        blue += weight * data[from + 2]!;
      }
      result[to++] = red;
      result[to++] = green;
      result[to++] = blue;
    }
  }
  return result;
}

/** Return the values of a picture over white. */
function opaque({ data }: Picture): Uint8ClampedArray {
  const isOpaque = (): boolean => {
    for (let at = CHANNELS - 1; at < data.length; at += CHANNELS) if (data[at] !== 255) return false;
    return true;
  };
  if (isOpaque()) return data;
  return data.map((value, at) => {
    const opacity = data[at | (CHANNELS - 1)]!;
    return Math.floor((value * opacity + 255 * (255 - opacity)) / 255 + 0.5);
  });
}

interface Taps {
  first: number;
  weights: number[];
}

/** Return for each output sample the input samples that a triangle around it covers, and their weights. */
function triangles(from: number, to: number): Taps[] {
  const ratio = from / to;
  const support = Math.max(ratio, 1);
  return Array.from({ length: to }, (_, output) => {
    const centre = (output + 0.5) * ratio;
    const weightOf = (sample: number): number => Math.max(0, 1 - Math.abs(sample + 0.5 - centre) / support);
    const first = Math.max(0, Math.floor(centre - support));
    const end = Math.min(from, Math.ceil(centre + support));
    const raw = Array.from({ length: end - first }, (_, tap) => weightOf(first + tap));
    const sum = raw.reduce((all, weight) => all + weight, 0);
    const empty = raw.findIndex((weight) => weight > 0);
    return { first: first + empty, weights: raw.filter((weight) => weight > 0).map((weight) => weight / sum) };
  });
}

/** Return the means of the blocks of two by two pixels. */
function halved({ size, data }: Level): Level {
  const half = size / 2;
  const result = new Float32Array(COLOURS * half * half);
  for (let row = 0; row < COLOURS * half; row++) {
    const above = 2 * row * size;
    for (let x = 0; x < half; x++) {
      const at = above + 2 * x;
      result[row * half + x] = (data[at]! + data[at + 1]! + data[at + size]! + data[at + size + 1]!) / 4;
    }
  }
  return { size: half, data: result };
}

/** Sample a square of the working picture into `to`, which has `size` × `size` pixels. `side` is the side of the square. */
export function sample(levels: readonly Level[], centre: readonly [number, number], side: number, size: number, to: Float32Array): void {
  const small = levels.findIndex((_, number) => side / 2 ** number <= 1.5 * size);
  const number = small < 0 ? levels.length - 1 : small;
  const scale = 2 ** number;
  resample(levels[number]!, [centre[0] / scale, centre[1] / scale], side / scale, size, to);
}

/** Sample a square of a level into `to`, which has `size` × `size` pixels, by bilinear interpolation. */
export function resample(level: Level, [x, y]: readonly [number, number], side: number, size: number, to: Float32Array): void {
  const places = (middle: number): number[] => Array.from({ length: size }, (_, at) => middle + ((at + 0.5) / size - 0.5) * side - 0.5);
  const columns = places(x);
  places(y).forEach((v, i) => {
    const top = Math.floor(v);
    for (let colour = 0; colour < COLOURS; colour++) {
      const line = (colour * size + i) * size;
      for (let j = 0; j < size; j++) {
        const u = columns[j]!;
        const left = Math.floor(u);
        const above = mix(pixel(level, colour, top, left), pixel(level, colour, top, left + 1), u - left);
        const below = mix(pixel(level, colour, top + 1, left), pixel(level, colour, top + 1, left + 1), u - left);
        to[line + j] = mix(above, below, v - top);
      }
    }
  });
}

/** Reverse the columns of planes that are `size` pixels wide. */
export function mirror(planes: Float32Array, size: number): void {
  for (let at = 0; at < planes.length; at += size) planes.subarray(at, at + size).reverse();
}

/** Turn planes that are `size` pixels wide and high by a quarter, against the clock. */
export function turn(planes: Float32Array, size: number): void {
  const before = planes.slice();
  for (let at = 0; at < planes.length; at++) {
    const [row, column] = [Math.floor(at / size) % size, at % size];
    planes[at] = before[at - row * size - column + column * size + (size - 1 - row)]!;
  }
}

const mix = (one: number, other: number, part: number): number => one + (other - one) * part;

function pixel({ size, data }: Level, colour: number, row: number, column: number): number {
  return row < 0 || column < 0 || row >= size || column >= size ? 0 : data[(colour * size + row) * size + column]!;
}
