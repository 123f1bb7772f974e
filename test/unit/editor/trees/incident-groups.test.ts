import { describe, expect, it } from 'vitest';
import { NOTHING_NARROWED, grouped, questionOf } from '../../../../src/editor/trees/incident-groups';
import { DAY, T0, incident } from '../../history/support/incidents';

describe('the list of incidents', () => {
  it('groups what is over by its day; what goes on is left to the agents', () => {
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

  it('holds what goes on where its agent is not there any more', () => {
    const open = incident({ openedAt: T0 });
    expect([...grouped([open], T0, () => false)]).toEqual([['Today', [open]]]);
  });

  it('asks for the words of its line, and for what chips and line name together', () => {
    expect(questionOf(NOTHING_NARROWED, T0)).toEqual({ words: '', filter: {} });
    expect(questionOf({ text: 'pytest outcome:nudge', chips: [{ kind: 'agent', value: 'codex' }] }, T0)).toEqual({
      words: 'pytest',
      filter: { endings: ['nudge'], agents: ['codex'] },
    });
  });

  it('takes chips of one kind for either of them, and a folder with its blanks', () => {
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
