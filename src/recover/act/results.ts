import { type AgentView, type Incident, arrivedAt } from '../../core/model';
import { attemptResult } from '../attempts';
import type { Decision } from '../decisions/decision';
import { REASON_TEXTS } from '../decisions/decision';
import { recoveryResult } from '../../core/words';
import { rungOf } from '../ladder';
import type { Actor } from './actor';
import type { FollowedAttempt } from './starting';
import type { Cases } from './cases';
import type { RecoveryJournal } from './journal';
import type { RecoveryParts } from './ports';
import { successorOf } from './successor';

/** After this many failed attempts it is the person's turn, whoever made them: what failed twice fails a third time. */
const FAILURES_UNTIL_ASKED = 2;

/** Watches the results of attempts, in the session itself and in those that take over. */
export class Results {
  /** The last result that was reported, by message. */
  private readonly reported = new Map<string, string>();
  private readonly followed = new Map<string, FollowedAttempt>();

  constructor(
    private readonly parts: RecoveryParts,
    private readonly cases: Cases,
    private readonly journal: RecoveryJournal,
    private readonly actor: () => Actor,
  ) {}

  follow(followed: FollowedAttempt): void {
    this.followed.set(followed.message, followed);
    if (followed.session !== undefined) this.adopt(followed, followed.session);
  }

  incidentChanged(incident: Incident): void {
    // Results from before this window opened were reported when they happened.
    if (incident.history) return;
    for (const attempt of incident.attempts) {
      const result = attemptResult(incident, attempt);
      if (result === 'waiting' || result === 'watching') continue;
      // Cleared, but without progress yet: that may still come, and a successor may still show the result.
      if (result === 'unknown' && (incident.state !== 'ended' || this.followed.has(attempt.message))) continue;
      this.report(incident, attempt.message, result);
    }
    void this.askAfterFailures(incident);
  }

  /** Checks the sessions that take over: they may have made progress, or run into the same problem. */
  sessionsChanged(): void {
    this.forwardDeliveries();
    for (const followed of this.followed.values()) {
      const session = followed.session ?? successorOf(this.parts, this.cases, followed);
      if (session === undefined) continue;
      if (followed.session === undefined) this.adopt(followed, session);
      const view = this.parts.engine.agent(session);
      // What the session does before it takes the task is work of its own.
      if (view && !followed.whenTaken) this.judge(followed, view);
    }
  }

  private judge(followed: FollowedAttempt, view: AgentView): void {
    const { engine } = this.parts;
    const incident = this.cases.find(followed.incident)?.incident ?? this.parts.store.known(followed.incident);
    const again = view.incidents.find(
      (one) =>
        one.level === 'stuck' &&
        one.detector === incident?.detector &&
        one.id !== followed.incident &&
        one.openedAt > followed.at,
    );
    const progressed = (view.health.lastProgress?.at ?? 0) > followed.at;
    if (!again && !progressed) return;
    this.followed.delete(followed.message);
    const at = this.parts.clock.now();
    const outcome = again ? 'same' : 'changed';
    // Reported before the incident changes, so that the story names the session that took over.
    if (incident) this.report(incident, followed.message, again ? 'failed' : 'recovered', view.session);
    const { incident: id, message } = followed;
    engine.changeIncident(id, { type: 'delivery', message, state: 'acted', outcome, at });
    if (!again) engine.changeIncident(id, { type: 'succeeded', at });
  }

  private report(incident: Incident, message: string, result: string, successor?: string): void {
    if (this.reported.get(message) === result) return;
    this.reported.set(message, result);
    const attempt = incident.attempts.find((one) => one.message === message);
    const made = attempt ?? { message, at: incident.updatedAt };
    const follows = successor ?? this.followed.get(message)?.session;
    this.journal.cameOf(incident, made, result, {
      attempt: attempt?.attempt ?? null,
      ...(follows !== undefined && follows !== incident.session && { successor: follows }),
      ...(attempt && recoveryResult(attempt.kind, result)),
    });
  }

  /** Lets a person decide after two failures, so that recoveries do not loop. */
  private async askAfterFailures(incident: Incident): Promise<void> {
    if (incident.resolvedAt !== null || incident.history) return;
    if (incident.state === 'escalated' || incident.state === 'muted') return;
    const failed = incident.attempts.filter((attempt) => attemptResult(incident, attempt) === 'failed').length;
    const found = failed >= FAILURES_UNTIL_ASKED ? this.cases.find(incident.id) : undefined;
    if (!found) return;
    const rung = rungOf(this.parts.settings().ladder, 'ask') ?? null;
    const decision: Decision = { do: 'ask', reason: 'two_failures', text: REASON_TEXTS.two_failures, rung };
    await this.actor().ask(found, decision, 'two_failures');
  }

  private adopt(followed: FollowedAttempt, session: string): void {
    this.followed.set(followed.message, { ...followed, session });
    this.cases.tookOver(session, { session: followed.from.session, incident: followed.incident });
  }

  /** Passes on the state of a message about a task that was handed to another session: it belongs to the incident of the first one. */
  private forwardDeliveries(): void {
    const { engine } = this.parts;
    for (const followed of this.followed.values()) {
      if (followed.session === undefined || followed.session === followed.from.session) continue;
      const delivery = engine
        .agent(followed.session)
        ?.deliveries.find(({ message }) => message.id === followed.message);
      if (!delivery) continue;
      const { whenTaken, ...rest } = followed;
      const takenAt = arrivedAt(delivery);
      if (whenTaken && takenAt !== undefined) {
        this.followed.set(followed.message, { ...rest, at: takenAt });
        whenTaken();
      }
      if (delivery.state === 'acted') continue;
      const at = delivery.times[delivery.state] ?? this.parts.clock.now();
      engine.changeIncident(followed.incident, {
        type: 'delivery',
        message: followed.message,
        state: delivery.state,
        at,
      });
    }
  }
}
