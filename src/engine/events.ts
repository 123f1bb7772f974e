import type { WatchFailure } from '../base/tail';
import { type Disposable, DisposableStore } from '../base/util/disposable';
import { Emitter } from '../base/util/emitter';
import type { Incident, UsageEvent } from '../core/model';
import type { GateSignal } from '../detect/session/claim';
import type { Step } from '../detect/steps/step';
import type { Session } from './session/session';

export interface SessionGateSignal {
  readonly signal: GateSignal;
  readonly session: string;
}

export interface IncidentChange {
  readonly incident: Incident;
  readonly before: Incident | null;
  readonly session: string;
}

/** A step of a followed session. If a transcript is read again, its steps are reported again, by another session object. */
export interface StepSeen {
  readonly step: Pick<Step, 'at' | 'failed'>;
  readonly session: Session;
}

/** A request of a followed session, with its cost. Reported again like a step. */
export interface UsageSeen {
  readonly usage: UsageEvent;
  readonly session: Session;
}

/** The events of an engine. A listener that throws is logged and does not affect the others. */
export class EngineEvents implements Disposable {
  private readonly owned = new DisposableStore();
  /** Keys of the sessions that changed. */
  readonly changed = this.emitter<readonly string[]>();
  readonly incident = this.emitter<IncidentChange>();
  /** A session claimed that it is done, or did something that voids an earlier claim. */
  readonly gates = this.emitter<SessionGateSignal>();
  /** Steps as they are read, past ones included; `usage` has the requests. */
  readonly step = this.emitter<StepSeen>();
  readonly usage = this.emitter<UsageSeen>();
  /** The watcher failed and files are checked at intervals instead; null when it works again. */
  readonly watchFailed = this.emitter<WatchFailure | null>();

  constructor(private readonly onError: (error: unknown) => void) {}

  dispose(): void {
    this.owned.dispose();
  }

  private emitter<T>(): Emitter<T> {
    return this.owned.add(new Emitter<T>((error) => this.onError(error)));
  }
}
