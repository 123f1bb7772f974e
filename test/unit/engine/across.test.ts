import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { generic } from '../../../src/agents/generic/adapter';
import { resolveOptions } from '../../../src/detect/session/options';
import { scanAll } from '../../../src/engine/scan-all';
import { homeFolder, stage } from './support';
import { PATIENCE } from '../../support/patience';

/** Lines of a generic transcript: one edit of the price, from one word to another, at second `at`. */
function edit(id: number, at: number, [before, after]: readonly [string, string]): string[] {
  const t = new Date(at).toISOString();
  const args = { file_path: '/w/price.ts', old_string: before, new_string: after };
  return [
    JSON.stringify({ v: 1, t, type: 'tool_call', id: `c${id}`, name: 'edit', args }),
    JSON.stringify({ v: 1, t, type: 'tool_result', id: `c${id}`, output: 'edited' }),
  ];
}

const start = (at: number): string =>
  JSON.stringify({ v: 1, t: new Date(at).toISOString(), type: 'session_start', cwd: '/w' });

/** Two agents that turn the price into the quantity and back, each in its own transcript, and a third at another time. */
function fight(rounds: number, begin = Date.parse('2026-11-20T12:00:00Z')) {
  const lines: [string[], string[]] = [[start(begin)], [start(begin)]];
  for (let round = 0; round < rounds; round++) {
    const turned = round % 2 === 0 ? (['price', 'qty'] as const) : (['qty', 'price'] as const);
    lines[round % 2]?.push(...edit(round, begin + round * 10_000, turned));
  }
  return lines;
}

function written(files: Readonly<Record<string, readonly string[]>>) {
  const path = homeFolder();
  return Object.entries(files).map(([name, lines]) => {
    const file = join(path, `${name}.agent.jsonl`);
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    return { file, size: lines.join('\n').length + 1, adapter: generic };
  });
}

async function scanned(files: Readonly<Record<string, readonly string[]>>) {
  const results: { name: string; incidents: string[]; state: string }[] = [];
  const all = scanAll(written(files), {
    detectors: () => resolveOptions({ preset: 'balanced', detectors: {} }),
    context: () => ({ readSmall: () => undefined }),
  });
  for await (const one of all) {
    if ('why' in one) throw new Error(one.why);
    for (const { session, incidents, state } of one.scanned.sessions) {
      const told = incidents
        .filter(({ rule }) => rule === 'peers' || rule === 'outage')
        .map(({ detector, rule, level, alertLine }) => `${level} ${detector}/${rule} @${alertLine}`);
      results.push({ name: session, incidents: told, state: state.kind });
    }
  }
  return results;
}

describe('rules across sessions, over transcripts that exist', () => {
  it('finds two agents that undo each other, in both of their transcripts', async () => {
    const [a, b] = fight(6);
    // Each repeats its own edit, too: the incident is where that was seen first.
    expect(await scanned({ a, b })).toEqual([
      { name: 'a', incidents: ['stuck cycle/peers @7'], state: 'stuck' },
      { name: 'b', incidents: ['stuck cycle/peers @7'], state: 'stuck' },
    ]);
  });

  it.each([
    ['behind much text', ' '.repeat(20_000)],
    ['at the end of what is read first', ' '.repeat(4 * 1024 - `{"v":1,"t":"2026-11-20T12:00`.length)],
  ])('in the order in which they begin, even if the first time is %s', async (_where, before) => {
    const line = (t: string) => `{"v":1,"t":"2026-11-20T${t}Z","type":"session_start","cwd":"/w"}`;
    const late = await scanned({ late: [before + line('12:00:30')], early: [line('12:00:10')] });
    expect(late.map(({ name }) => name)).toEqual(['early', 'late']);
    const first = await scanned({ late: [line('12:00:30')], early: [before + line('12:00:10')] });
    expect(first.map(({ name }) => name)).toEqual(['early', 'late']);
  });

  it('whatever the names and order of the files', async () => {
    const [a, b] = fight(6);
    const results = await scanned({ z: a, y: b });
    expect(results.map(({ incidents }) => incidents.length)).toEqual([1, 1]);
  });

  it('is over when one of them does something else for twelve steps', async () => {
    const [a, b] = fight(6);
    const later = Array.from({ length: 12 }, (_, index) =>
      edit(100 + index, Date.parse('2026-11-20T12:10:00Z') + index * 1000, [`word ${index}`, `word ${index + 1}`]),
    ).flat();
    const [first] = await scanned({ a: [...a, ...later], b });
    expect(first).toMatchObject({ incidents: ['stuck cycle/peers @7'], state: 'working' });
  });

  it('does not join what happened on different days', async () => {
    const [a] = fight(6);
    const [, b] = fight(6, Date.parse('2026-11-22T12:00:00Z'));
    expect((await scanned({ a, b })).map(({ incidents }) => incidents)).toEqual([[], []]);
  });

  it('reports an outage to each agent that has it', async () => {
    const at = Date.parse('2026-11-20T12:00:00Z');
    const refused = (second: number) => [
      start(at),
      JSON.stringify({
        v: 1,
        t: new Date(at + second * 1000).toISOString(),
        type: 'error',
        kind: 'api',
        message: '503 upstream is down',
      }),
    ];
    const results = await scanned({ a: refused(1), b: refused(5), c: refused(9) });
    expect(results.map(({ incidents }) => incidents)).toEqual([
      ['warn rate_limited/outage @2'],
      ['warn rate_limited/outage @2'],
      ['warn rate_limited/outage @2'],
    ]);
  });
});

