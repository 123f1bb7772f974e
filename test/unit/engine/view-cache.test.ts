import { expect, it } from 'vitest';
import { ViewCache } from '../../../src/engine/view-cache';
import { draw } from '../../stories/drawing';
import { sessionWith } from './session/support';

/** An agent whose transcript does not record turns, in the middle of its work. */
function atWork(session = 's') {
  const made = sessionWith({ session });
  for (const event of draw('R a.py · R b.py')) made.push(event);
  return made;
}

it('a row is drawn from the same snapshot until its session changes', () => {
  const views = new ViewCache();
  const session = atWork();
  const now = session.facts.lastEventAt;
  const first = views.of(session, now);
  expect(views.of(session, now + 1_000)).toBe(first);
  views.forget('s');
  expect(views.of(session, now + 1_000)).not.toBe(first);
});

it('an agent without records of turns is seen to wait after a long silence, although no change was reported', () => {
  const views = new ViewCache();
  const session = atWork();
  const now = session.facts.lastEventAt;
  expect(session.facts.hasTurnLines).toBe(false);
  const before = views.of(session, now).state;
  const later = now + 24 * 3_600_000;
  expect(views.of(session, later).state).toEqual(session.view(later).state);
  expect(views.of(session, later).state).not.toEqual(before);
});

it('another reading of a session is not shown like the one before', () => {
  const views = new ViewCache();
  const partly = sessionWith();
  const whole = atWork();
  const now = whole.facts.lastEventAt;
  expect(views.of(partly, now).health.calls).toBe(0);
  expect(views.of(whole, now).health.calls).toBe(2);
});
