/**
 * What the page knows about its window. The values are stored when the window changes: to read
 * `innerHeight` or `matches` makes the browser lay out the page, in the middle of an update.
 */
const size = $state({ width: innerWidth, height: innerHeight });
addEventListener('resize', () => Object.assign(size, { width: innerWidth, height: innerHeight }));

/** Return the size of the window in px. */
export const windowSize = (): Readonly<{ width: number; height: number }> => size;

/** Return a function that tells whether the window matches a media query. */
export function matching(query: string): () => boolean {
  const list = matchMedia(query);
  let matches = $state(list.matches);
  list.addEventListener('change', () => (matches = list.matches));
  return () => matches;
}
