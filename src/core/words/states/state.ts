import { counted, whole } from '../../../base/util/counts';
import {
  type AgentState,
  type AgentStateKind,
  type Doing,
  type MessageKind,
  WATCHED_STEPS,
  isTurnOver,
} from '../../model';
import { age, ageInWords, clockSeconds } from '../format';
import type { StateLook } from '../look';
import { presenceInWords, presencePill, presenceSentence, presenceWords } from './machines';
import { type Sentence, code, join, plain, say } from '../parts';

const LOOKS: Readonly<Record<AgentStateKind, StateLook>> = {
  escalated: { icon: 'bell-dot', tone: 'error' },
  stuck: { icon: 'warning', tone: 'trouble' },
  waiting: { icon: 'comment-discussion', tone: 'info' },
  stalled: { icon: 'watch', tone: 'none' },
  not_monitored: { icon: 'eye-closed', tone: 'quiet' },
  recovering: { icon: 'debug-restart', tone: 'info' },
  working: { icon: 'pulse', tone: 'none' },
  finished: { icon: 'check', tone: 'quiet' },
};

/** A working agent with a warning: a mark on its row, the state stays. */
export const HINT_LOOK: StateLook = { icon: 'lightbulb', tone: 'quiet' };

/** Its service answers nothing until a limit of use opens. */
export const LIMIT_LOOK: StateLook = { icon: 'debug-pause', tone: 'none' };

export function stateLook(state: AgentState): StateLook {
  if (state.kind === 'finished' && state.ended && state.ended !== 'clean')
    return { icon: 'circle-slash', tone: 'none' };
  if (state.lost) return { icon: 'debug-disconnect', tone: 'quiet' };
  if (isYourTurn(state) || state.probable) return { icon: 'comment-discussion', tone: 'none' };
  return LOOKS[state.kind];
}

/** Returns whether its turn is over: the quiet kind of waiting. */
export function isYourTurn(state: AgentState): boolean {
  return state.kind === 'waiting' && isTurnOver(state.waitingFor);
}

/** The pill of the panel: `Stuck for 8 min`. */
export function statePill(state: AgentState, now: number): string {
  const time = age(now - state.since);
  switch (state.kind) {
    case 'escalated':
      return `Asks you for ${time}`;
    case 'stuck':
      return `Stuck for ${time}`;
    case 'waiting':
      if (isYourTurn(state)) return `Your turn for ${time}`;
      return state.probable ? `Probably waiting for you for ${time}` : `Waiting for you for ${time}`;
    case 'stalled':
      return `Silent for ${time}`;
    case 'not_monitored':
      return state.lost ? presencePill(state.lost, state.since, now) : 'Not monitored';
    case 'recovering':
      return `Recovering for ${time}`;
    case 'working':
      return 'Working';
    case 'finished':
      return ENDED_AGO[state.ended ?? 'clean'](time);
  }
}

const ENDED = {
  clean: 'finished',
  died: 'ended in mid-turn',
  interrupted: 'interrupted',
  error: 'ended in error',
} as const;

const ENDED_AGO = {
  clean: (time: string) => `Finished ${time} ago`,
  died: (time: string) => `Ended in mid-turn ${time} ago`,
  interrupted: (time: string) => `Interrupted ${time} ago`,
  error: (time: string) => `Ended in error ${time} ago`,
} as const;

const ENDED_SHORT = {
  clean: (time: string) => `finished, ${time} ago`,
  died: (time: string) => `died, ${time} ago`,
  interrupted: (time: string) => `interrupted, ${time} ago`,
  error: (time: string) => `failed, ${time} ago`,
} as const;

