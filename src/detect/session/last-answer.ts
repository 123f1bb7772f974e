import type { AgentEvent, TurnEnds } from '../../core/model';

/** The complete answer at the end of the transcript, with nothing after it. */
export class LastAnswer {
  /** When it was complete, in milliseconds since the epoch; null if something else is at the end. */
  at: number | null = null;
  /** True if a piece of a message is at the end. */
  private streams = false;
  private isLast = false;
  private endsTurns: boolean;

  constructor(private readonly turnEnds: TurnEnds) {
    this.endsTurns = turnEnds === 'yes';
  }

  /**
   * True if the answer is the end of the turn. Otherwise a record of the end is still to come, and the answer counts as the end once the patience for
   * the model has run out.
   */
  get isEnd(): boolean {
    return this.at !== null && (this.isLast || !this.endsTurns);
  }

  push(event: AgentEvent): void {
    switch (event.type) {
      case 'assistant':
        this.streams = event.chunk;
        this.isLast = event.isLast === true;
        this.at = event.chunk || event.isLast === false ? null : event.at;
        return;
      case 'usage':
        // The token counts of a streamed answer come when it is complete.
        if (this.streams) this.at ??= event.at;
        return;
      case 'user':
        if (this.turnEnds === 'some' && this.at !== null && !event.automated) this.endsTurns = false;
        return this.clear();
      case 'turn_end':
        // Interrupts and failures are recorded even by agents that record no other end.
        if (this.turnEnds === 'some' && (event.reason === 'done' || event.reason === 'waiting')) this.endsTurns = true;
        return this.clear();
      case 'tool_result':
        if (event.outcome !== 'late') this.clear();
        return;
      case 'tool_call':
      case 'turn_start':
      case 'request':
      case 'error':
      case 'waiting':
      case 'session_end':
        return this.clear();
      // After a compaction that follows an answer it is still the person's move.
      case 'compaction':
      case 'session_info':
      case 'plan':
      case 'completion':
      case 'message_taken':
      case 'clock':
      case 'vendor_loop':
      case 'job_end':
      case 'other':
        return;
    }
  }

  private clear(): void {
    this.at = null;
    this.streams = false;
  }
}
