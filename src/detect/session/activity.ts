import type { AgentEvent } from '../../model';
import type { DetectContext } from './detector';

/** Whose move it is, as far as the events tell. */
export interface Activity {
  /**
   * Nobody's: the turn ended, a person is asked, or the answer is complete. Else the agent's: a call runs, or the model owes an answer.
   */
  readonly isBusy: boolean;
  /** The latest time of an event that was not just a clock, milliseconds since the epoch. Some records are written out of order. */
  readonly since: number;
  /** The newest such event; undefined before the first. */
  readonly last: AgentEvent | undefined;
  push(event: AgentEvent): void;
}

/**
 * Follows whose move it is (a turn is open from `turn_start` or `user` until `turn_end`, `waiting` or `session_end`; a question that is
 * answered opens it again).
 *
 * Some formats write no line where a turn ends. There a message whose token counts were written, and that asks for no tool, is the
 * whole answer: then it is the person's move. Formats that do say where turns end are believed.
 */
export function createActivity(context: Pick<DetectContext, 'pending'>): Activity {
  return new TurnActivity(context);
}

class TurnActivity implements Activity {
  since = 0;
  last: AgentEvent | undefined = undefined;
  private open = false;
  private waiting = false;
  /** The model owes something since the newest prompt or result. */
  private owes = false;
  private spoke = false;
  private turnEnds = false;
  private skipsTurnEnds = false;

  constructor(private readonly context: Pick<DetectContext, 'pending'>) {}

  get isBusy(): boolean {
    if (!this.open) return false;
    return this.context.pending.length > 0 || this.owes || (this.spoke && this.turnEnds && !this.skipsTurnEnds);
  }

  push(event: AgentEvent): void {
    if (event.type === 'clock') return;
    this.last = event;
    if (event.at > this.since) this.since = event.at;
    switch (event.type) {
      case 'user':
        if (this.open && this.spoke && !this.owes && !event.automated) this.skipsTurnEnds = true;
        this.asked();
        break;
      case 'turn_start':
        this.turnEnds = true;
        this.asked();
        break;
      case 'turn_end':
      case 'session_end':
        this.turnEnds = true;
        this.open = false;
        this.waiting = false;
        break;
      case 'waiting':
        this.open = false;
        this.waiting = true;
        break;
      case 'request':
      case 'tool_call':
      case 'tool_result':
      case 'compaction':
      case 'error':
        this.worked();
        break;
      case 'assistant':
        this.worked();
        this.spoke = true;
        break;
      case 'usage':
        if (this.spoke) this.owes = false;
        break;
      default:
    }
  }

  private asked(): void {
    this.open = true;
    this.waiting = false;
    this.owes = true;
    this.spoke = false;
  }

  private worked(): void {
    // permission was given, or the question answered, without a line of its own; without turn lines all is one open turn
    if (this.waiting || !this.turnEnds) {
      this.open = true;
      this.waiting = false;
    }
    this.owes = true;
    this.spoke = false;
  }
}
