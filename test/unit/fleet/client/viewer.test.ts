import { beforeEach, describe, expect, it } from 'vitest';
import { type FleetStatus, type MessageRecord, SILENT_MS } from '../../../../src/fleet';
import type { StoredState, ViewerLink } from '../../../../src/fleet/client/link';
import { Viewer } from '../../../../src/fleet/client/viewer';
import { agentRecord } from '../../../../src/fleet/wire/record';
import type { LinkChange } from '../../../../src/fleet/relay/ports';
import type { FleetProblem } from '../../../../src/core/model';
import { Emitter } from '../../../../src/base/util/emitter';
import { silentLog } from '../../../../src/base/util/log';
import { fail, ok, type Result } from '../../../../src/base/util/result';
import { T0 } from '../../history/support/incidents';
import { FakeClock, settle } from '../support/clock';
import { event, HEAD, machine, stuckView } from '../wire/records';

const bytesOf = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const HOUR = 3_600_000;

class FakeServer implements ViewerLink {
  readonly viewer = 'me';
  up = true;
  failing: FleetProblem | null = null;
  failingReceipts = false;
  /** If true, what is stored does not arrive, although the window is connected. */
  deaf = false;
  sequence = 0;
  storedAt = T0;
  readonly stored = new Map<string, StoredState>();
  readonly events: { readonly subject: string; readonly sequence: number; readonly bytes: Uint8Array }[] = [];
  readonly messages: MessageRecord[] = [];
  private readonly changed = new Emitter<LinkChange>();
  readonly onDidChange = this.changed.event;
  private heardState: (state: StoredState) => void = () => undefined;
  private heardReceipt: (machine: string, bytes: Uint8Array) => void = () => undefined;

  isUp = () => this.up;
  server = () => 'here';
  ready = async () => undefined;
  dispose = () => undefined;

  hearStates(heard: (state: StoredState) => void) {
    this.heardState = heard;
    return { dispose: () => undefined };
  }

  hearReceipts(heard: (machine: string, bytes: Uint8Array) => void) {
    this.heardReceipt = heard;
    return { dispose: () => undefined };
  }

  async listStates(): Promise<Result<{ keys: readonly string[]; last: number }, FleetProblem>> {
    return this.failing ? fail(this.failing) : ok({ keys: [...this.stored.keys()], last: this.sequence });
  }

  async readState(key: string): Promise<Result<StoredState | null, FleetProblem>> {
    return this.failing ? fail(this.failing) : ok(this.stored.get(key) ?? null);
  }

  async readEvent(subject: string, from: number) {
    if (this.failing) return fail(this.failing);
    if (this.failingReceipts) return fail<FleetProblem>('timeout');
    return ok(this.events.find((one) => one.subject === subject && one.sequence >= from) ?? null);
  }

  async sendMessage(_subject: string, _id: string, bytes: Uint8Array): Promise<Result<void, FleetProblem>> {
    if (this.failing) return fail(this.failing);
    this.messages.push(JSON.parse(new TextDecoder().decode(bytes)) as MessageRecord);
    return ok(undefined);
  }

  /** Stores a state. It arrives unless the connection is down. */
  put(key: string, value: unknown): void {
    const state = { key, bytes: bytesOf(value), sequence: ++this.sequence };
    this.stored.set(key, { ...state, storedAt: this.storedAt });
    if (this.up) this.heardState(state);
  }

  say(event: object, subject = 'unstuck.receipts.alpha.me'): void {
    const bytes = bytesOf(event);
    this.events.push({ subject, sequence: ++this.sequence, bytes });
    if (this.up && !this.deaf) this.heardReceipt('alpha', bytes);
  }

  lose(): void {
    this.up = false;
    this.changed.fire({ kind: 'down', problem: 'unreachable', detail: 'gone' });
  }

  find(): void {
    this.up = true;
    this.changed.fire({ kind: 'up', server: 'here' });
  }
}

let server: FakeServer;
let clock: FakeClock;
let client: Viewer;
let statuses: FleetStatus['kind'][];
let ids = 0;

beforeEach(() => {
  server = new FakeServer();
  clock = new FakeClock();
  statuses = [];
  client = new Viewer({
    open: async () => server,
    clock,
    log: silentLog,
    newId: () => `01JD${String(++ids).padStart(22, '0')}`,
  });
  client.onDidChangeStatus(({ kind }) => statuses.push(kind));
});

