import { describe, expect, it } from 'vitest';
import { isListed } from '../../../src/editor/agent-list';
import { agentView } from './support/views';

describe('the lists', () => {
  const ended = { kind: 'finished', ended: 'clean' } as const;

  it('leave out what ended before this window watched, until the person asks for it', () => {
    const before = agentView('a', ended, { history: true });
    expect(isListed(before, false)).toBe(false);
    expect(isListed(before, true)).toBe(true);
    const unread = { ...before, history: false, coverage: { ...before.coverage, seen: 0 } };
    expect(isListed(unread, false)).toBe(false);
  });

  it('keep what ended while the window watched, what died, and what is running', () => {
    expect(isListed(agentView('a', ended), false)).toBe(true);
    expect(isListed(agentView('a', { kind: 'finished', ended: 'died' }, { history: true }), false)).toBe(true);
    expect(isListed(agentView('a', { kind: 'working' }, { history: true }), false)).toBe(true);
  });

  it('have one row for all runs of a loop: the last run', () => {
    const runs = [1, 2, 3].map((number) =>
      agentView(`run ${number}`, { kind: 'working' }, { run: { number, isLast: number === 3 } }),
    );
    expect(runs.filter((view) => isListed(view, true)).map(({ session }) => session)).toEqual(['run 3']);
  });
});
