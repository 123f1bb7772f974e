import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { messageOf } from '../../../src/agents/inbox/messages/send';
import type { Delivery } from '../../../src/core/model';
import { PATIENCE } from '../../support/patience';
import { FakeClock } from '../history/support/fake-clock';
import { silentLog } from '../../../src/base/util/log';
import { Correspondence } from '../../../src/engine/correspondence';
import { sessionWith } from './session/support';
import { noMail, stage } from './support';

const SESSION = 'a';

/** A message that has waited for the agent since its turn began. */
function waiting(now: number): Delivery {
  const draft = {
    session: SESSION,
    agent: 'generic',
    kind: 'nudge',
    text: 'Try another way.',
    automated: false,
  } as const;
  return {
    message: messageOf(draft, '01JD0000000000000000000000', now),
    state: 'queued',
    times: { queued: now },
    by: 'unstuck',
  };
}

/** An agent at work for which a message waits, while the inbox is slowly told that no one has interrupted the agent. */
async function whileInboxIsInformed(writtenAfter = -4000) {
  const now = Date.now();
  const told: (number | null)[] = [];
  const called: string[] = [];
  let looks = 0;
  let release = () => {};
  const informed = new Promise<void>((resolve) => (release = resolve));
  const { engine, workspace } = stage({
    mail: {
      ...noMail,
      read: async () => {
        looks++;
        return [waiting(now + writtenAfter)];
      },
      interrupted: async (_session, _cwd, since) => {
        told.push(since);
        await informed;
      },
      call: async (_session, _cwd, message) => void called.push(message),
    },
  });
  const line = (t: number, fields: object) =>
    appendFileSync(join(workspace, 'a.agent.jsonl'), `${JSON.stringify({ v: 1, t, session: SESSION, ...fields })}\n`);
  line(now - 5000, { type: 'session_start', cwd: workspace });
  line(now - 5000, { type: 'user', text: 'Mend the parser' });
  engine.start();
  await vi.waitFor(() => expect(told).toEqual([null]), PATIENCE);
  /** The turn ends before the inbox has been told. */
  const end = async (reason: string) => {
    line(now, { type: 'turn_end', reason });
    await vi.waitFor(() => expect(engine.agent(SESSION)?.state.kind).toBe('waiting'), PATIENCE);
    release();
  };
  return { now, told, called, end, looks: () => looks };
}

it('does not call an agent that a person interrupts while the inbox is told that no one has', async () => {
  const { now, told, called, end } = await whileInboxIsInformed();
  await end('interrupted');
  await vi.waitFor(() => expect(told).toEqual([null, now]), PATIENCE);
  expect(called).toEqual([]);
});

it('calls an agent whose turn ends on its own meanwhile', async () => {
  const { called, end } = await whileInboxIsInformed();
  await end('done');
  await vi.waitFor(() => expect(called).toHaveLength(1), PATIENCE);
});

it('calls it once for that end, however often the inbox is checked', async () => {
  const { called, end, looks } = await whileInboxIsInformed();
  await end('done');
  await vi.waitFor(() => expect(called).toHaveLength(1), PATIENCE);
  const before = looks();
  // The second look begins when the first is over.
  await vi.waitFor(() => expect(looks()).toBeGreaterThanOrEqual(before + 2), PATIENCE);
  expect(called).toHaveLength(1);
});

it('does not call it for a message that came after the end: its writer already did', async () => {
  const { called, end, looks } = await whileInboxIsInformed(1000);
  await end('done');
  const before = looks();
  await vi.waitFor(() => expect(looks()).toBeGreaterThanOrEqual(before + 2), PATIENCE);
  expect(called).toEqual([]);
});

//   a message waits, and appears in the transcript │ its receipt is being written │ the session leaves │ the receipt is written
it('asks no more for the messages of a session that left while a receipt was being written', async () => {
  const clock = new FakeClock(Date.parse('2026-03-02T10:00:00Z'));
  const message = waiting(clock.now());
  let looks = 0;
  let release = () => {};
  const written = new Promise<void>((resolve) => (release = resolve));
  const mail = {
    ...noMail,
    read: async () => {
      looks++;
      return [message];
    },
    write: () => written,
  };
  const correspondence = new Correspondence(mail, clock, silentLog, () => {});
  const session = sessionWith({ session: SESSION });
  const settle = () => new Promise((turn) => setImmediate(turn));
  correspondence.look(session);
  await settle();
  const source = { file: '/t.jsonl', line: 1, offset: 0 };
  const at = clock.now();
  correspondence.event(session, {
    type: 'message_taken',
    agent: 'generic',
    session: SESSION,
    at,
    source,
    message: message.message.id,
  });
  await settle();
  correspondence.forget(session);
  const before = looks;
  release();
  await settle();
  clock.pass(10_000);
  await settle();
  expect(looks).toBe(before);
  expect(clock.waiting).toBe(0);
});

//   a message waits, its inbox is checked every 400 ms │ the clock is set back by an hour
it('goes on checking the inbox after the clock was set back', async () => {
  const timers = new FakeClock(Date.parse('2026-03-02T10:00:00Z'));
  let back = 0;
  const clock = { now: () => timers.now() - back, after: timers.after.bind(timers) };
  const message = waiting(clock.now());
  let looks = 0;
  const mail = {
    ...noMail,
    read: async () => {
      looks++;
      return [message];
    },
  };
  const correspondence = new Correspondence(mail, clock, silentLog, () => {});
  const settle = () => new Promise((turn) => setImmediate(turn));
  correspondence.look(sessionWith({ session: SESSION }));
  await settle();
  back = 3_600_000;
  for (let times = 0; times < 5; times++) {
    timers.pass(1_000);
    await settle();
  }
  expect(looks).toBeGreaterThan(3);
});
