import { describe, expect, it } from 'vitest';
import { NOTHING_NARROWED, grouped, questionOf } from '../../../../src/editor/trees/incident-groups';
import { DAY, T0, incident } from '../../history/support/incidents';

describe('the list of incidents', () => {
  it('groups what is over by day, and leaves what is open to the agents', () => {
    const over = (age: number) => incident({ state: 'recovered', resolvedAt: T0 - age, openedAt: T0 - age });
    const open = incident({ openedAt: T0 - 30 * DAY });
    const [today, yesterday, week, edge, old] = [over(0), over(DAY), over(2 * DAY), over(7 * DAY), over(8 * DAY)];
    expect([...grouped([today, yesterday, week, edge, old, open], T0, () => true)]).toEqual([
      ['Today', [today]],
      ['Yesterday', [yesterday]],
      ['This week', [week]],
      ['Earlier', [edge, old]],
    ]);
  });

  it('keeps an open incident if its agent is gone', () => {
    const open = incident({ openedAt: T0 });
    expect([...grouped([open], T0, () => false)]).toEqual([['Today', [open]]]);
  });

  it('queries the words of its text, and the filters that chips and text name together', () => {
    expect(questionOf(NOTHING_NARROWED, T0)).toEqual({ words: '', filter: {} });
    expect(questionOf({ text: 'pytest outcome:nudge', chips: [{ kind: 'agent', value: 'codex' }] }, T0)).toEqual({
      words: 'pytest',
      filter: { endings: ['nudge'], agents: ['codex'] },
    });
  });

  it('joins chips of one kind with or, and takes a folder with spaces', () => {
    const chips = [
      { kind: 'outcome', value: 'nudge' },
      { kind: 'outcome', value: 'open' },
      { kind: 'folder', value: '/home/me/my app' },
      { kind: 'level', value: 'stuck' },
      { kind: 'rule', value: 'cycle' },
      { kind: 'time', value: '7d' },
    ] as const;
    expect(questionOf({ text: '', chips }, T0)).toEqual({
      words: '',
      filter: {
        endings: ['nudge', 'open'],
        folders: ['/home/me/my app'],
        levels: ['stuck'],
        detectors: ['cycle'],
        since: T0 - 7 * DAY,
      },
    });
  });
});
