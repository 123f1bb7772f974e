import { describe, expect, it } from 'vitest';
import { SessionSteps } from '../../../../src/engine/session/session-steps';
import { pastView } from '../../../../src/editor/panel/subject';
import { markersOf, newestSubjects, stepsInTime, stepsOf, subjectsOf } from '../../../../src/editor/panel/snapshot';
import { T0, incident, recovered } from '../../history/support/incidents';

/** A session with this many steps. Step 7 is called `make 7`, ended at 7 and had result 7. Every third result was seen before. */
function timeline(steps: number): SessionSteps {
  const made = new SessionSteps();
  for (let i = 0; i < steps; i++) {
    made.push({
      at: i,
      kind: 'ran',
      failed: false,
      seen: i % 3 === 0,
      outcome: i,
      line: i + 1,
      offset: i * 10,
      subject: `make ${i}`,
      tool: 'Bash',
    });
  }
  return made;
}

describe('the steps that go to the panel', () => {
  it('are all of a short session, from its first', () => {
    const { from, at, lines, outcomes } = stepsOf(timeline(3));
    expect([from, [...at], [...lines], [...outcomes]]).toEqual([0, [0, 1, 2], [1, 2, 3], [0, 1, 2]]);
  });

  it('are the newest 5,000 of a long one', () => {
    const { from, at, flags } = stepsOf(timeline(5_002));
    expect([from, at.length, at[0], at.at(-1), flags.length]).toEqual([2, 5_000, 2, 5_001, 5_000]);
  });

  it('are copies: letters stamped onto them do not change the session', () => {
    const session = timeline(2);
    const before = session.flag(1);
    stepsOf(session).flags[1] = 255;
    expect(session.flag(1)).toBe(before);
  });

  it('are empty while the session is unknown', () => {
    const { from, at, flags, outcomes, lines } = stepsOf(undefined);
    expect([from, at.length, flags.length, outcomes.length, lines.length]).toEqual([0, 0, 0, 0, 0]);
  });

  it('are in order of time, with what was seen before', () => {
    const { length, at, wasSeen } = stepsInTime(timeline(4));
    expect([length, at(2), [0, 1, 2, 3].map(wasSeen)]).toEqual([4, 2, [true, false, false, true]]);
    const none = stepsInTime(undefined);
    expect([none.length, none.at(0), none.wasSeen(0)]).toEqual([0, 0, false]);
  });
});

describe('the names of steps', () => {
  it('are sent along for the newest 200', () => {
    const { from, subjects } = newestSubjects(timeline(205));
    expect([from, subjects.length, subjects[0], subjects.at(-1)]).toEqual([5, 200, 'make 5', 'make 204']);
    expect(newestSubjects(timeline(2))).toEqual({ from: 0, subjects: ['make 0', 'make 1'] });
    expect(newestSubjects(undefined)).toEqual({ from: 0, subjects: [] });
  });

  it('are those that the panel asked for, as far as the steps exist', () => {
    const session = timeline(4);
    expect(subjectsOf(session, 1, 3)).toEqual({ from: 1, subjects: ['make 1', 'make 2'] });
    expect(subjectsOf(session, 3, 99)).toEqual({ from: 3, subjects: ['make 3'] });
    expect(subjectsOf(session, 90, 99)).toEqual({ from: 90, subjects: [] });
    expect(subjectsOf(session, -5, 1)).toEqual({ from: 0, subjects: ['make 0'] });
  });
});

describe('the marks over the line', () => {
  const session = timeline(10);
  session.mark({ kind: 'nudge', at: 1, step: 1, text: 'first' });
  session.mark({ kind: 'commit', at: 2, step: 2, text: 'abc' });
  session.mark({ kind: 'nudge', at: 8, step: 8, text: 'second' });

  it('number the nudges, even if the first ones are before the part that is sent', () => {
    expect(markersOf(session, 0).map(({ kind, number }) => [kind, number])).toEqual([
      ['nudge', 1],
      ['commit', undefined],
      ['nudge', 2],
    ]);
    expect(markersOf(session, 3)).toEqual([{ kind: 'nudge', at: 8, step: 8, text: 'second', number: 2 }]);
    expect(markersOf(session, 8)).toHaveLength(1);
  });

  it('are empty for an unknown session', () => {
    expect(markersOf(undefined, 0)).toEqual([]);
  });
});

describe('an agent that only the history remembers', () => {
  it('has ended when its incident was over, and counts nothing that was not seen', () => {
    const past = recovered({ session: 's', role: 'reviewer' });
    const view = pastView(past);
    expect(view).toMatchObject({
      session: 's',
      title: past.title,
      agentName: 'Claude Code',
      model: 'sonnet',
      role: 'reviewer',
      cwd: '/home/me/calc',
      state: { kind: 'finished', since: past.resolvedAt, ended: 'clean' },
      coverage: { seen: 0, there: 0, skipped: 0 },
      incidents: [],
      history: true,
      deleted: false,
    });
    expect([view.health.startedAt, view.health.lastEventAt]).toEqual([T0, past.resolvedAt]);
    expect(Object.values(view.health).filter((one) => one === 0)).toHaveLength(6);
  });

  it('ended with the last change of an incident that stayed open', () => {
    const open = incident({ updatedAt: T0 + 5 });
    expect(pastView(open).state.since).toBe(T0 + 5);
  });

  it('has no model, role or folder if the history has none', () => {
    const { model: _model, folder: _folder, ...rest } = incident();
    expect(['model', 'role', 'cwd'].filter((key) => key in pastView(rest))).toEqual([]);
  });
});
