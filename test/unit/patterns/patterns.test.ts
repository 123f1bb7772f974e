import { beforeAll, describe, expect, it, vi } from 'vitest';
import { BOUNDED, boundOf } from './bounded';
import { patternsMade } from './made';
import { type Pattern, patternsOfSource } from './sources';
import { Stopwatch, type Worst } from './stopwatch';

/** Characters: as many as the head of a file has bytes, and more than any text that is searched as a whole. */
const LENGTH = 65_536;
/** Milliseconds of processor time below which the growth does not matter. */
const LONG_MS = 20;
/** The same text four times as long takes a linear pattern four times as long, and a quadratic one sixteen times. A busy machine changes neither. */
const GROWS = 8;
/** Print all, and not only the slowest? */
const SHOWN = process.env['UNSTUCK_PATTERNS'] === 'all' ? Number.POSITIVE_INFINITY : 10;

interface Timed extends Worst {
  readonly pattern: Pattern;
}

const isTooSlow = ({ milliseconds, growth }: Worst): boolean => milliseconds > LONG_MS && growth > GROWS;

const { literals, makers } = patternsOfSource();
let made: readonly Pattern[] = [];
beforeAll(async () => {
  // A pattern that is built as its module is loaded is seen only then.
  vi.resetModules();
  made = await patternsMade(makers);
});

describe('regular expressions', () => {
  it('that are built while the program runs are known', () => {
    expect(new Set(made.map(({ file }) => file))).toEqual(new Set(makers));
  });

  it('that only see bounded text still exist', () => {
    const all = [...literals, ...made];
    expect(BOUNDED.filter((one) => !all.some((pattern) => boundOf(pattern) === one))).toEqual([]);
  });

  it.each([
    ['runs on from each place where it may begin', /repeat\w*\s+content/],
    ['gives back what it took, one by one', /^a\s*;?\s*$/],
    ['looks ahead each time that it gives one back', /(?<!\w)\d+(?!\w*\.\w)/],
    ['runs over line ends from each of them', /^\s*(?:assert|expected)/m],
  ])('are found where one %s', async (_, { source, flags }) => {
    const watch = new Stopwatch();
    const slow = { file: '', place: '', source, flags };
    expect(await watch.time(slow, 0.4 * LENGTH).finally(() => watch.stop())).toSatisfy(isTooSlow);
  });

  it('take time linear in the length of the text', async () => {
    const watch = new Stopwatch();
    const timed: Timed[] = [];
    try {
      for (const pattern of [...literals, ...made].filter((one) => !isCopied(one)))
        timed.push({ pattern, ...(await worst(watch, pattern)) });
    } finally {
      watch.stop();
    }
    timed.sort((one, other) => other.milliseconds - one.milliseconds);
    console.log(`${timed.length} patterns; the slowest:\n${timed.slice(0, SHOWN).map(shown).join('\n')}`);
    expect(timed.filter(isTooSlow).map(shown)).toEqual([]);
  }, 1_800_000);
});

/** The rules for secrets search only with sticky copies of their patterns, at places found by words. */
function isCopied({ file, source, flags }: Pattern): boolean {
  if (!file.startsWith('base/secrets/') || flags.includes('y')) return false;
  return made.some((other) => other.source === source && other.flags.includes('y'));
}

async function worst(watch: Stopwatch, pattern: Pattern): Promise<Worst> {
  const bound = boundOf(pattern);
  const found = await watch.time(pattern, bound?.characters ?? LENGTH);
  return bound?.isEach ? { ...found, milliseconds: (found.milliseconds * LENGTH) / bound.characters } : found;
}

function shown({ pattern, milliseconds, attack }: Timed): string {
  const text = attack && JSON.stringify([attack.before.slice(0, 30), attack.pump.slice(0, 30), attack.after]);
  const { place, source, flags } = pattern;
  return `${milliseconds.toFixed(1)} ms: ${place} /${source.slice(0, 100)}/${flags} on ${text}`;
}
