import { beforeEach, describe, expect, it } from 'vitest';
import { messageOf } from '../../../src/agents/inbox/messages/send';
import type { AgentEvent, Delivery, DeliveryState, Receipt } from '../../../src/core/model';
import { Correspondence } from '../../../src/engine/correspondence';
import type { Mail } from '../../../src/engine/ports';
import type { Session } from '../../../src/engine/session/session';
import { draw } from '../../stories/drawing';
import { FakeClock } from '../history/support/fake-clock';
import { recordingLog } from '../support/log';
import { sessionWith } from './session/support';
import { STUCK_AT } from '../support/limits';

const M = '01JD0000000000000000000000';
const EVENTS = draw(`U "build it" · (B "make" fail:no_rule) x${STUCK_AT}`);
const NOW = EVENTS.at(-1)?.at ?? 0;
const turn = () => new Promise((done) => setImmediate(done));

let inbox: Delivery[];
beforeEach(() => void (inbox = []));

function message(state: DeliveryState, more: Partial<Delivery> = {}): Delivery {
  const draft = { session: 's', agent: 'generic', kind: 'nudge', text: 'Read it.', automated: false } as const;
  return {
    message: messageOf(draft, M, NOW - 1),
    state,
    times: { queued: NOW - 1, [state]: NOW },
    by: 'hook',
    ...more,
  };
}

/** An agent at work, its inbox, and what is read from and written into it. */
function stage() {
  const clock = new FakeClock(NOW);
  const log = recordingLog();
  const did: string[] = [];
  const receipts: Receipt[] = [];
  const changed: Session[] = [];
  let waits: Promise<void> | undefined;
  let breaks: 'read' | 'write' | null = null;
  const mail: Mail = {
    read: async (session) => {
      did.push(`read ${session}`);
      await waits;
      if (breaks === 'read') throw new Error('locked');
      return inbox;
    },
    write: (session, _cwd, receipt) => {
      const { state } = receipt;
      did.push(`${state} ${session}`);
      receipts.push(receipt);
      if (breaks === 'write') return Promise.reject(new Error('disk full'));
      inbox = inbox.map((one) => ({ ...one, state, times: { ...one.times, [state]: NOW } }));
      return Promise.resolve();
    },
    interrupted: () => Promise.resolve(),
    call: (_session, _cwd, id) => Promise.resolve(void did.push(`called for ${id}`)),
    passOn: () => Promise.resolve(false),
    expire: (session) => Promise.resolve(void did.push(`expire ${session}`)),
    clean: () => Promise.resolve(),
  };
  const all = new Correspondence(mail, clock, log, (session) => void changed.push(session));
  const session = sessionWith();
  for (const event of EVENTS) session.push(event);
  const event = (type: AgentEvent['type'], more: object = {}) =>
    all.event(session, { type, at: NOW + 1_000, ...more } as AgentEvent);
  const look = async (of = session) => {
    all.look(of);
    await turn();
  };
  const pass = async (ms: number) => {
    clock.pass(ms);
    await turn();
  };
  /** Returns and forgets what was done since the last call. */
  const since = () => did.splice(0);
  return {
    all,
    clock,
    log,
    receipts,
    changed,
    session,
    event,
    look,
    pass,
    since,
    holds: (until: Promise<void> | undefined) => void (waits = until),
    breaks: (what: typeof breaks) => void (breaks = what),
  };
}