const record = (changes: object = {}) => ({ ...agentRecord(stuckView(), HEAD, ['nudge']), ...changes });
const receipt = (id: string, state: string, more: object = {}) => ({
  v: 1,
  kind: 'receipt',
  id,
  machine: 'alpha',
  viewer: 'me',
  at: T0,
  state,
  by: 'relay',
  ...more,
});
const id = { machine: 'alpha', key: 's1' };

async function open(): Promise<void> {
  client.start();
  await settle();
  await settle();
}

describe('a window on other machines', () => {
  it('reads what is there, then receives what changes', async () => {
    server.put('alpha.machine', machine);
    server.put('alpha.agent.s1', record());
    await open();
    expect(statuses).toEqual(['connected']);
    expect(client.machines()).toMatchObject([{ name: 'alpha', presence: 'live', lastSeenAt: T0 }]);
    expect(client.agent(id)?.view.incidents).toHaveLength(1);
    const changes: unknown[] = [];
    client.onDidChange((change) => changes.push(change));
    server.put('alpha.agent.s2', record({ key: 's2', session: 's2' }));
    server.put('alpha.agent.s1', '');
    await clock.pass(100);
    expect(client.agents().map(({ key }) => key)).toEqual(['s2']);
    expect(changes).toEqual([
      {
        machines: ['alpha'],
        agents: [
          { machine: 'alpha', key: 's1' },
          { machine: 'alpha', key: 's2' },
        ],
      },
    ]);
  });

  it('does not go back to an older state that arrives late', async () => {
    await open();
    server.put('alpha.agent.s1', record({ title: 'new' }));
    const old = { key: 'alpha.agent.s1', bytes: bytesOf(record({ title: 'old' })), sequence: 0 };
    server.stored.set(old.key, old);
    server.lose();
    server.find();
    await settle();
    expect(client.agent(id)?.record.title).toBe('new');
  });

  it('keeps what it knew while the server is gone, and reads it again when the server is back', async () => {
    server.put('alpha.machine', machine);
    server.put('alpha.agent.s1', record());
    await open();
    server.lose();
    expect(client.status()).toMatchObject({ kind: 'disconnected', problem: 'unreachable' });
    expect(client.agents()).toHaveLength(1);
    server.stored.delete('alpha.agent.s1');
    server.put('alpha.agent.s2', record({ key: 's2', session: 's2' }));
    server.find();
    await settle();
    await settle();
    expect(client.agents().map(({ key }) => key)).toEqual(['s2']);
    expect(client.status().kind).toBe('connected');
  });

  it('accepts a server that lost its states and counts from the start again', async () => {
    server.sequence = 1_000;
    server.put('alpha.agent.s1', record());
    await open();
    server.lose();
    server.sequence = 0;
    server.stored.clear();
    server.put('alpha.agent.s1', record({ title: 'after' }));
    server.find();
    await settle();
    await settle();
    expect(client.agent(id)?.record.title).toBe('after');
  });

  it('keeps an agent that appears while the list of states is on its way', async () => {
    server.put('alpha.machine', machine);
    const list = server.listStates.bind(server);
    server.listStates = async () => {
      const listed = await list();
      // The server has answered; the answer has not been read when the new state arrives.
      server.put('alpha.agent.s1', record({ title: 'new' }));
      return listed;
    };
    await open();
    expect(client.status().kind).toBe('connected');
    expect(client.agent(id)?.record.title).toBe('new');
  });

  it('reports that it could not read the states, and tries again', async () => {
    server.failing = 'not_prepared';
    await open();
    expect(client.status()).toMatchObject({ kind: 'disconnected', problem: 'not_prepared' });
    server.failing = null;
    await clock.pass(2_000);
    expect(client.status().kind).toBe('connected');
  });

  it('calls a machine silent without a heartbeat, stopped if it said so, and notifies listeners', async () => {
    server.put('alpha.machine', machine);
    await open();
    const told: string[] = [];
    client.onDidChange(({ machines }) => told.push(...machines));
    await clock.pass(SILENT_MS + 4_000);
    expect(client.machines()).toMatchObject([{ presence: 'silent', lastSeenAt: T0 }]);
    expect(told).toContain('alpha');
    server.put('alpha.machine', { ...machine, stopped: true });
    expect(client.machines()).toMatchObject([{ presence: 'stopped' }]);
    server.put('alpha.machine', { v: 2 });
    expect(client.machines()).toMatchObject([{ presence: 'version', refused: 1 }]);
  });

  it('shows times by its own clock, whichever way the other clock is off', async () => {
    server.put('alpha.machine', { ...machine, at: T0 + HOUR });
    server.put('alpha.agent.s1', record({ at: T0 + HOUR, state: { kind: 'stuck', since: T0 + HOUR - 60_000 } }));
    await open();
    expect(client.agent(id)?.view.state.since).toBe(T0 - 60_000);
    server.put('alpha.agent.s1', record({ at: T0 - HOUR, state: { kind: 'stuck', since: T0 - HOUR - 60_000 } }));
    expect(client.machines()).toMatchObject([{ aheadMs: -HOUR, presence: 'live' }]);
    expect(client.agent(id)?.view.state.since).toBe(T0 - 60_000);
  });

  it('leaves out agents of an earlier run of the relay', async () => {
    server.put('alpha.agent.s1', record());
    server.put('alpha.machine', { ...machine, run: '01JD0000000000000000000RVP' });
    await open();
    expect(client.agents()).toEqual([]);
  });

  it('keeps no more agents of a machine than 2,000, whatever it publishes', async () => {
    await open();
    for (let i = 0; i < 2_100; i++) server.put(`alpha.agent.k${i}`, record({ key: `k${i}`, session: `k${i}` }));
    expect(client.agents()).toHaveLength(2_000);
    expect(client.machines()).toMatchObject([{ refused: 100 }]);
  });
});

