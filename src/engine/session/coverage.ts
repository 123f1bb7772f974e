import type { AgentEvent, Coverage, Problem, ToolResultEvent } from '../../core/model';

/** Number of the newest skipped lines that are kept. */
const KEPT_PROBLEMS = 1000;
/** Calls of one answer that run at the same time, and calls whose results may still come late: real sessions have a handful. */
const MOST_OPEN = 500;
/** The same for calls that do not name the answer they belong to: they may belong to consecutive answers. */
const MOST_OPEN_ALONE = 20;
/** After this many lines that were not understood, since the last outcome that was, nothing is known of the agent. */
const BLIND_LINES = 40;
/** From this many on it is enough that they are more than half of the lines since then. */
const BLIND_LINES_BY_SHARE = 5;
/** After this many calls whose outcome was not read, since the last one that was, the decoder must be missing them. */
const BLIND_CALLS = 3;

/** Counts over the whole transcript, stored as JSON. */
export interface CoverageNote
  extends Readonly<Record<'calls' | 'lines' | 'skipped' | 'markers' | 'unread' | 'settled', number>> {
  readonly problems: readonly Problem[];
}

/**
 * Measures how much of a transcript is understood. A step counts as seen once its outcome is known, or while it is still running: a decoder that
 * misses results sees nothing, however many calls it reads.
 */
export class CoverageCount {
  private calls = 0;
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
  /** Calls after which the agent continued without their results, which may still come. */
  private readonly lost = new Set<string>();
  /** When the first of the calls counted as lost now was lost, milliseconds since the epoch. */
  private lostFrom = 0;
  private newestAt = 0;
  private batch: string | undefined;

  /** @param lateMs how long after later calls the outcome of a call may still be written, milliseconds */
  constructor(private readonly lateMs = 0) {}

  /** True if too little is understood to say anything about the agent. */
  get isBlind(): boolean {
    const { blindLines, linesSinceOutcome } = this;
    const isByShare = blindLines >= BLIND_LINES_BY_SHARE && 2 * blindLines > linesSinceOutcome;
    return isByShare || blindLines >= BLIND_LINES || this.blindCalls >= BLIND_CALLS;
  }

  /**
   * Returns the number of steps without an outcome since the last one that has one: counted from markers, from unread calls and from lost results.
   */
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

  /** Removes the marker of a call that another session made: it counts there. */
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
        this.movedOn();
        return;
      case 'user':
        if (!event.automated) this.brokenOff();
        return;
      case 'turn_end':
        if (event.reason === 'done' || event.reason === 'waiting') this.movedOn();
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

  /** Takes over the counts of the whole transcript, after counting its last lines. */
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
    // Calls of one answer run side by side; those of the previous answer should have their results by now.
    if (batch !== undefined && batch !== this.batch) this.movedOn();
    this.batch = batch;
    this.running.add(id);
    if (this.running.size > (batch === undefined ? MOST_OPEN_ALONE : MOST_OPEN)) this.movedOn();
  }

  private answered(id: string, outcome: ToolResultEvent['outcome']): void {
    if (outcome === 'late') {
      this.settled++;
      return;
    }
    // A result that answers no call: the calls before it will not be answered either.
    if (!this.running.delete(id) && !this.lost.delete(id)) return this.movedOn();
    if (outcome !== 'unknown') this.settled++;
    this.lostSinceOutcome = 0;
    this.unreadSinceOutcome = 0;
    this.blindLines = 0;
    this.linesSinceOutcome = 0;
  }

  /** Called when the agent does something else: calls that are still running have lost their results. */
  private movedOn(): void {
    if (this.lostSinceOutcome === 0) this.lostFrom = this.newestAt;
    this.lostSinceOutcome += this.running.size;
    for (const id of this.running) this.lost.add(id);
    this.running.clear();
    for (const id of this.lost) {
      if (this.lost.size <= MOST_OPEN) break;
      this.lost.delete(id);
    }
  }

  /** Called when a person or an end stopped the agent: the outcome of the running calls is that nothing came. */
  private brokenOff(): void {
    this.settled += this.running.size;
    this.running.clear();
  }
}