/** The description of an agent's row: what it is about, 16 characters at most; its name only while nothing else is to say. */
export function treeDescription(state: AgentState, agentName: string, now: number, hint?: string): string {
  const time = age(now - state.since);
  switch (state.kind) {
    case 'escalated':
      return `asks you, ${time}`;
    case 'stuck':
      return `stuck ${time}`;
    case 'waiting':
      if (isYourTurn(state)) return `your turn, ${time}`;
      return state.probable ? 'probably waiting' : `waits ${time}`;
    case 'stalled':
      return `silent ${time}`;
    case 'not_monitored':
      return state.lost ? presenceWords(state.lost, state.since, now) : 'not monitored';
    case 'recovering':
      return `recovering, ${time}`;
    case 'working':
      return hint ?? agentName;
    case 'finished':
      return ENDED_SHORT[state.ended ?? 'clean'](time);
  }
}

/** `{title}, stuck, 8 minutes, {agent}`. */
export function stateLabel(state: AgentState, title: string, agentName: string, now: number, hint?: string): string {
  const time = ageInWords(now - state.since);
  return [title, ...stateWords(state, time, hint, now), agentName].join(', ');
}

function stateWords(state: AgentState, time: string, hint: string | undefined, now: number): readonly string[] {
  switch (state.kind) {
    case 'escalated':
      return ['asks you', time];
    case 'stuck':
      return ['stuck', time];
    case 'waiting':
      if (isYourTurn(state)) return ['your turn', time];
      return [state.probable ? 'probably waits for you' : 'waits for you', time];
    case 'stalled':
      return ['silent', time];
    case 'not_monitored':
      return [state.lost ? presenceInWords(state.lost, state.since, now) : 'not monitored'];
    case 'recovering':
      return ['recovering'];
    case 'working':
      return hint ? ['working', 'hint'] : ['working'];
    case 'finished':
      return [ENDED[state.ended ?? 'clean']];
  }
}

/** Facts for a sentence about a state. Absent facts are not mentioned. */
export interface StateFacts {
  readonly state: AgentState;
  readonly now: number;
  readonly explanation?: Sentence;
  readonly doing?: Doing;
  /** The message that is watched: its number, when it was taken, steps since and how many of them gave new results. */
  readonly watch?: Watch;
  /** Recovery steps that were taken. */
  readonly attempts?: number;
  readonly lastNewAt?: number;
  readonly coverage?: { readonly seen: number; readonly there: number };
  /** Run time of the session, milliseconds. */
  readonly ran?: number;
  readonly gates?: string;
}

export interface Watch {
  /** Kind of the message; a nudge where absent. */
  readonly kind?: MessageKind;
  /** `Nudge 2`; other kinds are not numbered. */
  readonly nudge: number;
  readonly takenAt: number;
  /** Steps since it was taken, and how many of them gave a result that is new. */
  readonly seen: number;
  readonly fresh: number;
}

/** Names the watched action, at the head of a sentence: `Nudge 2`, `Gate feedback`, `The restart`. */
export function watchedName({ kind = 'nudge', nudge }: Pick<Watch, 'kind' | 'nudge'>): string {
  switch (kind) {
    case 'nudge':
      return nudge > 0 ? `Nudge ${whole(nudge)}` : 'The nudge';
    case 'gate':
      return 'Gate feedback';
    case 'block':
      return 'The refusal of the call';
    case 'stop':
      return 'The stop';
    case 'restart':
    case 'escalate':
      return 'The restart';
    case 'reassign':
      return 'The reassignment';
    case 'checkpoint':
      return 'The checkpoint';
  }
}

