import { ASSIGNED } from './assigned';
import { INTRODUCED } from './introduced';
import { PUTTY_KEY, findPrivateKeys } from './private-keys';
import type { SecretRule, TextRange } from './rule';
import { TOKEN_RULES } from './tokens';
import { type WordIndex, wordIndex } from './word-index';

export const RULES: readonly SecretRule[] = [ASSIGNED, ...INTRODUCED, ...TOKEN_RULES, PUTTY_KEY];

interface Index {
  readonly words: WordIndex;
  /** For each word the places of its rules in RULES. */
  readonly rulesOf: readonly (readonly number[])[];
}

let index: Index | undefined;

/** Made when the first text comes, so that the start of the editor does not wait for it. */
function indexOfRules(): Index {
  const rulesOf = new Map<string, number[]>();
  for (const [place, rule] of RULES.entries())
    for (const word of new Set(rule.words)) rulesOf.set(word, [...(rulesOf.get(word) ?? []), place]);
  return { words: wordIndex([...rulesOf.keys()]), rulesOf: [...rulesOf.values()] };
}

/** How much was looked at: for tests of the cost. */
export interface FindCount {
  /** How often a rule was asked about a place. */
  looks: number;
}

/** Where secrets lie in a text without escape sequences. Ascending, not overlapping. */
export function findInPlain(text: string, count?: FindCount): TextRange[] {
  index ??= indexOfRules();
  const found: TextRange[] = [];
  if (text.includes('PRIVATE KEY')) findPrivateKeys(text, found);
  const { rulesOf } = index;
  const notBefore = new Int32Array(RULES.length);
  index.words.scan(text, (word, at) => {
    for (const place of rulesOf[word] ?? []) {
      if (at < (notBefore[place] ?? 0)) continue;
      if (count) count.looks++;
      const sighting = (RULES[place] as SecretRule).look(text, at);
      if (!sighting) continue;
      if (sighting.secret) found.push(sighting.secret);
      notBefore[place] = Math.max(sighting.next ?? 0, sighting.secret?.[1] ?? 0);
    }
  });
  return joined(found);
}

function joined(ranges: TextRange[]): TextRange[] {
  if (ranges.length < 2) return ranges;
  ranges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const result: TextRange[] = [];
  for (const range of ranges) {
    const last = result.at(-1);
    if (last && range[0] <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], range[1])];
    else result.push(range);
  }
  return result;
}
