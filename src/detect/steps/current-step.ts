import type { ProgressMarker, Source, ToolCallEvent, ToolKind, ToolResultEvent } from '../../model';
import type { Exemption, PastStep, Step } from '../session/detector';
import type { Known } from './outcomes';
import { keptOf } from './past-steps';

/** What the step builder found out about a step besides its records and what was known of its outcome. */
export type StepMarks = Pick<
  Step,
  | 'index'
  | 'failed'
  | 'poll'
  | 'malformed'
  | 'exemption'
  | 'progress'
  | 'error'
  | 'resultToken'
  | 'topic'
  | 'tokens'
  | 'subject'
  | 'text'
>;

/** A step while detectors see it: its records, and what is known of it. */
export class CurrentStep implements Step {
  readonly index: number;
  readonly failed: boolean;
  readonly poll: boolean;
  readonly malformed: boolean;
  readonly exemption: Exemption | null;
  readonly progress: ProgressMarker | null;
  readonly error: number;
  readonly resultToken: number;
  readonly topic: number;
  readonly tokens: number;
  readonly subject: string;
  readonly text: string;
  readonly signature: number;
  readonly outcome: number;
  readonly occurrence: number;
  readonly changed: boolean;
  readonly previous: number;
  private keptStep: PastStep | null = null;

  constructor(
    readonly call: ToolCallEvent,
    readonly result: ToolResultEvent,
    known: Known,
    marks: StepMarks,
  ) {
    this.index = marks.index;
    this.failed = marks.failed;
    this.poll = marks.poll;
    this.malformed = marks.malformed;
    this.exemption = marks.exemption;
    this.progress = marks.progress;
    this.error = marks.error;
    this.resultToken = marks.resultToken;
    this.topic = marks.topic;
    this.tokens = marks.tokens;
    this.subject = marks.subject;
    this.text = marks.text;
    this.signature = known.signature;
    this.outcome = known.outcome;
    this.occurrence = known.occurrence;
    this.changed = known.changed;
    this.previous = known.previous;
  }

  get at(): number {
    return this.result.at;
  }
  get source(): Source {
    return this.call.source;
  }
  get end(): Source {
    return this.result.source;
  }
  get kind(): ToolKind {
    return this.call.kind;
  }
  get tool(): string {
    return this.call.name;
  }
  get isNew(): boolean {
    return this.occurrence === 1;
  }
  get counted(): boolean {
    return this.exemption === null;
  }
  get batch(): string | null {
    return this.call.batch ?? null;
  }

  /** Made when it is asked for: of most steps nobody keeps anything. */
  get past(): PastStep {
    this.keptStep ??= keptOf(this);
    return this.keptStep;
  }
}
