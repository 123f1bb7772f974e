import type { AgentView, MessageKind } from '../../core/model';
import type { Disposable } from '../../base/util/disposable';
import { presentableLine } from '../../base/util/redact';
import { EarliestTimer } from '../../engine/follow/earliest-timer';
import type { RecoveryJournal, StepData } from './journal';
import type { ActOptions, Case, RecoveryParts, StartFailure } from './ports';
import type { SavedCheckpoint } from '../checkpoint';
import type { Decision } from '../decisions/decision';
import { successorOf } from './successor';

/** A program in a terminal that ends with an error before has not started, whatever it wrote, milliseconds. */
export const STARTS_WITHIN_MS = 5_000;
/** Characters of what a program printed last. */
const LONGEST_PRINTED = 200;

/** A start that is to be made, and why. */
export interface PlannedStart {
  readonly found: Case;
  readonly decision: Decision;
  readonly options: ActOptions;
  readonly checkpoint: SavedCheckpoint | null;
  /** The program of the terminal, where it was looked for. Absolute. */
  readonly program?: string;
}

/** A terminal or a chat that was asked for, of which no session is known yet. */
export interface PendingStart extends PlannedStart {
  readonly id: string;
  readonly kind: MessageKind;
  /** When it was asked for, milliseconds since the epoch. */
  readonly at: number;
  readonly inTerminal: boolean;
  /** The session that will come of it; undefined where it is not known beforehand. */
  readonly session: string | undefined;
  /** Facts for the event log. */
  readonly data: StepData;
  readonly whenStarted?: () => void;
}

/** Starts that were asked for. One is an attempt once its session shows, and none where its program fails before. */
export class PendingStarts implements Disposable {
  private readonly waiting = new Map<string, PendingStart>();
  private readonly alarm: EarliestTimer;

  constructor(
    private readonly parts: RecoveryParts,
    private readonly journal: RecoveryJournal,
    private readonly started: (start: PendingStart, session: string) => void,
  ) {
    this.alarm = new EarliestTimer(parts.clock, () => this.sessionsChanged());
  }

  add(start: PendingStart): void {
    this.waiting.set(start.id, start);
  }

  /** Those whose session shows have started. */
  sessionsChanged(): void {
    const now = this.parts.clock.now();
    for (const start of this.waiting.values()) {
      const session = this.sessionOf(start);
      if (session === undefined) continue;
      const due = start.inTerminal ? start.at + STARTS_WITHIN_MS : start.at;
      if (due > now) {
        this.alarm.at(due);
        continue;
      }
      this.waiting.delete(start.id);
      this.started(start, session);
      start.whenStarted?.();
    }
  }

  /** Its program ended with an error, seconds after it was started. False where it is known to have started. */
  failed(id: string, failure: StartFailure): boolean {
    const start = this.waiting.get(id);
    if (!start) return false;
    this.waiting.delete(id);
    this.tell(start, { ...failure, printed: presentableLine(failure.printed, LONGEST_PRINTED) });
    return true;
  }

  /** Writes into the event log that nothing was started. It is no attempt. */
  tell({ found, decision, options }: PlannedStart, why: StepData): void {
    this.journal.did(found.incident, decision, 'not_started', { automated: options.automated, ...why });
  }

  dispose(): void {
    this.alarm.dispose();
  }

  private sessionOf({ found, at, session }: PendingStart): string | undefined {
    if (session === undefined) return successorOf(this.parts, { from: found.view, at });
    const view: AgentView | undefined = this.parts.engine.agent(session);
    return view && view.health.lastEventAt > at ? session : undefined;
  }
}
