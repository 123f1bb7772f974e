import type { FleetProblem } from '../../core/model';
import type { Disposable } from '../../base/util/disposable';
import { Emitter } from '../../base/util/emitter';
import type { Log } from '../../base/util/log';
import { presentable } from '../../base/util/redact';
import { fail, ok, type Result } from '../../base/util/result';
import type { Clock } from '../../base/clock';
import {
  decodeEvent,
  decodeReceipt,
  encode,
  type EventRecord,
  eventSubject,
  type FleetAction,
  LIMITS,
  MESSAGE_TTL_MS,
  type MessageRecord,
  messageSubject,
  receiptSubject,
} from '../wire';
import type { StoredState, ViewerLink } from './link';
import { MachineRoster, type RosterChange } from './roster';
import { isFinal, SendingMessage } from './sending';
import type {
  FleetAgent,
  FleetAgentId,
  FleetChange,
  FleetClient,
  FleetMachine,
  FleetMessage,
  FleetStatus,
  SentMessage,
} from './types';

/** Changes are reported at once, then at most at this interval, milliseconds. */
const FIRE_MS = 100;
/** Interval of the checks for silent machines and missed receipts, milliseconds. */
const PRESENCE_MS = 2_000;
const READ_AT_A_TIME = 64;
const RESEND_MS = 1_000;
const MOST_EVENTS = 100;
/** Number of messages that are remembered after their final state, and in all. */
const MOST_SETTLED = 200;
const MOST_SENDINGS = 10_000;

export interface ViewerParts {
  /** Connects; returns only with a connection, or null if the client was disposed. Reports meanwhile why there is none. */
  readonly open: (onProblem: (problem: FleetProblem, detail: string) => void) => Promise<ViewerLink | null>;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: (now: number) => string;
}

/** The agents of other machines, and the messages to them, over one connection. */
export class Viewer implements FleetClient {
  private readonly changedStatus = new Emitter<FleetStatus>((error) => this.parts.log.error(String(error)));
  private readonly changed = new Emitter<FleetChange>((error) => this.parts.log.error(String(error)));
  readonly onDidChangeStatus = this.changedStatus.event;
  readonly onDidChange = this.changed.event;

  private readonly roster = new MachineRoster();
  private readonly sent = new Map<string, SendingMessage>();
  /** Messages that are being sent to the server. */
  private readonly pushing = new Set<string>();
  private readonly presences = new Map<string, string>();
  private readonly changedMachines = new Set<string>();
  private readonly changedAgents = new Map<string, FleetAgentId>();
  /** Position of the newest receipt read from each machine. */
  private readonly receiptsRead = new Map<string, number>();
  /** States that arrive while the list of states is read, each with its position: the list may be older than they are. */
  private heard: Map<string, number> | null = null;
  private firing: Disposable | undefined;
  private looking: Disposable | undefined;
  private link: ViewerLink | undefined;
  private now: FleetStatus = { kind: 'connecting' };
  private reading = 0;
  private readingReceipts = false;
  private ended = false;

  constructor(private readonly parts: ViewerParts) {}

  start(): void {
    this.look();
    void this.parts
      .open((problem, detail) => this.down(problem, detail))
      .then((link) => {
        if (!link) return;
        if (this.ended) return link.dispose();
        this.link = link;
        link.onDidChange((change) => {
          if (change.kind === 'up') void this.up(link);
          else this.down(change.problem, change.detail);
        });
        link.hearStates((state) => {
          this.heard?.set(state.key, state.sequence);
          this.takeState(state);
        });
        link.hearReceipts((machine, bytes) => this.receipt(machine, bytes));
        void this.up(link);
      });
  }

  status(): FleetStatus {
    return this.now;
  }

  machines(): readonly FleetMachine[] {
    return this.roster.list(this.parts.clock.now());
  }

  agents(machine?: string): readonly FleetAgent[] {
    return this.roster.agents(machine);
  }

  agent(id: FleetAgentId): FleetAgent | undefined {
    return this.roster.agent(id);
  }

  accepts(id: FleetAgentId): readonly FleetAction[] {
    const agent = this.roster.agent(id);
    return agent && this.roster.isLive(id.machine, this.parts.clock.now()) ? agent.record.accepts : [];
  }

