import { describe, expect, it } from 'vitest';
import { HEARTBEAT_MS, RENEW_MS } from '../../../../src/fleet';
import { incident, T0 } from '../../history/support/incidents';
import { agentView } from '../../editor/support/views';
import { relayKit } from '../support/relay';
import { settle } from '../support/clock';
import { message } from '../wire/records';

const codex = { agent: 'codex' as const };
const EVENTS = 'unstuck.events.alpha.s1';
const RECEIPTS = 'unstuck.receipts.alpha.me';

async function started() {
  const kit = relayKit();
  kit.agents.views.set('s1', agentView('s1', {}, codex));
  kit.relay.start();
  await settle();
  return kit;
}

describe('a relay', () => {
  it('publishes its machine and its agents, with a heartbeat', async () => {
    const { link, clock, states } = await started();
    expect(states).toEqual(['active']);
    expect(link.states.get('alpha.machine')).toMatchObject({ kind: 'machine', agents: 1, allow: ['nudge'], at: T0 });
    expect(link.states.get('alpha.agent.s1')).toMatchObject({ kind: 'agent', session: 's1', accepts: ['nudge'] });
    await clock.pass(3 * HEARTBEAT_MS);
    expect(link.puts.filter((key) => key === 'alpha.machine')).toHaveLength(4);
    expect(link.puts.filter((key) => key === 'alpha.agent.s1')).toHaveLength(1);
  });

  it('writes at once what a person must know, and counters every five seconds', async () => {
    const { link, clock, agents } = await started();
    const { health } = agentView('s1');
    for (let calls = 1; calls <= 4; calls++) {
      agents.set(agentView('s1', {}, { ...codex, health: { ...health, calls } }));
      await clock.pass(1_000);
    }
    expect(link.puts.filter((key) => key === 'alpha.agent.s1')).toHaveLength(1);
    await clock.pass(1_000);
    expect(link.states.get('alpha.agent.s1')).toMatchObject({ health: { calls: 4 } });
    agents.set(agentView('s1', { kind: 'stuck' }, codex));
    await settle();
    expect(link.states.get('alpha.agent.s1')).toMatchObject({ state: { kind: 'stuck' } });
  });

  it('removes an agent that is no longer shown, and renews unchanged ones before the server forgets them', async () => {
    const { link, clock, agents } = await started();
    await clock.pass(RENEW_MS + HEARTBEAT_MS);
    expect(link.puts.filter((key) => key === 'alpha.agent.s1')).toHaveLength(2);
    agents.remove('s1');
    await settle();
    expect(link.states.has('alpha.agent.s1')).toBe(false);
  });

  it('removes an agent that disappears while its first state is being stored', async () => {
    const { link, agents } = await started();
    let store = () => {};
    const put = link.putState.bind(link);
    link.putState = async (key, bytes) => {
      await new Promise<void>((resolve) => (store = resolve));
      return put(key, bytes);
    };
    agents.set(agentView('s2', {}, codex));
    agents.remove('s2');
    store();
    await settle();
    expect(link.puts).toContain('alpha.agent.s2');
    expect(link.states.has('alpha.agent.s2')).toBe(false);
  });

  it('tries again what the server did not take', async () => {
    const { link, clock, agents } = await started();
    link.failing = 'full';
    agents.set(agentView('s1', { kind: 'stuck' }, codex));
    agents.raise('s1', incident({ session: 's1' }));
    await clock.pass(3_000);
    expect(link.states.get('alpha.agent.s1')).toMatchObject({ state: { kind: 'working' } });
    link.failing = null;
    await clock.pass(1_000);
    expect(link.states.get('alpha.agent.s1')).toMatchObject({ state: { kind: 'stuck' } });
    expect(link.records(EVENTS)).toHaveLength(2);
  });

  it('writes everything again after the connection was gone, including what happened in the meantime', async () => {
    const { link, clock, agents } = await started();
    link.lose();
    agents.set(agentView('s1', { kind: 'stuck', since: T0 + 1 }, codex));
    agents.raise('s1', incident({ session: 's1' }));
    await clock.pass(60_000);
    expect(link.records(EVENTS)).toEqual([]);
    link.states.clear();
    link.find();
    await settle();
    expect(link.states.get('alpha.agent.s1')).toMatchObject({ state: { kind: 'stuck' } });
    expect(link.records(EVENTS)).toMatchObject([{ event: { type: 'state' } }, { event: { type: 'incident' } }]);
  });

  it('reports that it has stopped, and drains the connection', async () => {
    const { relay, link } = await started();
    await relay.end();
    expect(link.states.get('alpha.machine')).toMatchObject({ stopped: true });
    expect(link.drained).toBe(true);
  });

  it('starts nothing once it ends, whatever the answer to its claim is then', async () => {
    const { relay, link, states } = relayKit();
    relay.start();
    const ended = relay.end();
    await settle();
    await ended;
    expect(states).toEqual([]);
    expect(link.taking).toBe(false);
    expect(link.puts).toEqual([]);
  });

  it('reports an incident once for each of its steps, and reports no history', async () => {
    const { link, agents } = await started();
    const one = incident({ session: 's1' });
    agents.raise('s1', { ...one, history: true });
    agents.raise('s1', one);
    agents.raise('s1', { ...one, count: 5 }, one);
    agents.raise('s1', { ...one, state: 'recovered' }, one);
    await settle();
    expect(link.records(EVENTS)).toMatchObject([
      { event: { incident: { state: 'open' }, before: null } },
      { event: { incident: { state: 'recovered' }, before: 'open' } },
    ]);
  });
});

