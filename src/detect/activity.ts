import type { AgentEvent } from '../model';
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
 * Follows whose move it is (PROTOCOLS.md section 1: a turn is open from `turn_start` or `user` until `turn_end`, `waiting` or
 * `session_end`; a question that is answered opens it again).
 *
 * Some formats write no line where a turn ends. There a message whose token counts were written, and that asks for no tool, is the
 * whole answer: then it is the person's move. Formats that do say where turns end are believed.
 */
export function createActivity(context: Pick<DetectContext, 'pending'>): Activity {
  let open = false;
  let waiting = false;
  /** The model owes something since the newest prompt or result. */
  let owes = false;
  let spoke = false;
  let turnEnds = false;
  let skipsTurnEnds = false;
  let last: AgentEvent | undefined;
  let latest = 0;

  const opened = (): void => {
    open = true;
    waiting = false;
  };
  const worked = (): void => {
    // permission was given, or the question answered, without a line of its own; without turn lines all is one open turn
    if (waiting || !turnEnds) opened();
    owes = true;
    spoke = false;
  };
  const answered = (): boolean => spoke && !owes;

  return {
    get isBusy() {
      if (!open) return false;
      return context.pending.length > 0 || owes || (spoke && turnEnds && !skipsTurnEnds);
    },
    get since() {
      return latest;
    },
    get last() {
      return last;
    },
    push(event) {
      if (event.type === 'clock') return;
      last = event;
      if (event.at > latest) latest = event.at;
      switch (event.type) {
        case 'user':
          if (open && answered() && !event.automated) skipsTurnEnds = true;
          opened();
          owes = true;
          spoke = false;
          break;
        case 'turn_start':
          turnEnds = true;
          opened();
          owes = true;
          spoke = false;
          break;
        case 'turn_end':
        case 'session_end':
          turnEnds = true;
          open = false;
          waiting = false;
          break;
        case 'waiting':
          open = false;
          waiting = true;
          break;
        case 'request':
        case 'tool_call':
        case 'tool_result':
        case 'compaction':
        case 'error':
          worked();
          break;
        case 'assistant':
          worked();
          spoke = true;
          break;
        case 'usage':
          if (spoke) owes = false;
          break;
        default:
      }
    },
  };
}
