import { type AgentView, type Delivery, DELIVERY_STATES, type DeliveryState } from '../../core/model';
import { presentableLine } from '../../base/util/redact';
import type { Log } from '../../base/util/log';
import {
  decodeMessage,
  idOfBroken,
  LIMITS,
  type MessageRecord,
  type ReceiptRecord,
  type RelayRefusal,
  sessionKey,
} from '../wire';
import type { Clock } from '../../base/clock';
import type { IncomingMessage, RelayAgents, RelayMailbox } from './ports';

/**
 * An agent that is not known yet may be found in a moment: after a start the transcripts are still being read. Shorter than the time that the server
 * waits.
 */
const LOOK_AGAIN_MS = 500;
const MOST_LOOKS = 12;
/** Receipts of messages older than this are not sent again after a restart, milliseconds. */
const RECENT_MS = 30 * 60_000;
/** Number of messages whose newest receipt is remembered. */
const MOST_REMEMBERED = 5_000;

export interface MailParts {
  readonly agents: RelayAgents;
  readonly mailbox: RelayMailbox;
  readonly machine: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly receipt: (record: ReceiptRecord) => void;
  /** Called when a message was written for an agent. */
  readonly wrote: (view: AgentView, message: MessageRecord) => void;
}

/**
 * Writes messages of viewers into the inboxes of this machine, and reports what becomes of them. For the server a message is done only once its file
 * is in `new`; a relay that dies before that gets it again and finds out by its id whether it was written.
 */
export class RelayMail {
  /** The last reported state of each message, by its id. */
  private readonly reported = new Map<string, ReceiptRecord['state']>();
  /** Messages that are being written, or whose agent is being searched for. */
  private readonly underWay = new Set<string>();

  constructor(private readonly parts: MailParts) {}

  /** Handles one message to its end. Never throws. */
  async take(incoming: IncomingMessage): Promise<void> {
    const { machine, log } = this.parts;
    const read = decodeMessage(machine, incoming.viewer, incoming.bytes);
    if (!read.ok) {
      const id = idOfBroken(incoming.bytes);
      log.warn(`a message of ${incoming.viewer} is not read: ${read.error}`);
      if (id !== null)
        this.report(id, incoming.viewer, 'refused', 'relay', read.error === 'version' ? 'version' : 'invalid');
      return await incoming.done();
    }
    // It may come again while it is still being written: the first handling ends it.
    if (this.underWay.has(read.value.id)) return;
    this.underWay.add(read.value.id);
    const view = this.find(read.value);
    if (view) return await this.write(incoming, read.value, view);
    // The messages after it need not wait.
    this.lookAgain(incoming, read.value, MOST_LOOKS);
  }

  private lookAgain(incoming: IncomingMessage, message: MessageRecord, looks: number): void {
    this.parts.clock.after(LOOK_AGAIN_MS, () => {
      const view = this.find(message);
      if (view) void this.write(incoming, message, view);
      else if (looks > 1) this.lookAgain(incoming, message, looks - 1);
      else void this.refuse(incoming, message, 'no_such_agent');
    });
  }

  private async write(incoming: IncomingMessage, message: MessageRecord, view: AgentView): Promise<void> {
    const { log } = this.parts;
    if (!this.parts.mailbox.accepts(view).includes(message.action))
      return await this.refuse(incoming, message, this.whyNot(view));
    const written = await this.parts.mailbox.write(view, message);
    if (!written.ok) {
      log.warn(`a message could not be written: ${written.error.detail}`);
      return await this.refuse(incoming, message, written.error.why);
    }
    this.underWay.delete(message.id);
    this.report(message.id, message.viewer, 'queued', 'relay');
    if (written.value === 'queued') this.parts.wrote(view, message);
    await incoming.done();
  }

  /** Publishes the current state of the inboxes of these sessions, as receipts. */
  changed(sessions: readonly string[]): void {
    const since = this.parts.clock.now() - RECENT_MS;
    for (const session of sessions) {
      for (const delivery of this.parts.agents.shownAgent(session)?.deliveries ?? []) {
        const { message, state, by, outcome, reason } = delivery;
        if (message.via === undefined || Date.parse(message.t) < since) continue;
        for (const one of this.passed(delivery)) this.report(message.id, message.via, one, 'unstuck');
        this.report(message.id, message.via, state, by ?? 'unstuck', reason, outcome);
      }
    }
  }

  /** Returns the states that a message passed between two checks of its inbox. */
  private passed({ message, state, times }: Delivery): readonly DeliveryState[] {
    const reported = this.reported.get(message.id);
    if (reported === undefined) return [];
    const from = DELIVERY_STATES.findIndex((one) => one === reported) + 1;
    return DELIVERY_STATES.slice(from, DELIVERY_STATES.indexOf(state)).filter((one) => times[one] !== undefined);
  }

  private find({ key, session, agent }: MessageRecord): AgentView | undefined {
    const { agents } = this.parts;
    // A very long session id is cut when it is sent.
    const view = agents.shownAgent(session) ?? agents.agents().find((one) => sessionKey(one.session) === key);
    return view && sessionKey(view.session) === key && view.agent === agent ? view : undefined;
  }

  private whyNot(view: AgentView): RelayRefusal {
    return this.parts.mailbox.accepts(view).length === 0 ? 'cannot_be_reached' : 'not_allowed';
  }

  private async refuse(incoming: IncomingMessage, message: MessageRecord, why: RelayRefusal): Promise<void> {
    this.underWay.delete(message.id);
    this.report(message.id, message.viewer, 'refused', 'relay', why);
    await incoming.done();
  }

  private report(
    id: string,
    viewer: string,
    state: ReceiptRecord['state'],
    by: string,
    reason?: string,
    outcome?: 'changed' | 'same',
  ): void {
    if (this.reported.get(id) === state) return;
    if (this.reported.size >= MOST_REMEMBERED) this.reported.delete(this.reported.keys().next().value ?? '');
    this.reported.set(id, state);
    this.parts.receipt({
      v: 1,
      kind: 'receipt',
      id,
      machine: this.parts.machine,
      viewer,
      at: this.parts.clock.now(),
      state,
      by: presentableLine(by, LIMITS.word) || 'unstuck',
      ...(reason !== undefined && { reason: presentableLine(reason, LIMITS.line) }),
      ...(outcome && { outcome }),
    });
  }
}
