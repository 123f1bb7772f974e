import { describe, expect, it } from 'vitest';
import type { AgentView, Incident } from '../../../../src/core/model';
import { incidentsOf, subjectOf } from '../../../../src/editor/panel/subject';
import { incident } from '../../history/support/incidents';
import { agentView } from '../support/views';

const GRAVEST = incident({ id: 'gravest' });
const OTHER = incident({ id: 'other' });
const KEPT = incident({ id: 'kept' });

/** The agents of a window: one that is followed, or none. */
function agents(view?: AgentView, incidents: readonly Incident[] = view?.incidents ?? []) {
  return { agent: () => view, incidentsOf: () => incidents };
}

describe('the panel of a session that is followed', () => {
  const followed = agentView('s', {}, { incidents: [GRAVEST, OTHER] });

  it.each([
    ['the gravest incident where none was chosen', {}, 'gravest'],
    ['the gravest incident where the present was chosen', { incident: '' }, 'gravest'],
    ['the chosen incident', { incident: 'other' }, 'other'],
    ['the gravest incident where the chosen one is gone', { incident: 'gone' }, 'gravest'],
    ['an incident of the history that reading did not find again', { incident: 'kept', past: KEPT }, 'kept'],
  ])('shows %s', (_name, shown, id) => {
    const subject = subjectOf({ session: 's', ...shown }, agents(followed));
    expect([subject?.view, subject?.incident?.id, subject?.past]).toEqual([followed, id, undefined]);
  });

  it('shows no incident if there is none', () => {
    expect(subjectOf({ session: 's' }, agents(agentView('s')))).toEqual({ view: agentView('s') });
  });

  it('lists an incident of the history once', () => {
    const list = (incidents: readonly Incident[]) => {
      const shown = { session: 's', past: KEPT };
      return incidentsOf(shown, { view: followed }, agents(followed, incidents)).map(({ id }) => id);
    };
    expect(list([OTHER])).toEqual(['kept', 'other']);
    expect(list([OTHER, KEPT])).toEqual(['other', 'kept']);
  });
});

describe('the panel of a session that is not followed', () => {
  it('shows nothing until the session is read', () => {
    expect(subjectOf({ session: 's', incident: 'other' }, agents())).toBeNull();
  });

  it('shows the agent as its incident of the history remembers it', () => {
    const subject = subjectOf({ session: KEPT.session, incident: 'kept', past: KEPT }, agents());
    expect(subject?.view).toMatchObject({ session: KEPT.session, title: KEPT.title, history: true });
    expect([subject?.incident, subject?.past]).toEqual([KEPT, KEPT]);
  });

  it('lists that incident alone', () => {
    const shown = { session: KEPT.session, past: KEPT };
    expect(incidentsOf(shown, { view: agentView('s'), past: KEPT }, agents(undefined, [OTHER]))).toEqual([KEPT]);
  });
});
