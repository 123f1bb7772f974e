import type { Step } from '../detect/steps/step';
import { type Tracker, type TrackerInput, emptyTracker, track } from '../agents/inbox/messages/tracker';
import type { AgentEvent, Delivery, Incident } from '../core/model';
import type { Disposable } from '../base/util/disposable';
import type { Log } from '../base/util/log';
import type { Clock } from '../base/clock';
import type { Mail } from './ports';
import { EarliestTimer } from './follow/earliest-timer';
import type { Session } from './session/session';

/** Interval at which an inbox is checked while one of its messages is on its way. */
const LOOK_INTERVAL_MS = 400;
/** The same while a person has interrupted the agent: no message is taken then, for up to a day. */
const INTERRUPTED_INTERVAL_MS = 5_000;

interface Account {
  tracker: Tracker;
  reading: boolean;
  /** Another check was requested while one was under way. */
  again: boolean;
  /** When the person interrupted the agent, as last reported to the inbox; undefined until the first report. */
  interrupted: number | null | undefined;
  /** The end of the turn for which the agent was last called again. */
  calledAt: number;
}

/**
 * Keeps the account of the messages to the agents: checks the inboxes while a message is on its way, and reports to the inbox what the transcript
 * shows of it (seen, acted upon, failed). The rules are in agents/inbox/messages/tracker.ts; this is their shell.
 */
export class Correspondence implements Disposable {
  private readonly accounts = new Map<Session, Account>();
  /** When each inbox is checked next, milliseconds since the epoch. */
  private readonly onItsWay = new Map<Session, number>();
  private readonly alarm: EarliestTimer;
  private stopped = false;

  constructor(
    private readonly mail: Mail,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly changed: (session: Session) => void,
  ) {
    this.alarm = new EarliestTimer(clock, () => {
      const now = clock.now();
      for (const [session, at] of this.onItsWay) {
        // A clock that was set back is no reason to wait that long.
        if (at > now && at - now <= INTERRUPTED_INTERVAL_MS) continue;
        // The check sets the time of the next one when it ends; until then, this time applies.
        this.onItsWay.set(session, now + LOOK_INTERVAL_MS);
        this.look(session);
      }
      this.setAlarm();
    });
  }

  /** Reads the state of the messages to a session and reports a change. */
  look(session: Session): void {
    const account = this.accountOf(session);
    if (account.reading) {
      account.again = true;
      return;
    }
    account.reading = true;
    this.read(session, account)
      .catch((error: unknown) =>
        this.log.warn(`the inbox of ${session.options.session} cannot be read: ${String(error)}`),
      )
      .finally(() => {
        account.reading = false;
        if (!account.again || this.stopped || this.accounts.get(session) !== account) return;
        account.again = false;
        this.look(session);
      });
  }

  /** Applies an event of the transcript to messages that are on their way. */
  event(session: Session, event: AgentEvent): void {
    if (event.type === 'message_taken') {
      this.apply(session, { type: 'seen', id: event.message, at: event.at });
      this.look(session);
      return;
    }
    if ((this.accounts.get(session)?.tracker.size ?? 0) === 0) return;
    // It is someone else's move now: waiting messages are held or released.
    if (event.type === 'user' || event.type === 'turn_end') this.look(session);
    if (event.type === 'request') this.apply(session, { type: 'request', at: event.at });
    else if (event.type === 'assistant' || event.type === 'tool_call')
      this.apply(session, { type: 'answer', at: event.at });
  }

  step(session: Session, step: Step): void {
    if ((this.accounts.get(session)?.tracker.size ?? 0) === 0) return;
    this.apply(session, {
      type: 'step',
      at: step.at,
      calledAt: step.call.at,
      repeats: (id) => repeats(session, step, id),
    });
  }

  /** Moves the account to a new object for the same session. */
  exchange(before: Session, after: Session): void {
    const account = this.accounts.get(before);
    // A check that is under way belongs to the old object.
    if (account) this.accounts.set(after, { ...account, reading: false, again: false });
    if (this.onItsWay.delete(before)) this.onItsWay.set(after, this.clock.now());
    this.accounts.delete(before);
    this.look(after);
  }

  forget(session: Session): void {
    this.accounts.delete(session);
    this.onItsWay.delete(session);
  }

  dispose(): void {
    this.stopped = true;
    this.alarm.dispose();
  }

