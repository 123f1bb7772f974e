import type { Disposable } from '../../base/util/disposable';
import { DisposableStore } from '../../base/util/disposable';
import type { Log } from '../../base/util/log';
import { presentable } from '../../base/util/redact';
import {
  encode,
  type EventRecord,
  eventSubject,
  type FleetAction,
  HEARTBEAT_MS,
  wireIncident,
  LIMITS,
  type MachineRecord,
  type ReceiptRecord,
  receiptSubject,
  sessionKey,
} from '../wire';
import type { AgentView, Incident } from '../../core/model';
import type { RecordHead } from '../wire/record';
import { RelayMail } from './mail';
import { Outbox } from './outbox';
import type { Clock } from '../../base/clock';
import type { RelayAgents, RelayLink, RelayMailbox } from './ports';
import { States } from './states';

export interface RelayParts {
  readonly link: RelayLink;
  readonly agents: RelayAgents;
  readonly mailbox: RelayMailbox;
  readonly clock: Clock;
  readonly log: Log;
  /** Creates a ULID. */
  readonly newId: (now: number) => string;
}

export interface RelayOptions {
  readonly machine: string;
  readonly host: string;
  readonly version: string;
  readonly platform: string;
  readonly allow: readonly FleetAction[];
}

/** State of a relay that has claimed its name. `standby`: another relay has it, and this one waits until that one has ended. */
export type RelayState = 'active' | 'standby';

type Event = EventRecord['event'];

/**
 * Publishes the agents of one machine, and takes the messages for them. Of two relays with one name, the one that started first works and the other
 * waits, so that they do not write a state in turns.
 */
