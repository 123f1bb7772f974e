import { stepFlags, type TimelineMarker, type ToolKind } from '../../core/model';

/** Facts of one step for the timeline. */
export interface TimelineStep {
  readonly at: number;
  readonly kind: ToolKind;
  readonly failed: boolean;
  readonly seen: boolean;
  readonly outcome: number;
  readonly line: number;
  readonly offset: number;
  readonly subject: string;
  readonly tool: string;
}

/** Number of tools that are distinguished; those after them share the last place. */
const MOST_TOOLS = 255;

/** Number of the newest different subjects that are kept: a session that never repeats a call must not keep every subject twice. */
const MOST_SUBJECTS = 20_000;

/** The steps of one session in typed arrays that grow by doubling, and its markers. 30 bytes per step; subjects and tools are shared. */
export class SessionSteps {
  length = 0;
  readonly markers: TimelineMarker[] = [];
  private capacity = 64;
  private atMs = new Float64Array(64);
  private flags = new Uint8Array(64);
  private outcomes = new Uint32Array(64);
  private lines = new Uint32Array(64);
  private offsets = new Float64Array(64);
  private subjectOf = new Uint32Array(64);
  private toolOf = new Uint8Array(64);
  private readonly tools: string[] = [];
  /** The newest subjects, each at its number modulo `MOST_SUBJECTS`. */
  private readonly subjects: string[] = [];
  private readonly subjectNumbers = new Map<string, number>();
  /** Number of the next new subject. */
  private nextSubject = 0;

  push(step: TimelineStep): void {
    if (this.length === this.capacity) this.grow();
    const i = this.length++;
    this.atMs[i] = step.at;
    this.flags[i] = stepFlags(step.kind, step.failed, step.seen);
    this.outcomes[i] = step.outcome;
    this.lines[i] = step.line;
    this.offsets[i] = step.offset;
    this.subjectOf[i] = this.intern(step.subject);
    this.toolOf[i] = this.internTool(step.tool);
  }

  mark(marker: TimelineMarker): void {
    this.markers.push(marker);
    if (this.markers.length > 2000) this.markers.shift();
  }

  at(index: number): number {
    return this.atMs[index] ?? 0;
  }

  line(index: number): number {
    return this.lines[index] ?? 0;
  }

  offset(index: number): number {
    return this.offsets[index] ?? 0;
  }

  outcome(index: number): number {
    return this.outcomes[index] ?? 0;
  }

  flag(index: number): number {
    return this.flags[index] ?? 0;
  }

  /** Returns an empty text for a subject that is no longer kept because too many others came since. */
  subject(index: number): string {
    const number = this.subjectOf[index] ?? 0;
    return number < this.nextSubject - MOST_SUBJECTS ? '' : (this.subjects[number % MOST_SUBJECTS] ?? '');
  }

  tool(index: number): string {
    return this.tools[this.toolOf[index] ?? 0] ?? '';
  }

  /** Returns copies for a message to another thread or process: times, flags, outcomes and lines of the steps from `from` on. */
  slice(from = 0): { at: Float64Array; flags: Uint8Array; outcomes: Uint32Array; lines: Uint32Array } {
    return {
      at: this.atMs.slice(from, this.length),
      flags: this.flags.slice(from, this.length),
      outcomes: this.outcomes.slice(from, this.length),
      lines: this.lines.slice(from, this.length),
    };
  }

  private intern(subject: string): number {
    const known = this.subjectNumbers.get(subject);
    if (known !== undefined) return known;
    const number = this.nextSubject++;
    const place = number % MOST_SUBJECTS;
    const oldest = this.subjects[place];
    if (oldest !== undefined) this.subjectNumbers.delete(oldest);
    this.subjects[place] = subject;
    this.subjectNumbers.set(subject, number);
    return number;
  }

  private internTool(name: string): number {
    const known = this.tools.indexOf(name);
    if (known !== -1) return known;
    if (this.tools.length === MOST_TOOLS) return MOST_TOOLS - 1;
    return this.tools.push(name) - 1;
  }

  private grow(): void {
    this.capacity *= 2;
    const copy = <T extends Float64Array | Uint8Array | Uint32Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.atMs = copy(this.atMs, new Float64Array(this.capacity));
    this.flags = copy(this.flags, new Uint8Array(this.capacity));
    this.outcomes = copy(this.outcomes, new Uint32Array(this.capacity));
    this.lines = copy(this.lines, new Uint32Array(this.capacity));
    this.offsets = copy(this.offsets, new Float64Array(this.capacity));
    this.subjectOf = copy(this.subjectOf, new Uint32Array(this.capacity));
    this.toolOf = copy(this.toolOf, new Uint8Array(this.capacity));
  }
}
