import {
  type AgentState,
  type DetectorId,
  type Doing,
  type MessageKind,
  type RuleId,
  type UsageLimit,
  WATCHED_STEPS,
} from '../../model';
import { age, clock } from '../format';
import { type Sentence, code, plain, say } from '../parts';
import { ruleInShort } from '../incidents/rules';
import { type Watch, isYourTurn } from './state';

/** The gravest incident of an agent, as far as a row says it. */
export interface RepeatFacts {
  readonly detector: DetectorId;
  readonly rule: RuleId | null;
  readonly subject: string;
  readonly count: number;
  readonly firstAt: number;
}

/** Facts about an agent for its row. Absent facts are not mentioned. */
export interface DoingFacts {
  readonly state: AgentState;
  readonly now: number;
  readonly doing?: Doing;
  readonly repeat?: RepeatFacts;
  readonly usageLimit?: UsageLimit;
  readonly watch?: Watch;
  /** Result of the quality gates for its work. */
  readonly gates?: string;
}

/** Words the activity of an agent, or the reason it stopped, in a few words for a row: `pytest -q: same result 6 times`. */
export function doingWords(facts: DoingFacts): Sentence {
  const { state, doing } = facts;
  switch (state.kind) {
    case 'escalated':
    case 'stuck':
      return facts.repeat ? repeatWords(facts.repeat, facts.now) : say``;
    case 'waiting':
      return waitingWords(facts);
    case 'stalled':
      return doing?.kind === 'tool'
        ? say`Silent while running ${code(doing.subject)}`
        : say`Silent while the model answers`;
    case 'not_monitored':
      return state.lost ? say`${LOST[state.lost]}` : say`Its file grows, no action is recognised`;
    case 'recovering':
      return recoveringWords(facts.watch);
    case 'working':
      if (facts.usageLimit) return usageLimitWords(facts.usageLimit);
      if (facts.repeat) return repeatWords(facts.repeat, facts.now);
      return doing?.kind === 'tool' ? say`${code(doing.subject)}` : say`The model answers`;
    case 'finished':
      return say`${facts.gates || ENDS[state.ended ?? 'clean']}`;
  }
}

const LOST = {
  silent: 'Nothing is heard of its machine',
  stopped: 'Its machine reports no more',
  version: 'Its machine reports in a later version',
} as const;

const ENDS = {
  clean: 'Session ended',
  died: 'Its process ended in mid-turn',
  interrupted: 'Interrupted',
  error: 'Ended in error',
} as const;

function waitingWords({ state, doing, usageLimit, gates }: DoingFacts): Sentence {
  if (state.probable)
    return doing ? say`Probably asks for permission: ${code(doing.subject)}` : say`Probably asks for permission`;
  if (state.waitingFor === 'error') return say`Its turn ended in error`;
  if (isYourTurn(state)) return usageLimit ? usageLimitWords(usageLimit) : say`${gates || 'Its turn ended'}`;
  if (state.waitingFor === 'plan') return say`Proposes a plan`;
  if (state.question) return say`Asks: ${state.question}`;
  return state.waitingFor === 'permission' ? say`Asks for a permission` : say`Asks a question`;
}

function repeatWords({ detector, rule, subject, count, firstAt }: RepeatFacts, now: number): Sentence {
  const short = ruleInShort(detector, rule, count, age(now - firstAt), subject);
  return short.includes(subject) || subject === '' ? say`${short}` : say`${code(subject)}: ${short}`;
}

/** `Usage limit reached, open again at 18:00`. */
export function usageLimitWords({ opensAt }: UsageLimit): Sentence {
  return opensAt === undefined ? say`Usage limit reached` : say`Usage limit reached, open again at ${clock(opensAt)}`;
}

/** Watched action, after `calls after`. */
const AFTER: Readonly<Record<MessageKind, string>> = {
  nudge: 'the nudge',
  gate: 'gate feedback',
  block: 'the refusal of the call',
  stop: 'the stop',
  restart: 'the restart',
  escalate: 'the restart',
  reassign: 'the reassignment',
  checkpoint: 'the checkpoint',
};

function recoveringWords(watch: Watch | undefined): Sentence {
  if (!watch) return say`A message was taken`;
  const after = AFTER[watch.kind ?? 'nudge'];
  if (watch.seen === 0) return say`${watch.seen} of ${WATCHED_STEPS} calls after ${after}`;
  return watch.fresh === watch.seen
    ? say`${watch.seen} of ${WATCHED_STEPS} calls after ${after}, all new`
    : say`${watch.seen} of ${WATCHED_STEPS} calls after ${after}, ${watch.fresh} new`;
}

/** The same for trees and screen readers. */
export function doingInShort(facts: DoingFacts): string {
  return plain(doingWords(facts));
}
