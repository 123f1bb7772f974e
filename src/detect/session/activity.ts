import type { AgentEvent, Source } from '../../core/model';
import type { DetectContext } from './detector';
import { LastAnswer } from './last-answer';

/** Time and place of an event. */
export interface EventPlace {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly source: Source;
}

/**
 * Follows whose move it is, as far as the events show (docs/detectors.md, "Whose move it is"). A turn is open from `turn_start` or `user` until
 * `turn_end`, `waiting` or `session_end`; an answered question opens it again.
 *
 * A complete message without a call after it is the answer, so it is then the person's move. If the agent records turn ends, only the turn end
 * counts. A further message without a prompt makes it the agent's move again until that message is complete.
 */
export class Activity {
  /** The latest time of an event other than a clock event, in milliseconds since the epoch. Some records are written out of order. */
  since = 0;
  private at = 0;
  private source: Source | undefined;
  private open = false;
  private waiting = false;
  /** True if the model has yet to answer the newest prompt or result. */
  private owes = false;
  /** True if the format has lines that begin or end turns. */
  private turnLines = false;
  private readonly answer: LastAnswer;

  constructor(private readonly context: Pick<DetectContext, 'pending' | 'turnEnds'>) {
    this.answer = new LastAnswer(context.turnEnds);
  }

  /** Place and time of the newest such event; undefined before the first one. The event itself, with its text, is not kept. */
  get last(): EventPlace | undefined {
    return this.source && { at: this.at, source: this.source };
  }

  /** True if it is the agent's move: a call is running, or the model has yet to answer. */
  get isBusy(): boolean {
    if (!this.open) return false;
    return this.context.pending.length > 0 || this.owes || this.isAnswered;
  }

  /**
   * True if the answer is complete and no call follows it, but this agent records turn ends and none has come yet. It is the person's move once the
   * patience for the model has run out.
   */
  get isAnswered(): boolean {
    return this.open && this.answer.at !== null && !this.answer.isEnd && this.context.pending.length === 0;
  }

  push(event: AgentEvent): void {
    if (event.type === 'clock') return;
    this.at = event.at;
    this.source = event.source;
    if (event.at > this.since) this.since = event.at;
    this.answer.push(event);
    switch (event.type) {
      case 'user':
        this.prompted();
        break;
      case 'turn_start':
        this.turnLines = true;
        this.prompted();
        break;
      case 'turn_end':
        this.turnLines = true;
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
        this.owes = this.answer.at === null;
        break;
      case 'request':
      case 'tool_call':
      case 'tool_result':
      case 'error':
        this.worked();
        this.owes = true;
        break;
      case 'usage':
        if (this.answer.at !== null) this.owes = false;
        break;
      default:
    }
  }

  private prompted(): void {
    this.open = true;
    this.waiting = false;
    this.owes = true;
  }

  private end(): void {
    this.open = false;
    this.waiting = false;
    this.owes = false;
  }

  private worked(): void {
    // Permission was given, or the question answered, without a separate line; without turn lines everything is one open turn.
    if (this.waiting || !this.turnLines) {
      this.open = true;
      this.waiting = false;
    }
  }
}