/** The sentence of the tooltip, and of the panel's live region. */
export function stateSentence(facts: StateFacts): Sentence {
  const { state, now, explanation, doing } = facts;
  const time = age(now - state.since);
  switch (state.kind) {
    case 'escalated':
      return facts.attempts
        ? say`Recovery ended after ${counted(facts.attempts, 'step')}. It is your turn.`
        : say`Recovery ended. It is your turn.`;
    case 'stuck':
      return explanation ? say`Stuck for ${time}: ${explanation}` : say`Stuck for ${time}.`;
    case 'waiting':
      return waitingSentence(state, time, doing);
    case 'stalled':
      return doing?.kind === 'tool'
        ? say`Nothing written for ${time} while running ${code(doing.subject)}. A guess: it may only be slow, or wait for you.`
        : say`Nothing written for ${time} while the model answers. A guess: it may only be slow.`;
    case 'not_monitored':
      return state.lost
        ? say`${presenceSentence(state.lost, state.since, now)}`
        : say`The transcript grows, but no action was recognised in the last 400 lines.`;
    case 'recovering':
      return facts.watch
        ? watchSentence(facts.watch)
        : say`A message was taken. Watching the next ${WATCHED_STEPS} calls.`;
    case 'working': {
      const fresh = facts.lastNewAt === undefined ? [] : say`Last new result ${age(now - facts.lastNewAt)} ago.`;
      const seen = facts.coverage ? coverageWords(facts.coverage.seen, facts.coverage.there) : 'Working';
      return join(fresh, say`${seen}.`);
    }
    case 'finished': {
      const ended = endedSentence(state.ended ?? 'clean', facts.ran);
      return facts.gates ? join(ended, say`${facts.gates}`) : ended;
    }
  }
}

/** @param ran how long the session ran, milliseconds, where that is known */
function endedSentence(how: keyof typeof ENDED, ran: number | undefined): Sentence {
  const time = ran === undefined ? '' : age(ran);
  switch (how) {
    case 'died':
      return time ? say`Its process ended in mid-turn after ${time}.` : say`Its process ended in mid-turn.`;
    case 'interrupted':
      return time ? say`Interrupted after ${time}.` : say`Interrupted.`;
    case 'error':
      return time ? say`Ended in error after ${time}.` : say`Ended in error.`;
    case 'clean':
      return time ? say`Ended by itself after ${time}.` : say`Ended by itself.`;
  }
}

function waitingSentence(state: AgentState, time: string, doing: Doing | undefined): Sentence {
  if (state.interrupted) return say`You interrupted it ${time} ago. Nothing is sent to it before your next prompt.`;
  if (state.waitingFor === 'error') return say`Its turn ended in error ${time} ago.`;
  if (isYourTurn(state)) return say`Its turn ended ${time} ago. It asks nothing.`;
  if (state.probable) return probablyWaiting(time, doing);
  if (state.waitingFor === 'plan') return say`Proposes a plan.`;
  if (state.question) return say`Asks: ${state.question}`;
  return state.waitingFor === 'permission' ? say`Asks for a permission.` : say`Asks a question.`;
}

/** Why it is thought to wait, where only silence says so. */
export function probablyWaiting(time: string, doing: Doing | undefined): Sentence {
  return doing
    ? say`Probably waiting for you: nothing written for ${time} since it called ${code(doing.subject)}, which needs your permission. Guessed from silence.`
    : say`Probably waiting for you: nothing written for ${time} since its last call. Guessed from silence.`;
}

function watchSentence(watch: Watch): Sentence {
  const seen =
    watch.seen === 0
      ? 'none yet'
      : watch.fresh < watch.seen
        ? `${whole(watch.seen)} seen, ${whole(watch.fresh)} new`
        : allNew(watch.seen);
  return say`${watchedName(watch)} taken at ${clockSeconds(watch.takenAt)}. Watching the next ${WATCHED_STEPS} calls: ${seen}.`;
}

function allNew(seen: number): string {
  if (seen === 1) return '1 seen, new';
  return seen === 2 ? '2 seen, both new' : `${whole(seen)} seen, all new`;
}

/** `214 of 214 steps seen`. */
export function coverageWords(seen: number, there: number): string {
  return `${whole(seen)} of ${whole(there)} steps seen`;
}

/** `3 lines skipped`. */
export function skippedWords(skipped: number): string {
  return `${counted(skipped, 'line')} skipped`;
}

/** State change in one sentence for the live region: `Fix the import error: stuck. …`. */
export function announcement(title: string, facts: StateFacts): string {
  return `${title}: ${plain(stateSentence(facts))}`;
}
