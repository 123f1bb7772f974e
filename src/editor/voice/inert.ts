import { signsInLine } from '../../base/util/showable';

/** An invisible character of zero width that keeps its neighbours on one line (Unicode's WORD JOINER). */
const JOINER = '\u2060';

/** Sequences that VS Code interprets, each cut before its last character: `](` of a link, `$(` of an icon, `://`, `www.` and `@` of an address. */
const ACTIVE = /\]\(|\$\(|:\/\/|www\.|@/gi;

/** Characters with a meaning in Markdown: every ASCII punctuation mark may follow a backslash there. */
const MARKUP = /[!-/:-@[-`{-~]/g;

/** Maximum length of a shown text, characters. A name may have 10,000. */
export const MOST = {
  /** A notification, a question, a line of a tooltip. */
  sentence: 800,
  /** A row of a list or a tree, a title, a button. */
  label: 300,
  /** A line of the small print of a dialog, which a person agrees to. */
  detail: 8_000,
} as const;

/**
 * Returns one line that VS Code shows as written: without links, icons, control characters, direction marks and hidden characters. A text that is too
 * long loses its middle, because our own words surround the names of others.
 */
export function inertLine(text: string, most: number): string {
  return signsInLine(shortened(text, most)).replace(
    ACTIVE,
    (found) => `${found.slice(0, -1)}${JOINER}${found.slice(-1)}`,
  );
}

/** Returns one line as Markdown that shows it as written. A backslash does not stop an icon: VS Code looks for icons last. */
export function inertMarkdown(text: string): string {
  return signsInLine(shortened(text, MOST.sentence))
    .replace(/\s+/g, ' ')
    .trim()
    .replace(MARKUP, (mark) => (mark === '$' ? '&#36;' : mark === '<' ? '&lt;' : mark === '&' ? '&amp;' : `\\${mark}`));
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor((most - 1) / 2);
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}
