import type { AgentEvent, Source } from '../../core/model';
import type { DetectContext } from './detector';

/** When an event was and where it stands. */
export interface EventPlace {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly source: Source;
}

/** The side whose move it is, as far as the events show (docs/detectors.md, "Whose move it is"). */
export interface Activity {
  /** The agent's: a call runs, or the model owes an answer. */
  readonly isBusy: boolean;
  /**
   * The answer is complete and no call stands behind it, but this session writes turn ends and none has come yet. It is the person's move
   * once the patience for the model has passed.
   */
  readonly isAnswered: boolean;
  /** The latest time of an event that was not just a clock, milliseconds since the epoch. Some records are written out of order. */
  readonly since: number;
  /** Place and time of the newest such event; undefined before the first. The event itself, with its text, is not kept. */
  readonly last: EventPlace | undefined;
  push(event: AgentEvent): void;
}

/**
 * Follows whose move it is. A turn is open from `turn_start` or `user` until `turn_end`, `waiting` or `session_end`; a question that is
 * answered opens it again.
 *
 * A whole message without a call behind it is the answer, so it is the person's move. Where the session's last turns did write turn
 * ends, only the turn end counts. A further message without a prompt takes the move back until it is complete itself.
 */
export function createActivity(context: Pick<DetectContext, 'pending'>): Activity {
  return new TurnActivity(context);
}

class TurnActivity implements Activity {
  since = 0;
  private at = 0;
  private source: Source | undefined;
  private open = false;
  private waiting = false;
  /** The model owes something since the newest prompt or result. */
  private owes = false;
  /** A whole message stands at the end. */
  private spoke = false;
  /** A piece of a message stands at the end. */
  private streams = false;
  /** The format has lines that begin or end turns. */
  private turnLines = false;
  /** The last turn that was answered ended with a line of its own. */
  private endsTurns = false;

  constructor(private readonly context: Pick<DetectContext, 'pending'>) {}

  get last(): EventPlace | undefined {
    return this.source && { at: this.at, source: this.source };
  }

  get isBusy(): boolean {
    if (!this.open) return false;
    return this.context.pending.length > 0 || this.owes || this.isAnswered;
  }

  get isAnswered(): boolean {
    return this.open && this.spoke && this.endsTurns && this.context.pending.length === 0;
  }

  push(event: AgentEvent): void {
    if (event.type === 'clock') return;
    this.at = event.at;
    this.source = event.source;
    if (event.at > this.since) this.since = event.at;
    switch (event.type) {
      case 'user':
        if (this.open && this.spoke && !event.automated) this.endsTurns = false;
        this.asked();
        break;
      case 'turn_start':
        this.turnLines = true;
        this.asked();
        break;
      case 'turn_end':
        this.turnLines = true;
        this.endsTurns = true;
        this.end();
        break;
      case 'session_end':
        this.end();
        break;
      case 'waiting':
        this.end();
        this.waiting = true;
        break;
      case 'assistant':
        this.worked();
        this.streams = event.chunk;
        this.spoke = !event.chunk;
        this.owes = event.chunk;
        break;
      case 'request':
      case 'tool_call':
      case 'tool_result':
      case 'compaction':
      case 'error':
        this.worked();
        this.owes = true;
        this.spoke = this.streams = false;
        break;
      case 'usage':
        // The token counts of a streamed answer come when it is whole.
        if (this.streams) {
          this.spoke = true;
          this.owes = false;
        }
        break;
      default:
    }
  }

  private asked(): void {
    this.open = true;
    this.waiting = false;
    this.owes = true;
    this.spoke = this.streams = false;
  }

  private end(): void {
    this.open = false;
    this.waiting = false;
    this.owes = false;
    this.spoke = this.streams = false;
  }

  private worked(): void {
    // Permission was given, or the question answered, without a line of its own; without turn lines all is one open turn.
    if (this.waiting || !this.turnLines) {
      this.open = true;
      this.waiting = false;
    }
  }
}
