import { ASSIGNED } from './assigned';
import { INTRODUCED } from './introduced';
import { KUBERNETES } from './kubernetes';
import { KEY_WITHOUT_MARKS, PUTTY_KEY, findPrivateKeys } from './private-keys';
import type { SecretRule, TextRange } from './rule';
import { TOKEN_RULES } from './tokens';
import { type WordIndex, wordIndex } from '../util/word-index';

export const RULES: readonly SecretRule[] = [
  ASSIGNED,
  ...INTRODUCED,
  ...TOKEN_RULES,
  PUTTY_KEY,
  KEY_WITHOUT_MARKS,
  KUBERNETES,
];

interface Index {
  readonly words: WordIndex;
  /** For each word, the indexes of its rules in RULES. */
  readonly rulesOf: readonly (readonly number[])[];
  /** The `look` of each of RULES, bound: rules are created in several ways, and a polymorphic call would cost as much as most of the looks. */
  readonly looks: readonly SecretRule['look'][];
  /** For each of RULES, the place in the current text before which it finds nothing more. */
  readonly notBefore: Int32Array;
}

let index: Index | undefined;

/** Created for the first text, so that the start of the editor does not wait for it. */
function indexOfRules(): Index {
  const rulesOf = new Map<string, number[]>();
  for (const [place, rule] of RULES.entries())
    for (const word of new Set(rule.words)) rulesOf.set(word, [...(rulesOf.get(word) ?? []), place]);
  return {
    words: wordIndex([...rulesOf.keys()]),
    rulesOf: [...rulesOf.values()],
    looks: RULES.map((rule) => rule.look.bind(rule)),
    notBefore: new Int32Array(RULES.length),
  };
}

/** Counter of looks, for tests of the cost. */
export interface FindCount {
  /** Number of times that a rule looked at a place. */
  looks: number;
}

/** Finds secrets in a text without escape sequences. The ranges are ascending and do not overlap. */
export function findInPlain(text: string, count?: FindCount): TextRange[] {
  index ??= indexOfRules();
  const found: TextRange[] = [];
  findPrivateKeys(text, found);
  const { rulesOf, looks, notBefore } = index;
  notBefore.fill(0);
  index.words.scan(text, (word, at) => {
    for (const place of rulesOf[word] ?? []) {
      if (at < (notBefore[place] ?? 0)) continue;
      if (count) count.looks++;
      const sighting = (looks[place] as SecretRule['look'])(text, at);
      if (!sighting) continue;
      if (sighting.secret) found.push(sighting.secret);
      notBefore[place] = Math.max(sighting.next ?? 0, sighting.secret?.[1] ?? 0);
    }
  });
  return joinedRanges(found);
}

/** Sorts ranges and joins those that touch. */
export function joinedRanges(ranges: TextRange[]): TextRange[] {
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
