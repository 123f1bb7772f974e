import { counted, whole } from '../../../base/util/counts';
import { type AgentState, type Doing, WATCHED_STEPS, type WaitingCall } from '../../model';
import { age, ago, clock, lasting } from '../format';
import { type Sentence, code, join, plain, say } from '../parts';
import { presenceSentence } from './machines';
import { type Watch, watchSentence } from './watch';
import { endedInShort, missedName } from './why';

/** Facts for a sentence about a state. Absent facts are not mentioned. */
export interface StateFacts {
  readonly state: AgentState;
  readonly now: number;
  readonly explanation?: Sentence;
  readonly doing?: Doing;
  /** The message that is watched: its number, when it was taken, the steps since, and how many of them had new results. */
  readonly watch?: Watch;
  /** Number of recovery steps that were taken. */
  readonly attempts?: number;
  readonly lastNewAt?: number;
  readonly coverage?: { readonly seen: number; readonly there: number };
  /** Run time of the session, milliseconds. */
  readonly ran?: number;
  readonly gates?: string;
}

/** Describes a state in a sentence, which is the same in the panel, in tooltips and in the live regions of screen readers. */
export function stateSentence(facts: StateFacts): Sentence {
  const { state, now, explanation, doing } = facts;
  const since = now - state.since;
  switch (state.kind) {
    case 'escalated':
      return facts.attempts
        ? say`${counted(facts.attempts, 'recovery step')} did not help. Over to you.`
        : say`Recovery did not help. Over to you.`;
    case 'stuck':
      return explanation ? say`${lasting('Stuck', since)}: ${explanation}` : say`${lasting('Stuck', since)}.`;
    case 'waiting':
      return waitingSentence(facts);
    case 'stalled':
      return doing?.kind === 'tool'
        ? say`No output for ${age(since)} while running ${code(doing.subject)}. It may just be slow, or waiting for you.`
        : say`No output for ${age(since)}; the model has not replied. It may just be slow.`;
    case 'not_monitored':
      return state.lost
        ? say`${presenceSentence(state.lost, state.since, now)}`
        : say`Its transcript grows, but no step is recognized. Unstuck cannot see what this agent does.`;
    case 'recovering':
      return facts.watch
        ? watchSentence(facts.watch)
        : say`A message was delivered. Watching the next ${WATCHED_STEPS} calls.`;
    case 'working': {
      const fresh = facts.lastNewAt === undefined ? [] : say`Last new result ${ago(now - facts.lastNewAt)}.`;
      const seen = facts.coverage ? coverageWords(facts.coverage.seen, facts.coverage.there) : 'Working';
      return join(fresh, say`${seen}.`);
    }
    case 'finished': {
      const ended = endedSentence(facts);
      return facts.gates ? join(ended, say`${facts.gates}`) : ended;
    }
  }
}

function waitingSentence({ state, now, doing }: StateFacts): Sentence {
  const since = now - state.since;
  if (state.interrupted) return say`You interrupted it ${ago(since)}. Messages wait for your next prompt.`;
  if (state.probable)
    return doing
      ? say`Probably waiting for you: no output for ${age(since)} since it called ${code(doing.subject)}, which needs permission. Guessed from the lack of output.`
      : say`Probably waiting for you: no output for ${age(since)} since its last call. Guessed from the lack of output.`;
  switch (state.waitingFor ?? 'question') {
    case 'permission':
      return permissionSentence(state.calls ?? [], state.question);
    case 'plan':
      return say`Proposes a plan and waits for your approval.`;
    case 'question':
      return state.question ? say`Asks: ${state.question}` : say`Asks a question.`;
    case 'error':
      return state.error
        ? say`Stopped by an error ${ago(since)}: ${state.error}`
        : say`Stopped by an error ${ago(since)}.`;
    case 'limit':
      return limitSentence(state.until, now);
    case 'missed_notice':
      return state.missed
        ? say`${state.missed.kind === 'sub_agent' ? 'The ' : ''}${missedName(state.missed)} ${endedInShort(state.missed)}, ${ago(now - state.missed.endedAt)}. The agent was not told.`
        : say`A command that it started has ended, but it was not told.`;
    case 'turn_end':
      return state.question
        ? say`Done for now. Its answer ends with a question: ${state.question}`
        : say`Done for now. Send a message to continue.`;
  }
}

function permissionSentence([first, ...others]: readonly WaitingCall[], question: string | undefined): Sentence {
  if (first === undefined)
    return question ? say`Waiting for your permission: ${question}` : say`Waiting for your permission.`;
  const more = others.length === 0 ? '.' : ` and ${counted(others.length, 'more call')}.`;
  return first.command === undefined
    ? say`Waiting for your permission: ${code(first.subject)}${more}`
    : say`Waiting for your permission to run ${code(first.subject)}${more}`;
}

function limitSentence(until: number | undefined, now: number): Sentence {
  if (until === undefined) return say`Stopped by its usage limit. It is not known when it can continue.`;
  return until <= now
    ? say`Its usage limit ended at ${clock(until)}. Send a message to continue.`
    : say`Stopped by its usage limit until ${clock(until)}.`;
}

function endedSentence({ state, ran, doing }: StateFacts): Sentence {
  const after = ran === undefined ? '' : ` after ${age(ran)}`;
  switch (state.ended ?? 'clean') {
    case 'died':
      return doing?.kind === 'tool'
        ? say`Died${after} while running ${code(doing.subject)}: its process ended in the middle of a turn.`
        : say`Died${after}: its process ended in the middle of a turn.`;
    case 'interrupted':
      return say`Interrupted${after}.`;
    case 'error':
      return state.error ? say`Stopped by an error${after}: ${state.error}` : say`Stopped by an error${after}.`;
    case 'clean':
      return say`Finished${after}.`;
  }
}

/** Returns `214 of 214 steps seen`. */
export function coverageWords(seen: number, there: number): string {
  return `${whole(seen)} of ${whole(there)} steps seen`;
}

/** Returns `3 lines skipped`. */
export function skippedWords(skipped: number): string {
  return `${counted(skipped, 'line')} skipped`;
}

/** Announces a state change in one sentence for the live region: `Fix the import error: Stuck for 2 min: …`. */
export function announcement(title: string, facts: StateFacts): string {
  return `${title}: ${plain(stateSentence(facts))}`;
}
