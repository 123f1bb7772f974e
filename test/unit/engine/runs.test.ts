import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { LoopRuns } from '../../../src/engine/runs';
import type { Session } from '../../../src/engine/session/session';
import { workspaceMail } from '../../../src/engine/inbox-mail';
import { silentLog } from '../../../src/base/util/log';
import { homeFolder, stage, type Stage } from './support';
import { deliveries, sendMessage } from '../../../src/agents/inbox';
import { PATIENCE } from '../../support/patience';

const PROMPT = 'Make the test of this shop pass.';

interface Round {
  readonly at: number;
  readonly prompt?: string;
  readonly results?: readonly string[];
}

/** Writes one run as its own transcript: each result is one of the same failing test, a second apart. */
function run({ workspace }: Stage, name: string, { at, prompt = PROMPT, results = [] }: Round): void {
  const line = (second: number, fields: object) =>
    JSON.stringify({ v: 1, t: new Date(at + second * 1_000).toISOString(), ...fields });
  const lines = [
    line(0, { type: 'session_start', cwd: workspace }),
    line(0, { type: 'user', text: prompt }),
    ...results.flatMap((output, index) => [
      line(index + 1, { type: 'tool_call', id: `c${index}`, name: 'shell', args: { command: 'npm test' } }),
      line(index + 1, { type: 'tool_result', id: `c${index}`, output, isError: !output.startsWith('ok') }),
    ]),
    line(results.length + 1, { type: 'turn_end', reason: 'done' }),
    line(results.length + 1, { type: 'session_end', reason: 'clean' }),
  ];
  writeFileSync(join(workspace, `${name}.agent.jsonl`), lines.map((text) => `${text}\n`).join(''));
}

const FAILS = 'FAIL total: expected 7, got 5';
const TWICE = { results: [FAILS, FAILS] };

const places = ({ engine }: Stage) =>
  Object.fromEntries(
    engine.agents().map(({ session, run: place }) => [session, place ? [place.number, place.isLast] : 'alone']),
  );

/** Writes one run after the other, as a loop does: each begins once the last one was read. */
async function inTurn(on: Stage, now: number, rounds: Record<string, Omit<Round, 'at'>>): Promise<void> {
  for (const [index, [name, round]] of Object.entries(rounds).entries()) {
    run(on, name, { at: now + 1_000 + index * 10_000, ...round });
    await vi.waitFor(() => expect(on.engine.agent(name)?.state.kind).toBe('finished'), PATIENCE);
  }
}

async function shows(on: Stage, expected: Record<string, unknown>) {
  await vi.waitFor(() => expect(places(on)).toEqual(expected), PATIENCE);
}

describe('sessions that a loop starts', () => {
  it('are numbered one after the other, and only the newest has a place in lists', async () => {
    const on = stage();
    const now = Date.now();
    run(on, 'a', { at: now });
    run(on, 'b', { at: now + 10_000 });
    run(on, 'c', { at: now + 60_000 });
    on.engine.start();
    await shows(on, { a: [1, false], b: [2, false], c: [3, true] });
  });

  it('are no runs with another prompt, after a long pause, or at the same time', async () => {
    const on = stage();
    const now = Date.now();
    run(on, 'a', { at: now, results: [FAILS, FAILS, FAILS, FAILS, FAILS, FAILS] });
    run(on, 'beside', { at: now + 2_000 });
    run(on, 'late', { at: now + 200_000 });
    run(on, 'other', { at: now + 7_000, prompt: 'Write the docs.' });
    on.engine.start();
    await shows(on, { a: 'alone', beside: 'alone', late: 'alone', other: 'alone' });
  });
});

/** A session in a loop of Claude Code, as far as it matters for runs. */
function fake(name: string, startedAt: number, parent: number, mode: 'print' | 'interactive' = 'print') {
  const facts = { task: PROMPT, cwd: '/w', mode, startedAt, lastEventAt: startedAt + 1_000 };
  const liveness = { alive: true, pid: parent + 1 };
  return { options: { agent: 'claude-code', session: name }, facts, liveness } as unknown as Session;
}

describe('a loop that sleeps between its runs', () => {
  const probe = {
    read: (path: string) => `7 (claude) S ${Number(path.split('/')[2]) - 1} 7`,
    processStart: (pid: number) => `start of ${pid}`,
  };

  it('is recognised by the process that starts them, and numbers continue when the oldest is no longer followed', () => {
    const runs = new LoopRuns(
      probe,
      () => {},
      () => {},
    );
    const [one, two] = [fake('one', 0, 100), fake('two', 600_000, 100)];
    for (const session of [one, two]) runs.wrote(session);
    runs.forget(one);
    const [three, another] = [fake('three', 1_200_000, 100), fake('another', 1_800_000, 200)];
    for (const session of [three, another]) runs.wrote(session);
    expect([one, two, three, another].map(({ run: place }) => place?.number)).toEqual([1, 2, 3, 1]);
    expect(runs.lastOf(two)).toBe(three);
  });

  it('is not assumed while both work side by side, and hands over once the first has ended', () => {
    const handed: string[] = [];
    const runs = new LoopRuns(
      probe,
      () => {},
      (before, run) => handed.push(`${before.options.session} to ${run.options.session}`),
    );
    const one = fake('one', 0, 100);
    const two = Object.assign(fake('two', 20_000, 100), { liveness: { alive: true, pid: 777 } });
    for (const session of [one, two]) runs.wrote(session);
    expect([two.run?.number, handed]).toEqual([1, []]);
    one.liveness = { alive: false };
    for (let time = 0; time < 2; time++) runs.livenessChanged(one);
    expect([two.run?.number, handed]).toEqual([2, ['one to two']]);
  });

  it('is not assumed if a person types the prompts in a terminal', () => {
    const runs = new LoopRuns(
      probe,
      () => {},
      () => {},
    );
    const typed = [fake('one', 0, 100, 'interactive'), fake('two', 5_000, 100, 'interactive')];
    for (const session of typed) runs.wrote(session);
    expect(typed.map(({ run: place }) => place)).toEqual([undefined, undefined]);
  });
});

