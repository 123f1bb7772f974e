/** Beginning of a list of failed attempts in a text. */
const NOTES =
  /\b(?:previous(?:ly)?|prior|earlier|failed|past)\s+(?:\w+\s+)?(?:attempts?|approach(?:es)?|tries)\b|\b(?:already|previously) (?:tried|failed|attempted)\b|\b(?:was|were|has been|have been) tried\b|\b(?:do not|don't|never|avoid) (?:\w+ ){0,2}(?:repeat|retry|retrying|repeating|run|running|try|trying|use|using|call|calling|approach(?:es)?)\b|\bavoid:|\bwhat (?:did not|didn't) work\b/i;
/** Number of characters that are read after that beginning. */
const READ = 4000;
/** Limit of the approaches that are kept of one text. */
const MOST = 32;
const SHORTEST = 3;
const LONGEST = 200;
const QUOTED = /`([^`\n]{3,200})`/g;
/** The beginning of a list item. */
const ITEM = /^[ \t]*(?:[-*•]|\d+[.)])[ \t]+/;
/** Prefixes of the command or call of an item. */
const LEAD = /^(?:ran|run|running|tried|command|called|Attempt \d{1,9}[^:]*):?[ \t]+/i;

/**
 * Returns the approaches that a retry context lists as failed, in its own words; none where the text is not a retry context.
 *
 * It takes texts in backticks, and list items, after words such as "previous attempts", "already tried", "do not repeat".
 */
export function failedApproaches(text: string): string[] {
  const start = NOTES.exec(text.length > READ * 4 ? text.slice(0, READ * 4) : text);
  if (!start) return [];
  const notes = text.slice(start.index, start.index + READ);
  const found = new Set<string>();
  for (const approach of [...quotedIn(notes), ...listedIn(notes)]) {
    const known = normalApproach(approach);
    if (known.length >= SHORTEST && known.length <= LONGEST && found.size < MOST) found.add(known);
  }
  return [...found];
}

function quotedIn(text: string): string[] {
  return [...text.matchAll(QUOTED)].map(([, approach = '']) => approach);
}

/** Returns list items that consist only of a command or a call: `- npm install --force`. */
function listedIn(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => ITEM.test(line))
    .map((line) => line.replace(ITEM, '').replace(LEAD, ''))
    .filter((approach) => !approach.includes('`'));
}

/** Writes an approach in one form, so that it equals the subject or the command of a call. */
export function normalApproach(text: string): string {
  const words = text.replace(/\s+/g, ' ').trim().replace(/^\$ /, '');
  // the end of a sentence, not the folder of `docker build .`
  return words.replace(/([\w)])[.,;:]$/, '$1');
}
