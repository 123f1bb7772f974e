import type { ProgressMarker, Source, ToolCallEvent, ToolKind, ToolResultEvent } from '../model';
import type { Exemption, PastStep, Step } from './detector';
import type { Known } from './outcomes';

const FAILED = 1;
const NEW = 2;
const COUNTED = 4;
const POLL = 8;

/** What is known of a step besides its records. */
type StepMarks = Pick<
  PastStep,
  'failed' | 'counted' | 'poll' | 'tokens' | 'error' | 'resultToken' | 'topic' | 'subject' | 'text'
>;

/** A past step in 200 bytes and its two texts: places as numbers and flags as bits take half of what objects do. */
export class KeptStep implements PastStep {
  readonly at: number;
  readonly kind: ToolKind;
  readonly tool: string;
  readonly signature: number;
  readonly outcome: number;
  readonly error: number;
  readonly resultToken: number;
  readonly topic: number;
  readonly tokens: number;
  readonly subject: string;
  readonly text: string;
  private readonly flags: number;
  private readonly file: string;
  private readonly line: number;
  private readonly offset: number;
  private readonly endFile: string;
  private readonly endLine: number;
  private readonly endOffset: number;

  constructor(
    readonly index: number,
    call: ToolCallEvent,
    result: ToolResultEvent,
    known: Known,
    marks: StepMarks,
  ) {
    const { source } = call;
    const { source: end } = result;
    this.at = result.at;
    this.kind = call.kind;
    this.tool = call.name;
    this.signature = known.signature;
    this.outcome = known.outcome;
    this.error = marks.error;
    this.resultToken = marks.resultToken;
    this.topic = marks.topic;
    this.tokens = marks.tokens;
    this.subject = marks.subject;
    this.text = marks.text;
    this.flags =
      (marks.failed ? FAILED : 0) |
      (known.occurrence === 1 ? NEW : 0) |
      (marks.counted ? COUNTED : 0) |
      (marks.poll ? POLL : 0);
    this.file = source.file;
    this.line = source.line;
    this.offset = source.offset;
    this.endFile = end.file;
    this.endLine = end.line;
    this.endOffset = end.offset;
  }

  get source(): Source {
    return { file: this.file, line: this.line, offset: this.offset };
  }

  get end(): Source {
    return { file: this.endFile, line: this.endLine, offset: this.endOffset };
  }

  get failed(): boolean {
    return (this.flags & FAILED) !== 0;
  }

  get isNew(): boolean {
    return (this.flags & NEW) !== 0;
  }

  get counted(): boolean {
    return (this.flags & COUNTED) !== 0;
  }

  get poll(): boolean {
    return (this.flags & POLL) !== 0;
  }
}

/** A step while detectors see it: what is kept of it, and its records. */
export class CurrentStep implements Step {
  readonly occurrence: number;
  readonly changed: boolean;
  readonly previous: number;

  constructor(
    readonly past: PastStep,
    readonly call: ToolCallEvent,
    readonly result: ToolResultEvent,
    known: Known,
    readonly malformed: boolean,
    readonly exemption: Exemption | null,
    readonly progress: ProgressMarker | null,
  ) {
    this.occurrence = known.occurrence;
    this.changed = known.changed;
    this.previous = known.previous;
  }

  get batch(): string | null {
    return this.call.batch ?? null;
  }
  get index(): number {
    return this.past.index;
  }
  get at(): number {
    return this.past.at;
  }
  get source(): Source {
    return this.call.source;
  }
  get end(): Source {
    return this.result.source;
  }
  get kind(): ToolKind {
    return this.past.kind;
  }
  get tool(): string {
    return this.past.tool;
  }
  get failed(): boolean {
    return this.past.failed;
  }
  get isNew(): boolean {
    return this.past.isNew;
  }
  get counted(): boolean {
    return this.past.counted;
  }
  get poll(): boolean {
    return this.past.poll;
  }
  get signature(): number {
    return this.past.signature;
  }
  get outcome(): number {
    return this.past.outcome;
  }
  get error(): number {
    return this.past.error;
  }
  get resultToken(): number {
    return this.past.resultToken;
  }
  get topic(): number {
    return this.past.topic;
  }
  get tokens(): number {
    return this.past.tokens;
  }
  get subject(): string {
    return this.past.subject;
  }
  get text(): string {
    return this.past.text;
  }
}