describe('an inbox is checked', () => {
  it('every 400 ms while a message is on its way, and not once it is settled', async () => {
    const { look, pass, since, clock } = stage();
    inbox = [message('queued')];
    await look();
    expect(since()).toEqual(['read s']);
    await pass(399);
    expect(since()).toEqual([]);
    await pass(1);
    expect(since()).toEqual(['read s']);
    inbox = [message('acted')];
    await pass(400);
    since();
    await pass(60_000);
    expect([since(), clock.waiting]).toEqual([[], 0]);
  });

  it('every five seconds while a person has interrupted the agent', async () => {
    const { look, pass, since, session } = stage();
    session.push({ ...EVENTS[0], type: 'turn_end', reason: 'interrupted', at: NOW } as AgentEvent);
    inbox = [message('queued')];
    await look();
    since();
    await pass(4_999);
    expect(since()).toEqual([]);
    await pass(1);
    expect(since()).toEqual(['read s']);
  });

  it('once more, if a check was requested while another was under way', async () => {
    const { look, since, holds, all } = stage();
    let release = () => {};
    holds(new Promise((done) => (release = done)));
    for (let i = 0; i < 5; i++) await look();
    expect(since()).toEqual(['read s']);
    release();
    await turn();
    await turn();
    expect(since()).toEqual(['read s']);
    await turn();
    all.dispose();
    expect(since()).toEqual([]);
  });

  it('at each change of the move while a message is on its way, and for no other reason', async () => {
    const { look, event, since } = stage();
    for (const type of ['user', 'turn_end', 'assistant', 'request'] as const) event(type);
    await turn();
    expect(since()).toEqual([]);
    inbox = [message('queued')];
    await look();
    since();
    for (const type of ['user', 'turn_end', 'assistant'] as const) {
      event(type);
      await turn();
    }
    expect(since()).toEqual(['read s', 'read s']);
  });

  it('again after it could not be read, which is logged', async () => {
    const { look, breaks, log, session } = stage();
    breaks('read');
    await look();
    expect(log.lines).toEqual(['warn: the inbox of s cannot be read: Error: locked']);
    breaks(null);
    inbox = [message('queued')];
    await look();
    expect(session.deliveries).toEqual(inbox);
  });

  it('no more once the window is closed, in the middle of a message', async () => {
    const { look, all, clock } = stage();
    inbox = [message('queued')];
    await look();
    expect(clock.waiting).toBe(1);
    all.dispose();
    expect(clock.waiting).toBe(0);
  });

  it('as soon as the agent shows a message that it took', async () => {
    const { event, since } = stage();
    event('message_taken', { message: M });
    expect(since()).toEqual(['read s']);
  });

  it('no more once the window is closed, even if a check was under way', async () => {
    const { look, pass, since, all, holds, changed, clock } = stage();
    inbox = [message('queued')];
    let release = () => {};
    holds(new Promise((done) => (release = done)));
    await look();
    await look();
    all.dispose();
    release();
    await turn();
    await pass(60_000);
    expect([since(), changed, clock.waiting]).toEqual([['read s'], [], 0]);
  });
});