describe('rules across sessions, live', () => {
  it('finds two agents that undo each other while they do so', async () => {
    const { engine, workspace } = stage({ adapters: [generic] });
    const [a, b] = fight(6, Date.now() - 30_000);
    // what happened before the window opened is not compared
    const [c, d] = fight(6, Date.now() - 3_600_000);
    for (const [name, lines] of Object.entries({ c, d }))
      writeFileSync(join(workspace, `${name}.agent.jsonl`), lines.map((line) => `${line}\n`).join(''));
    engine.start();
    await vi.waitFor(() => expect(engine.agents().length).toBe(2), PATIENCE);
    const [livingA, livingB] = fight(6, Date.now());
    expect([livingA.length, livingB.length]).toEqual([a.length, b.length]);
    const seen = (session: string) => engine.agents().find((agent) => agent.session === session)?.coverage.seen ?? 0;
    // One after the other, as agents do: what is read later than a quarter of a second after its time is out of order.
    for (let round = 0; round < 6; round++) {
      const [name, living] = round % 2 === 0 ? (['a', livingA] as const) : (['b', livingB] as const);
      const from = round < 2 ? 0 : 1 + 2 * Math.floor(round / 2);
      const lines = living.slice(from, 3 + 2 * Math.floor(round / 2));
      appendFileSync(join(workspace, `${name}.agent.jsonl`), lines.map((line) => `${line}\n`).join(''));
      await vi.waitFor(() => expect(seen(name)).toBe(Math.floor(round / 2) + 1), PATIENCE);
    }
    const stuck = () =>
      engine
        .agents()
        .flatMap(({ session, incidents }) =>
          incidents.filter(({ rule }) => rule === 'peers').map(({ level }) => `${session} ${level}`),
        )
        .sort();
    await vi.waitFor(() => expect(stuck()).toEqual(['a stuck', 'b stuck']), PATIENCE);
  });
});

it('reports no outage that was over before the window opened', async () => {
  const { engine, workspace } = stage({ adapters: [generic] });
  const refused = (at: number) =>
    JSON.stringify({
      v: 1,
      t: new Date(at).toISOString(),
      type: 'error',
      kind: 'api',
      message: '503 upstream is down',
    });
  const begin = (name: string, at: number) =>
    writeFileSync(join(workspace, `${name}.agent.jsonl`), `${start(at)}\n${refused(at + 1_000)}\n`);
  const outages = () =>
    engine.agents().flatMap(({ session }) => engine.incidentsOf(session).filter(({ rule }) => rule === 'outage'))
      .length;
  for (const name of ['a', 'b', 'c']) begin(name, Date.now() - 60_000);
  engine.start();
  await vi.waitFor(() => expect(engine.agents().length).toBe(3), PATIENCE);
  // The present ones are compared after the past ones.
  for (const name of ['d', 'e', 'f']) begin(name, Date.now());
  await vi.waitFor(() => expect(outages()).toBe(3), PATIENCE);
});

describe('a scan of many transcripts', () => {
  const whole = () => resolveOptions({ preset: 'balanced', detectors: {} });

  it('continues after one that cannot be read, says why, and reports its progress', async () => {
    const all = written({ a: fight(2)[0], b: fight(2)[1] });
    const gone = { ...all[0], file: `${all[0]?.file}.gone`, size: 7, adapter: generic };
    const bytes: number[] = [];
    const results = scanAll([gone, ...all], {
      detectors: whole,
      context: () => ({ readSmall: () => undefined }),
      onProgress: (now) => bytes.push(now),
    });
    const told: string[] = [];
    for await (const one of results) told.push('why' in one ? one.why : (one.scanned.sessions[0]?.session ?? ''));
    expect(told[0]).toContain('.gone');
    expect(told.slice(1)).toEqual(['a', 'b']);
    expect(bytes.at(-1)).toBe(7 + (all[0]?.size ?? 0) + (all[1]?.size ?? 0));
    expect(bytes).toEqual(bytes.toSorted((one, other) => one - other));
  });

  it('ends when a person stops it, and returns nothing further', async () => {
    const stop = new AbortController();
    const asked: string[] = [];
    const results = scanAll(written({ a: fight(2)[0], b: fight(2)[1] }), {
      detectors: whole,
      context: ({ file }) => {
        asked.push(file);
        stop.abort();
        return { readSmall: () => undefined };
      },
      signal: stop.signal,
    });
    const told: unknown[] = [];
    for await (const one of results) told.push(one);
    expect([told, asked.length]).toEqual([[], 1]);
  });
});