describe('the same failure in each run', () => {
  const stuck = ({ engine }: Stage) =>
    engine.agents().flatMap(({ session, incidents }) =>
      engine
        .incidentsOf(session)
        .concat(incidents)
        .map(({ rule, level, count }) => `${session} ${rule} ${level} ${count}`),
    );

  it('is an alarm in the run in which it reaches the limit, although each run stays below it', async () => {
    const on = stage();
    const now = Date.now();
    on.engine.start();
    await inTurn(on, now, { a: TWICE, b: TWICE, c: TWICE });
    await vi.waitFor(() => expect(stuck(on)).toContain('c runs stuck 6'), PATIENCE);
    expect(stuck(on).filter((text) => text.startsWith('a'))).toEqual([]);
    const [incident] = on.engine.incidentsOf('c');
    expect(incident?.why).toContain('6 times in 3 runs of a loop with the same prompt');
    expect(incident?.clears).toContain('`npm test` gets a different result');
    expect(new Set(incident?.evidence.map(({ source }) => source.file)).size).toBe(3);
  });

  it('stays muted in the next run', async () => {
    const on = stage();
    const now = Date.now();
    on.engine.start();
    await inTurn(on, now, { a: TWICE, b: TWICE, c: TWICE });
    await vi.waitFor(() => expect(stuck(on)).toContain('c runs stuck 6'), PATIENCE);
    const [incident] = on.engine.incidentsOf('c');
    expect(on.engine.changeIncident(incident?.id ?? '', { type: 'mute', at: now })).toBe(true);
    await inTurn(on, now + 30_000, { d: TWICE });
    await vi.waitFor(() => expect(on.engine.incidentsOf('d').map(({ state }) => state)).toEqual(['muted']), PATIENCE);
  });

  it('is no alarm if a run in between ended differently', async () => {
    const on = stage();
    const now = Date.now();
    on.engine.start();
    await inTurn(on, now, { a: TWICE, b: { results: [FAILS, 'ok 1 passed'] }, c: TWICE });
    await shows(on, { a: [1, false], b: [2, false], c: [3, true] });
    run(on, 'last', { at: now + 40_000, prompt: 'Something else.' });
    await vi.waitFor(() => expect(on.engine.agent('last')).toBeDefined(), PATIENCE);
    expect(stuck(on)).toEqual([]);
  });
});

describe('a nudge to a run that is over', () => {
  it('waits for the next run of the loop, and goes only to that one', async () => {
    const home = homeFolder();
    const mail = workspaceMail(
      () => [join(home, 'work')],
      Date.now,
      silentLog,
      () => true,
    );
    const on = stage({ home, mail });
    const now = Date.now();
    on.engine.start();
    run(on, 'a', { at: now + 1_000 });
    run(on, 'b', { at: now + 5_000 });
    await shows(on, { a: [1, false], b: [2, true] });
    const draft = {
      session: 'b',
      agent: 'generic',
      kind: 'nudge',
      text: 'Read the file first.',
      automated: false,
    } as const;
    expect((await sendMessage(on.workspace, draft, Date.now())).ok).toBe(true);
    run(on, 'c', { at: now + 10_000 });
    const states = async (session: string) => {
      const found = await deliveries(on.workspace, session, Date.now());
      return found.ok
        ? found.value.deliveries.map(({ state, message }) => `${state} ${message.text.slice(0, 20)}`)
        : [];
    };
    await vi.waitFor(async () => expect(await states('c')).toEqual(['queued Read the file first.']), PATIENCE);
    expect(await states('b')).toEqual(['withdrawn Read the file first.']);
    run(on, 'd', { at: now + 15_000 });
    await vi.waitFor(async () => expect(await states('d')).toEqual(['queued Read the file first.']), PATIENCE);
    expect(await states('c')).toEqual(['withdrawn Read the file first.']);

    // Written by a window that still looks at the first one.
    expect(
      (await sendMessage(on.workspace, { ...draft, session: 'a', text: 'Look at the logs now' }, Date.now())).ok,
    ).toBe(true);
    on.engine.mailChanged('a');
    on.engine.mailChanged('gone');
    await vi.waitFor(async () => expect(await states('d')).toContain('queued Look at the logs now'), PATIENCE);
    expect(await states('a')).toEqual(['withdrawn Look at the logs now']);
    await vi.waitFor(() => expect(on.engine.agent('d')?.deliveries).toHaveLength(2), PATIENCE);
  });
});