describe('what the transcript shows about a message', () => {
  it('is written into the inbox once: seen, then acted upon with the fifth call after it', async () => {
    const { look, event, since, all, session } = stage();
    inbox = [message('taken')];
    await look();
    event('message_taken', { message: M });
    event('message_taken', { message: M });
    await turn();
    expect(since().filter((one) => !one.startsWith('read'))).toEqual(['seen s']);
    inbox = [message('seen')];
    const step = { at: NOW + 2_000, call: { at: NOW + 1_500 }, outcome: 7 } as never;
    for (let i = 0; i < 6; i++) all.step(session, step);
    expect(since().filter((one) => !one.startsWith('read'))).toEqual(['acted s']);
  });

  it.each([
    ['same', 'gave the result of the loop once more', true, {}],
    ['changed', 'did not give the result of the loop', false, {}],
    ['same', 'gave it, of a message whose file was not read yet', true, { incident: undefined }],
  ] as const)('has the outcome %s if one of the five calls %s', async (outcome, _, repeats, more) => {
    const { look, event, all, session, receipts } = stage();
    const [stuck] = session.book.active();
    const looped = session.timeline.outcome(stuck?.pattern?.[0]?.steps.at(-1) ?? -1);
    expect(looped).toBeGreaterThan(0);
    const { message: nudge, ...rest } = message('taken');
    inbox = [{ ...rest, message: { ...nudge, incident: stuck?.id ?? '', ...more } as Delivery['message'] }];
    await look();
    event('message_taken', { message: M });
    await turn();
    const step = (outcome: number) => ({ at: NOW + 2_000, call: { at: NOW + 1_500 }, outcome }) as never;
    for (let i = 0; i < 5; i++) all.step(session, step(repeats && i === 2 ? looped : looped + 7));
    expect(receipts.at(-1)).toMatchObject({ state: 'acted', outcome });
  });

  it('has the outcome of the incident it was about, if that has no steps: still there, or over', async () => {
    const outcomes = [];
    for (const isOver of [false, true]) {
      const { look, event, all, session, receipts } = stage();
      const [stuck] = session.book.active();
      const id = stuck?.id ?? '';
      const known = { ...stuck, pattern: [], resolvedAt: isOver ? NOW : null } as never;
      session.book.get = () => known;
      const { message: nudge, ...rest } = message('taken');
      inbox = [{ ...rest, message: { ...nudge, incident: id } }];
      await look();
      event('message_taken', { message: M });
      await turn();
      for (let i = 0; i < 5; i++)
        all.step(session, { at: NOW + 2_000, call: { at: NOW + 1_500 }, outcome: 1 } as never);
      outcomes.push(receipts.at(-1)?.outcome);
    }
    expect(outcomes).toEqual(['same', 'changed']);
  });

  it('is a failure if a request that began after the taking was answered without it', async () => {
    const { look, event, since } = stage();
    inbox = [message('taken')];
    await look();
    since();
    event('assistant');
    event('request');
    expect(since()).toEqual([]);
    event('tool_call');
    expect(since()).toEqual(['failed s']);
  });

  it('is a failure a minute after the taking', async () => {
    const { look, pass, since } = stage();
    inbox = [message('taken')];
    await look();
    await pass(60_000);
    await pass(400);
    expect(since().filter((one) => one.startsWith('failed'))).toEqual(['failed s']);
  });

  it('is logged if it could not be written', async () => {
    const { look, event, breaks, log } = stage();
    inbox = [message('taken')];
    await look();
    breaks('write');
    event('message_taken', { message: M });
    await turn();
    expect(log.lines).toEqual(['warn: a receipt could not be written: Error: disk full']);
  });

  it('is reported to the window when it changed, and only then', async () => {
    const { look, changed } = stage();
    await look();
    expect(changed).toEqual([]);
    inbox = [message('queued')];
    await look();
    await look();
    expect(changed).toHaveLength(1);
    inbox = [message('acted', { outcome: 'same' })];
    await look();
    inbox = [message('acted', { outcome: 'changed' })];
    await look();
    expect(changed).toHaveLength(3);
  });
});

it('a message that was not taken in time is moved away, even if only the clock shows it', async () => {
  const { look, since } = stage();
  inbox = [message('expired', { by: 'hook' })];
  await look();
  expect(since()).toEqual(['read s']);
  inbox = [message('expired', { by: 'clock' })];
  await look();
  expect(since()).toEqual(['read s', 'expire s']);
});

describe('another reading of the same session', () => {
  it('continues the count of the one before it, which no longer counts', async () => {
    const { look, event, since, all, session } = stage();
    inbox = [message('seen', { times: { queued: NOW - 1, taken: NOW, seen: NOW } })];
    await look();
    const step = { at: NOW + 2_000, call: { at: NOW + 1_500 }, outcome: 7 } as never;
    for (let i = 0; i < 4; i++) all.step(session, step);
    const after = sessionWith({ session: 'after' });
    since();
    all.exchange(session, after);
    expect(since()).toEqual(['read after']);
    await turn();
    all.step(session, step);
    event('message_taken', { message: 'another' });
    expect(since()).not.toContain('acted s');
    all.step(after, step);
    expect(since()).toContain('acted after');
  });

  it('takes over its messages, and the one before is no longer served', async () => {
    const { look, pass, since, all, session } = stage();
    inbox = [message('queued')];
    await look();
    const after = sessionWith({ session: 'after' });
    all.exchange(session, after);
    await turn();
    since();
    await pass(400);
    expect(since()).toEqual(['read after']);
  });

  it('does not get the result of a check for the one before', async () => {
    const { look, all, session, holds, changed } = stage();
    let release = () => {};
    holds(new Promise((done) => (release = done)));
    await look();
    inbox = [message('queued')];
    all.forget(session);
    release();
    await turn();
    expect([changed, session.deliveries]).toEqual([[], []]);
  });
});

it('a forgotten session is no longer served', async () => {
  const { look, pass, since, all, session } = stage();
  inbox = [message('queued')];
  await look();
  all.forget(session);
  since();
  await pass(60_000);
  expect(since()).toEqual([]);
});