describe('two relays of one name', () => {
  it('the later one waits, writes nothing, and works when the first has ended', async () => {
    const { relay, link, clock, states, agents } = relayKit();
    agents.views.set('s1', agentView('s1'));
    link.claims = ['taken', 'taken'];
    relay.start();
    await clock.pass(HEARTBEAT_MS);
    expect(states).toEqual(['standby']);
    expect(link.puts).toEqual([]);
    expect(link.taking).toBe(false);
    await clock.pass(HEARTBEAT_MS);
    expect(states).toEqual(['standby', 'active']);
    expect(link.taking).toBe(true);
  });

  it('the earlier one keeps the name, but gives way to one that is older still', async () => {
    const { link, states } = await started();
    expect(link.asks('01JE0000000000000000000000')).toBe(true);
    expect(states.at(-1)).toBe('active');
    expect(link.asks('01JA0000000000000000000000')).toBe(false);
    expect(states.at(-1)).toBe('standby');
    expect(link.taking).toBe(false);
  });

  it('the later one waits, even if nobody answered the claim that it had just made', async () => {
    const { link, clock, states } = await started();
    let nobodyAnswers = () => {};
    link.claim = () => new Promise((resolve) => (nobodyAnswers = () => resolve('free')));
    await clock.pass(HEARTBEAT_MS);
    // The older relay is back. It does not work yet, so it leaves the claim of this one unanswered.
    expect(link.asks('01JA0000000000000000000000')).toBe(false);
    nobodyAnswers();
    await settle();
    expect(states.at(-1)).toBe('standby');
    expect(link.taking).toBe(false);
    link.claim = async () => 'free';
    await clock.pass(HEARTBEAT_MS);
    expect(states.at(-1)).toBe('active');
  });

  it('find out with the next heartbeat if an answer was lost', async () => {
    const { link, clock, states } = await started();
    link.claims = ['taken'];
    await clock.pass(HEARTBEAT_MS);
    expect(states.at(-1)).toBe('standby');
  });
});

