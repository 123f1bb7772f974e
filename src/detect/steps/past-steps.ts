import type { Source, ToolKind } from '../../model';
import { type ComparedStep, type PastStep, REMEMBERED_STEPS, type Weight } from '../session/detector';

/** Steps that room is made for at first: most sessions that are looked at are short. */
const SMALLEST = 16;

/** Whole numbers of a step, 32 bits each, by their place in its row. */
const SIGNATURE = 0;
const PROGRAM = 1;
const TARGET = 2;
const OUTCOME = 3;
const ERROR = 4;
const EFFECT = 5;
const LINE = 6;
const END_LINE = 7;
/** Which of the session's files the call stands in, and the result. */
const FILE = 8;
const END_FILE = 9;
const BATCH = 10;
const TOKENS = 11;
const ASKED = 12;
/** Bits FAILED to CHANGES, then the weight, then the kind. */
const FLAGS = 13;
const WHOLE = 14;
/** More tokens, or milliseconds (25 days), than this are none that a step takes. */
const LARGEST = 0x7fff_ffff;

/** Numbers of a step that may need more than 32 bits. */
const AT = 0;
const OFFSET = 1;
const END_OFFSET = 2;
const LARGE = 3;

const FAILED = 1;
const CRASHED = 2;
const CHECK = 4;
const NEW = 8;
const COUNTED = 16;
const CHANGES = 32;
const WEIGHT_SHIFT = 6;
const WEIGHTS: Readonly<Record<Weight, number>> = { plain: 0, wait: 1, look: 2, change: 3 };
const WEIGHT_NAMES = Object.keys(WEIGHTS) as readonly Weight[];
const KIND_SHIFT = 8;
const KINDS: Readonly<Record<ToolKind, number>> = {
  looked: 0,
  ran: 1,
  changed: 2,
  plan: 3,
  delegated: 4,
  asked: 5,
  waited: 6,
  other: 7,
};
const KIND_NAMES = Object.keys(KINDS) as readonly ToolKind[];

/**
 * The newest 128 steps of a session, in columns: 80 bytes and a text each. Objects would take three times that, and the garbage
 * collector would follow them for as long as they are remembered.
 */
export class PastSteps {
  /** Steps so far, those that are forgotten too. */
  total = 0;
  private room = SMALLEST;
  private whole = new Int32Array(SMALLEST * WHOLE);
  private large = new Float64Array(SMALLEST * LARGE);
  /** Files of the session, mostly one. */
  private readonly files: string[] = [];
  private readonly tools: string[] = [];
  /** Subject, result and values, one below the other: a text each would have a header each. */
  private readonly texts: string[] = [];

  /** Steps that are remembered. */
  get length(): number {
    return Math.min(this.total, REMEMBERED_STEPS);
  }

  add(step: PastStep): void {
    const place = this.total % REMEMBERED_STEPS;
    if (place >= this.room) this.grow();
    const { whole, large } = this;
    const { source, end } = step;
    const from = place * WHOLE;
    whole[from + SIGNATURE] = step.signature;
    whole[from + PROGRAM] = step.program;
    whole[from + TARGET] = step.target;
    whole[from + OUTCOME] = step.outcome;
    whole[from + ERROR] = step.error;
    whole[from + EFFECT] = step.effect;
    whole[from + LINE] = source.line;
    whole[from + END_LINE] = end.line;
    whole[from + FILE] = this.fileNumber(source.file);
    whole[from + END_FILE] = this.fileNumber(end.file);
    whole[from + BATCH] = step.batch;
    whole[from + TOKENS] = Math.min(step.tokens, LARGEST);
    whole[from + ASKED] = Math.min(step.asked, LARGEST);
    whole[from + FLAGS] = flagsOf(step);
    const fromLarge = place * LARGE;
    large[fromLarge + AT] = step.at;
    large[fromLarge + OFFSET] = source.offset;
    large[fromLarge + END_OFFSET] = end.offset;
    this.tools[place] = step.tool;
    this.texts[place] = [step.subject, step.text, ...step.values].join('\n');
    this.total++;
  }

  /** `last(0)` is the newest. What rules compare; valid until the next step comes. */
  last(back: number): ComparedStep | undefined {
    const index = this.total - 1 - back;
    if (!this.has(index)) return undefined;
    const place = index % REMEMBERED_STEPS;
    return new Row(index, this.tools[place] ?? '', this.whole, place * WHOLE);
  }

