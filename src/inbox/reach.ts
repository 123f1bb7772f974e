import type { AgentState, Doing, MessageKind } from '../model';
import type { BridgeAbilities } from './bridge';

/** A call that runs longer is named instead of the usual promise, milliseconds. */
const LONG_CALL = 60_000;

/** What is known of an agent when somebody is about to send it a message. */
export interface Situation {
  /** Is the workspace trusted? */
  readonly trusted: boolean;
  /** What is to be sent; absent: a text. */
  readonly kind?: MessageKind;
  /** Does a bridge deliver messages to this agent? */
  readonly connected: boolean;
  /** When it was connected, milliseconds since the epoch; null where that is not known. */
  readonly connectedAt: number | null;
  readonly state: AgentState;
  readonly doing?: Doing;
  readonly mode?: 'interactive' | 'print';
  /** When the session began, milliseconds since the epoch. */
  readonly startedAt: number;
  readonly now: number;
  /** When the message that is drafted would expire, milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** What sending would do now. */
export interface Reach {
  readonly how:
    | 'tool_call'
    | 'after_call'
    | 'wakes'
    | 'next_prompt'
    | 'hangs'
    | 'inbox_only'
    | 'not_loaded'
    | 'impossible'
    | 'asks'
    | 'ended'
    | 'restricted';
  /** The line under the message box (design/UI.md 8.3). */
  readonly text: string;
  /** May the button be pressed? */
  readonly possible: boolean;
  /** What helps instead or first. */
  readonly action: 'connect' | 'restart' | 'trust' | null;
}

/**
 * How and when a message would arrive.
 *
 * @param abilities what messages can do to this kind of agent.
 */
export function reach(situation: Situation, abilities: BridgeAbilities): Reach {
  const { state, doing, now } = situation;
  if (!situation.trusted) {
    return { how: 'restricted', text: 'Nudges are off until you trust this folder.', possible: false, action: 'trust' };
  }
  if (state.kind === 'finished') {
    return { how: 'ended', text: 'The agent has ended. Restart reaches it.', possible: false, action: 'restart' };
  }
  if (situation.kind !== undefined && !abilities.kinds.includes(situation.kind)) {
    return { how: 'impossible', text: impossible(situation.kind), possible: false, action: 'restart' };
  }
  if (state.waitingFor === 'permission' || state.waitingFor === 'question') {
    const asks =
      state.waitingFor === 'permission'
        ? 'The agent asks for permission. Answer it first; a nudge could be read as consent.'
        : 'The agent asks a question. Answer it first; a nudge could be read as the answer.';
    return { how: 'asks', text: asks, possible: false, action: null };
  }
  if (!situation.connected) {
    const text = 'Written to the inbox, but nothing delivers it yet.';
    return { how: 'inbox_only', text, possible: true, action: 'connect' };
  }
  if (!abilities.joinsRunning && beganBefore(situation)) {
    const text = 'This session began before Connect: it takes messages only once it was ended and resumed.';
    return { how: 'not_loaded', text, possible: true, action: 'restart' };
  }
  if (state.waitingFor === 'turn_end') return turnEnded(situation, abilities.wakesIdle);
  if (state.kind === 'stalled' && doing?.kind === 'model') {
    const text = 'The agent cannot be reached while its request hangs. Restart reaches it.';
    return { how: 'hangs', text, possible: true, action: 'restart' };
  }
  if (doing?.kind === 'tool' && now - doing.since >= LONG_CALL) {
    const until = clock(situation.expiresAt);
    const text = `The agent is in \`${doing.subject}\` since ${age(now - doing.since)}. The message waits until it ends, at most until ${until}.`;
    return { how: 'after_call', text, possible: true, action: null };
  }
  const text = 'Arrives at the agent’s next tool call, usually within 20 s. It does not interrupt a running command.';
  return { how: 'tool_call', text, possible: true, action: null };
}

function beganBefore({ connectedAt, startedAt }: Situation): boolean {
  return connectedAt !== null && startedAt < connectedAt;
}

function impossible(kind: MessageKind): string {
  switch (kind) {
    case 'stop':
      return 'This agent cannot be stopped by a message. Interrupt it in its terminal, or restart it.';
    case 'block':
      return 'A call of this agent cannot be refused by a message.';
    case 'restart':
    case 'escalate':
      return 'A restart is no message to the agent: Unstuck or the supervisor does it.';
    case 'nudge':
    case 'gate':
    case 'reassign':
    case 'checkpoint':
      return 'Nothing hands texts to this agent.';
  }
}

function turnEnded(situation: Situation, wakesIdle: boolean): Reach {
  const { connectedAt, mode } = situation;
  const since = connectedAt !== null && !beganBefore(situation);
  if (wakesIdle && since && mode !== 'print') {
    return { how: 'wakes', text: 'Wakes the agent at once and starts a new turn.', possible: true, action: null };
  }
  const why =
    wakesIdle && mode !== 'print' ? 'This session began before Connect, so it cannot be woken.' : 'Its turn has ended.';
  return {
    how: 'next_prompt',
    text: `${why} The message arrives with your next prompt.`,
    possible: true,
    action: null,
  };
}

function age(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
}

function clock(at: number): string {
  const time = new Date(at);
  return `${String(time.getHours()).padStart(2, '0')}:${String(time.getMinutes()).padStart(2, '0')}`;
}
