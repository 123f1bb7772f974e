import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../src/base/clock';
import { systemFs } from '../../../../src/base/tail/file-system';
import type { Engine } from '../../../../src/engine/engine';
import { next } from '../../../../src/detect/incident';
import type { Incident } from '../../../../src/core/model';
import { PATIENCE } from '../../../support/patience';
import { engineOver, genericLines, homeFolder, type StageParts } from '../support';

const SESSION = 'long-one';
const STEPS = 4_000;
/** Two loops of five, and one file that is read before and after a compaction. */
const CALLS = STEPS + 11;

/** A home with one long transcript: a loop in its past, a loop at its end, and its turn is over. */
function home({ turnEnds = true, name = 'long' } = {}) {
  const folder = homeFolder();
  const workspace = join(folder, 'work');
  mkdirSync(workspace);
  const file = join(workspace, `${name}.agent.jsonl`);
  const steps = genericLines(SESSION, STEPS).slice(1);
  const read = steps.slice(0, 2).map((line) => line.replaceAll('"c0"', '"early"'));
  const compaction = JSON.stringify({ v: 1, t: Date.now() - STEPS * 1_000, session: SESSION, type: 'compaction' });
  const lines = [...loop(0, 5), ...read, compaction, ...steps, ...loop(1, 5)];
  const end = { v: 1, t: Date.now(), session: SESSION, type: 'turn_end', reason: 'done' };
  writeFileSync(file, [...lines, ...(turnEnds ? [JSON.stringify(end)] : []), ''].join('\n'));
  return { folder, workspace, file, cache: new MapCache() };
}

/** The same call with the same result, so many times. */
function loop(which: number, times: number): string[] {
  const t = Date.now() - (which === 0 ? STEPS + 60 : 1) * 1_000;
  const prompt = { v: 1, t, session: SESSION, type: 'user', text: 'Mend the parser' };
  const calls = Array.from({ length: times }, (_, at) => {
    const id = `a1b2c3d4-${which}-${at}`;
    return [
      {
        v: 1,
        t: t + at,
        session: SESSION,
        type: 'tool_call',
        id,
        name: 'Bash',
        args: { command: `make part-${which}` },
      },
      { v: 1, t: t + at, session: SESSION, type: 'tool_result', id, output: 'error: no rule', error: true },
    ];
  }).flat();
  return [...(which === 0 ? [prompt] : []), ...calls].map((line) => JSON.stringify(line));
}

class MapCache {
  readonly entries = new Map<string, string>();
  read = async (key: string) => this.entries.get(key);
  write = async (key: string, text: string) => void this.entries.set(key, text);
}

/** A window that opens, until it has been read; `bytes` of transcripts that it took. */
function window({ folder, workspace, cache }: ReturnType<typeof home>, parts: StageParts = {}) {
  let skew = 0;
  let bytes = 0;
  const clock = {
    ...systemClock,
    now: () => Date.now() + skew,
    after: (ms: number, run: () => void) => systemClock.after(Math.min(ms, 20), run),
  };
  const fs: typeof systemFs = {
    ...systemFs,
    read: async (...args) => {
      const read = await systemFs.read(...args);
      bytes += read;
      return read;
    },
  };
  const { engine, tail } = engineOver(folder, workspace, { cache, clock, fs, ...parts });
  const incidents: Incident[] = [];
  engine.onDidChangeIncident(({ incident }) => incidents.push(incident));
  engine.start();
  const known = () => {
    const view = engine.agent(SESSION);
    return view && view.health.calls === CALLS ? view : undefined;
  };
  return {
    engine,
    incidents,
    bytes: () => bytes,
    /** All is known, and five seconds pass without a line. */
    rests: async () => {
      await vi.waitFor(() => expect(known()?.coverage.since).toBeUndefined(), PATIENCE);
      await vi.waitFor(() => expect(known()).toBeDefined(), PATIENCE);
      skew = 6_000;
    },
    close: () => {
      engine.dispose();
      tail.dispose();
    },
  };
}

/** What a person sees of an agent, without the times at which it was looked at. */
function shown(engine: Engine) {
  const view = engine.agent(SESSION);
  if (!view) return undefined;
  const { coverage, incidents, ...rest } = view;
  return {
    ...rest,
    coverage: { ...coverage, lastReadAt: 0 },
    incidents: incidents.map(({ id, count, level, alertLine, firstLine, history }) => ({
      id,
      count,
      level,
      alertLine,
      firstLine,
      history,
    })),
  };
}

async function noted(place: ReturnType<typeof home>, parts: StageParts = {}) {
  const first = window(place, parts);
  await first.rests();
  await vi.waitFor(() => expect(place.cache.entries.size).toBe(1), PATIENCE);
  const before = shown(first.engine);
  first.close();
  return { before, incidents: first.incidents };
}

