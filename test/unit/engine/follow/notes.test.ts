import { appendFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../src/base/clock';
import { systemFs } from '../../../../src/base/tail/file-system';
import { resolveOptions } from '../../../../src/detect/session/options';
import { generic } from '../../../../src/agents/generic/adapter';
import { TranscriptNotes } from '../../../../src/engine/follow/notes';
import type { EngineSettings } from '../../../../src/engine/ports';
import type { Engine } from '../../../../src/engine/engine';
import { next } from '../../../../src/detect/incident';
import type { Incident } from '../../../../src/core/model';
import { PATIENCE } from '../../../support/patience';
import { engineOver, genericLines, homeFolder, type StageParts } from '../support';

const SESSION = 'long-one';
const STEPS = 4_000;
/** Two loops of five, and one file that is read before and after a compaction. */
const CALLS = STEPS + 11;
/** Time since the last step before the loop at the end. */
const RESTED_MS = 120_000;
/** The same without the loop at its end. */
const QUIET_CALLS = CALLS - 5;

/** A home with one long transcript: a loop in its past, a loop at its end by default, and its turn is over. */
function home({ turnEnds = true, endsInLoop = true, name = 'long' } = {}) {
  const folder = homeFolder();
  const workspace = join(folder, 'work');
  mkdirSync(workspace);
  const file = join(workspace, `${name}.agent.jsonl`);
  const rested = Date.now() - RESTED_MS;
  const steps = genericLines(SESSION, STEPS, rested).slice(1);
  const read = steps.slice(0, 2).map((line) => line.replaceAll('"c0"', '"early"'));
  const compaction = JSON.stringify({ v: 1, t: rested - (STEPS + 2) * 1_000, session: SESSION, type: 'compaction' });
  const lines = [...loop(0, 5), ...read, compaction, ...steps, ...(endsInLoop ? loop(1, 5) : [])];
  const end = { v: 1, t: endsInLoop ? Date.now() : rested, session: SESSION, type: 'turn_end', reason: 'done' };
  writeFileSync(file, [...lines, ...(turnEnds ? [JSON.stringify(end)] : []), ''].join('\n'));
  return { folder, workspace, file, cache: new MapCache() };
}

/** Steps that each read another file, after which the turn is over. */
function works(steps: number): string {
  const t = Date.now() - 1_000;
  const read = genericLines(SESSION, steps, t).slice(1);
  const end = { v: 1, t, session: SESSION, type: 'turn_end', reason: 'done' };
  return [...read.map((line) => line.replaceAll('"c', '"later-')), JSON.stringify(end), ''].join('\n');
}

/** A prompt and steps that each read another file; then the agent is killed. */
function isKilledAfter(steps: number): string {
  const t = Date.now() - 1_000;
  const prompt = { v: 1, t: t - steps * 1_000, session: SESSION, type: 'user', text: 'Now the lexer' };
  const read = genericLines(SESSION, steps, t).slice(1);
  return [JSON.stringify(prompt), ...read.map((line) => line.replaceAll('"c', '"later-')), ''].join('\n');
}

/** The same call with the same result, this many times. */
function loop(which: number, times: number): string[] {
  const t = Date.now() - (which === 0 ? RESTED_MS + (STEPS + 60) * 1_000 : 1_000);
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

/** A window that opens. `bytes`: how much of the transcripts it has read. */
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
  const known = (calls: number) => {
    const view = engine.agent(SESSION);
    return view && view.health.calls === calls ? view : undefined;
  };
  return {
    engine,
    incidents,
    bytes: () => bytes,
    /** All is known, and five seconds pass without a line. */
    rests: async (calls = CALLS) => {
      await vi.waitFor(() => expect(known(calls)?.coverage.since).toBeUndefined(), PATIENCE);
      await vi.waitFor(() => expect(known(calls)).toBeDefined(), PATIENCE);
      skew = 6_000;
    },
    /** It has read the last 256 KB before the note and everything after it, and no more. */
    continues: async () => {
      await vi.waitFor(() => expect(engine.timeline(SESSION)?.length).toBeGreaterThan(1_000), PATIENCE);
      expect(engine.timeline(SESSION)?.length).toBeLessThan(STEPS / 2);
      expect(engine.agent(SESSION)?.health.calls).toBe(QUIET_CALLS + 50);
    },
    close: () => {
      engine.dispose();
      tail.dispose();
    },
  };
}

/** The view that a person has of an agent, without the times at which it was read. */
function shown(engine: Engine) {
  const view = engine.agent(SESSION);
  if (!view) return undefined;
  const { coverage, incidents, nearMisses, ...rest } = view;
  return {
    ...rest,
    nearMisses: nearMisses.map((nearMiss) => ({ ...nearMiss, at: 0 })),
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

/** The same, except for what was read again after a compaction: a note does not hold what was read before it. */
function counted(engine: Engine) {
  const view = shown(engine);
  return view && { ...view, health: { ...view.health, rereads: undefined } };
}

async function noted(place: ReturnType<typeof home>, parts: StageParts = {}, calls = CALLS) {
  const first = window(place, parts);
  await first.rests(calls);
  await vi.waitFor(() => expect(place.cache.entries.size).toBe(1), PATIENCE);
  const before = shown(first.engine);
  first.close();
  return { before, incidents: first.incidents };
}

describe('the next window', () => {
  //   loop ×5 │ new ×2500 │ loop ×5 │ its turn ends      the window is reloaded
  it('knows everything about a resting agent, from its last lines and a note', async () => {
    const place = home();
    const { before } = await noted(place);
    const second = window(place);
    await second.rests();
    expect(shown(second.engine)).toEqual(before);
    expect(second.engine.agent(SESSION)?.incidents).toHaveLength(1);
    expect(second.engine.agent(SESSION)?.health.rereads).toEqual({ n: 1, of: STEPS + 5 });
    // Its first lines, and the last 8 KB.
    expect(second.bytes()).toBeLessThan(160 * 1024);
    // It has reported what is happening now, and nothing from the past.
    expect(new Set(second.incidents.map(({ id }) => id))).toEqual(new Set(before?.incidents.map(({ id }) => id)));
    second.close();
  });

  //   new ×4000 │ loop ×5 │ new ×20 │ its turn ends      the window is reloaded
  it('reports nothing that was over, although its last lines show it', async () => {
    const place = home({ turnEnds: false });
    appendFileSync(place.file, works(20));
    const first = await noted(place, {}, CALLS + 20);
    expect(first.incidents.at(-1)?.resolvedAt).not.toBeNull();
    const second = window(place);
    await second.rests(CALLS + 20);
    expect(second.incidents).toEqual([]);
    expect(second.engine.incidentsOf(SESSION).map(({ id }) => id)).toContain(first.incidents.at(-1)?.id);
    second.close();
  });

  it('reads the whole transcript once someone looks at its steps', async () => {
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

  //   the window is reloaded with an open panel, which shows the steps before the last lines of the transcript are read
  it('reads the whole transcript for someone who looked before its last lines were read', async () => {
    const place = home();
    await noted(place);
    let isHeld = false;
    let go = () => {};
    const looked = new Promise<void>((resolve) => void (go = resolve));
    const read: typeof systemFs.read = async (...args) => {
      isHeld = second.engine.session(SESSION) !== undefined;
      if (isHeld) await looked;
      return systemFs.read(...args);
    };
    const second = window(place, { fs: { ...systemFs, read } });
    await vi.waitFor(() => expect(isHeld).toBe(true), PATIENCE);
    second.engine.readWhole(SESSION);
    go();
    await vi.waitFor(() => expect(second.engine.timeline(SESSION)?.length).toBe(CALLS), PATIENCE);
    second.close();
  });

  //   loop ×5 │ new ×2500 │ its turn ends │ (the window is closed) │ new ×50
  it('continues from the note after the agent did, and knows the same as a reading of the whole', async () => {
    const place = home({ endsInLoop: false });
    await noted(place, {}, QUIET_CALLS);
    appendFileSync(place.file, works(50));
    const [second, alone] = [window(place), window({ ...place, cache: new MapCache() })];
    await second.continues();
    await vi.waitFor(() => expect(alone.engine.timeline(SESSION)?.length).toBe(QUIET_CALLS + 50), PATIENCE);
    expect(counted(second.engine)).toEqual(counted(alone.engine));
    expect(second.engine.session(SESSION)?.facts.lastLine).toBe(alone.engine.session(SESSION)?.facts.lastLine);
    second.close();
    alone.close();
  });

  it('continues from the note when the agent continues while it watches', async () => {
    const place = home({ endsInLoop: false });
    await noted(place, {}, QUIET_CALLS);
    const second = window(place);
    await second.rests(QUIET_CALLS);
    appendFileSync(place.file, works(50));
    await second.continues();
    second.engine.readWhole(SESSION);
    await vi.waitFor(() => expect(second.engine.timeline(SESSION)?.length).toBe(QUIET_CALLS + 50), PATIENCE);
    second.close();
  });

  //   loop ×5 │ new ×4000 │ its turn ends │ prompt │ new ×50 │ killed      the window is reloaded, twice
  it('continues from the last rest of an agent that was killed in its turn', async () => {
    const place = home({ endsInLoop: false });
    appendFileSync(place.file, isKilledAfter(50));
    await noted(place, {}, QUIET_CALLS + 50);
    const alone = window({ ...place, cache: new MapCache() });
    await vi.waitFor(() => expect(alone.engine.timeline(SESSION)?.length).toBe(QUIET_CALLS + 50), PATIENCE);
    for (let start = 0; start < 2; start++) {
      const again = window(place);
      await again.continues();
      expect(counted(again.engine)).toEqual(counted(alone.engine));
      expect(again.engine.agent(SESSION)?.state.kind).toBe('working');
      expect(again.incidents).toEqual([]);
      again.close();
    }
    alone.close();
  });

  //   … │ a command in the background │ its turn ends │ (the window is closed and opened)
  it('recognises the command that continues in the background', async () => {
    const place = home({ turnEnds: false, endsInLoop: false });
    const t = Date.now() - 1_000;
    const args = { command: 'make all > build.log 2>&1 &' };
    const lines = [
      { v: 1, t, session: SESSION, type: 'tool_call', id: 'build-1', name: 'Bash', args },
      { v: 1, t, session: SESSION, type: 'tool_result', id: 'build-1', output: '[1] 4711' },
      { v: 1, t, session: SESSION, type: 'turn_end', reason: 'done' },
    ];
    // The call is before the last 8 KB, which is all that the next window reads.
    const said = { v: 1, t, session: SESSION, type: 'assistant', text: 'It builds. '.repeat(1_000) };
    const all = [...lines.slice(0, 2), said, ...lines.slice(2)].map((line) => JSON.stringify(line));
    appendFileSync(place.file, `${all.join('\n')}\n`);
    await noted(place, {}, QUIET_CALLS + 1);
    const looked: string[] = [];
    const openFiles = async (paths: ReadonlySet<string>) => {
      looked.push(...paths);
      return paths;
    };
    const second = window(place, { openFiles });
    await second.rests(QUIET_CALLS + 1);
    expect(second.engine.session(SESSION)?.facts.jobs.running()).toMatchObject([
      { id: expect.stringContaining('build-1'), output: expect.stringMatching(/build\.log$/) },
    ]);
    expect(second.bytes()).toBeLessThan(160 * 1024);
    // And checks whether it still runs.
    await vi.waitFor(() => expect(looked).toContain('/build.log'), PATIENCE);
    second.close();
  });

  //   … │ its turn ends │ new ×50 │ (the window is closed) │ new ×50 │ loop ×5
  it('reads the whole transcript once a rule finds something after the note', async () => {
    const place = home({ endsInLoop: false });
    await noted(place, {}, QUIET_CALLS);
    appendFileSync(place.file, works(50));
    const second = window(place);
    await second.continues();
    appendFileSync(place.file, `${loop(1, 5).join('\n')}\n`);
    await vi.waitFor(() => expect(second.engine.timeline(SESSION)?.length).toBe(QUIET_CALLS + 55), PATIENCE);
    expect(second.engine.agent(SESSION)?.incidents.map(({ count }) => count)).toEqual([5]);
    second.close();
  });

  it('reads the whole transcript if the session has a budget, and continues to count it', async () => {
    const place = home({ endsInLoop: false });
    const detectors: EngineSettings['detectors'] = (agent) =>
      resolveOptions({ preset: 'balanced', detectors: {}, budgets: { calls: STEPS + 20 } }, agent);
    const parts = { settings: { detectors } };
    await noted(place, parts, QUIET_CALLS);
    appendFileSync(place.file, works(50));
    const second = window(place, parts);
    await vi.waitFor(() => expect(second.engine.timeline(SESSION)?.length).toBe(QUIET_CALLS + 50), PATIENCE);
    expect(second.engine.incidentsOf(SESSION).map(({ detector }) => detector)).toContain('max_runtime');
    second.close();
  });

  //   … │ its turn ends │ (the window is closed) │ loop ×2 more
  it('reads the whole transcript if the agent continued, and ends in the same state', async () => {
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

  it('reads the whole transcript when the agent continues while it watches', async () => {
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
  it('keeps what a person undid', async () => {
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
      'was rewritten, and is longer now',
      ({ file }) => {
        const lines = readFileSync(file, 'utf8').split('\n');
        writeFileSync(file, [lines[0], lines[0], ...lines.slice(1)].join('\n'));
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
  ])('reads the whole of a transcript that %s', async (_what, change) => {
    const place = home();
    await noted(place);
    const parts = change(place);
    const second = window(place, parts);
    await vi.waitFor(() => expect(second.engine.timeline(SESSION)?.length).toBe(CALLS), PATIENCE);
    second.close();
  });
});

describe('a note', () => {
  it('is not made for an agent that works: its next line comes soon', async () => {
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

  it('keeps the keys of records as they are, whatever they look like', async () => {
    const place = home();
    const records = [[SESSION, 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz012345']] as const;
    const end = { from: { offset: 0, lines: 0 }, last: [0, 0] } as const;
    const clock = { ...systemClock, after: (_ms: number, run: () => void) => systemClock.after(0, run) };
    const settings = engineOver(place.folder, place.workspace).settings;
    const notes = new TranscriptNotes({ cache: place.cache, clock }, () => settings);
    const { file } = place;
    notes.soon({ file, adapter: generic, readAt: 0, note: () => ({ sessions: [], records, end }) });
    await vi.waitFor(() => expect(place.cache.entries.size).toBe(1), PATIENCE);
    expect((await notes.of(file, generic))?.note.records).toEqual(records);
    notes.dispose();
  });
});

describe('a long transcript whose last lines say nothing', () => {
  //   new ×10 │ 300 KB of records that the reader does not know
  it('is known all the same once the whole was read', async () => {
    const place = home();
    const unknown = JSON.stringify({
      v: 1,
      t: Date.now(),
      session: SESSION,
      type: 'screenshot',
      text: 'x'.repeat(999),
    });
    writeFileSync(place.file, [...genericLines(SESSION, 10, Date.now()), ...Array(300).fill(unknown), ''].join('\n'));
    const { engine, close } = window(place);
    await vi.waitFor(() => expect(engine.agent(SESSION)?.health.calls).toBe(10), PATIENCE);
    close();
  });
});
