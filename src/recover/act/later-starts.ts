import { isGone } from '../decisions/start';
import type { Cases } from './cases';
import type { RecoveryParts } from './ports';
import type { PlannedStart } from './pending-starts';

/** A start that waits until the previous process has ended. */
export interface LaterStart extends PlannedStart {
  /** Time at which it is given up, milliseconds since the epoch. */
  readonly until: number;
}

/** Starts that wait for an agent that was asked to end, by its session. */
export class LaterStarts {
  private readonly waiting = new Map<string, LaterStart>();

  constructor(
    private readonly parts: Pick<RecoveryParts, 'engine' | 'clock'>,
    private readonly cases: Pick<Cases, 'messageSituation'>,
    private readonly start: (later: LaterStart) => void,
  ) {}

  add(session: string, later: LaterStart): void {
    this.waiting.set(session, later);
  }

  of(session: string): LaterStart | undefined {
    return this.waiting.get(session);
  }

  forget(session: string): void {
    this.waiting.delete(session);
  }

  /** Makes the starts whose agent has ended, and gives up those that waited too long. */
  sessionsChanged(): void {
    const { engine, clock } = this.parts;
    for (const [session, { until }] of this.waiting) {
      const view = engine.agent(session);
      if (view && isGone(this.cases.messageSituation(view))) this.ended(session);
      else if (clock.now() >= until) this.waiting.delete(session);
    }
  }

  /** Called when the process of this session is gone. */
  ended(session: string): void {
    const later = this.waiting.get(session);
    if (!later) return;
    this.waiting.delete(session);
    this.start(later);
  }
}
