import { CALM_MS } from '../../base/beat';
import type { SoughtSession } from '../../agents/session-process';
import type { Liveness } from '../../agents/transcripts';
import type { Disposable } from '../../base/util/disposable';
import type { EngineParts } from '../ports';
import type { Session } from '../session/session';
import { isAtWork } from './at-work';
import { EarliestTimer } from './earliest-timer';

const INTERVAL_MS = 1_000;
/** The processes of the machine are searched at most this often for one session, milliseconds. */
const SEARCH_MS = 10_000;
/** A session that wrote nothing for longer is not searched for, milliseconds. */
const FRESH_MS = 60_000;

interface Known {
  readonly pid: number;
  /** As the system reports it: process ids are used again. */
  readonly start: string;
  /** When it was seen to be gone, milliseconds since the epoch. */
  readonly goneAt?: number;
}

export interface ProcessWatchHost {
  /** Returns the sessions whose agents keep no registry of their processes. */
  readonly sessions: () => readonly Session[];
  readonly changed: (session: string, liveness: Liveness) => void;
}

/**
 * Detects the end of agents that keep no registry. For each session that works it finds the process, if only one can be it, and checks every second
 * whether that still runs. While no agent works it checks every ten seconds: no one waits for the end of an agent that rests.
 */
export class ProcessWatch implements Disposable {
  private readonly known = new Map<string, Known>();
  /** Sessions whose process the last check did not find: their last output may still be read. */
  private readonly missing = new Set<string>();
  private readonly searchedAt = new Map<string, number>();
  private readonly alarm: EarliestTimer;

  constructor(
    private readonly parts: Pick<EngineParts, 'probe' | 'clock' | 'beat' | 'log' | 'processOf'>,
    private readonly host: ProcessWatchHost,
  ) {
    this.alarm = new EarliestTimer(parts.clock, () => this.check(), parts.beat);
  }

  of(session: string): Liveness | null {
    const known = this.known.get(session);
    return known ? { alive: known.goneAt === undefined, pid: known.pid } : null;
  }

  /** Checks soon, because a session is followed or something of it was read. */
  soon(): void {
    if (this.parts.processOf) this.alarm.at(this.parts.clock.now() + INTERVAL_MS);
  }

  dispose(): void {
    this.alarm.dispose();
  }

  private check(): void {
    const now = this.parts.clock.now();
    const sessions = this.host.sessions();
    const keys = new Set(sessions.map(({ options }) => options.session));
    for (const map of [this.known, this.searchedAt]) for (const key of map.keys()) if (!keys.has(key)) map.delete(key);
    for (const session of sessions) {
      const key = session.options.session;
      const known = this.known.get(key);
      if (known && known.goneAt === undefined) {
        if (this.parts.probe.processStart(known.pid) === known.start) continue;
        if (!this.missing.delete(key)) {
          this.missing.add(key);
          continue;
        }
        this.known.set(key, { ...known, goneAt: now });
        this.searchedAt.delete(key);
        this.host.changed(key, { alive: false, pid: known.pid });
      } else if (this.works(session, this.goneAt(session), now) && now - (this.searchedAt.get(key) ?? 0) >= SEARCH_MS) {
        this.searchedAt.set(key, now);
        this.search(session, sessions).catch((error: unknown) => this.parts.log.warn(`processes: ${String(error)}`));
      }
    }
    const isAlive = (session: Session) => this.of(session.options.session)?.alive === true;
    const isBusy = (session: Session) =>
      isAlive(session) ? isAtWork(session, now) : this.works(session, this.goneAt(session), now);
    if (sessions.some(isBusy)) this.soon();
    else if (sessions.some(isAlive)) this.alarm.at(now + CALM_MS);
  }

  private goneAt(session: Session): number {
    return this.known.get(session.options.session)?.goneAt ?? 0;
  }

  private works({ facts }: Session, goneAt: number, now: number): boolean {
    const { turnOpen, answered, lastEventAt, ended } = facts;
    return turnOpen && answered === null && !ended && lastEventAt > goneAt && now - lastEventAt < FRESH_MS;
  }

  private async search(session: Session, sessions: readonly Session[]): Promise<void> {
    const { options, facts } = session;
    if (facts.cwd === undefined || facts.parent !== undefined) return;
    // Sub-agents work in the process of their parent.
    const others = sessions.filter(
      (one) => one !== session && one.options.agent === options.agent && one.facts.parent === undefined,
    );
    const sought: SoughtSession = {
      agent: options.agent,
      file: options.file,
      cwd: facts.cwd,
      others: others.filter((one) => one.facts.cwd === facts.cwd).map((one) => one.facts.lastEventAt),
    };
    const pid = (await this.parts.processOf?.(sought)) ?? null;
    const start = pid === null ? null : this.parts.probe.processStart(pid);
    if (pid === null || start === null) return;
    this.known.set(options.session, { pid, start });
    this.host.changed(options.session, { alive: true, pid });
  }
}
