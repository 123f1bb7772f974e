import type { AgentEvent, TurnEnds } from '../../core/model';

/** The complete answer that stands at the end of what was written, without anything behind it. */
export class LastAnswer {
  /** When it was complete, milliseconds since the epoch; null where something else stands at the end. */
  at: number | null = null;
  /** A piece of a message stands at the end. */
  streams = false;
  private isLast = false;
  private endsTurns: boolean;

  constructor(private readonly turnEnds: TurnEnds) {
    this.endsTurns = turnEnds === 'yes';
  }

  /**
   * Is the answer the end of the turn? Otherwise a record of that is still to come, and the answer counts as the end once the patience for
   * the model has passed.
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
        // The token counts of a streamed answer come when it is whole.
        if (this.streams) this.at ??= event.at;
        return;
      case 'user':
        if (this.turnEnds === 'some' && this.at !== null && !event.automated) this.endsTurns = false;
        return this.clear();
      case 'turn_end':
        // An interrupt or a failure is written by agents that write no other end.
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
      // A compaction behind an answer does not take the move back.
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