  private async read(session: Session, account: Account): Promise<void> {
    const now = this.clock.now();
    const deliveries = await this.mail.read(session.options.session, session.facts.cwd);
    if (this.stopped || this.accounts.get(session) !== account) return;
    for (const delivery of deliveries) this.apply(session, { type: 'delivery', delivery });
    this.apply(session, { type: 'tick', at: now });
    if (!sameStates(session.deliveries, deliveries)) {
      session.setDeliveries(deliveries);
      this.changed(session);
    }
    await this.followMove(session, account, deliveries);
    if (this.stopped || this.accounts.get(session) !== account) return;
    if (deliveries.some(({ state }) => state === 'queued' || state === 'taken')) {
      this.onItsWay.set(session, now + (account.interrupted ? INTERRUPTED_INTERVAL_MS : LOOK_INTERVAL_MS));
      this.setAlarm();
    } else this.onItsWay.delete(session);
    if (deliveries.some(({ state, by }) => state === 'expired' && by === 'clock')) {
      await this.mail.expire(session.options.session, session.facts.cwd);
    }
  }

  /**
   * Follows whose move it is while a message waits: the inbox learns whether a person has interrupted the agent, and an agent whose turn ended with
   * the message still there is called once more. That message came too late for the end of the turn, and too early to wake an idle agent.
   */
  private async followMove(session: Session, account: Account, deliveries: readonly Delivery[]): Promise<void> {
    const waiting = deliveries.filter(({ state }) => state === 'queued');
    const newest = waiting.at(-1);
    if (!newest) return;
    const { options, facts } = session;
    // Both values are from one moment: the transcript is read further while the inbox is notified, and each change of the move requests its own
    // check.
    const since = facts.interruptedAt;
    const endedAt = facts.turnOpen ? null : (facts.turnEnd?.at ?? null);
    if (account.interrupted !== since) {
      await this.mail.interrupted(options.session, facts.cwd, since);
      account.interrupted = since;
    }
    if (since !== null || endedAt === null || account.calledAt === endedAt) return;
    if (!waiting.some(({ message }) => Date.parse(message.t) <= endedAt)) return;
    account.calledAt = endedAt;
    await this.mail.call(options.session, facts.cwd, newest.message.id);
  }

  private setAlarm(): void {
    if (this.onItsWay.size > 0) this.alarm.at(Math.min(...this.onItsWay.values()));
  }

  private apply(session: Session, input: TrackerInput): void {
    const account = this.accountOf(session);
    const { tracker, receipts } = track(account.tracker, input);
    account.tracker = tracker;
    for (const receipt of receipts) {
      this.mail
        .write(session.options.session, session.facts.cwd, receipt)
        // It may have left meanwhile.
        .then(() => this.accounts.has(session) && this.look(session))
        .catch((error: unknown) => this.log.warn(`a receipt could not be written: ${String(error)}`));
    }
  }

  private accountOf(session: Session): Account {
    const known = this.accounts.get(session);
    if (known) return known;
    const account: Account = {
      tracker: emptyTracker,
      reading: false,
      again: false,
      interrupted: undefined,
      calledAt: 0,
    };
    this.accounts.set(session, account);
    return account;
  }
}

/**
 * True if this step had the result of that incident once more. While the file of a message has not been read, its incident is unknown: then any stuck
 * incident counts.
 */
function repeats(session: Session, step: Step, incidentId: string | null): boolean {
  if (incidentId === null) {
    const stuck = session.book.active().filter((incident) => incident.level === 'stuck');
    return stuck.some((incident) => repeatsIncident(session, step, incident));
  }
  const incident = session.book.get(incidentId);
  return incident !== undefined && repeatsIncident(session, step, incident);
}

/** True if the step has the outcome with which a part of the incident's pattern ends; without a pattern, if the incident is still open. */
function repeatsIncident(session: Session, step: Step, incident: Incident): boolean {
  const pattern = incident.pattern ?? [];
  if (pattern.length === 0) return incident.resolvedAt === null;
  return pattern.some((part) => {
    const last = part.steps.at(-1);
    return last !== undefined && session.timeline.outcome(last) === step.outcome;
  });
}

function sameStates(a: readonly Delivery[], b: readonly Delivery[]): boolean {
  const same = (one: Delivery, other: Delivery | undefined) =>
    one.message.id === other?.message.id && one.state === other.state && one.outcome === other.outcome;
  return a.length === b.length && a.every((one, index) => same(one, b[index]));
}
