import type { Step } from '../../detect/steps/step';
import {
  type AgentEvent,
  type CountedPlace,
  type CountedThing,
  type LoopHealth,
  type ProgressMarker,
  type Source,
  hasFailed,
} from '../../core/model';
import { headOf } from '../../agents/shared/decode/copy';
import { Rereads } from './reread';
import type { SessionFacts } from './facts';
import type { SessionSteps } from './session-steps';

/** Number of places remembered for each counter of what is not a step, or only a few steps: the newest. */
const REMEMBERED = 200;
/** Number of the newest counted steps that are listed: no one reads more. */
const MOST_LISTED = 1_000;
/** Characters of the text at a place. */
const TEXT_LENGTH = 200;

/** The counters, stored as JSON. */
export interface HealthNote
  extends Readonly<
    Record<'failures' | 'failuresInARow' | 'validationFailures' | 'validationFailuresInARow' | 'gateAttempts', number>
  > {
  readonly lastNew: { readonly at: number; readonly step: number } | null;
  readonly lastProgress: ProgressMarker | null;
  readonly rereads: Rereads['share'];
  readonly blocked: readonly (readonly [planItem: string, times: number])[];
  readonly places: Partial<Record<'malformed' | 'claims' | 'blocked', CountedPlace[]>>;
}

/** The counters of loop health, updated in place. */
export class HealthCounters {
  private failures = 0;
  private failuresInARow = 0;
  private validationFailures = 0;
  private validationFailuresInARow = 0;
  private gateAttempts = 0;
  private lastNew: { at: number; step: number } | null = null;
  private lastProgress: ProgressMarker | null = null;
  /** Counts by item of the plan; at most `MOST_LISTED`. */
  private readonly blocked = new Map<string, number>();
  private readonly rereads = new Rereads();
  /** Places where the rare things were counted; created with the first one. */
  private places: Partial<Record<'malformed' | 'claims' | 'blocked', CountedPlace[]>> = {};

  note(): HealthNote {
    const { failures, failuresInARow, validationFailures, validationFailuresInARow, gateAttempts } = this;
    const { lastNew, lastProgress, blocked, places } = this;
    const counted = { failures, failuresInARow, validationFailures, validationFailuresInARow, gateAttempts };
    const copy = Object.fromEntries(Object.entries(places).map(([thing, list]) => [thing, [...list]]));
    return { ...counted, lastNew, lastProgress, rereads: this.rereads.share, blocked: [...blocked], places: copy };
  }

  /** Takes over the counts of the whole transcript, after counting its last lines. */
  adopt({ rereads, blocked, places, ...counted }: HealthNote): void {
    Object.assign(this, counted);
    this.rereads.adopt(rereads);
    this.blocked.clear();
    for (const [planItem, times] of blocked) this.blocked.set(planItem, times);
    this.places = { ...places };
  }

  push(event: AgentEvent): void {
    if (event.type === 'error' && event.kind === 'validation') this.malformed(event.at, event.source, event.message);
    if (event.type === 'compaction') this.rereads.compacted();
    if (event.type === 'plan') {
      for (const { id, status, title } of event.items) {
        if (status !== 'blocked') continue;
        if (this.blocked.size < MOST_LISTED || this.blocked.has(id))
          this.blocked.set(id, (this.blocked.get(id) ?? 0) + 1);
        this.remember('blocked', { at: event.at, source: event.source, text: title, name: id });
      }
    }
  }

  step(step: Step, index: number, isNew: boolean): void {
    if (step.malformed) this.malformed(step.at, step.result.source, step.call.subject);
    else this.validationFailuresInARow = 0;
    if (step.failed) {
      this.failures++;
      this.failuresInARow++;
    } else this.failuresInARow = 0;
    this.rereads.step(step.call);
    if (isNew) this.lastNew = { at: step.at, step: index };
  }

  /** Counts a claim of the agent that it is done. */
  claim(claim: { readonly at: number; readonly source: Source; readonly text: string }): void {
    this.gateAttempts++;
    this.remember('claims', { at: claim.at, source: claim.source, text: claim.text });
  }

  progress(marker: ProgressMarker): void {
    this.lastProgress = marker;
  }

  /**
   * Returns the places behind a counter, newest first, at most 1,000. Steps are found in the session's timeline, so a running call is not among them.
   *
   * @param name of the tool or of the plan item
   * @param file the transcript of the session
   */
  counted(thing: CountedThing, { timeline, file, name }: CountedIn): readonly CountedPlace[] {
    if (thing === 'malformed' || thing === 'claims' || thing === 'blocked') {
      const places = this.places[thing] ?? [];
      return places.filter((place) => name === undefined || place.name === name).reverse();
    }
    const places: CountedPlace[] = [];
    for (let step = timeline.length - 1; step >= 0 && places.length < MOST_LISTED; step--) {
      const failed = hasFailed(timeline.flag(step));
      if (thing === 'failures' ? !failed : name !== undefined && timeline.tool(step) !== name) continue;
      const source = { file, line: timeline.line(step), offset: timeline.offset(step) };
      places.push({ at: timeline.at(step), source, text: timeline.subject(step), ...(failed && { failed }) });
    }
    return places;
  }

  snapshot(facts: SessionFacts): LoopHealth {
    const rereads = this.rereads.share;
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
      ...(rereads && { rereads }),
      ...(this.lastNew && { lastNewAt: this.lastNew.at, lastNewStep: this.lastNew.step }),
      ...(this.lastProgress && { lastProgress: this.lastProgress }),
    };
  }

  private malformed(at: number, source: Source, text: string): void {
    this.validationFailures++;
    this.validationFailuresInARow++;
    this.remember('malformed', { at, source, text });
  }

  private remember(thing: 'malformed' | 'claims' | 'blocked', place: CountedPlace): void {
    const places = (this.places[thing] ??= []);
    places.push({ ...place, text: headOf(place.text, TEXT_LENGTH) });
    if (places.length > REMEMBERED) places.shift();
  }
}

interface CountedIn {
  readonly timeline: SessionSteps;
  readonly file: string;
  readonly name?: string;
}
