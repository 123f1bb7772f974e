import type { Step } from '../detect/detector';
import type { Delivery, DeliveryState } from '../model';
import type { Disposable } from '../util/disposable';
import type { Clock, Mail } from './ports';
import { Alarm } from './schedule';
import type { Session } from './session';

/** Steps after which a message that was seen counts as acted upon (PROTOCOLS.md section 2). */
const ACTED_STEPS = 5;
/** A taken message that does not show in the transcript for so long failed. */
const UNSEEN_MS = 60_000;
const LOOK_INTERVAL_MS = 400;

/** A message that shows in the transcript, until five steps have told whether it changed anything. */
interface Watch {
  readonly id: string;
  /** Outcomes of the incident it is about, as they were when it was seen. */
  readonly outcomes: ReadonlySet<number>;
  readonly incident: string | undefined;
  steps: number;
  same: boolean;
}

/**
 * Keeps the account of the messages to the agents: looks into the inboxes while a message is on its way, and tells the inbox what the
 * transcript shows of it: seen, acted upon, failed, expired.
 */
export class Correspondence implements Disposable {
  private readonly open = new Set<Session>();
  private readonly watches = new Map<Session, Watch[]>();
  private readonly alarm: Alarm;

  constructor(
    private readonly mail: Mail,
    private readonly clock: Clock,
    private readonly changed: (session: Session) => void,
  ) {
    this.alarm = new Alarm(clock, () => this.lookAgain());
  }

  /** Reads where the messages to a session stand. */
  look(session: Session): void {
    const { session: key } = session.options;
    const now = this.clock.now();
    const deliveries = this.mail.deliveries(key, session.facts.cwd);
    for (const delivery of deliveries) this.judge(session, delivery, now);
    const before = session.deliveries;
    if (!sameStates(before, deliveries)) {
      session.setDeliveries(deliveries);
      this.changed(session);
    }
    if (deliveries.some(isOnItsWay)) {
      this.open.add(session);
      this.alarm.at(now + LOOK_INTERVAL_MS);
    } else this.open.delete(session);
  }

  /** The message's mark shows in the transcript. */
  seen(session: Session, id: string, _at: number): void {
    this.look(session);
    const delivery = session.deliveries.find((one) => one.message.id === id);
    if (!delivery) return;
    if (delivery.state === 'taken' || delivery.state === 'queued' || delivery.state === 'failed') {
      this.mail.receipt(session.options.session, session.facts.cwd, id, 'seen');
    }
    if (delivery.state !== 'acted') this.watch(session, id, delivery.message.incident);
    this.look(session);
  }

  /** A step came: five after the message was seen say whether it changed anything. */
  step(session: Session, step: Step): void {
    const watches = this.watches.get(session);
    if (!watches || watches.length === 0) return;
    for (const watch of watches) {
      watch.steps++;
      if (watch.outcomes.has(step.outcome)) watch.same = true;
      if (watch.steps < ACTED_STEPS) continue;
      const stillThere =
        watch.outcomes.size === 0 && session.book.active().some((incident) => incident.id === watch.incident);
      const outcome = watch.same || stillThere ? 'same' : 'changed';
      this.mail.receipt(session.options.session, session.facts.cwd, watch.id, 'acted', { outcome });
    }
    this.watches.set(
      session,
      watches.filter((watch) => watch.steps < ACTED_STEPS),
    );
    if (watches.some((watch) => watch.steps >= ACTED_STEPS)) this.look(session);
  }

  dispose(): void {
    this.alarm.dispose();
    this.open.clear();
    this.watches.clear();
  }

  private lookAgain(): void {
    for (const session of this.open) this.look(session);
  }

  private judge(session: Session, { message, state, times }: Delivery, now: number): void {
    const { session: key } = session.options;
    if (state === 'queued' && Date.parse(message.expires) <= now) {
      this.mail.receipt(key, session.facts.cwd, message.id, 'expired', { reason: 'not taken in time' });
    } else if (state === 'taken' && times.taken !== undefined && now - times.taken >= UNSEEN_MS && needsSeeing(message.kind)) {
      this.mail.receipt(key, session.facts.cwd, message.id, 'failed', { reason: 'not seen in the transcript within 60 s' });
    }
  }

  private watch(session: Session, id: string, incidentId: string | undefined): void {
    const incident = session.book.all().find((one) => one.id === incidentId);
    const outcomes = new Set<number>();
    for (const part of incident?.pattern ?? []) {
      const last = part.steps.at(-1);
      if (last !== undefined) outcomes.add(session.timeline.outcome(last));
    }
    const watches = this.watches.get(session) ?? [];
    if (watches.some((watch) => watch.id === id)) return;
    watches.push({ id, outcomes, incident: incidentId, steps: 0, same: false });
    this.watches.set(session, watches);
  }
}

/** Texts show up in the transcript; stopping and refusing a call leave no text of ours. */
function needsSeeing(kind: Delivery['message']['kind']): boolean {
  return kind === 'nudge' || kind === 'gate' || kind === 'reassign' || kind === 'checkpoint';
}

function isOnItsWay({ state }: Delivery): boolean {
  const waiting: readonly DeliveryState[] = ['queued', 'taken'];
  return waiting.includes(state);
}

function sameStates(a: readonly Delivery[], b: readonly Delivery[]): boolean {
  return a.length === b.length && a.every((one, index) => one.message.id === b[index]?.message.id && one.state === b[index]?.state && one.outcome === b[index]?.outcome);
}
