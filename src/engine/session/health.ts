import type { Step } from '../../detect/session/detector';
import type { AgentEvent, LoopHealth, ProgressMarker } from '../../model';
import type { SessionFacts } from './facts';

/** The counters of loop health, updated in place. */
export class HealthCounters {
  private failures = 0;
  private failuresInARow = 0;
  private validationFailures = 0;
  private validationFailuresInARow = 0;
  private gateAttempts = 0;
  private lastNew: { at: number; step: number } | null = null;
  private lastProgress: ProgressMarker | null = null;
  private readonly blocked = new Map<string, number>();

  push(event: AgentEvent): void {
    if (event.type === 'error' && event.kind === 'validation') this.malformed();
    if (event.type === 'plan') {
      for (const item of event.items) {
        if (item.status === 'blocked') this.blocked.set(item.id, (this.blocked.get(item.id) ?? 0) + 1);
      }
    }
  }

  step(step: Step, index: number, isNew: boolean): void {
    if (step.malformed) this.malformed();
    else this.validationFailuresInARow = 0;
    if (step.failed) {
      this.failures++;
      this.failuresInARow++;
    } else this.failuresInARow = 0;
    if (isNew) this.lastNew = { at: step.at, step: index };
  }

  /** The agent said that it is done. */
  claim(): void {
    this.gateAttempts++;
  }

  progress(marker: ProgressMarker): void {
    this.lastProgress = marker;
  }

  snapshot(facts: SessionFacts): LoopHealth {
    return {
      calls: facts.calls,
      callsByTool: Object.fromEntries(facts.callsByTool),
      failures: this.failures,
      failuresInARow: this.failuresInARow,
      validationFailures: this.validationFailures,
      validationFailuresInARow: this.validationFailuresInARow,
      gateAttempts: this.gateAttempts,
      blockedByPlanItem: Object.fromEntries(this.blocked),
      startedAt: facts.startedAt,
      lastEventAt: facts.lastEventAt,
      ...(facts.contextTokens > 0 && { contextTokens: facts.contextTokens }),
      ...(facts.contextWindow > 0 && { contextWindow: facts.contextWindow }),
      ...(facts.totalTokens > 0 && { totalTokens: facts.totalTokens }),
      ...(this.lastNew && { lastNewAt: this.lastNew.at, lastNewStep: this.lastNew.step }),
      ...(this.lastProgress && { lastProgress: this.lastProgress }),
    };
  }

  private malformed(): void {
    this.validationFailures++;
    this.validationFailuresInARow++;
  }
}
