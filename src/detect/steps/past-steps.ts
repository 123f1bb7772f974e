import type { Source, ToolKind } from '../../model';
import { type PastStep, REMEMBERED_STEPS, type RememberedStep, type StepFacts } from '../session/detector';

/** Steps that room is made for at first; most sessions that are looked at are short. */
const SMALLEST = 16;

const NUMBERS = 9;
const SIGNATURE = 0;
const OUTCOME = 1;
const ERROR = 2;
const RESULT = 3;
const TOPIC = 4;
const LINE = 5;
const END_LINE = 6;
/** Where the names of the two files lie among those of the session, 16 bits each. */
const FILES = 7;
/** Bits FAILED to POLL, and above them the kind. */
const FLAGS = 8;
const FAILED = 1;
const NEW = 2;
const COUNTED = 4;
const POLL = 8;
const KIND_SHIFT = 4;
const KIND_NUMBERS: Readonly<Record<ToolKind, number>> = {
  looked: 0,
  ran: 1,
  changed: 2,
  plan: 3,
  delegated: 4,
  asked: 5,
  waited: 6,
  other: 7,
};
const KINDS = Object.keys(KIND_NUMBERS) as readonly ToolKind[];

/** Numbers that may need more than 32 bits. */
const LARGE = 4;
const AT = 0;
const TOKENS = 1;
const OFFSET = 2;
const END_OFFSET = 3;

/** Files that one session lies in, at most; of later ones the name of the newest is taken. */
const MOST_FILES = 64;

/**
 * The newest steps of a session, in columns: about 100 bytes and one text each, where an object with two takes twice that, and nothing
 * that the garbage collector has to follow.
 */
export class PastSteps {
  private numbers = new Int32Array(SMALLEST * NUMBERS);
  private large = new Float64Array(SMALLEST * LARGE);
  private readonly tools: string[] = [];
  private readonly files: string[] = [];
  /** Subject and result line, one below the other: a text each would have a header each. */
  private readonly texts: string[] = [];
  private count = 0;
  private room = SMALLEST;
  private readonly row = new Row(this);

  get length(): number {
    return Math.min(this.count, REMEMBERED_STEPS);
  }

  /** Steps that were ever added. */
  get total(): number {
    return this.count;
  }

  add(step: StepFacts): void {
    const place = this.count % REMEMBERED_STEPS;
    if (place >= this.room) this.grow();
    const { numbers, large } = this;
    let at = place * NUMBERS;
    numbers[at + SIGNATURE] = step.signature;
    numbers[at + OUTCOME] = step.outcome;
    numbers[at + ERROR] = step.error;
    numbers[at + RESULT] = step.resultToken;
    numbers[at + TOPIC] = step.topic;
    numbers[at + LINE] = step.source.line;
    numbers[at + END_LINE] = step.end.line;
    numbers[at + FILES] = this.placeOf(step.source.file) | (this.placeOf(step.end.file) << 16);
    numbers[at + FLAGS] =
      (step.failed ? FAILED : 0) |
      (step.isNew ? NEW : 0) |
      (step.counted ? COUNTED : 0) |
      (step.poll ? POLL : 0) |
      (KIND_NUMBERS[step.kind] << KIND_SHIFT);
    at = place * LARGE;
    large[at + AT] = step.at;
    large[at + TOKENS] = step.tokens;
    large[at + OFFSET] = step.source.offset;
    large[at + END_OFFSET] = step.end.offset;
    this.tools[place] = step.tool;
    this.texts[place] = [step.subject, step.text].join('\n');
    this.count++;
  }

  /** The step so many before the newest, to be looked at and not to be kept: the next question gives the same object. */
  last(back: number): RememberedStep | undefined {
    return back < 0 ? undefined : this.find(this.count - 1 - back);
  }

  /** The step of this index while it is remembered. */
  step(index: number): PastStep | undefined {
    return this.find(index)?.kept();
  }

  private find(index: number): Row | undefined {
    if (index < 0 || index >= this.count || index < this.count - REMEMBERED_STEPS) return undefined;
    this.row.index = index;
    return this.row;
  }

