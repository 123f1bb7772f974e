import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { resolveOptions } from '../../../src/detect/session/options';
import type { IncidentChange } from '../../../src/engine/events';
import { notStuck } from '../../../src/detect/incident';
import { PATIENCE } from '../../support/patience';
import { STUCK_AT } from '../support/limits';
import { stage } from './support';

/** A followed session in which `make` fails again and again, a second apart, up to now. */
async function stuckOnMake() {
  const { engine, workspace, settings } = stage();
  const file = join(workspace, 'loop.agent.jsonl');
  const start = Date.now() - 100_000;
  let steps = 0;
  const lines = (times: number) =>
    Array.from({ length: times }, () => {
      const t = start + ++steps * 1_000;
      const call = {
        v: 1,
        t,
        session: 's',
        type: 'tool_call',
        id: `c${steps}`,
        name: 'bash',
        args: { command: 'make' },
      };
      const result = {
        v: 1,
        t: t + 500,
        session: 's',
        type: 'tool_result',
        id: `c${steps}`,
        output: 'no rule',
        isError: true,
      };
      return `${JSON.stringify(call)}\n${JSON.stringify(result)}\n`;
    }).join('');
  const changes: IncidentChange[] = [];
  engine.onDidChangeIncident((change) => changes.push(change));
  writeFileSync(file, lines(STUCK_AT));
  engine.start();
  await vi.waitFor(() => expect(engine.agent('s')?.incidents[0]?.level).toBe('stuck'), PATIENCE);
  return {
    engine,
    settings,
    changes,
    incident: () => engine.session('s')?.book.all()[0],
    /** The same call this many times more; resolves when they are read. */
    proceed: async (times: number): Promise<void> => {
      appendFileSync(file, lines(times));
      await vi.waitFor(() => expect(engine.session('s')?.stepCount).toBe(steps), PATIENCE);
    },
  };
}

describe('an alarm that a person does not want', () => {
  it('ends with its rule when the rule is switched off, and no other rule reports', async () => {
    const { engine, settings, changes, incident, proceed } = await stuckOnMake();
    const off = { repeating_action: 'off' };
    engine.configure({
      ...settings,
      detectors: (agent) => resolveOptions({ preset: 'balanced', detectors: off }, agent),
    });
    expect(incident()).toMatchObject({ detector: 'repeating_action', cleared: 'off' });
    expect(incident()?.resolvedAt).not.toBeNull();
    expect(engine.agent('s')?.state.kind).not.toBe('stuck');
    const told = changes.length;
    await proceed(12);
    expect(engine.agent('s')?.incidents).toEqual([]);
    expect(changes.slice(told)).toEqual([]);
  });

  it('is no longer a stuck agent once it is muted, and stays muted as it continues', async () => {
    const { engine, incident, proceed } = await stuckOnMake();
    engine.changeIncident(incident()?.id ?? '', { type: 'mute', at: Date.now() });
    expect(engine.agent('s')?.state.kind).not.toBe('stuck');
    await proceed(8);
    expect(engine.session('s')?.book.all()).toMatchObject([{ state: 'muted', count: STUCK_AT + 8 }]);
    expect(engine.agent('s')?.state.kind).not.toBe('stuck');
  });

  it('is over when a person says Not Stuck, and comes again at twice the count', async () => {
    const { engine, settings, incident, proceed } = await stuckOnMake();
    const first = incident();
    if (!first) throw new Error('no incident');
    engine.changeIncident(first.id, { type: 'not_stuck', at: Date.now() });
    engine.configure({ ...settings, raised: [notStuck(first, 'make', Date.now())] });
    expect(engine.agent('s')?.state.kind).not.toBe('stuck');
    await proceed(STUCK_AT - 1);
    expect(engine.agent('s')?.incidents).toEqual([]);
    expect(engine.agent('s')?.nearMisses).toContainEqual(
      expect.objectContaining({
        detector: 'repeating_action',
        reached: 2 * STUCK_AT - 1,
        limit: 2 * STUCK_AT,
        heldBackBy: 'You said it is not stuck',
      }),
    );
    await proceed(1);
    expect(engine.agent('s')?.incidents).toMatchObject([{ level: 'stuck', count: 2 * STUCK_AT, notified: false }]);
    expect(incident()?.id).not.toBe(first.id);
  });

  it('is reported again as soon as Not Stuck is undone', async () => {
    const { engine, settings, incident, proceed } = await stuckOnMake();
    const first = incident();
    if (!first) throw new Error('no incident');
    engine.changeIncident(first.id, { type: 'not_stuck', at: Date.now() });
    engine.configure({ ...settings, raised: [notStuck(first, 'make', Date.now())] });
    await proceed(1);
    engine.changeIncident(first.id, { type: 'take_back', at: Date.now() });
    engine.configure({ ...settings, raised: [] });
    expect(engine.agent('s')?.incidents).toMatchObject([{ id: first.id, state: 'open', count: STUCK_AT + 1 }]);
    expect(engine.agent('s')?.state.kind).toBe('stuck');
  });
});
