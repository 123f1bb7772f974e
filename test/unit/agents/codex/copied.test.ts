import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createOwnCalls } from '../../../../src/agents/codex/copied';
import { stage } from '../../engine/support';
import { PATIENCE } from '../../../support/patience';

const PARENT = '01a1fa50-0000-7000-8000-000000000000';
const FORK = '01a1fa55-a104-7c31-a53e-4521827405f9';
const OLD_TURN = '01a1fa50-0001-7000-8000-000000000000';
const NEW_TURN = '01a1fa56-0000-7000-8000-000000000000';

const line = (type: string, payload: object): string =>
  JSON.stringify({ timestamp: new Date().toISOString(), type, payload });
const meta = (id: string, more: object = {}) => line('session_meta', { id, source: 'cli', ...more });
const turn = (turn_id: string) => line('event_msg', { type: 'task_started', turn_id });
const step = (id: string, command: string, output: string) => [
  line('response_item', {
    type: 'function_call',
    call_id: id,
    name: 'shell',
    arguments: JSON.stringify({ command: ['bash', '-lc', command] }),
  }),
  line('response_item', { type: 'function_call_output', call_id: id, output }),
];
const loop = [1, 2, 3, 4, 5].flatMap((at) => step(`l${at}`, 'npm test', 'Exit code: 1\nOutput:\nno such script\n'));
const user = line('event_msg', { type: 'user_message', message: 'Mend the parser' });

describe('a history that a fork copied', () => {
  it("does not count as steps up to the thread's own first turn", () => {
    const own = createOwnCalls();
    const lines = [
      meta(FORK, { forked_from_id: PARENT }),
      meta(PARENT),
      turn(OLD_TURN),
      ...loop,
      turn(NEW_TURN),
      ...loop,
    ];
    const counted = lines.map((text) => own(text, text.includes('"payload":{"type":"function_call",') ? 1 : 0));
    expect(counted.slice(0, 13).every((calls) => calls === 0)).toBe(true);
    expect(counted.reduce((sum, calls) => sum + calls, 0)).toBe(5);
  });

  it('counts in a thread that has no turn of its own, even after a second head of its own', () => {
    const own = createOwnCalls();
    const lines = [meta(PARENT), turn(OLD_TURN), ...loop, meta(PARENT), ...loop];
    expect(lines.reduce((sum, text) => sum + own(text, text.includes('"type":"function_call",') ? 1 : 0), 0)).toBe(10);
  });

  it('raises nothing a second time, and the fork has all of its own steps', async () => {
    const { engine, home, workspace } = stage();
    const folder = join(home, '.codex/sessions/2026/11/20');
    mkdirSync(folder, { recursive: true });
    const write = (id: string, lines: readonly string[]) =>
      writeFileSync(join(folder, `rollout-2026-11-20T19-01-18-${id}.jsonl`), `${lines.join('\n')}\n`);
    const history = [turn(OLD_TURN), user, ...loop];
    write(PARENT, [meta(PARENT, { cwd: workspace }), ...history]);
    write(FORK, [
      meta(FORK, { cwd: workspace, forked_from_id: PARENT }),
      meta(PARENT, { cwd: workspace }),
      ...history,
      turn(NEW_TURN),
      ...step('n1', 'ls', 'Exit code: 0\nOutput:\nsrc\n'),
    ]);
    const raised = new Set<string>();
    engine.onDidChangeIncident(({ incident }) => raised.add(`${incident.session} ${incident.detector}`));
    engine.start();
    const coverage = (id: string) => {
      const found = engine.agent(id)?.coverage;
      return found && [found.seen, found.there];
    };
    await vi.waitFor(
      () =>
        expect([coverage(PARENT), coverage(FORK)]).toEqual([
          [5, 5],
          [1, 1],
        ]),
      PATIENCE,
    );
    expect(engine.session(FORK)?.facts.forkedFrom).toBe(PARENT);
    expect([...raised].every((one) => one.startsWith(PARENT))).toBe(true);
    expect(raised).toContain(`${PARENT} repeating_action`);
  });
});
