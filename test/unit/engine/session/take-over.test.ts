import { expect, it } from 'vitest';
import { messageOf } from '../../../../src/agents/inbox/messages/send';
import type { Delivery } from '../../../../src/core/model';
import type { Session } from '../../../../src/engine/session/session';
import { draw } from '../../../stories/drawing';
import { sessionWith } from './support';
import { STUCK_AT } from '../../support/limits';

const EVENTS = draw(`U "build it" · (B "make" fail:no_rule) x${STUCK_AT}`);
const NOW = EVENTS.at(-1)?.at ?? 0;

/** A session that was read completely: it repeats itself. */
function stuck(): Session {
  const session = sessionWith({ session: 'drawn' });
  for (const event of EVENTS) session.push(event);
  return session;
}

const draft = { session: 'drawn', agent: 'generic', kind: 'nudge', text: 'Read it.', automated: false } as const;
const taken: Delivery = {
  message: messageOf(draft, '01JD0000000000000000000000', NOW),
  state: 'taken',
  times: { queued: NOW, taken: NOW + 1000 },
  by: 'hook',
};

it('an agent that took a nudge is still recovering when another reading takes over', () => {
  const before = stuck();
  expect(before.view(NOW + 2000).state.kind).toBe('stuck');
  before.setDeliveries([taken]);
  const recovering = { kind: 'recovering', since: NOW + 1000 };
  expect(before.view(NOW + 2000).state).toMatchObject(recovering);
  const after = stuck();
  after.takeOver(before, NOW + 2000);
  expect(after.view(NOW + 2000).state).toMatchObject(recovering);
});

it('an incident that the whole transcript does not show only seemed to be one, and what is over stays as it was', () => {
  const before = stuck();
  const [open] = before.book.active();
  const after = sessionWith({ session: 'drawn' });
  expect(after.takeOver(before, NOW + 2_000)).toMatchObject([{ before: { id: open?.id }, replaced: null }]);
  expect(after.takeOver(before, NOW + 2_000)[0]?.after?.resolvedAt).toBe(NOW + 2_000);
  before.end(NOW);
  expect(sessionWith({ session: 'drawn' }).takeOver(before, NOW + 2_000)).toMatchObject([{ after: null }]);
});

it('the message about an incident stays with it: when it was taken, and its outcome', () => {
  const session = stuck();
  const [open] = session.book.active();
  const id = open?.id ?? '';
  const about = { ...taken, message: { ...taken.message, incident: id } };
  session.changeIncident(id, {
    type: 'attempt',
    attempt: { attempt: 1, kind: 'nudge', message: taken.message.id, at: NOW, automated: false, state: 'queued' },
  } as never);
  session.setDeliveries([{ ...about, message: { ...about.message, id: 'ANOTHER' } }, about]);
  expect(session.book.get(id)?.attempts).toMatchObject([{ state: 'taken', takenAt: NOW + 1000 }]);
  expect(session.book.get(id)?.attempts[0]).not.toHaveProperty('outcome');
  session.setDeliveries([{ ...about, state: 'acted', times: { ...about.times, acted: NOW + 5000 }, outcome: 'same' }]);
  expect(session.book.get(id)?.attempts).toMatchObject([{ state: 'acted', outcome: 'same' }]);
});
