import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { GateReport } from '../../../src/core/model';
import type { SessionGateSignal } from '../../../src/engine/events';
import { PATIENCE } from '../../support/patience';
import { FakeClock } from '../history/support/fake-clock';
import { recordingLog } from '../support/log';
import { type StageParts, stage } from './support';

/** An agent that edits a file in an open turn and is followed. */
async function followed(parts: StageParts = {}, name = 's') {
  const made = stage(parts);
  const file = join(made.workspace, `${name}.agent.jsonl`);
  const now = Date.now();
  const line = (t: number, fields: object) => `${JSON.stringify({ v: 1, t, session: name, ...fields })}\n`;
  writeFileSync(
    file,
    line(now - 4_000, { type: 'session_start', cwd: made.workspace }) +
      line(now - 4_000, { type: 'user', text: 'Mend the parser' }) +
      line(now - 3_000, { type: 'tool_call', id: 'c', name: 'Edit', args: { file_path: 'a.ts', new_string: 'x' } }) +
      line(now - 2_000, { type: 'tool_result', id: 'c', output: 'ok' }),
  );
  made.engine.start();
  await vi.waitFor(() => expect(made.engine.agent(name)?.health.calls).toBe(1), PATIENCE);
  return { ...made, file, now, append: (t: number, fields: object) => appendFileSync(file, line(t, fields)) };
}

const report: GateReport = {
  folder: '/work',
  cause: 'claim',
  claim: 'the end of the turn',
  startedAt: 1,
  endedAt: null,
  verdict: 'running',
  results: [],
  attempt: 0,
} as unknown as GateReport;

describe('the quality gates of a session', () => {
  it('are shown with it, and those of a missing session with none', async () => {
    const { engine } = await followed();
    const changed: string[] = [];
    engine.onDidChange((keys) => changed.push(...keys));
    expect(engine.shownAgent('s')?.gates).toBeUndefined();
    engine.showGates('gone', report);
    engine.showGates('s', report);
    expect(engine.shownAgent('s')?.gates).toEqual(report);
    await vi.waitFor(() => expect(changed).toEqual(['s']), PATIENCE);
  });

  it('mark its timeline where they judged, and raise an alarm when they fail again and again', async () => {
    const { engine, now } = await followed();
    engine.judge('s', { at: now, passed: true });
    for (let times = 1; times <= 6; times++) {
      const claim = { at: now + times, source: { file: '/f', line: 4, offset: 0 }, text: 'done' };
      engine.judge('s', { at: now + times, passed: false, blockedBy: 'tests', summary: '2 of 41 failed', claim });
    }
    engine.judge('gone', { at: now, passed: true });
    const marks = engine.timeline('s')?.markers.filter(({ kind }) => kind.startsWith('gate')) ?? [];
    expect(marks.map(({ kind, text }) => [kind, text]).slice(0, 2)).toEqual([
      ['gate_passed', ''],
      ['gate_failed', 'tests'],
    ]);
    expect(engine.incidentsOf('s').map(({ detector }) => detector)).toContain('gate_blocked');
    expect(engine.shownAgent('s')?.incidents.map(({ detector }) => detector)).toContain('gate_blocked');
  });

  it('run when the hook says that the turn ends, before the transcript does, and once', async () => {
    const { engine, now, append, file } = await followed();
    const signals: SessionGateSignal[] = [];
    engine.onDidSignalGates((signal) => signals.push(signal));
    engine.turnEnds('gone', now);
    engine.turnEnds('s', now - 1_000);
    const source = { file, line: 4, offset: 0 };
    const claim = { at: now - 1_000, source, text: 'the end of the turn', fromHook: true };
    expect(signals).toEqual([{ session: 's', signal: { type: 'claim', claim } }]);
    append(now, { type: 'turn_end', reason: 'done' });
    await vi.waitFor(() => expect(engine.agent('s')?.state.kind).toBe('waiting'), PATIENCE);
    expect(signals.filter(({ signal }) => signal.type === 'claim')).toHaveLength(1);
  });
});

it('an incident that no session remembers cannot be changed', async () => {
  const { engine } = await followed();
  expect(engine.changeIncident('unknown', { type: 'mute', at: 1 })).toBe(false);
});

it('a listener that fails is logged, and does not keep the change from the others', async () => {
  const log = recordingLog();
  const { engine } = await followed({ log });
  const heard: string[] = [];
  engine.onDidChange(() => {
    throw new Error('broken view');
  });
  engine.onDidChange((keys) => heard.push(...keys));
  engine.showGates('s', report);
  await vi.waitFor(() => expect(heard).toEqual(['s']), PATIENCE);
  expect(log.lines).toContain('error: Error: broken view');
});

describe('the process of an agent that keeps no registry', () => {
  it('ends: its row says that it died, its incident is over, and the search for it stops', async () => {
    const clock = new FakeClock(Date.now());
    let isRunning = true;
    let searches = 0;
    const { engine } = await followed({
      clock,
      probe: { list: () => [], read: () => undefined, processStart: () => (isRunning ? '100' : null) },
      processOf: async () => {
        searches++;
        return 7;
      },
    });
    await vi.waitFor(() => {
      clock.pass(1_000);
      expect(engine.shownAgent('s')?.pid).toBe(7);
    }, PATIENCE);
    expect(engine.shownAgent('s')?.state.kind).toBe('working');
    expect(searches).toBe(1);
    isRunning = false;
    clock.pass(2_000);
    expect(engine.shownAgent('s')?.state).toMatchObject({ kind: 'finished', ended: 'died' });
    expect(engine.incidentsOf('s').filter(({ resolvedAt }) => resolvedAt === null)).toEqual([]);
  });
});