export class Relay implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly run: string;
  private readonly startedAt: number;
  private readonly outbox: Outbox;
  private readonly states: States;
  private readonly mail: RelayMail;
  private readonly known = new Map<string, string>();
  private taking: Disposable | undefined;
  private claiming: Disposable | undefined;
  private published = 0;
  private claims = 0;
  /** The connection is a new one: what was on its way may be lost. */
  private isNew = true;
  private state: RelayState | null = null;
  private ended = false;

  constructor(
    private readonly parts: RelayParts,
    private readonly options: RelayOptions,
    private readonly onState: (state: RelayState) => void = () => {},
  ) {
    const { link, agents, mailbox, clock, log } = parts;
    this.startedAt = clock.now();
    this.run = parts.newId(this.startedAt);
    this.outbox = this.owned.add(new Outbox(link, clock, log));
    this.states = this.owned.add(
      new States({
        link,
        agents,
        machine: options.machine,
        clock,
        log,
        head: () => this.head(),
        accepts: (view) => mailbox.accepts(view),
        heartbeat: (head) => this.heartbeat(head),
      }),
    );
    this.mail = new RelayMail({
      agents,
      mailbox,
      machine: options.machine,
      clock,
      log,
      receipt: (record) => this.receipt(record),
      wrote: (view, message) => {
        const text = presentable(message.text || (message.restart?.prompt ?? ''), LIMITS.sentence);
        const { id, action, viewer } = message;
        this.event(view, { type: 'message', message: id, action, viewer, text });
      },
    });
  }

  /** Starts. It continues on its own, whatever the connection does from now on. */
  start(): void {
    const { link, agents } = this.parts;
    this.owned.add(link.answerClaims((run) => this.keepsName(run)));
    this.owned.add(
      link.onDidChange((change) => {
        if (change.kind === 'down') return;
        this.isNew = true;
        void this.claim();
      }),
    );
    this.owned.add(agents.onDidChange((sessions) => this.changed(sessions)));
    this.owned.add(
      agents.onDidChangeIncident(({ incident, before, session }) => this.incident(incident, before, session)),
    );
    if (link.isUp()) void this.claim();
  }

  /** Announces its end, and waits until the server has what was on its way. */
  async end(): Promise<void> {
    this.ended = true;
    this.claiming?.dispose();
    this.taking?.dispose();
    await this.states.end();
    this.dispose();
    await this.parts.link.drain();
  }

  dispose(): void {
    this.ended = true;
    this.claiming?.dispose();
    this.taking?.dispose();
    this.owned.dispose();
  }

  /**
   * Claims the name: at the start, whenever the connection is there again, and with each heartbeat, since an answer may have been lost. If an older
   * relay keeps the name, this one waits.
   */
  private async claim(): Promise<void> {
    this.claiming?.dispose();
    const claim = ++this.claims;
    const answer = await this.parts.link.claim(this.run);
    if (this.ended || claim !== this.claims) return;
    switch (answer) {
      case 'free':
        this.work();
        break;
      case 'taken':
        this.standBy();
        break;
      case 'unknown':
        break;
    }
    this.claimLater();
  }

  private claimLater(): void {
    this.claiming?.dispose();
    this.claiming = this.parts.clock.after(HEARTBEAT_MS, () => void this.claim());
  }

  /** Answers the claim of another relay: the one that started first keeps the name. */
  private keepsName(run: string): boolean {
    if (this.state !== 'active' || run === this.run) return false;
    if (this.run < run) return true;
    this.standBy();
    this.claimLater();
    return false;
  }

  private work(): void {
    const begins = this.state !== 'active' || this.isNew;
    this.isNew = false;
    this.become('active');
    if (!begins) return;
    this.states.start();
    this.outbox.pump();
    this.mail.changed(this.parts.agents.agents().map(({ session }) => session));
    this.taking ??= this.parts.link.takeMessages((message) => this.mail.take(message));
  }

  private standBy(): void {
    // A claim that is still under way proves nothing: an older relay that is not active yet does not answer it.
    this.claims++;
    this.become('standby');
    this.states.stop();
    this.taking?.dispose();
    this.taking = undefined;
  }

  private become(state: RelayState): void {
    if (this.state === state) return;
    this.state = state;
    this.onState(state);
  }

  private changed(sessions: readonly string[]): void {
    if (this.state !== 'active') return;
    this.states.changed(sessions);
    this.mail.changed(sessions);
    for (const session of sessions) this.stateEvent(session);
  }

  private stateEvent(session: string): void {
    const view = this.parts.agents.shownAgent(session);
    if (!view) return void this.known.delete(session);
    const { kind, waitingFor, ended, since } = view.state;
    const detail = waitingFor ?? ended;
    const now = `${kind}:${detail ?? ''}`;
    const before = this.known.get(session);
    if (before === now) return;
    this.known.set(session, now);
    // A state from before the start of the relay is no event.
    if (before === undefined && since < this.startedAt) return;
    this.event(view, { type: 'state', state: kind, since, ...(detail !== undefined && { detail }) });
  }

  private incident(incident: Incident, before: Incident | null, session: string): void {
    if (this.state !== 'active' || incident.history) return;
    const isNews =
      before === null || before.level !== incident.level || before.state !== incident.state || before.history;
    const view = this.parts.agents.shownAgent(session);
    if (!isNews || !view) return;
    const id = `${incident.id}.${incident.state}.${incident.level}.${incident.reopened}`;
    this.event(view, { type: 'incident', incident: wireIncident(incident), before: before?.state ?? null }, id);
  }

  /** @param id of what happened: the same id is stored once. */
  private event(view: AgentView, event: Event, id?: string): void {
    const { machine } = this.options;
    const now = this.parts.clock.now();
    const record: EventRecord = {
      v: 1,
      kind: 'event',
      ...this.head(),
      id: this.parts.newId(now),
      key: sessionKey(view.session),
      session: view.session.slice(0, LIMITS.word),
      agent: view.agent,
      event,
    };
    const encoded = encode(record);
    if (!encoded.ok) return this.parts.log.warn(`${view.session}: an event cannot be sent (${encoded.error})`);
    const subject = eventSubject(machine, record.key);
    this.outbox.add({ subject, id: `${machine}.${id ?? record.id}`, bytes: encoded.value, keep: false });
  }

  private receipt(record: ReceiptRecord): void {
    const encoded = encode(record);
    if (!encoded.ok) return this.parts.log.warn(`a receipt cannot be sent (${encoded.error})`);
    const { machine, viewer, id, state } = record;
    const subject = receiptSubject(machine, viewer);
    this.outbox.add({ subject, id: `${machine}.${id}.${state}`, bytes: encoded.value, keep: true });
  }

  private head(): RecordHead {
    return { machine: this.options.machine, run: this.run, n: ++this.published, at: this.parts.clock.now() };
  }

  private heartbeat(head: RecordHead): MachineRecord {
    const { host, version, platform, allow } = this.options;
    return {
      v: 1,
      kind: 'machine',
      ...head,
      host,
      version,
      platform,
      startedAt: this.startedAt,
      allow: [...allow],
      agents: this.parts.agents.agents().length,
      everyMs: HEARTBEAT_MS,
    };
  }
}