  async timeline({ machine, key }: FleetAgentId): Promise<Result<readonly EventRecord[], FleetProblem>> {
    const events: EventRecord[] = [];
    for (let from = 1; events.length < MOST_EVENTS; ) {
      const next = await this.link?.readEvent(eventSubject(machine, key), from);
      if (!next) return fail('unreachable');
      if (!next.ok) return next;
      if (!next.value) break;
      const read = decodeEvent(machine, key, next.value.bytes);
      if (read.ok) events.push(read.value);
      from = next.value.sequence + 1;
    }
    return ok(events);
  }

  send(message: FleetMessage): Result<SentMessage, 'unknown_agent' | 'not_allowed' | 'too_large' | 'too_many'> {
    if (this.sent.size >= MOST_SENDINGS) return fail('too_many');
    const agent = this.roster.agent(message);
    if (!agent) return fail('unknown_agent');
    if (!agent.record.accepts.includes(message.action)) return fail('not_allowed');
    const now = this.parts.clock.now();
    const { text, restart } = message;
    const record: MessageRecord = {
      v: 1,
      kind: 'message',
      id: this.parts.newId(now),
      machine: message.machine,
      viewer: this.link?.viewer ?? '',
      key: message.key,
      session: agent.record.session,
      agent: agent.record.agent,
      at: now,
      action: message.action,
      text: presentable(text),
      ...(message.incident !== undefined && { incident: message.incident }),
      ...(message.attempt !== undefined && { attempt: message.attempt }),
      ...(restart && { restart: { ...restart, prompt: presentable(restart.prompt) } }),
      expiresInMs: message.expiresInMs ?? MESSAGE_TTL_MS,
    };
    const encoded = encode(record);
    if (!encoded.ok || Math.max(record.text.length, restart?.prompt.length ?? 0) > LIMITS.message)
      return fail('too_large');
    const sending = new SendingMessage(record.id, message, encoded.value, now);
    this.remember(sending);
    void this.push(sending);
    return ok(sending);
  }

  dispose(): void {
    this.ended = true;
    this.firing?.dispose();
    this.looking?.dispose();
    this.link?.dispose();
    for (const sending of this.sent.values()) sending.dispose();
    this.changed.dispose();
    this.changedStatus.dispose();
  }

  private down(problem: FleetProblem, detail: string): void {
    this.reading++;
    this.become({
      kind: 'disconnected',
      problem,
      detail: presentable(detail, LIMITS.sentence),
      at: this.parts.clock.now(),
    });
  }

  private become(status: FleetStatus): void {
    if (this.ended) return;
    this.now = status;
    this.changedStatus.fire(status);
  }

  /** Called when the connection is there, for the first time or again: reads all states and everything missed meanwhile. */
  private async up(link: ViewerLink): Promise<void> {
    const reading = ++this.reading;
    const isOver = () => this.ended || this.reading !== reading;
    const heard = new Map<string, number>();
    this.heard = heard;
    await link.ready();
    const listed = await link.listStates();
    if (isOver()) return;
    this.heard = null;
    if (!listed.ok) return this.incomplete(link, reading, listed.error);
    const keys = new Set([...listed.value.keys, ...heard.keys()]);
    const last = Math.max(listed.value.last, ...heard.values());
    for (const gone of this.roster.keepOnly(keys, last)) this.note(gone);
    const waiting = [...keys];
    let problem: FleetProblem | null = null;
    const read = async () => {
      for (let key = waiting.pop(); key !== undefined && !isOver() && !problem; key = waiting.pop()) {
        const state = await link.readState(key);
        if (!state.ok) problem = state.error;
        else if (state.value) this.takeState(state.value);
      }
    };
    await Promise.all(Array.from({ length: Math.min(READ_AT_A_TIME, keys.size) }, read));
    if (isOver()) return;
    if (problem !== null) return this.incomplete(link, reading, problem);
    this.become({ kind: 'connected', at: this.parts.clock.now(), server: link.server() });
    // A server that lost its newest records counts them again from there.
    this.receiptsRead.clear();
    await this.missedReceipts(link);
    for (const sending of this.sent.values()) if (sending.state === 'sending') void this.push(sending);
  }

  /** Reports that not all states could be read, and tries again. */
  private incomplete(link: ViewerLink, reading: number, problem: FleetProblem): void {
    this.become({ kind: 'disconnected', problem, detail: 'The states could not be read.', at: this.parts.clock.now() });
    this.parts.clock.after(PRESENCE_MS, () => {
      if (!this.ended && this.reading === reading && link.isUp()) void this.up(link);
    });
  }

  private async push(sending: SendingMessage): Promise<void> {
    if (this.pushing.has(sending.id)) return;
    this.pushing.add(sending.id);
    await this.pushUntilSent(sending);
    this.pushing.delete(sending.id);
  }

