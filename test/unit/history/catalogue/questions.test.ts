import { beforeAll, describe, expect, it } from 'vitest';
import type { Incident } from '../../../../src/core/model';
import { readSearchLine } from '../../../../src/history';
import type { Catalogue } from '../../../../src/history/catalogue/catalogue';
import { learningOf } from '../../../../src/history/queries/learning';
import { catalogueOf } from '../support/catalogue';
import { DAY, MINUTE, T0, incident, recovered } from '../support/make';

const NOW = T0 + DAY;

/** The only row of evidence. */
const row = (subject: string, text: string): Pick<Incident, 'subject' | 'evidence'> => ({
  subject,
  evidence: [{ source: { file: '/t', line: 1, offset: 0 }, at: T0, role: 'repeat', subject, text }],
});

/** A history as it is after a month of work with several agents. */
const HISTORY: readonly Incident[] = [
  recovered({ id: 'pytest', title: 'Fix the failing test of the calculator', count: 24 }),
  recovered({
    id: 'module',
    title: 'Install the new client',
    agent: 'codex',
    agentName: 'Codex',
    ...row('python3 app/main.py', "ModuleNotFoundError: No module named 'requests'"),
    why: '`python3 app/main.py` failed with the same error 5 times in a row.',
    detector: 'consecutive_failures',
    outcome: 'restart',
    folder: '/home/me/shop',
  }),
  incident({
    id: 'cycle',
    title: 'Migrate the settings page to the new router',
    agent: 'gemini-cli',
    agentName: 'Gemini CLI',
    model: 'gemini-2.5-pro',
    detector: 'cycle',
    reason: 'cycle_loop',
    ...row('Edit src/routes/settings.tsx', 'TS2322: Type string is not assignable to type Route'),
    why: 'Two steps repeat in turn, 4 rounds with the same results.',
    folder: '/home/me/web',
  }),
  incident({
    id: 'monologue',
    title: 'Why does the deploy hang?',
    detector: 'monologue',
    reason: 'no_action',
    ...row('message', 'Let me think about the kubernetes ingress again.'),
    why: '5 messages in a row without a tool call, while its turn goes on.',
    state: 'ended',
    resolvedAt: T0 + 30 * MINUTE,
  }),
  incident({
    id: 'silence',
    title: 'Compile the kernel',
    level: 'warn',
    stuckAt: null,
    detector: 'stall',
    reason: 'stall',
    ...row('cargo build --release', ''),
    why: 'Nothing was written for 22 min while running `cargo build --release`.',
    state: 'unknown',
    cleared: 'new_line',
    resolvedAt: T0 + 30 * MINUTE,
  }),
  incident({
    id: 'malformed',
    title: 'Write the release notes',
    agent: 'aider',
    agentName: 'Aider',
    detector: 'validation_failure',
    reason: 'validation_failure',
    ...row(
      'CHANGELOG.md',
      'SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in CHANGELOG.md',
    ),
    why: '4 malformed calls in a row: an edit block.',
    openedAt: T0 - 20 * DAY,
    state: 'ended',
    outcome: 'not_stuck',
    resolvedAt: T0 - 20 * DAY,
  }),
  recovered({
    id: 'lockfile',
    title: 'Upgrade the dependencies',
    ...row('npm ci', 'npm error ERESOLVE could not resolve peer react@19'),
    why: '`npm ci` gave the same result 6 times.',
    outcome: 'by_itself',
    attempts: [],
    folder: '/home/me/web',
  }),
];

/** A person's query, and what must come first. */
const QUESTIONS: readonly (readonly [line: string, first: string])[] = [
  ['pytest', 'pytest'],
  ['stuck repeating', 'pytest'],
  ['stuk repeatng', 'pytest'],
  ['pytset', 'pytest'],
  ['calculator', 'pytest'],
  ['ModuleNotFoundError', 'module'],
  ["No module named 'requests'", 'module'],
  ['app/main.py', 'module'],
  ['src/routes/settings.tsx', 'cycle'],
  ['settings router', 'cycle'],
  ['TS2322 not assignable', 'cycle'],
  ['gemini', 'cycle'],
  ['kubernets ingress', 'monologue'],
  ['cargo build', 'silence'],
  ['no output', 'silence'],
  ['SEARCH block failed', 'malformed'],
  ['aider edit block', 'malformed'],
  ['ERESOLVE peer', 'lockfile'],
  ['depend', 'lockfile'],
  ['freed by restart', 'module'],
  ['false alarm', 'malformed'],
  ['pytest outcome:nudge', 'pytest'],
  ['level:warn', 'silence'],
  ['agent:codex error', 'module'],
  ['folder:/home/me/web outcome:by_itself', 'lockfile'],
  ['rule:cycle', 'cycle'],
  ['outcome:stuck', 'monologue'],
  ['block until:2026-11-10', 'malformed'],
];

describe('a person finds', () => {
  let catalogue: Catalogue;
  beforeAll(async () => {
    const learnings = HISTORY.flatMap((one) => learningOf(one) ?? []);
    catalogue = await catalogueOf({ incidents: HISTORY, learnings }, false);
  });

  it.each(QUESTIONS)('%s: %s first', (line, first) => {
    const { words, filter } = readSearchLine(line, NOW);
    const [best] = catalogue.recall(words, { filter, limit: 10 });
    expect(best?.id).toBe(first);
  });

  it('the same, in the same order, with a typing error', () => {
    const ids = (words: string) => catalogue.recall(words, { limit: 20 }).map(({ kind, id }) => `${kind} ${id}`);
    expect(ids('stuk repeatng')).toEqual(ids('stuck repeating'));
  });

  it('nothing for what is not there', () => {
    expect(catalogue.recall('xylophone quartet', {})).toEqual([]);
  });
});
