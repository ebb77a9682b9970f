/** Pips and edges for dice of any colour, with enough contrast. */

/** The relative luminance of the brightest felt. */
const FELT = 0.13;
/** Dice of this luminance have a contrast of 3 with every felt. Darker dice need a light edge. */
const BRIGHT = 3 * (FELT + 0.05) - 0.05;

/** Return the relative luminance of a colour `#rrggbb`, from 0 to 1 (WCAG 2.2). */
export function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

const contrast = (one: number, other: number): number => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

/** Return whether a text is a colour that dice can have. */
export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/**
 * Return the CSS variables of dice of a colour. The pips are black or white, whichever has the
 * higher contrast: at least 4.58.
 */
export function diceOf(colour: string): Record<'--die' | '--die-edge' | '--die-shine' | '--pip', string> {
  const bright = luminance(colour);
  const dark = contrast(bright, 0) >= contrast(bright, 1);
  return {
    '--die': colour,
    '--die-edge': bright < BRIGHT ? 'rgb(255 255 255 / 0.8)' : 'rgb(0 0 0 / 0.5)',
    '--die-shine': `rgb(255 255 255 / ${dark ? 0.6 : 0.35})`,
    '--pip': dark ? '#000' : '#fff',
  };
}