describe('the next window', () => {
  //   loop ×5 │ new ×2500 │ loop ×5 │ its turn ends      the window is loaded anew
  it('knows all of an agent that rests, from its last lines and a note', async () => {
    const place = home();
    const { before } = await noted(place);
    const second = window(place);
    await second.rests();
    expect(shown(second.engine)).toEqual(before);
    expect(second.engine.agent(SESSION)?.incidents).toHaveLength(1);
    expect(second.engine.agent(SESSION)?.health.rereads).toEqual({ n: 1, of: STEPS + 5 });
    // Its first lines, and the last 32 KB.
    expect(second.bytes()).toBeLessThan(160 * 1024);
    // It has reported what goes on, and nothing of the past.
    expect(new Set(second.incidents.map(({ id }) => id))).toEqual(new Set(before?.incidents.map(({ id }) => id)));
    second.close();
  });

  it('reads the whole once somebody looks at its steps', async () => {
    const place = home();
    const { before } = await noted(place);
    const second = window(place);
    await second.rests();
    expect(second.engine.timeline(SESSION)?.length).toBeLessThan(STEPS);
    second.engine.readWhole(SESSION);
    await vi.waitFor(() => expect(second.engine.timeline(SESSION)?.length).toBe(CALLS), PATIENCE);
    expect(shown(second.engine)).toEqual(before);
    second.close();
  });

  //   … │ its turn ends │ (the window is closed) │ loop ×2 more
  it('reads the whole where the agent went on, and ends in the same', async () => {
    const place = home();
    await noted(place);
    appendFileSync(place.file, `${loop(1, 2).join('\n').replaceAll('a1b2c3d4-1', 'a1b2c3d4-2')}\n`);
    const [second, alone] = [window(place), window({ ...place, cache: new MapCache() })];
    for (const one of [second, alone])
      await vi.waitFor(() => expect(one.engine.timeline(SESSION)?.length).toBe(CALLS + 2), PATIENCE);
    expect(shown(second.engine)).toEqual(shown(alone.engine));
    second.close();
    alone.close();
  });

  it('reads the whole when the agent goes on before its eyes', async () => {
    const place = home();
    await noted(place);
    const second = window(place);
    await second.rests();
    appendFileSync(place.file, `${loop(1, 1).join('\n').replaceAll('a1b2c3d4-1', 'a1b2c3d4-2')}\n`);
    await vi.waitFor(() => expect(second.engine.timeline(SESSION)?.length).toBe(CALLS + 1), PATIENCE);
    expect(second.engine.agent(SESSION)?.coverage.lines).toBe(2 * (CALLS + 1) + 3);
    second.close();
  });

  it('keeps what a person did after the note was made', async () => {
    const place = home();
    const { incidents } = await noted(place);
    const stored = (id: string) => {
      const incident = incidents.findLast((one) => one.id === id);
      return incident && next(incident, { type: 'mute', at: Date.now() });
    };
    const second = window(place, { stored });
    await second.rests();
    expect(second.engine.agent(SESSION)?.incidents.map(({ state }) => state)).toEqual(['muted']);
    second.close();
  });

  //   muted │ noted │ unmuted in the next window │ a third window
  it('keeps what a person took back', async () => {
    const place = home();
    const first = window(place);
    await first.rests();
    const [incident] = first.engine.agent(SESSION)?.incidents ?? [];
    const id = incident?.id ?? '';
    first.engine.changeIncident(id, { type: 'mute', at: Date.now() });
    await vi.waitFor(() => expect([...place.cache.entries.values()].join()).toContain('"state":"muted"'), PATIENCE);
    first.close();

    const second = window(place);
    await second.rests();
    expect(second.engine.agent(SESSION)?.incidents.map(({ state }) => state)).toEqual(['muted']);
    second.engine.changeIncident(id, { type: 'unmute', at: Date.now() });
    await vi.waitFor(() => expect([...place.cache.entries.values()].join()).not.toContain('"state":"muted"'), PATIENCE);
    second.close();

    const third = window(place);
    await third.rests();
    expect(third.engine.agent(SESSION)?.incidents.map(({ state }) => state)).toEqual(['open']);
    third.close();
  });

  it.each<[string, (place: ReturnType<typeof home>) => StageParts]>([
    [
      'was rewritten in the same length',
      ({ file }) => {
        utimesSync(file, new Date(), new Date(Date.now() - 1_000));
        return {};
      },
    ],
    [
      'is judged by other rules',
      () => ({ settings: { raised: [{ detector: 'repeating_action', subject: 'make', factor: 2 }] as never } }),
    ],
    [
      'has a damaged note',
      ({ cache }) => {
        cache.entries.clear();
        return {};
      },
    ],
  ])('reads a transcript whole that %s', async (_what, change) => {
    const place = home();
    await noted(place);
    const parts = change(place);
    const second = window(place, parts);
    await vi.waitFor(() => expect(second.engine.timeline(SESSION)?.length).toBe(CALLS), PATIENCE);
    second.close();
  });
});

describe('a note', () => {
  it('is made of no agent that works: its next line comes soon', async () => {
    const place = home({ turnEnds: false });
    const first = window(place);
    await first.rests();
    await new Promise((resume) => setTimeout(resume, 200));
    expect(place.cache.entries.size).toBe(0);
    first.close();
  });

  it('holds no secret', async () => {
    const place = home();
    const prompt = {
      v: 1,
      t: Date.now(),
      session: SESSION,
      type: 'user',
      text: 'Use sk-ant-api03-abcdefghijklmnopqrstuvwxyz012345',
    };
    const end = { v: 1, t: Date.now(), session: SESSION, type: 'turn_end', reason: 'done' };
    appendFileSync(place.file, `${JSON.stringify(prompt)}\n${JSON.stringify(end)}\n`);
    await noted(place);
    expect([...place.cache.entries.values()].join()).not.toContain('abcdefghijklmnopqrstuvwxyz012345');
  });
});
