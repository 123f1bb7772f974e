import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Engine } from '../../../src/engine/engine';
import type { IncidentChange } from '../../../src/engine/events';
import { stage } from './support';
import { PATIENCE } from '../../support/patience';

/** Lines of a generic transcript, one second a step, ending now. */
function story(steps: readonly ('new' | 'loop' | 'other')[], start: number): string[] {
  const lines = [
    JSON.stringify({ v: 1, t: start, type: 'session_start', session: 'long-one', model: 'small-1' }),
    JSON.stringify({ v: 1, t: start, type: 'user', session: 'long-one', text: 'Mend the parser' }),
  ];
  for (const [index, step] of steps.entries()) {
    const t = start + (index + 1) * 1_000;
    const file = step === 'new' ? `src/part-${index}.ts` : step === 'loop' ? 'src/again.ts' : 'src/once.ts';
    const output = step === 'new' ? `export const part${index} = ${'x'.repeat(200)};` : `the text of ${file}`;
    lines.push(
      JSON.stringify({
        v: 1,
        t,
        type: 'tool_call',
        session: 'long-one',
        id: `c${index}`,
        name: 'Read',
        args: { file },
      }),
      JSON.stringify({ v: 1, t: t + 500, type: 'tool_result', session: 'long-one', id: `c${index}`, output }),
    );
  }
  return lines;
}

function follow(lines: readonly string[]) {
  const { engine, workspace } = stage();
  const file = join(workspace, 'long.agent.jsonl');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const changes: IncidentChange[] = [];
  const sinces: (number | undefined)[] = [];
  engine.onDidChangeIncident((change) => changes.push(change));
  engine.onDidChange(() => sinces.push(engine.agent('long-one')?.coverage.since));
  engine.start();
  return { engine, file, changes, sinces };
}

const many = (count: number, step: 'new' | 'loop' | 'other') => Array.from({ length: count }, () => step);
const whole = (engine: Engine) => {
  const view = engine.agent('long-one');
  return view && view.coverage.since === undefined ? view : undefined;
};

describe('a long transcript', () => {
  //   new ×2000 │ loop ×5      the tail alone shows the loop; the agent and its task are in the first lines
  it('appears with its loop from its last lines, and has all its steps and line numbers a little later', async () => {
    const lines = story([...many(2_000, 'new'), ...many(5, 'loop')], Date.now() - 2_006_000);
    const { engine, changes, sinces } = follow(lines);
    await vi.waitFor(() => expect(changes.at(0)?.incident.count).toBeGreaterThan(2), PATIENCE);
    expect(engine.agent('long-one')?.title).toBe('Mend the parser');
    expect(engine.agent('long-one')?.model).toBe('small-1');
    await vi.waitFor(() => expect(whole(engine)?.coverage.lines).toBe(lines.length), PATIENCE);
    expect(sinces.some((since) => since !== undefined)).toBe(true);
    const view = whole(engine);
    expect(view?.health.calls).toBe(2_005);
    expect(view?.incidents.map(({ detector, count, history }) => [detector, count, history])).toEqual([
      ['repeating_action', 5, false],
    ]);
    expect(view?.incidents[0]?.alertLine).toBe(lines.length - 4);
    expect(new Set(changes.map(({ incident }) => incident.id)).size).toBe(1);
    expect(engine.timeline('long-one')?.length).toBe(2_005);
  });

  //   loop ×5 │ new ×2000      no alarm for what was over long ago, but it is history
  it('reports a loop in its past as history', async () => {
    const { engine, changes } = follow(story([...many(5, 'loop'), ...many(2_000, 'new')], Date.now() - 2_006_000));
    await vi.waitFor(() => expect(whole(engine)?.health.calls).toBe(2_005), PATIENCE);
    expect(changes.map(({ incident }) => [incident.detector, incident.level, incident.history])).toContainEqual([
      'repeating_action',
      'stuck',
      true,
    ]);
    expect(whole(engine)?.incidents).toEqual([]);
  });

  //   muted while only the tail is known; continues, muted, once the whole is
  it('keeps what a person did to an incident meanwhile, and continues with the lines that come after', async () => {
    const lines = story([...many(2_000, 'new'), ...many(5, 'loop')], Date.now() - 2_006_000);
    const { engine, file, changes } = follow(lines);
    await vi.waitFor(() => expect(changes.length).toBeGreaterThan(0), PATIENCE);
    const id = changes[0]?.incident.id ?? '';
    expect(engine.changeIncident(id, { type: 'mute', at: Date.now() })).toBe(true);
    await vi.waitFor(() => expect(whole(engine)).toBeDefined(), PATIENCE);
    expect(whole(engine)?.incidents.map((one) => [one.id, one.state])).toEqual([[id, 'muted']]);
    const now = Date.now();
    appendFileSync(
      file,
      [
        { type: 'tool_call', id: 'last', name: 'Read', args: { file: 'src/again.ts' } },
        { type: 'tool_result', id: 'last', output: 'the text of src/again.ts' },
      ]
        .map((line) => `${JSON.stringify({ v: 1, t: now, session: 'long-one', ...line })}\n`)
        .join(''),
    );
    await vi.waitFor(() => expect(whole(engine)?.incidents[0]?.count).toBe(6), PATIENCE);
    expect(engine.timeline('long-one')?.line(2_005)).toBe(lines.length + 2);
  });
});
