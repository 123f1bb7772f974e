import { CALM_MS } from '../../base/beat';
import type { Disposable } from '../../base/util/disposable';
import type { EngineParts } from '../ports';
import type { Session } from '../session/session';
import { isAtWork } from './at-work';
import { EarliestTimer } from './earliest-timer';

const INTERVAL_MS = 5_000;

export interface JobWatchHost {
  readonly sessions: () => Iterable<Session>;
  /** Called when a job of the session has ended. */
  readonly changed: (session: Session) => void;
}

/**
 * Detects the end of what agents left in the background if no record of theirs reports it. A command has ended when a process had its output file
 * open and none has it any more; a sub-agent, when its own session has ended.
 */
export class JobWatch implements Disposable {
  /** Files that were seen open. */
  private seen: ReadonlySet<string> = new Set();
  private readonly alarm: EarliestTimer;

  constructor(
    private readonly parts: Pick<EngineParts, 'clock' | 'beat' | 'log' | 'readSmall' | 'openFiles'>,
    private readonly host: JobWatchHost,
  ) {
    const check = () => void this.check().catch((error: unknown) => parts.log.warn(`open files: ${String(error)}`));
    this.alarm = new EarliestTimer(parts.clock, check, parts.beat);
  }

  /** Called when something of a session was read. */
  wrote(session: Session): void {
    const { ended, parent, jobs } = session.facts;
    for (const other of ended && parent !== undefined ? this.host.sessions() : [])
      if (other.options.session === parent) this.childEnded(session, other);
    // After a start the child may be read before the call that started it.
    for (const other of jobs.hasSubAgent ? this.host.sessions() : [])
      if (other.facts.parent === session.options.session) this.childEnded(other, session);
    if (this.parts.openFiles && jobs.running().length > 0) this.alarm.at(this.parts.clock.now() + INTERVAL_MS);
  }

  private childEnded({ options, facts: { ended } }: Session, parent: Session): void {
    if (ended && parent.facts.jobs.childEnded(options.session, ended.at)) this.host.changed(parent);
  }

  dispose(): void {
    this.alarm.dispose();
  }

  private soon(): void {
    const now = this.parts.clock.now();
    const isCalm = ![...this.host.sessions()].some((session) => isAtWork(session, now));
    this.alarm.at(now + (isCalm ? CALM_MS : INTERVAL_MS));
  }

  private async check(): Promise<void> {
    const { openFiles, readSmall, clock } = this.parts;
    const waiting = [...this.host.sessions()].flatMap((session) =>
      session.facts.jobs.running().map((job) => ({ session, ...job })),
    );
    if (!openFiles || waiting.length === 0) return;
    const before = this.seen;
    const now = await openFiles(new Set(waiting.map(({ output }) => output)));
    this.seen = now;
    for (const { session, id, output } of waiting) {
      if (now.has(output) || !before.has(output)) continue;
      const lastLine = readSmall(output)?.trimEnd().split('\n').at(-1);
      session.facts.jobs.ended(id, clock.now(), { ...(lastLine && { lastLine }) });
      this.host.changed(session);
    }
    this.soon();
  }
}
