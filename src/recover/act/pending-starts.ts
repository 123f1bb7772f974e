import type { AgentView, MessageKind } from '../../core/model';
import type { Disposable } from '../../base/util/disposable';
import { presentableLine } from '../../base/util/redact';
import { EarliestTimer } from '../../engine/follow/earliest-timer';
import type { Cases } from './cases';
import type { RecoveryJournal, StepData } from './journal';
import type { ActOptions, Case, RecoveryParts, StartFailure } from './ports';
import type { SavedCheckpoint } from '../checkpoint';
import type { Decision } from '../decisions/decision';
import { successorOf } from './successor';

/** A program in a terminal that ends with an error within this time has not started, whatever it wrote, milliseconds. */
export const STARTS_WITHIN_MS = 5_000;
/** Characters kept of what a program printed last. */
const LONGEST_PRINTED = 200;

/** A start that is to be made, and why. */
export interface PlannedStart {
  readonly found: Case;
  readonly decision: Decision;
  readonly options: ActOptions;
  readonly checkpoint: SavedCheckpoint | null;
  /** The program of the terminal, if it was searched for. Absolute. */
  readonly program?: string;
}

/** A requested terminal or chat whose session is not known yet. */
export interface PendingStart extends PlannedStart {
  readonly id: string;
  readonly kind: MessageKind;
  /** When it was requested, milliseconds since the epoch. */
  readonly at: number;
  readonly inTerminal: boolean;
  /** The session that will result; undefined if it is not known beforehand. */
  readonly session: string | undefined;
  /** Facts for the event log. */
  readonly data: StepData;
  readonly whenStarted?: () => void;
}

/** Requested starts. A start becomes an attempt once its session appears, and never if its program fails before that or it takes too long. */
export class PendingStarts implements Disposable {
  private readonly waiting = new Map<string, PendingStart>();
  private readonly alarm: EarliestTimer;

  constructor(
    private readonly parts: RecoveryParts,
    private readonly cases: Cases,
    private readonly journal: RecoveryJournal,
    private readonly started: (start: PendingStart, session: string) => void,
  ) {
    this.alarm = new EarliestTimer(parts.clock, () => this.sessionsChanged());
  }

  add(start: PendingStart): void {
    this.waiting.set(start.id, start);
  }

  /** Reports the starts whose session has appeared. */
  sessionsChanged(): void {
    const now = this.parts.clock.now();
    for (const start of this.waiting.values()) {
      if (now >= start.at + this.parts.settings().expiryMs) {
        this.waiting.delete(start.id);
        continue;
      }
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

  /** Called when its program ended with an error, seconds after it was started. False if it is known to have started. */
  failed(id: string, failure: StartFailure): boolean {
    const start = this.waiting.get(id);
    if (!start) return false;
    this.waiting.delete(id);
    this.logNotStarted(start, { ...failure, printed: presentableLine(failure.printed, LONGEST_PRINTED) });
    return true;
  }

  /** Writes into the event log that nothing was started, which is no attempt. */
  logNotStarted({ found, decision, options }: PlannedStart, why: StepData): void {
    this.journal.did(found.incident, decision, 'not_started', { automated: options.automated, ...why });
  }

  dispose(): void {
    this.alarm.dispose();
  }

  private sessionOf({ found, at, session }: PendingStart): string | undefined {
    if (session === undefined) return successorOf(this.parts, this.cases, { from: found.view, at });
    const view: AgentView | undefined = this.parts.engine.agent(session);
    return view && view.health.lastEventAt > at ? session : undefined;
  }
}
