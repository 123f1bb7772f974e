import { type AgentState, type AgentStateKind, type LoopRun, type Need, canContinue, isTurnOver } from '../../model';
import { age, ago, capitalised, elapsed, elapsedInWords, lasting } from '../format';
import type { StateLook } from '../look';
import { capital, plain } from '../parts';
import { presenceInWords, presenceWords } from './machines';
import { usageLimitWords } from './why';

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

/** Look of a working agent with a warning: a mark on its row, while its state stays the same. */
export const HINT_LOOK: StateLook = { icon: 'lightbulb', tone: 'quiet' };

/** Look of an agent whose service answers nothing until a usage limit is lifted. */
export const LIMIT_LOOK: StateLook = { icon: 'debug-pause', tone: 'none' };

const ERROR_LOOK: StateLook = { icon: 'error', tone: 'error' };

/** Returns `run 7`, for a run of a loop that starts an agent repeatedly. */
export function runWords({ number }: LoopRun): string {
  return `run ${number}`;
}

/** Names of the groups of every list. */
export const NEED_NAMES: Readonly<Record<Need, string>> = {
  needs_you: 'Needs you',
  stuck: 'Stuck',
  working: 'Working',
  your_turn: 'Your turn',
  finished: 'Finished',
};

export function stateLook(state: AgentState): StateLook {
  if (state.ended === 'died' || state.ended === 'error') return ERROR_LOOK;
  if (state.ended === 'interrupted') return { icon: 'circle-slash', tone: 'none' };
  if (state.lost) return { icon: 'debug-disconnect', tone: 'quiet' };
  if (state.waitingFor === 'limit') return LIMIT_LOOK;
  if (state.waitingFor === 'missed_notice') return { icon: 'bell-slash', tone: 'info' };
  if (isYourTurn(state) || state.probable) return { icon: 'comment-discussion', tone: 'none' };
  return LOOKS[state.kind];
}

/** Returns whether its turn is over, which is the quiet kind of waiting. */
export function isYourTurn(state: AgentState): boolean {
  return state.kind === 'waiting' && isTurnOver(state.waitingFor);
}

/** Returns the pill of the panel: `Stuck for 8 min`, and `Stuck` below one minute. */
export function statePill(state: AgentState, now: number): string {
  const since = now - state.since;
  switch (state.kind) {
    case 'escalated':
      return lasting('Needs you', since);
    case 'stuck':
      return lasting('Stuck', since);
    case 'waiting':
      return waitingPill(state, now);
    case 'stalled':
      return `No output for ${age(since)}`;
    case 'not_monitored':
      return state.lost ? capitalised(presenceWords(state.lost, state.since, now)) : 'Not monitored';
    case 'recovering':
      return lasting('Recovering', since);
    case 'working':
      return 'Working';
    case 'finished':
      return `${ENDED[state.ended ?? 'clean']} ${ago(since)}`;
  }
}

/** Writes the state with its reason in one line: `stuck for 8 min, same result 31 times: npm test`. `why`: as written by `whyWords`. */
export function stateLine(state: AgentState, why: string, now: number): string {
  const pill = statePill(state, now);
  const says = `${pill.charAt(0).toLowerCase()}${pill.slice(1)}`;
  if (why === '' || pill.toLowerCase() === why || why === 'stopped by an error') return says;
  // If the reason begins with the same word as the state, it continues after that word.
  const repeated = REPEATED.exec(why)?.[0];
  return repeated === undefined ? `${says}, ${why}` : `${says}${why.slice(repeated.length)}`;
}

const REPEATED = /^(?:stopped(?=: )|died(?= ))/;

function waitingPill(state: AgentState, now: number): string {
  const since = now - state.since;
  if (state.probable) return 'Probably waiting for you';
  switch (state.waitingFor ?? 'question') {
    case 'error':
      return `Stopped by an error ${ago(since)}`;
    case 'limit':
      return plain(capital(usageLimitWords(state.until, now)));
    case 'missed_notice':
      return 'Missed a notice';
    case 'turn_end':
      return lasting('Your turn', since);
    case 'permission':
    case 'question':
    case 'plan':
      return since < 60_000 ? 'Waiting for you' : `Waiting for you for ${age(since)}`;
  }
}

const ENDED = {
  clean: 'Finished',
  died: 'Died',
  interrupted: 'Interrupted',
  error: 'Stopped by an error',
} as const;

/**
 * Writes the description of a row. Its group already shows the state, so a row shows since when, or what is happening if nothing is required of a
 * person.
 */
export function treeDescription(state: AgentState, now: number, doing: string): string {
  const since = now - state.since;
  switch (state.kind) {
    case 'escalated':
    case 'stuck':
      return elapsed(since);
    case 'waiting':
      return state.probable || (state.waitingFor === 'limit' && !canContinue(state, now)) ? doing : elapsed(since);
    case 'stalled':
      return `no output for ${age(since)}`;
    case 'not_monitored':
      return state.lost ? presenceWords(state.lost, state.since, now) : 'not monitored';
    case 'recovering':
      return 'recovering';
    case 'working':
      return doing;
    case 'finished':
      return state.ended === 'interrupted' ? `interrupted ${ago(since)}` : ago(since);
  }
}

/** Returns the name of a row for screen readers: `{title}, stuck, 8 minutes, {agent}`. */
export function stateLabel(state: AgentState, title: string, agentName: string, now: number, hint?: string): string {
  return [title, ...stateWords(state, hint, now), agentName].join(', ');
}

function stateWords(state: AgentState, hint: string | undefined, now: number): readonly string[] {
  const time = elapsedInWords(now - state.since);
  switch (state.kind) {
    case 'escalated':
      return ['needs you', time];
    case 'stuck':
      return ['stuck', time];
    case 'waiting':
      if (state.waitingFor === 'error') return [waitingPill(state, now).toLowerCase()];
      if (state.waitingFor === 'missed_notice') return ['missed a notice', time];
      // The rest of the row says until when.
      if (state.waitingFor === 'limit') return canContinue(state, now) ? ['needs you', time] : ['at its limit'];
      if (isYourTurn(state)) return ['your turn', time];
      return [state.probable ? 'probably waiting for you' : 'waiting for you', time];
    case 'stalled':
      return ['no output', time];
    case 'not_monitored':
      return [state.lost ? presenceInWords(state.lost, state.since, now) : 'not monitored'];
    case 'recovering':
      return ['recovering'];
    case 'working':
      return hint ? ['working', 'hint'] : ['working'];
    case 'finished':
      return [ENDED[state.ended ?? 'clean'].toLowerCase()];
  }
}