  /** A number of the step of this index, which is remembered. */
  number(index: number, field: number): number {
    return this.numbers[(index % REMEMBERED_STEPS) * NUMBERS + field] as number;
  }

  largeNumber(index: number, field: number): number {
    return this.large[(index % REMEMBERED_STEPS) * LARGE + field] as number;
  }

  tool(index: number): string {
    return this.tools[index % REMEMBERED_STEPS] as string;
  }

  file(place: number): string {
    return this.files[place] as string;
  }

  text(index: number): string {
    return this.texts[index % REMEMBERED_STEPS] as string;
  }

  /** Where a file's name lies among those of the session: there is one, hardly ever a second. */
  private placeOf(file: string): number {
    const known = this.files.lastIndexOf(file);
    if (known >= 0) return known;
    if (this.files.length === MOST_FILES) this.files[MOST_FILES - 1] = file;
    else this.files.push(file);
    return this.files.length - 1;
  }

  private grow(): void {
    this.room = Math.min(this.room * 2, REMEMBERED_STEPS);
    const numbers = new Int32Array(this.room * NUMBERS);
    numbers.set(this.numbers);
    this.numbers = numbers;
    const large = new Float64Array(this.room * LARGE);
    large.set(this.large);
    this.large = large;
  }
}

/** One remembered step as detectors look at it. */
class Row implements RememberedStep, StepFacts {
  index = -1;

  constructor(private readonly steps: PastSteps) {}

  get at(): number {
    return this.steps.largeNumber(this.index, AT);
  }
  get tokens(): number {
    return this.steps.largeNumber(this.index, TOKENS);
  }
  get signature(): number {
    return this.steps.number(this.index, SIGNATURE);
  }
  get outcome(): number {
    return this.steps.number(this.index, OUTCOME);
  }
  get error(): number {
    return this.steps.number(this.index, ERROR);
  }
  get resultToken(): number {
    return this.steps.number(this.index, RESULT);
  }
  get topic(): number {
    return this.steps.number(this.index, TOPIC);
  }
  get failed(): boolean {
    return this.has(FAILED);
  }
  get isNew(): boolean {
    return this.has(NEW);
  }
  get counted(): boolean {
    return this.has(COUNTED);
  }
  get poll(): boolean {
    return this.has(POLL);
  }
  get tool(): string {
    return this.steps.tool(this.index);
  }
  get kind(): ToolKind {
    return KINDS[this.steps.number(this.index, FLAGS) >> KIND_SHIFT] ?? 'other';
  }
  get subject(): string {
    const text = this.steps.text(this.index);
    return text.slice(0, text.indexOf('\n'));
  }
  get text(): string {
    const text = this.steps.text(this.index);
    return text.slice(text.indexOf('\n') + 1);
  }

  get source(): Source {
    return this.place(this.files & 0xffff, LINE, OFFSET);
  }
  get end(): Source {
    return this.place(this.files >>> 16, END_LINE, END_OFFSET);
  }

  kept(): PastStep {
    return keptOf(this);
  }

  private get files(): number {
    return this.steps.number(this.index, FILES);
  }

  private has(flag: number): boolean {
    return (this.steps.number(this.index, FLAGS) & flag) !== 0;
  }

  private place(file: number, line: number, offset: number): Source {
    const { steps, index } = this;
    return {
      file: steps.file(file),
      line: steps.number(index, line),
      offset: steps.largeNumber(index, offset),
    };
  }
}

/** What a step says of itself, in an object that holds nothing else alive. */
export function keptOf(step: StepFacts): PastStep {
  const { index, at, source, end, kind, tool, failed, isNew, counted, poll, signature, outcome, error } = step;
  const { resultToken, topic, tokens, subject, text } = step;
  return {
    index,
    at,
    source,
    end,
    kind,
    tool,
    failed,
    isNew,
    counted,
    poll,
    signature,
    outcome,
    error,
    resultToken,
    topic,
    tokens,
    subject,
    text,
  };
}
