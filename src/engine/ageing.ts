import type { Liveness } from '../agents/transcripts';
import { type Disposable, DisposableStore } from '../base/util/disposable';
import type { Across } from './across';
import type { FollowedTranscript } from './follow/followed-transcript';
import { EarliestTimer } from './follow/earliest-timer';
import type { Transcript } from './follow/transcript';
import { WakeWatch } from './follow/wake';
import type { EngineParts } from './ports';
import type { Session } from './session/session';
import { ticksUpTo } from './session/ticks';

/** A session that wrote this recently before the window opened is present, not history, if its loop is still there. */
const PRESENT_MS = 10 * 60_000;

/** The parts of the engine that ageing needs. */
export interface AgeingHost {
  readonly sessions: ReadonlyMap<string, Session>;
  /** When the engine was made, milliseconds since the epoch. */
  readonly startedAt: number;
  /** The open files, by path. */
  readonly files: ReadonlyMap<string, FollowedTranscript>;
  readonly livenessOf: (key: string) => Liveness | null;
  readonly touched: (key: string) => void;
  readonly across: () => Pick<Across, 'ended'>;
}

/**
 * Applies the effects of time alone to sessions: rules of silence and runtime fall due, processes end, the machine sleeps. The clock of the detectors
 * is the transcript's, which is this machine's.
 */
export class Ageing implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly alarm: EarliestTimer;
  private readonly wake: WakeWatch;

  constructor(
    private readonly parts: Pick<EngineParts, 'clock' | 'beat' | 'log'>,
    private readonly host: AgeingHost,
  ) {
    this.alarm = this.owned.add(new EarliestTimer(parts.clock, () => this.tick()));
    this.wake = this.owned.add(new WakeWatch(parts.clock, (at) => this.woke(at), parts.beat));
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** Lets the rules that wait for silence report before the event that ends it. */
  tickUntil(session: Session, at: number): void {
    this.wake.look();
    ticksUpTo(session, at);
  }

  /** Called when lines of a session were read. */
  wrote(session: Session): void {
    const now = this.parts.clock.now();
    session.lastReadAt = now;
    this.expect(session, now);
  }

  /** Called when a file was read to its end: what is still stuck there is present, not history, if its session is. */
  caughtUp({ sessions }: Transcript): void {
    const now = this.parts.clock.now();
    for (const session of sessions) {
      // No time passed for the session while it was read.
      this.expect(session, now);
      const parent = session.liveness ? null : this.host.livenessOf(session.facts.parent ?? '');
      if (parent?.alive === false) this.died(session, parent);
      const present = session.liveness?.alive || this.host.startedAt - session.facts.lastEventAt < PRESENT_MS;
      if (!present || session.view(now).state.kind === 'finished') continue;
      for (const incident of session.book.active()) {
        if (incident.history) session.changeIncident(incident.id, { type: 'present', at: now });
      }
    }
  }

  /** Called when something about a session was learnt that is in none of its lines. */
  changed(session: Session): void {
    this.expect(session, this.parts.clock.now());
    this.host.touched(session.options.session);
  }

  /** Ends a session of which nothing more is written. */
  end(session: Session): void {
    session.end(session.facts.lastEventAt);
    this.host.across().ended(session);
  }

  /** Called when the process of a followed session began or ended. */
  livenessChanged(session: Session, liveness: Liveness): void {
    session.liveness = liveness;
    if (!liveness.alive) this.died(session, liveness);
    this.host.touched(session.options.session);
  }

  private expect(session: Session, now: number): void {
    this.alarm.at(Math.max(now + 1_000, session.deadline()));
  }

  private tick(): void {
    this.wake.look();
    const now = this.parts.clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const session of this.host.sessions.values()) {
      // A deleted transcript has nothing more to say, whatever its agent does.
      if (session.deleted || session.facts.ended || session.liveness?.alive === false) continue;
      if (this.host.files.get(session.options.file)?.isBehind) continue;
      if (session.deadline() <= now) {
        session.tick(now);
        this.host.touched(session.options.session);
      }
      next = Math.min(next, session.deadline());
    }
    this.alarm.at(Math.max(now + 1_000, next));
  }

  private woke(at: number): void {
    this.parts.log.info('the machine slept: that time does not count as missing output');
    for (const session of this.host.sessions.values()) session.woke(at);
  }

  /** Ends a session whose process is gone, and with it its sub-agents, which have no process of their own. */
  private died(session: Session, liveness: Liveness): void {
    session.liveness = liveness;
    this.end(session);
    for (const child of this.host.sessions.values()) {
      if (child.facts.parent !== session.options.session || child.liveness) continue;
      this.died(child, liveness);
      this.host.touched(child.options.session);
    }
  }
}