describe('a message', () => {
  it('is acknowledged after it was written, followed by its receipt and the event', async () => {
    const { link, mailbox } = await started();
    await link.deliver(message);
    expect(mailbox.written).toEqual([message.id]);
    expect(link.done).toEqual([message.id]);
    expect(link.records(RECEIPTS)).toMatchObject([{ id: message.id, state: 'queued', viewer: 'me' }]);
    expect(link.records(EVENTS)).toMatchObject([{ event: { type: 'message', viewer: 'me', text: message.text } }]);
  });

  it('that arrives again is written once', async () => {
    const { link, mailbox } = await started();
    await link.deliver(message);
    await link.deliver(message);
    expect(mailbox.written).toEqual([message.id]);
    expect(link.done).toHaveLength(2);
    expect(link.records(RECEIPTS)).toHaveLength(1);
  });

  it('that cannot be written is refused with its reason', async () => {
    const { link, mailbox } = await started();
    mailbox.failing = true;
    await link.deliver(message);
    expect(link.records(RECEIPTS)).toMatchObject([{ state: 'refused', reason: 'inbox' }]);
  });

  it('is refused if its machine does not allow it, or if no agent can take it', async () => {
    const { link, mailbox } = await started();
    await link.deliver({ ...message, action: 'stop' });
    mailbox.allowed = [];
    await link.deliver({ ...message, id: '01JD0000000000000000000003' });
    expect(mailbox.written).toEqual([]);
    expect(link.records(RECEIPTS)).toMatchObject([{ reason: 'not_allowed' }, { reason: 'cannot_be_reached' }]);
  });

  it('for an agent that is about to appear waits for it, and is refused if the agent never appears', async () => {
    const { link, mailbox, agents, clock } = await started();
    await link.deliver({ ...message, session: 's2', key: 's2' });
    await link.deliver({ ...message, id: '01JD0000000000000000000003', session: 's3', key: 's3' });
    expect(link.done).toEqual([]);
    agents.set(agentView('s2', {}, codex));
    await clock.pass(500);
    expect(mailbox.written).toEqual([message.id]);
    await clock.pass(9_000);
    expect(link.records(RECEIPTS)).toMatchObject([{ state: 'queued' }, { state: 'refused', reason: 'no_such_agent' }]);
  });

  it('for an agent of another kind is not written, although a session with that name is here', async () => {
    const { link, mailbox, clock } = await started();
    await link.deliver({ ...message, agent: 'claude-code' });
    await clock.pass(9_000);
    expect(mailbox.written).toEqual([]);
    expect(link.records(RECEIPTS)).toMatchObject([{ state: 'refused', reason: 'no_such_agent' }]);
  });

  it('of another version, for another machine or from a viewer that the subject does not name is not written', async () => {
    const { link, mailbox } = await started();
    await link.deliver({ ...message, v: 2 });
    await link.deliver({ ...message, id: '01JD0000000000000000000003', machine: 'beta' });
    await link.deliver({ ...message, id: '01JD0000000000000000000004' }, 'you');
    await link.deliver({});
    expect(mailbox.written).toEqual([]);
    expect(link.done).toHaveLength(4);
    expect(link.records(RECEIPTS)).toMatchObject([{ reason: 'version' }, { reason: 'invalid' }]);
    expect(link.records('unstuck.receipts.alpha.you')).toMatchObject([{ reason: 'invalid' }]);
  });

  const inbox = {
    v: 1 as const,
    id: message.id,
    t: new Date(T0).toISOString(),
    session: 's1',
    ...codex,
    kind: 'nudge' as const,
    text: 'x',
    from: 'unstuck' as const,
    automated: false,
    expires: new Date(T0 + 600_000).toISOString(),
  };

  it('its states in the inbox are reported to its sender, once each', async () => {
    const { link, agents } = await started();
    const own = { message: { ...inbox, id: '01JD0000000000000000000009' }, state: 'taken' as const, times: {} };
    const set = (state: 'taken' | 'seen') =>
      agents.set(
        agentView(
          's1',
          {},
          { ...codex, deliveries: [{ message: { ...inbox, via: 'me' }, state, times: {}, by: 'hook:Stop' }, own] },
        ),
      );
    set('taken');
    set('taken');
    set('seen');
    await settle();
    expect(link.records(RECEIPTS)).toMatchObject([{ state: 'taken', by: 'hook:Stop' }, { state: 'seen' }]);
    expect(link.records(RECEIPTS)).toHaveLength(2);
  });

  it('its states between two checks are reported too, in order', async () => {
    const { link, agents } = await started();
    const times = { queued: T0, taken: T0, seen: T0, acted: T0 };
    for (const state of ['queued', 'acted'] as const)
      agents.set(
        agentView(
          's1',
          {},
          { ...codex, deliveries: [{ message: { ...inbox, via: 'me' }, state, times, outcome: 'changed' }] },
        ),
      );
    await settle();
    const told = link.records(RECEIPTS).map((record) => ('state' in record ? record.state : ''));
    expect(told).toEqual(['queued', 'taken', 'seen', 'acted']);
  });
});
