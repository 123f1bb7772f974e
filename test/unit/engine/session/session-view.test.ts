import { expect, it } from 'vitest';
import type { AgentEvent, Incident } from '../../../../src/core/model';
import { waitingCalls } from '../../../../src/engine/session/session-view';
import { seenOf } from '../../../../src/engine/history/seen';
import { incident } from '../../history/support/incidents';
import { source } from '../../support/findings';
import { sessionWith } from './support';

const AT = Date.UTC(2026, 10, 26, 12);

function session(...events: readonly ({ readonly type: AgentEvent['type'] } & Record<string, unknown>)[]) {
  const made = sessionWith();
  events.forEach((event, line) =>
    made.push({ agent: 'generic', session: 's', at: AT + line * 1000, source: source(line), ...event } as AgentEvent),
  );
  return made;
}

it('the gravest comes first: the person’s turn, then stuck, then warnings, and of equals the longest', () => {
  const made = session({ type: 'user', text: 'Go', automated: false });
  const one = (id: string, more: Partial<Incident>) => incident({ id, ...more });
  made.book.active = () => [
    one('warn', { level: 'warn', firstAt: 1 }),
    one('stuck later', { firstAt: 9 }),
    one('stuck', { firstAt: 2 }),
    one('escalated', { state: 'escalated', level: 'warn', firstAt: 20 }),
  ];
  expect(made.view(AT).incidents.map(({ id }) => id)).toEqual(['escalated', 'stuck', 'stuck later', 'warn']);
});

it('a session that is read from its first line does not say since when it is known, nor that it is a run', () => {
  const made = session({ type: 'user', text: 'Go', automated: false });
  made.run = { loop: 'l', number: 1, isLast: true };
  expect(made.view(AT).coverage).not.toHaveProperty('since');
  expect(made.view(AT)).not.toHaveProperty('run');
  made.since = AT;
  made.run = { loop: 'l', number: 2, isLast: true };
  expect(made.view(AT).coverage.since).toBe(AT);
  expect(made.view(AT).run?.number).toBe(2);
  made.run = { loop: 'l', number: 1, isLast: false };
  expect(made.view(AT).run?.number).toBe(1);
});

it('an agent that rests does nothing, and one that died shows what it did', () => {
  const call = { type: 'tool_call', id: 'a', name: 'Bash', args: {}, kind: 'ran', subject: 'make' };
  const made = session({ type: 'user', text: 'Go', automated: false }, call as never);
  made.liveness = { alive: true, pid: 7 };
  expect(made.view(AT + 2_000)).toMatchObject({ doing: { subject: 'make' }, pid: 7 });
  made.liveness = { alive: false, pid: 7 };
  expect(made.view(AT + 2_000)).toMatchObject({ state: { ended: 'died' }, doing: { subject: 'make' } });
  const over = { agent: 'generic', session: 's', at: AT + 3_000, source: source(3) } as const;
  made.liveness = null;
  made.push({ ...over, type: 'turn_end', reason: 'done' });
  expect(made.view(AT + 4_000)).not.toHaveProperty('doing');
});

it('an agent whose transcript was deleted does not work for ever', () => {
  const made = session({ type: 'turn_start' }, { type: 'user', text: 'Go', automated: false });
  expect(made.view(AT + 2_000).state.kind).toBe('working');
  made.deleted = true;
  expect(made.view(AT + 2_000).state).toEqual({ kind: 'finished', since: AT + 1_000, ended: 'clean' });
  expect(made.view(AT + 2_000)).not.toHaveProperty('doing');
  made.liveness = { alive: false, pid: 7 };
  expect(made.view(AT + 2_000).state).toMatchObject({ ended: 'died' });
});

// a command runs │ its agent is killed with the window │ the session is resumed the next day
it('a session that is resumed the next day works since then, and no longer runs what was cut off', () => {
  const call = { type: 'tool_call', id: 'a', name: 'Bash', args: {}, kind: 'ran', command: 'make', subject: 'make' };
  const made = session({ type: 'user', text: 'Go', automated: false }, call as never);
  const at = AT + 24 * 3_600_000;
  const prompt = { agent: 'generic', session: 's', at, source: source(3) } as const;
  made.push({ ...prompt, type: 'user', text: 'Go on', automated: false });
  const view = made.view(at + 60_000);
  expect(view.state).toEqual({ kind: 'working', since: at });
  expect(view.doing).toMatchObject({ kind: 'model', since: at });
});

it('of an answer with very many calls, twenty wait, and a command is shown to its end unless it is absurd', () => {
  const call = (n: number) => ({ id: `c${n}`, name: 'Bash', subject: 's', command: 'x'.repeat(9_000) }) as never;
  const calls = waitingCalls(Array.from({ length: 25 }, (_, n) => call(n)));
  expect(calls.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, n) => `c${n}`));
  expect(calls[0]?.command).toHaveLength(8_000);
  expect(waitingCalls([{ id: 'r', name: 'Read', subject: 'a.ts' } as never])[0]).not.toHaveProperty('command');
});

it('the history knows when, where and as what a session ran, as far as that is known', () => {
  const made = session(
    { type: 'session_info', model: 'sonnet', role: 'reviewer', cwd: '/work' },
    { type: 'user', text: 'Go', automated: false },
  );
  expect(seenOf(made.view(AT))).toEqual({
    agent: 'generic',
    session: 's',
    firstAt: AT,
    lastAt: AT + 1_000,
    steps: 0,
    model: 'sonnet',
    role: 'reviewer',
    folder: '/work',
  });
  const plain = seenOf(session({ type: 'user', text: 'Go', automated: false }).view(AT));
  expect(Object.keys(plain)).toEqual(['agent', 'session', 'firstAt', 'lastAt', 'steps']);
  const view = made.view(AT);
  const rereads = { n: 3, of: 9 };
  expect(seenOf({ ...view, health: { ...view.health, rereads } }).rereads).toEqual(rereads);
});
