import { WINGS } from '../../.dependency-cruiser.mjs';

const BEGIN = '<!-- wings: written by `npm run generate` from .dependency-cruiser.mjs -->';
const END = '<!-- /wings -->';

/** Draws the picture of the wings in ARCHITECTURE.md. */
export function wingsPicture(_sources, read) {
  const path = 'ARCHITECTURE.md';
  const text = read(path);
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`${path} has no place for the wings: ${BEGIN} … ${END}`);
  const width = Math.max(...WINGS.map(({ name }) => name.length));
  const rows = WINGS.map(
    ({ name, floor, does, imports }) =>
      `${floor}  ${name.padEnd(width)}  ${does}\n   ${' '.repeat(width)}  → ${imports.join(', ') || 'nothing'}`,
  );
  const picture = ['', '```', ...rows, '```', ''].join('\n');
  return [{ path, text: text.slice(0, begin + BEGIN.length) + picture + text.slice(end) }];
}