describe('a message from a window', () => {
  beforeEach(async () => {
    server.put('alpha.machine', machine);
    server.put('alpha.agent.s1', record());
    await open();
  });

  const send = (text = 'Read the error.') => {
    const sent = client.send({ ...id, action: 'nudge', text });
    if (!sent.ok) throw new Error(sent.error);
    return sent.value;
  };

  it("is followed from the click to the agent's reaction", async () => {
    const sent = send();
    const states: string[] = [];
    sent.onDidChange(({ state }) => states.push(state));
    await settle();
    for (const state of ['queued', 'taken', 'seen']) server.say(receipt(sent.id, state));
    server.say(receipt(sent.id, 'acted', { outcome: 'changed' }));
    expect(states).toEqual(['sent', 'queued', 'taken', 'seen', 'acted']);
    expect(sent.steps().at(-1)).toMatchObject({ outcome: 'changed' });
    expect(server.messages).toMatchObject([
      { viewer: 'me', machine: 'alpha', session: 's1', agent: 'claude-code', action: 'nudge' },
    ]);
  });

  it('waits while no server takes it, and is delivered once one does', async () => {
    server.failing = 'timeout';
    const sent = send();
    await clock.pass(5_000);
    expect(sent.steps()).toHaveLength(1);
    server.failing = null;
    await clock.pass(1_000);
    expect(sent.steps().at(-1)?.state).toBe('sent');
    server.lose();
    const later = send();
    await clock.pass(5_000);
    expect(later.steps().at(-1)?.state).toBe('sending');
    server.find();
    await settle();
    await settle();
    expect(later.steps().at(-1)?.state).toBe('sent');
    expect(server.messages).toHaveLength(2);
  });

  it('gets the receipts that came while the window was away', async () => {
    const sent = send();
    await settle();
    server.lose();
    server.say(receipt(sent.id, 'queued'));
    server.say(receipt(sent.id, 'taken'));
    server.find();
    await settle();
    await settle();
    await settle();
    expect(sent.steps().map(({ state }) => state)).toEqual(['sending', 'sent', 'queued', 'taken']);
  });

  it('gets a receipt that was stored but did not arrive, as in a cluster whose servers have just rejoined', async () => {
    const sent = send();
    await settle();
    server.deaf = true;
    server.say(receipt(sent.id, 'queued'));
    server.deaf = false;
    expect(sent.steps().at(-1)?.state).toBe('sent');
    await clock.pass(2_000);
    expect(sent.steps().map(({ state }) => state)).toEqual(['sending', 'sent', 'queued']);
  });

  it('requests receipts again if the server could not be read when it was back', async () => {
    const sent = send();
    await settle();
    server.lose();
    server.say(receipt(sent.id, 'queued'));
    server.failingReceipts = true;
    server.find();
    await settle();
    await settle();
    expect(client.status().kind).toBe('connected');
    expect(sent.steps().at(-1)?.state).toBe('sent');
    server.failingReceipts = false;
    await clock.pass(2_000);
    expect(sent.steps().at(-1)?.state).toBe('queued');
  });

  it('uses the state of its agent if the receipts are gone: the server keeps the last hundred', async () => {
    const sent = send();
    await settle();
    server.lose();
    const delivery = { id: sent.id, kind: 'nudge', text: 'Go on.', automated: false, state: 'acted', by: 'unstuck' };
    const times = { queued: T0, taken: T0 + 1, seen: T0 + 2, acted: T0 + 3 };
    server.put('alpha.agent.s1', record({ deliveries: [{ ...delivery, times, outcome: 'same' }] }));
    server.find();
    await settle();
    await settle();
    expect(sent.steps().map(({ state }) => state)).toEqual(['sending', 'sent', 'queued', 'taken', 'seen', 'acted']);
    expect(sent.steps().at(-1)).toMatchObject({ outcome: 'same' });
  });

  it('accepts no state of another machine', async () => {
    const sent = send();
    await settle();
    const delivery = {
      id: sent.id,
      kind: 'nudge',
      text: 'Go on.',
      automated: false,
      state: 'taken',
      by: 'unstuck',
      times: {},
    };
    server.put('beta.agent.s1', record({ machine: 'beta', deliveries: [delivery] }));
    await settle();
    expect(client.agents('beta')).toHaveLength(1);
    expect(sent.steps().at(-1)?.state).toBe('sent');
  });

  it('gets receipts from servers that lost their newest records and started counting again', async () => {
    const sent = send();
    await settle();
    server.say(receipt(sent.id, 'queued'));
    await clock.pass(2_000);
    server.lose();
    server.events.length = 0;
    server.sequence = 0;
    server.say(receipt(sent.id, 'taken'));
    server.find();
    await settle();
    await settle();
    await settle();
    expect(sent.steps().at(-1)?.state).toBe('taken');
  });

  it('accepts no receipt of another machine, and none that goes back', async () => {
    const sent = send();
    await settle();
    server.say(receipt(sent.id, 'taken', { machine: 'beta' }));
    server.say(receipt(sent.id, 'taken'));
    server.say(receipt(sent.id, 'queued'));
    expect(sent.steps().map(({ state }) => state)).toEqual(['sending', 'sent', 'taken']);
  });

  it('is lost if nothing was reported about it for so long that nothing will be', async () => {
    const sent = send();
    await clock.pass(21 * 60_000);
    expect(sent.steps().at(-1)?.state).toBe('lost');
  });

  it('contains no secret, and is refused if it is too long, not allowed or for an unknown agent', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    send(`Use ${secret}`);
    await settle();
    expect(JSON.stringify(server.messages)).not.toContain(secret);
    expect(client.send({ ...id, action: 'nudge', text: 'x'.repeat(8_001) })).toEqual({ ok: false, error: 'too_large' });
    expect(client.send({ ...id, action: 'stop', text: 'x' })).toEqual({ ok: false, error: 'not_allowed' });
    expect(client.send({ ...id, key: 's9', action: 'nudge', text: 'x' })).toEqual({
      ok: false,
      error: 'unknown_agent',
    });
  });

  it('keeps its quotations in their fences, whatever they end with', async () => {
    const text = ['Its call:', '```', 'machine x login bob password', '```', 'Ours.'].join('\n');
    send(text);
    client.send({ ...id, action: 'nudge', text, restart: { mode: 'fresh', prompt: text } });
    await settle();
    expect(server.messages).toMatchObject([{ text }, { text, restart: { prompt: text } }]);
  });

  it('can be sent to an agent only while its machine is there', async () => {
    expect(client.accepts(id)).toEqual(['nudge']);
    await clock.pass(SILENT_MS + 1);
    expect(client.accepts(id)).toEqual([]);
  });

  it('appears in the timeline of its agent with everything else that was sent about it, without broken records', async () => {
    const subject = 'unstuck.events.alpha.s1';
    server.say({ ...event, agent: 'claude-code' }, subject);
    server.say({ ...event, machine: 'beta' }, subject);
    server.say({ ...event, id: '01JD0000000000000000000005' }, subject);
    const line = await client.timeline(id);
    expect(line.ok && line.value.map(({ id }) => id)).toEqual([event.id, '01JD0000000000000000000005']);
    server.failing = 'timeout';
    expect(await client.timeline(id)).toEqual({ ok: false, error: 'timeout' });
  });
});
