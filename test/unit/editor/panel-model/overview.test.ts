import { describe, expect, it } from 'vitest';
import type { AgentState, AgentView } from '../../../../src/core/model';
import { overviewRow } from '../../../../src/editor/panel-model/build-overview';
import { parseOverviewIntent } from '../../../../src/editor/panel-model/overview-intents';
import { isPatternRepeat } from '../../../../src/editor/panel-model/timeline';
import { say, stateLook } from '../../../../src/core/words';
import { T0, incident } from '../../history/support/incidents';
import { agentView } from '../support/views';

const rowOf = (state: Partial<AgentState>, more: Partial<AgentView> = {}, trusted = true) => {
  const view = agentView('s/1', state, more);
  const steps = { from: 40, flags: new Uint8Array(10) };
  const words = { look: stateLook(view.state), doing: say`Runs ${'make\u202e'}`, place: 'api\n', folder: 'api' };
  return overviewRow({ view, steps, trusted, now: T0, ...words });
};

describe('the row of an agent in the overview', () => {
  it('has the letters of its repetitions on its steps', () => {
    const pattern = [{ letter: 'A', subject: 'make', steps: [30, 42, 44, 49] }];
    const row = rowOf({ kind: 'stuck' }, { incidents: [incident({ pattern, count: 9 })] });
    expect([...row.steps].flatMap((flags, place) => (isPatternRepeat(flags) ? [place] : []))).toEqual([2, 4, 9]);
  });

  it('offers a nudge for an agent that is stuck or silent, and the way to one that asks', () => {
    const act = (state: Partial<AgentState>, trusted = true) => rowOf(state, {}, trusted).act;
    expect(act({ kind: 'stuck' })).toBe('nudge');
    expect(act({ kind: 'escalated' })).toBe('nudge');
    expect(act({ kind: 'stalled' })).toBe('nudge');
    expect(act({ kind: 'waiting', waitingFor: 'permission' })).toBe('go');
    expect(act({ kind: 'waiting', waitingFor: 'permission', probable: true })).toBeNull();
    expect(act({ kind: 'waiting', waitingFor: 'error' })).toBe('continue');
    expect(act({ kind: 'waiting', waitingFor: 'missed_notice' }, false)).toBeNull();
    expect(act({ kind: 'waiting', waitingFor: 'limit', until: T0 + 1 })).toBeNull();
    expect(act({ kind: 'finished', ended: 'died' })).toBeNull();
    expect(act({ kind: 'working' })).toBeNull();
    expect(act({ kind: 'stuck' }, false)).toBeNull();
    expect(act({ kind: 'waiting', waitingFor: 'question' }, false)).toBe('go');
  });

  it('counts the age of work from its call, and of everything else from the state', () => {
    const doing = { kind: 'tool', subject: 'make', since: 7 } as const;
    expect(rowOf({ since: 3 }, { doing })).toMatchObject({ since: 7, silentSince: expect.any(Number) as number });
    expect(rowOf({ since: 3 }).since).toBe(3);
    expect(rowOf({ kind: 'stuck', since: 3 }, { doing }).since).toBe(3);
    expect(rowOf({ kind: 'stuck' })).not.toHaveProperty('silentSince');
  });

  it('has texts that are safe to show, and its session unchanged', () => {
    const row = rowOf({ kind: 'waiting', question: 'a\u0000b' }, { title: 'Fix\u202eit', parent: 'p' });
    expect(row).toMatchObject({ session: 's/1', title: 'Fix\ufffdit', isSubAgent: true });
    expect(JSON.stringify(row)).not.toMatch(/\\u0000|\u202e/);
    expect(row.place).not.toContain('\n');
  });
});

describe('a request of the overview', () => {
  it('is one of five things about a session', () => {
    const intents = [
      { type: 'ready' },
      { type: 'open', session: 's', focus: true },
      { type: 'nudge', session: 's' },
      { type: 'go', session: 's' },
      { type: 'replay' },
    ];
    for (const intent of intents) expect(parseOverviewIntent({ ...intent, more: 1 })).toEqual(intent);
  });

  it.each([
    null,
    'ready',
    {},
    { type: 'open', session: 's' },
    { type: 'nudge', session: 7 },
    { type: 'run' },
    { type: 'go', session: 's'.repeat(257) },
  ])('is not %j', (value) => {
    expect(parseOverviewIntent(value)).toBeNull();
  });
});