  /** By index of the step in its session; undefined once it is forgotten. */
  step(index: number): PastStep | undefined {
    if (!this.has(index)) return undefined;
    const place = index % REMEMBERED_STEPS;
    const { whole, large } = this;
    const from = place * WHOLE;
    const fromLarge = place * LARGE;
    const placeIn = (file: number, line: number, offset: number): Source => ({
      file: this.files[whole[from + file] ?? 0] ?? '',
      line: whole[from + line] ?? 0,
      offset: large[fromLarge + offset] ?? 0,
    });
    const [subject = '', text = '', ...values] = (this.texts[place] ?? '').split('\n');
    const row = new Row(index, this.tools[place] ?? '', whole, from);
    const { kind, tool, failed, crashed, check, weight, isNew, counted, batch, changes } = row;
    const { signature, program, target, outcome, error, effect } = row;
    // Written out: V8 makes an object from a spread and more fields at a hundred times the cost.
    return {
      index,
      kind,
      tool,
      failed,
      crashed,
      check,
      weight,
      isNew,
      counted,
      batch,
      changes,
      signature,
      program,
      target,
      outcome,
      error,
      effect,
      at: large[fromLarge + AT] ?? 0,
      source: placeIn(FILE, LINE, OFFSET),
      end: placeIn(END_FILE, END_LINE, END_OFFSET),
      asked: whole[from + ASKED] ?? 0,
      values,
      tokens: whole[from + TOKENS] ?? 0,
      subject,
      text,
    };
  }

  /** Several, in this order; those that are forgotten are left out. */
  kept(indexes: readonly number[]): PastStep[] {
    return indexes.map((index) => this.step(index)).filter((step) => step !== undefined);
  }

  private has(index: number): boolean {
    return index >= 0 && index < this.total && index >= this.total - REMEMBERED_STEPS;
  }

  private fileNumber(file: string): number {
    const known = this.files.indexOf(file);
    return known >= 0 ? known : this.files.push(file) - 1;
  }

  private grow(): void {
    this.room = Math.min(this.room * 2, REMEMBERED_STEPS);
    const { whole, large } = this;
    this.whole = new Int32Array(this.room * WHOLE);
    this.whole.set(whole);
    this.large = new Float64Array(this.room * LARGE);
    this.large.set(large);
  }
}

/** A step in the columns, read where it is asked about: rules look back over many steps and at a field or two of each. */
class Row implements ComparedStep {
  constructor(
    readonly index: number,
    readonly tool: string,
    private readonly whole: Int32Array,
    private readonly from: number,
  ) {}

  get kind(): ToolKind {
    return KIND_NAMES[this.at(FLAGS) >> KIND_SHIFT] ?? 'other';
  }

  get failed(): boolean {
    return this.has(FAILED);
  }

  get crashed(): boolean {
    return this.has(CRASHED);
  }

  get check(): boolean {
    return this.has(CHECK);
  }

  get weight(): Weight {
    return WEIGHT_NAMES[(this.at(FLAGS) >> WEIGHT_SHIFT) & 3] ?? 'plain';
  }

  get isNew(): boolean {
    return this.has(NEW);
  }

  get counted(): boolean {
    return this.has(COUNTED);
  }

  get batch(): number {
    return this.at(BATCH);
  }

  get changes(): boolean {
    return this.has(CHANGES);
  }

  get signature(): number {
    return this.at(SIGNATURE);
  }

  get program(): number {
    return this.at(PROGRAM);
  }

  get target(): number {
    return this.at(TARGET);
  }

  get outcome(): number {
    return this.at(OUTCOME);
  }

  get error(): number {
    return this.at(ERROR);
  }

  get effect(): number {
    return this.at(EFFECT);
  }

  private has(flag: number): boolean {
    return (this.at(FLAGS) & flag) !== 0;
  }

  private at(field: number): number {
    return this.whole[this.from + field] as number;
  }
}

function flagsOf(step: PastStep): number {
  return (
    (step.failed ? FAILED : 0) |
    (step.crashed ? CRASHED : 0) |
    (step.check ? CHECK : 0) |
    (step.isNew ? NEW : 0) |
    (step.counted ? COUNTED : 0) |
    (step.changes ? CHANGES : 0) |
    (WEIGHTS[step.weight] << WEIGHT_SHIFT) |
    (KINDS[step.kind] << KIND_SHIFT)
  );
}
