import type { AgentEvent, Coverage, Problem, ToolResultEvent } from '../../core/model';

/** The newest skipped lines that are kept. */
const KEPT_PROBLEMS = 1000;
/** Calls of one answer that run at the same time, and calls whose results may still come late: real sessions have a handful. */
const MOST_OPEN = 500;
/** The same of calls that do not say which answer they belong to: they may as well be of answers one after the other. */
const MOST_OPEN_ALONE = 20;
/** So many lines that were not understood, since the last outcome that was: nothing is known of the agent. */
const BLIND_LINES = 40;
/** From so many on it is enough that they are more than half of the lines since then. */
const BLIND_LINES_BY_SHARE = 5;
/** So many calls whose outcome was not read, since the last one that was: the decoder misses them. */
const BLIND_CALLS = 3;

/** Counts over the whole transcript, as JSON. */
export interface CoverageNote
  extends Readonly<Record<'calls' | 'lines' | 'skipped' | 'markers' | 'unread' | 'settled', number>> {
  readonly problems: readonly Problem[];
}

/**
 * How much of a transcript is understood. A step counts as seen once its outcome is known, or while it still runs: a decoder that misses
 * results sees nothing, however many calls it reads.
 */
export class CoverageCount {
  calls = 0;

  private lines = 0;
  private linesSinceOutcome = 0;
  /** Lines that were not understood since the last outcome. */
  private blindLines = 0;
  private skipped = 0;
  private problems: Problem[] = [];
  /** The vendor's call markers in the raw bytes. */
  private markers = 0;
  private markersSinceCall = 0;
  /** Records that look like a call and could not be read. */
  private unread = 0;
  private unreadSinceOutcome = 0;
  private settled = 0;
  private lostSinceOutcome = 0;
  private readonly running = new Set<string>();
  /** The agent went on without their results, which may still come. */
  private readonly lost = new Set<string>();
  /** When the first of those was lost that count now, milliseconds since the epoch. */
  private lostFrom = 0;
  private newestAt = 0;
  private batch: string | undefined;

  /** @param lateMs how much later than the calls behind it the outcome of a call may be written, milliseconds */
  constructor(private readonly lateMs = 0) {}

  /** Too little is understood to say anything of the agent. */
  get isBlind(): boolean {
    const { blindLines, linesSinceOutcome } = this;
    const isByShare = blindLines >= BLIND_LINES_BY_SHARE && 2 * blindLines > linesSinceOutcome;
    return isByShare || blindLines >= BLIND_LINES || this.blindCalls >= BLIND_CALLS;
  }

  /** Steps that are there and have no outcome, since the last one that has: counted from markers, from unread calls and from lost results. */
  get blindCalls(): number {
    const lost = this.newestAt - this.lostFrom >= this.lateMs ? this.lostSinceOutcome : 0;
    return Math.max(this.markersSinceCall, this.unreadSinceOutcome) + lost;
  }

  lineRead(calls: number, lines: number): void {
    this.lines += lines;
    this.linesSinceOutcome += lines;
    this.markers += calls;
    this.markersSinceCall += calls;
  }

  /** A call that another session made: its marker counts there. */
  copied(): void {
    this.markers = Math.max(0, this.markers - 1);
    this.markersSinceCall = 0;
  }

  problem(problem: Problem): void {
    this.skipped++;
    this.blindLines++;
    if (problem.call) {
      this.unread++;
      this.unreadSinceOutcome++;
    }
    this.problems.push(problem);
    if (this.problems.length > KEPT_PROBLEMS) this.problems.shift();
  }

  push(event: AgentEvent): void {
    if (event.at > this.newestAt) this.newestAt = event.at;
    switch (event.type) {
      case 'tool_call':
        this.called(event.id, event.batch);
        return;
      case 'tool_result':
        this.answered(event.id, event.outcome);
        return;
      case 'assistant':
        this.wentOn();
        return;
      case 'user':
        if (!event.automated) this.brokenOff();
        return;
      case 'turn_end':
        if (event.reason === 'done' || event.reason === 'waiting') this.wentOn();
        else this.brokenOff();
        return;
      case 'session_end':
        this.brokenOff();
        return;
      default:
    }
  }

  note(): CoverageNote {
    const { calls, lines, skipped, markers, unread, settled, problems } = this;
    return { calls, lines, skipped, markers, unread, settled, problems: [...problems] };
  }

  /** Has counted the whole, after counting the last lines of the same transcript. */
  adopt({ calls, lines, skipped, markers, unread, settled, problems }: CoverageNote): void {
    Object.assign(this, { calls, lines, skipped, markers, unread, settled });
    this.problems = [...problems];
  }

  snapshot(): Pick<Coverage, 'seen' | 'there' | 'lines' | 'skipped' | 'problems'> {
    return {
      seen: this.settled + this.running.size,
      there: Math.max(this.markers, this.calls + this.unread),
      lines: this.lines,
      skipped: this.skipped,
      problems: [...this.problems],
    };
  }

  private called(id: string, batch: string | undefined): void {
    this.calls++;
    this.markersSinceCall = 0;
    // Calls of one answer run side by side; those of the answer before should have their results by now.
    if (batch !== undefined && batch !== this.batch) this.wentOn();
    this.batch = batch;
    this.running.add(id);
    if (this.running.size > (batch === undefined ? MOST_OPEN_ALONE : MOST_OPEN)) this.wentOn();
  }

  private answered(id: string, outcome: ToolResultEvent['outcome']): void {
    if (outcome === 'late') {
      this.settled++;
      return;
    }
    // A result that answers no call: the calls before it will not be answered either.
    if (!this.running.delete(id) && !this.lost.delete(id)) return this.wentOn();
    if (outcome !== 'unknown') this.settled++;
    this.lostSinceOutcome = 0;
    this.unreadSinceOutcome = 0;
    this.blindLines = 0;
    this.linesSinceOutcome = 0;
  }

  /** The agent does something else: what still runs has lost its result. */
  private wentOn(): void {
    if (this.lostSinceOutcome === 0) this.lostFrom = this.newestAt;
    this.lostSinceOutcome += this.running.size;
    for (const id of this.running) this.lost.add(id);
    this.running.clear();
    for (const id of this.lost) {
      if (this.lost.size <= MOST_OPEN) break;
      this.lost.delete(id);
    }
  }

  /** Stopped by a person or by an end: that nothing came is the outcome. */
  private brokenOff(): void {
    this.settled += this.running.size;
    this.running.clear();
  }
}
