import { describe, expect, it } from 'vitest';
import type { AgentEvent, Incident } from '../../../../src/core/model';
import { finding } from '../../support/findings';
import { sessionWith } from './support';

type EventFields = AgentEvent extends infer One
  ? One extends AgentEvent
    ? Omit<One, 'agent' | 'session' | 'at' | 'source'>
    : never
  : never;

/** A session that failed the same way four times, and whose last call waits. */
function stuckSession() {
  const incidents: Incident[] = [];
  const session = sessionWith({ live: false, onIncident: (incident) => void incidents.push(incident) });
  let line = 0;
  const push = (fields: EventFields) => {
    line++;
    const source = { file: '/t.jsonl', line, offset: line * 100 };
    session.push({ agent: 'generic', session: 's', at: line * 1000, source, ...fields });
  };
  const call = (id: string) =>
    push({
      type: 'tool_call',
      id,
      name: 'Bash',
      kind: 'ran',
      subject: 'make',
      args: { command: 'make' },
      command: 'make',
    });
  for (let round = 0; round < 4; round++) {
    call(`c${round}`);
    push({ type: 'tool_result', id: `c${round}`, output: 'error: no rule to make target', isError: true });
  }
  call('last');
  return { session, push, incidents, now: line * 1000 + 60 * 60_000 };
}

describe('a session that is read to its end', () => {
  it('shows the same as before it released what reading needs, except for its timeline and what it does', () => {
    const { session, now } = stuckSession();
    const { doing: _doing, ...before } = session.view(now);
    expect(before.incidents).not.toHaveLength(0);
    session.rest(now);
    const { doing, ...after } = session.view(now);
    expect(after).toEqual(before);
    expect(session.timeline.length).toBe(0);
    expect(doing?.kind).not.toBe('tool');
  });

  it('takes what is found across sessions afterwards, as if it were still being read', () => {
    const { session, incidents, now } = stuckSession();
    session.rest(now);
    const before = incidents.length;
    session.book.finding(finding(9, { detector: 'rate_limited', rule: 'outage', key: 'outage:1' }));
    expect(incidents).toHaveLength(before + 1);
    expect(session.view(now).incidents.map(({ key }) => key)).toContain('outage:1');
  });

  it('raises nothing more', () => {
    const { session, push, incidents, now } = stuckSession();
    session.rest(now);
    const before = incidents.length;
    push({ type: 'tool_result', id: 'last', output: 'error: no rule to make target', isError: true });
    session.tick(now * 2);
    expect(incidents).toHaveLength(before);
    expect(session.deadline()).toBe(Number.POSITIVE_INFINITY);
  });
});
