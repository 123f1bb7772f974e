import { describe, expect, it } from 'vitest';
import type { AgentView, Delivery } from '../../../../src/core/model';
import { remoteIncident, remoteView } from '../../../../src/editor/fleet/remote-view';
import type { FleetAgent, FleetMachine, SendingStep, SentMessage } from '../../../../src/fleet';
import { MINUTE, T0, attempt, incident } from '../../history/support/incidents';
import { agentView } from '../support/views';

const machine: FleetMachine = {
  name: 'build-1',
  record: null,
  presence: 'live',
  lastSeenAt: T0,
  aheadMs: 0,
  refused: 0,
} as unknown as FleetMachine;

/** An agent of another machine as it appears here, with these messages on the way to it. */
function seen(view: Partial<AgentView> = {}, ...sendings: readonly SentMessage[]): AgentView {
  const agent = { machine: 'build-1', key: 's', view: agentView('s', {}, view) } as unknown as FleetAgent;
  return remoteView(agent, { machine, accepts: ['nudge'], sendings });
}

/** A message of this window, and how far it got, one second per step. */
function sending(id: string, states: readonly SendingStep['state'][], more: object = {}): SentMessage {
  const steps = states.map((state, at) => ({ state, at: T0 + at * 1_000, ...(at === states.length - 1 ? more : {}) }));
  const message = { machine: 'build-1', action: 'nudge', text: 'Look.', incident: 'I', attempt: 2 };
  return { id, message, steps: () => steps } as unknown as SentMessage;
}

/** The same message as its machine knows it: without its incident and without its expiry. */
function there(id: string, state: Delivery['state'], times: Delivery['times'], more: object = {}): Delivery {
  const t = new Date(T0).toISOString();
  const message = { v: 1, id, t, expires: t, session: 's', agent: 'claude-code', kind: 'nudge', text: '', ...more };
  return { message, state, times } as unknown as Delivery;
}

describe('a message to an agent of another machine', () => {
  it('is on its way until its machine has it, and then waits for ten minutes', () => {
    const [sent] = seen({}, sending('M', ['sending', 'sent'])).deliveries;
    expect(sent).toMatchObject({ state: 'queued', onTheWay: { state: 'sent', at: T0 + 1_000 }, times: {} });
    expect(sent?.message).toMatchObject({
      incident: 'I',
      attempt: 2,
      automated: false,
      expires: new Date(T0 + 10 * MINUTE).toISOString(),
    });
    const [queued] = seen({}, sending('M', ['sending', 'sent', 'queued'])).deliveries;
    expect(queued).toMatchObject({ state: 'queued', times: { queued: T0 + 2_000 } });
    expect(queued?.onTheWay).toBeUndefined();
  });

  it('says why its machine refused it or that it was lost', () => {
    const reasonOf = (one: SentMessage) => seen({}, one).deliveries[0];
    expect(reasonOf(sending('M', ['sending', 'refused'], { reason: 'not_allowed' }))).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/allow/),
    });
    expect(reasonOf(sending('M', ['sending', 'lost']))?.reason).not.toBe(
      reasonOf(sending('M', ['sending', 'refused'], { reason: 'not_allowed' }))?.reason,
    );
    expect(reasonOf(sending('M', ['sent', 'queued', 'failed'], { reason: 'disk_full' }))?.reason).toBe('disk_full');
    expect(reasonOf(sending('M', ['sent', 'queued', 'acted'], { outcome: 'same' }))?.outcome).toBe('same');
  });

  it('says when it waits for a shorter time', () => {
    const one = sending('M', ['sending']);
    Object.assign(one.message, { expiresInMs: MINUTE });
    expect(seen({}, one).deliveries[0]?.message.expires).toBe(new Date(T0 + MINUTE).toISOString());
  });

  it('appears once, with its incident, in the state known to whichever side knows more', () => {
    const taken = there('M', 'taken', { queued: T0, taken: T0 + 500 });
    const behind = seen({ deliveries: [taken] }, sending('M', ['sending', 'queued'])).deliveries;
    expect(behind).toMatchObject([{ state: 'taken', message: { incident: 'I', attempt: 2 } }]);
    const ahead = seen({ deliveries: [taken] }, sending('M', ['sent', 'queued', 'taken', 'seen'])).deliveries;
    expect(ahead).toMatchObject([{ state: 'seen', message: { incident: 'I', attempt: 2 } }]);
    // Both know as much, but its machine is nearer to it.
    const even = seen({ deliveries: [taken] }, sending('M', ['sent', 'queued', 'expired'])).deliveries;
    expect(even).toMatchObject([{ state: 'taken' }]);
    // A step that is still on the way says less than its machine does.
    const onItsWay = seen({ deliveries: [there('M', 'queued', {})] }, sending('M', ['queued', 'sent'])).deliveries;
    expect(onItsWay[0]?.onTheWay).toBeUndefined();
  });

  it('of another person belongs to the incident it was sent for, and says until when it waited', () => {
    const incidents = [incident({ id: 'J', attempts: [attempt({ message: 'other' }), attempt({ message: 'M' })] })];
    const told = [there('M', 'queued', { queued: T0 + MINUTE }), there('N', 'expired', { expired: T0 + 3 * MINUTE })];
    const [first, second] = seen({ incidents, deliveries: told }).deliveries;
    expect(first?.message).toMatchObject({ incident: 'J', expires: new Date(T0 + 11 * MINUTE).toISOString() });
    expect(second?.message.incident).toBeUndefined();
    expect(second?.message.expires).toBe(new Date(T0 + 3 * MINUTE).toISOString());
    const [named] = seen({ incidents, deliveries: [there('M', 'queued', {}, { incident: 'K' })] }).deliveries;
    expect(named?.message).toMatchObject({ incident: 'K', expires: new Date(T0 + 10 * MINUTE).toISOString() });
    const later = new Date(T0 + 2 * MINUTE).toISOString();
    const [known] = seen({ deliveries: [there('M', 'queued', { queued: T0 }, { expires: later })] }).deliveries;
    expect(known?.message.expires).toBe(later);
  });
});

it('an agent that was not started by another one has no parent here', () => {
  expect(seen()).not.toHaveProperty('parent');
});

it('an incident keeps its folder if the folder of its agent is unknown', () => {
  const { title, agentName } = agentView('s');
  const one = incident({ folder: '/home/me/calc' });
  expect(remoteIncident(one, { title, agentName }, 's').folder).toBe('/home/me/calc');
  expect(remoteIncident(one, { title, agentName, cwd: '/srv/calc' }, 's').folder).toBe('/srv/calc');
});
