import { describe, expect, it } from 'vitest';
import { filterOf, grouped } from '../../../../src/ui/trees/incident-groups';
import { DAY, T0, incident } from '../../store/support/incidents';

describe('the list of incidents', () => {
  it('groups what is over by its day, and puts what is open first whatever its day', () => {
    const over = (age: number) => incident({ state: 'recovered', resolvedAt: T0 - age, openedAt: T0 - age });
    const open = incident({ openedAt: T0 - 30 * DAY });
    const [today, week, edge, old] = [over(0), over(DAY), over(7 * DAY), over(8 * DAY)];
    expect([...grouped([today, week, edge, old, open], T0)]).toEqual([
      ['Today', [today]],
      ['This week', [week]],
      ['Older', [edge, old]],
      ['Active', [open]],
    ]);
  });

  it('asks the store only for what it is narrowed to', () => {
    expect(filterOf({ text: '' })).toEqual({ limit: 500 });
    expect(filterOf({ text: 'pytest', agent: 'codex' })).toEqual({ limit: 500, text: 'pytest', agents: ['codex'] });
    expect(filterOf({ text: '', state: 'active' })).toEqual({ limit: 500, active: true });
    expect(filterOf({ text: '', state: 'recovered' })).toEqual({ limit: 500, states: ['recovered'] });
    expect(filterOf({ text: '', state: 'other' })).toEqual({
      limit: 500,
      states: ['muted', 'ended', 'unknown', 'escalated'],
    });
  });
});
