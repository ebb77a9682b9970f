// Reads from standard input a JSON list of pictures in their order, each with the boxes of its dice and its width and height in CSS
// pixels, and prints the marks that ui/src/camera/labelPlaces.ts returns for each.
import { readFileSync } from 'node:fs';
import { marksOf } from '../../ui/src/camera/labelPlaces.ts';

const pictures = JSON.parse(readFileSync(0, 'utf8'));
let earlier = [];
const marks = pictures.map(({ boxes, width, height }) => (earlier = marksOf(boxes, width, height, earlier)));
process.stdout.write(JSON.stringify(marks));
