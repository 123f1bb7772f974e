import {
  type AgentState,
  type DetectorId,
  type Doing,
  type MissedNotice,
  type RuleId,
  type UsageLimit,
  WATCHED_STEPS,
  type WaitingCall,
} from '../../model';
import { counted } from '../../../base/util/counts';
import { age, clock } from '../format';
import { type Sentence, code, join, plain, say } from '../parts';
import { ruleInShort } from '../incidents/rules';
import { presenceWords } from './machines';
import { type Watch, watchedName } from './watch';

/** The facts about the most serious incident of an agent that a row shows. */
export interface RepeatFacts {
  readonly detector: DetectorId;
  readonly rule: RuleId | null;
  readonly subject: string;
  readonly count: number;
  readonly firstAt: number;
  /** True if the rule reported stuck; otherwise it is a hint. */
  readonly isStuck: boolean;
}

/** Facts about an agent for `whyWords`. Absent facts are not mentioned. */
export interface WhyFacts {
  readonly state: AgentState;
  readonly now: number;
  readonly doing?: Doing;
  readonly repeat?: RepeatFacts;
  readonly usageLimit?: UsageLimit;
  readonly watch?: Watch;
  /** Result of the quality gates for its work. */
  readonly gates?: string;
}

/**
 * Says in a few words why an agent is in its state, and what it needs: `wants to run psql -f migrations/0042.sql`, `same result 31 times: npm test`,
 * `stopped: 529 Overloaded`. The same words are used everywhere.
 */
export function whyWords(facts: WhyFacts): Sentence {
  const { state, doing, repeat, now } = facts;
  switch (state.kind) {
    case 'escalated':
    case 'stuck':
      return repeat ? repeatWords(repeat, now) : say``;
    case 'waiting':
      return waitingWords(facts);
    case 'stalled':
      return doing?.kind === 'tool' ? say`no output from ${code(doing.subject)}` : say`no output from the model`;
    case 'not_monitored':
      return state.lost
        ? say`${presenceWords(state.lost, state.since, now)}`
        : say`its transcript grows, but no step is recognized`;
    case 'recovering':
      return recoveringWords(facts.watch);
    case 'working':
      if (facts.usageLimit) return usageLimitWords(facts.usageLimit.opensAt, now);
      if (repeat) return repeatWords(repeat, now);
      return doing?.kind === 'tool' ? say`${code(doing.subject)}` : say`thinking`;
    case 'finished':
      return finishedWords(facts);
  }
}

/** The same for trees, notifications and screen readers. */
export function whyInShort(facts: WhyFacts): string {
  return plain(whyWords(facts));
}

function waitingWords({ state, doing, repeat, usageLimit, gates, now }: WhyFacts): Sentence {
  if (state.probable)
    return doing ? say`probably wants to run ${code(doing.subject)}` : say`probably needs your permission`;
  switch (state.waitingFor ?? 'question') {
    case 'permission':
      return permissionWords(state.calls ?? [], state.question);
    case 'plan':
      return say`${planInShort(state.question)}`;
    case 'question':
      return state.question ? say`asks: ${state.question}` : say`asks a question`;
    case 'error':
      return state.error ? say`stopped: ${state.error}` : say`stopped by an error`;
    case 'limit':
      return usageLimitWords(usageLimit?.opensAt ?? state.until, now);
    case 'missed_notice':
      return state.missed
        ? say`${missedName(state.missed)} ${endedInShort(state.missed)}, not told`
        : say`not told that its command ended`;
    case 'turn_end': {
      if (usageLimit) return usageLimitWords(usageLimit.opensAt, now);
      if (state.interrupted)
        return repeat?.isStuck ? join(say`interrupted by you,`, wasStuck(repeat, now)) : say`interrupted by you`;
      const asks = state.question ? say`asks: ${state.question}` : say`${gates ?? ''}`;
      return repeat?.isStuck ? wasStuck(repeat, now) : asks;
    }
  }
}

/** Names it by the command as typed, or as `sub-agent Review the notes`. */
export function missedName({ kind, subject }: MissedNotice): Sentence {
  return kind === 'sub_agent' ? say`sub-agent ${code(subject)}` : say`${code(subject)}`;
}

/** Returns `ended`, `failed with exit code 1`. */
export function endedInShort({ exitCode }: MissedNotice): string {
  return exitCode === undefined || exitCode === 0 ? 'ended' : `failed with exit code ${exitCode}`;
}

/** Describes calls that need approval: `wants to run npm publish`, `wants to run npm publish and 2 more calls`. */
function permissionWords([first, ...others]: readonly WaitingCall[], question: string | undefined): Sentence {
  if (first === undefined) return question ? say`asks: ${question}` : say`needs your permission`;
  const more = others.length === 0 ? [] : say`and ${counted(others.length, 'more call')}`;
  const call =
    first.command === undefined
      ? say`needs your permission: ${code(first.subject)}`
      : say`wants to run ${code(first.subject)}`;
  return join(call, more);
}

/** Returns `proposes a plan: Move the calls`, from its first line with any text. */
function planInShort(plan = ''): string {
  const [first] = plan
    .split('\n')
    .map((line) => line.replace(/^[\s#>*-]*/, '').trim())
    .filter((line) => line !== '');
  return first === undefined ? 'proposes a plan' : `proposes a plan: ${first}`;
}

/** Says that it was stuck: its turn is over, so it repeats nothing now. */
function wasStuck(repeat: RepeatFacts | undefined, now: number): Sentence {
  return repeat?.isStuck ? join(say`was stuck,`, repeatWords(repeat, now)) : [];
}

function repeatWords({ detector, rule, subject, count, firstAt }: RepeatFacts, now: number): Sentence {
  const short = ruleInShort(detector, rule, count, age(now - firstAt), subject);
  // The count comes first: where there is no room, the end of the call is cut off.
  return short.includes(subject) || subject === '' ? say`${short}` : say`${short}: ${code(subject)}`;
}

/** Returns `usage limit until 18:00`. */
export function usageLimitWords(opensAt: number | undefined, now: number): Sentence {
  if (opensAt === undefined) return say`usage limit reached`;
  return opensAt <= now ? say`usage limit has ended` : say`usage limit until ${clock(opensAt)}`;
}

function finishedWords({ state, doing, gates }: WhyFacts): Sentence {
  switch (state.ended ?? 'clean') {
    case 'died':
      return doing?.kind === 'tool'
        ? say`died while running ${code(doing.subject)}`
        : say`died in the middle of a turn`;
    case 'error':
      return state.error ? say`stopped: ${state.error}` : say`stopped by an error`;
    case 'interrupted':
      return say`interrupted`;
    case 'clean':
      return say`${gates ?? 'finished'}`;
  }
}

function recoveringWords(watch: Watch | undefined): Sentence {
  if (!watch) return say`a message was delivered`;
  const name = watchedName({ ...watch, nudge: 0 });
  const after = name.charAt(0).toLowerCase() + name.slice(1);
  if (watch.seen === 0) return say`${watch.seen} of ${WATCHED_STEPS} calls after ${after}`;
  return watch.fresh === watch.seen
    ? say`${watch.seen} of ${WATCHED_STEPS} calls after ${after}, all new`
    : say`${watch.seen} of ${WATCHED_STEPS} calls after ${after}, ${watch.fresh} new`;
}