  private async pushUntilSent(sending: SendingMessage): Promise<void> {
    const { clock } = this.parts;
    while (!this.ended && sending.state === 'sending') {
      const { link } = this;
      if (!link?.isUp()) return;
      const { machine } = sending.message;
      const given = await link.sendMessage(messageSubject(machine, link.viewer), sending.id, sending.bytes);
      if (given.ok) return sending.step({ state: 'sent', at: clock.now() });
      if (given.error === 'permission') return sending.step({ state: 'lost', at: clock.now(), reason: given.error });
      await new Promise<void>((later) => clock.after(RESEND_MS, later));
    }
  }

  private receipt(machine: string, bytes: Uint8Array): void {
    const viewer = this.link?.viewer ?? '';
    const read = decodeReceipt(machine, viewer, bytes);
    if (!read.ok) return this.parts.log.debug(`a receipt of ${machine} is not read: ${read.error}`);
    const sending = this.sent.get(read.value.id);
    if (sending?.message.machine === machine) sending.receive(read.value, this.parts.clock.now());
  }

  /**
   * Reads the receipts that were missed: those that came while there was no connection, and those that a cluster lost on the way. A live receipt is
   * sent once and not kept for a window whose server had just joined the others again.
   */
  private async missedReceipts(link: ViewerLink): Promise<void> {
    if (this.readingReceipts) return;
    this.readingReceipts = true;
    await this.readReceipts(link);
    this.readingReceipts = false;
  }

  private async readReceipts(link: ViewerLink): Promise<void> {
    const open = [...this.sent.values()].filter(({ state }) => !isFinal(state));
    for (const machine of new Set(open.map(({ message }) => message.machine))) {
      for (let count = 0; count < MOST_EVENTS && !this.ended; count++) {
        const from = (this.receiptsRead.get(machine) ?? 0) + 1;
        const next = await link.readEvent(receiptSubject(machine, link.viewer), from);
        if (!next.ok || !next.value) break;
        this.receiptsRead.set(machine, next.value.sequence);
        this.receipt(machine, next.value.bytes);
      }
    }
  }

  private remember(sending: SendingMessage): void {
    const settled = [...this.sent.values()].filter(({ state }) => isFinal(state));
    if (settled.length >= MOST_SETTLED && settled[0]) this.sent.delete(settled[0].id);
    this.sent.set(sending.id, sending);
  }

  /** Takes a state, and what it says about messages to its agent: the server keeps a hundred receipts of a machine, and more may have been missed. */
  private takeState(stored: StoredState): void {
    const now = this.parts.clock.now();
    const change = this.roster.take(stored, now);
    this.note(change);
    const agent = change?.agent && this.roster.agent(change.agent);
    for (const delivery of agent?.record.deliveries ?? []) {
      const sending = this.sent.get(delivery.id);
      if (sending?.message.machine === agent?.machine) sending?.follow(delivery, now);
    }
  }

  private note(change: RosterChange | null): void {
    if (!change || this.ended) return;
    if (change.problem !== undefined)
      this.parts.log.debug(`a state of ${change.machine} is not read: ${change.problem}`);
    if (change.agent) this.changedAgents.set(`${change.agent.machine}.${change.agent.key}`, change.agent);
    this.changedMachines.add(change.machine);
    this.fireSoon();
  }

  private fireSoon(): void {
    this.firing ??= this.parts.clock.after(FIRE_MS, () => {
      this.firing = undefined;
      const change = { machines: [...this.changedMachines], agents: [...this.changedAgents.values()] };
      this.changedMachines.clear();
      this.changedAgents.clear();
      this.changed.fire(change);
    });
  }

  /** Checks for machines that fall silent and messages that are lost, since nothing is received about that. */
  private look(): void {
    if (this.ended) return;
    const now = this.parts.clock.now();
    for (const { name, presence } of this.machines()) {
      if (this.presences.get(name) !== presence) this.note({ machine: name });
      this.presences.set(name, presence);
    }
    for (const sending of this.sent.values()) {
      if (isFinal(sending.state) || now - sending.startedAt < 2 * MESSAGE_TTL_MS) continue;
      // It was not taken within the time that the server and the inbox keep it, or nothing could report that it was.
      sending.step({ state: 'lost', at: now });
    }
    if (this.link && this.now.kind === 'connected') void this.missedReceipts(this.link);
    this.looking = this.parts.clock.after(PRESENCE_MS, () => this.look());
  }
}
