import { pieceOf, piecesOf } from '../../base/util/piece';
import { nameKind } from '../../base/secrets/secret-name';
import { cleanLine } from '../../base/util/showable';

const MAXIMUM = 120;

/** Returns the first line of a prompt without Markdown, cut at a word boundary. Control characters are left out. */
export function titleOf(prompt: string): string {
  const head = piecesOf(prompt, 0, Math.min(prompt.length, 2000));
  const line =
    head
      .split('\n')
      .map((text) =>
        cleanLine(text)
          .replace(/^\s*(#{1,6}|[-*+>]|\d+[.)])\s+/, '')
          .replace(/!?\[([^\]]{0,200})\]\([^)]{0,500}\)/g, '$1')
          .replace(/`+|\*{2,3}|~~|(?<![\w*])[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}(?![\w*])/g, '')
          .replace(/<\/?([a-z][\w-]{0,40})[^>]{0,80}>/gi, markup)
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .find((text) => text !== '') ?? '';
  return shorten(line, MAXIMUM);
}

/** Removes markup except for the name of a secret, by which its value is recognised as one when the title is sent elsewhere. */
function markup(tag: string, name: string): string {
  return nameKind(name) === undefined ? '' : tag;
}

/** Cuts at a word boundary and marks the cut with an ellipsis. */
export function shorten(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  const cut = pieceOf(text, 0, maximum - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > maximum / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
