import { CALM_MS } from '../../base/beat';
import type { AgentAdapter } from '../../agents/adapter';
import type { Liveness } from '../../agents/transcripts';
import type { Disposable } from '../../base/util/disposable';
import type { EngineParts } from '../ports';
import type { Session } from '../session/session';
import { isAtWork } from './at-work';
import { EarliestTimer } from './earliest-timer';

const INTERVAL_MS = 2_000;
/** An agent empties its entry before it writes a new one. A check in between finds none, so a second check has to confirm that. */
const CONFIRMED_MS = 200;

/** The engine as the process watch sees it: queries and reports. */
export interface LivenessHost {
  /** Agents whose registries are checked. */
  readonly adapters: () => readonly AgentAdapter[];
  /** The agent of a followed session. */
  readonly agentOf: (session: string) => string | undefined;
  readonly sessions: () => Iterable<Session>;
  readonly changed: (session: string, liveness: Liveness) => void;
}

/**
 * Checks in the registries of the agents which sessions are alive: every two seconds while an agent works, otherwise every ten. No timer runs while
 * there is no session.
 */
export class LivenessWatch implements Disposable {
  private readonly known = new Map<string, Liveness>();
  /** Live sessions whose entry the last check did not find. */
  private readonly missing = new Set<string>();
  private readonly alarm: EarliestTimer;
  private readonly confirmation: EarliestTimer;

  constructor(
    private readonly parts: Pick<EngineParts, 'environment' | 'probe' | 'clock' | 'beat'>,
    private readonly host: LivenessHost,
  ) {
    this.alarm = new EarliestTimer(parts.clock, () => this.check(), parts.beat);
    this.confirmation = new EarliestTimer(parts.clock, () => this.check());
  }

  of(session: string): Liveness | null {
    return this.known.get(session) ?? null;
  }

  /** Checks soon, because a session is followed or something of it was read. */
  soon(): void {
    this.alarm.at(this.parts.clock.now() + INTERVAL_MS);
  }

  check(): void {
    const { environment, probe, clock } = this.parts;
    for (const adapter of this.host.adapters()) {
      if (!adapter.liveness) continue;
      const live = adapter.liveness(environment, probe);
      for (const [session, liveness] of live) this.learn(session, liveness);
      for (const [session, before] of this.known) {
        if (this.host.agentOf(session) !== adapter.id) continue;
        if (!before.alive || live.has(session)) this.missing.delete(session);
        else if (this.missing.delete(session)) this.learn(session, { ...before, alive: false });
        else this.missing.add(session);
      }
    }
    const now = clock.now();
    if (this.missing.size > 0) this.confirmation.at(now + CONFIRMED_MS);
    const sessions = [...this.host.sessions()];
    if (sessions.some((session) => isAtWork(session, now))) this.soon();
    else if (sessions.length > 0) this.alarm.at(now + CALM_MS);
  }

  dispose(): void {
    this.alarm.dispose();
    this.confirmation.dispose();
  }

  private learn(session: string, liveness: Liveness): void {
    const before = this.known.get(session);
    if (before && isSame(before, liveness)) return;
    this.known.set(session, liveness);
    this.host.changed(session, liveness);
  }
}

/** Compares the states of two checks. Between them a process can end and the session continue in another one, or a state can end and begin again. */
function isSame(before: Liveness, now: Liveness): boolean {
  if (!before.alive || !now.alive) return before.alive === now.alive;
  return (
    before.pid === now.pid &&
    before.status === now.status &&
    before.waitingFor === now.waitingFor &&
    before.since === now.since
  );
}
