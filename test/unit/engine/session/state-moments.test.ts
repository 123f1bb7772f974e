import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../../src/core/model';
import { source } from '../../support/findings';
import { sessionWith } from './support';

const HOUR = 3_600_000;
const STARTED = Date.UTC(2026, 10, 26, 12);

/** A session read by a window that opened at `STARTED`. */
function session(
  ...events: readonly ({ readonly type: AgentEvent['type']; readonly at: number } & Record<string, unknown>)[]
) {
  const made = sessionWith({ agent: 'claude-code', agentName: 'Claude Code', isHistory: (at) => at < STARTED });
  events.forEach((event, line) =>
    made.push({ agent: 'claude-code', session: 's', source: source(line), ...event } as AgentEvent),
  );
  return made;
}

const loop = (from: number) =>
  Array.from({ length: 6 }, (_, round) => [
    {
      type: 'tool_call',
      at: from + round * 1000,
      id: `c${round}`,
      name: 'Bash',
      args: { command: 'make' },
      kind: 'ran',
      command: 'make',
      subject: 'make',
    } as const,
    { type: 'tool_result', at: from + round * 1000 + 500, id: `c${round}`, output: 'Error 2', isError: true } as const,
  ]).flat();

it('a stuck agent that answers is checked again when its turn has settled, though nothing is written then', () => {
  const at = STARTED + 10_000;
  const answers = { type: 'turn_end', at, reason: 'done' } as const;
  const one = session(
    { type: 'user', at: STARTED, text: 'Build it', automated: false },
    { type: 'turn_start', at: STARTED },
    ...loop(STARTED + 1000),
    answers,
  );
  expect(one.view(at + 1000).state.kind).toBe('stuck');
  one.tick(at + 1000);
  const due = one.deadline();
  expect(due).toBe(at + 3000);
  expect(one.view(due).state).toMatchObject({ kind: 'waiting', waitingFor: 'turn_end' });
  // There is no further check after that.
  one.tick(due);
  expect(one.deadline()).toBeGreaterThan(due);
});

it('an agent that failed is past for a window that opens the next day, not for one that is reloaded, and never while it lives', () => {
  const failed = (hours: number) => {
    const at = STARTED - hours * HOUR;
    return session({ type: 'user', at, text: 'Go', automated: false }, { type: 'turn_end', at, reason: 'error' });
  };
  expect(failed(1).view(STARTED)).not.toHaveProperty('isPast');
  expect(failed(13).view(STARTED)).toMatchObject({ isPast: true });
  const lives = failed(13);
  lives.liveness = { alive: true, pid: 7 };
  expect(lives.view(STARTED)).not.toHaveProperty('isPast');
});
