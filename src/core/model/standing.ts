import { type AgentView, needsAnswer } from './agent';

/**
 * Standings of agents in every list, those that need a person first: it asks, or stopped before its work was done; it is stuck; it is recovering; it
 * cannot be read; it writes nothing; it works; it reached a limit; its turn ended; it has finished.
 */
export const STANDINGS = [
  'needs_you',
  'stuck',
  'recovering',
  'not_monitored',
  'stalled',
  'working',
  'over_limits',
  'your_turn',
  'finished',
] as const;
export type Standing = (typeof STANDINGS)[number];

/** Properties of an agent that decide its group. */
export type Standable = Pick<AgentView, 'session' | 'state' | 'incidents' | 'isPast' | 'usageLimit'>;

/** Rules about a limit, not about a loop: the agent keeps working, and a person may want to end it. */
const LIMITS: ReadonlySet<string> = new Set(['max_runtime', 'token_exhaustion']);

export function standingOf({ state, incidents, isPast = false, usageLimit }: Standable): Standing {
  switch (state.kind) {
    case 'escalated':
      return 'needs_you';
    case 'stuck':
      return 'stuck';
    case 'waiting':
      if (needsAnswer(state)) return 'needs_you';
      // Inferred from silence alone, so it counts no more than any silent agent.
      if (state.probable) return 'stalled';
      if (usageLimit) return 'over_limits';
      return !isPast && needsRestart(state) ? 'needs_you' : 'your_turn';
    case 'stalled':
    case 'not_monitored':
    case 'recovering':
      return state.kind;
    case 'working':
      return usageLimit || incidents.some(isOverLimit) ? 'over_limits' : 'working';
    case 'finished':
      return !isPast && needsRestart(state) ? 'needs_you' : 'finished';
  }
}

/** Returns whether it stopped before its work was done, so that only a person can make it continue. */
function needsRestart({ waitingFor = 'turn_end', ended }: AgentView['state']): boolean {
  switch (waitingFor) {
    case 'error':
    case 'limit':
    case 'missed_notice':
      return true;
    case 'permission':
    case 'question':
    case 'plan':
    case 'turn_end':
      return ended === 'died' || ended === 'error';
  }
}

/** Groups of agents in the tree and the overview, in their order. */
export const NEEDS = ['needs_you', 'stuck', 'working', 'your_turn', 'finished'] as const;
export type Need = (typeof NEEDS)[number];

/** Returns the group of a standing. Within *Working*, those that are not monitored or without output come first, and those at a limit last. */
export function needOf(standing: Standing): Need {
  switch (standing) {
    case 'recovering':
      return 'stuck';
    case 'stalled':
    case 'not_monitored':
    case 'over_limits':
      return 'working';
    case 'needs_you':
    case 'stuck':
    case 'working':
    case 'your_turn':
    case 'finished':
      return standing;
  }
}

/** Returns whether a person must do something about it. */
export function needsPerson(view: Standable): boolean {
  const standing = standingOf(view);
  return standing === 'needs_you' || standing === 'stuck';
}

/**
 * Reasons why agents need a person, in order: a permission, a plan, a question, an ended recovery, an error, a limit that has been lifted, an end
 * that was not reported to the agent, a process that died.
 */
const NEED_ORDER = ['permission', 'plan', 'question', 'escalated', 'error', 'limit', 'missed_notice', 'died'] as const;

function needRank({ kind, waitingFor }: AgentView['state']): number {
  if (kind === 'escalated') return NEED_ORDER.indexOf('escalated');
  if (kind === 'finished') return NEED_ORDER.indexOf('died');
  return NEED_ORDER.indexOf(NEED_ORDER.find((one) => one === waitingFor) ?? 'question');
}

/** Compares two agents for the order of every list: by standing, then the longest-lasting first; of finished agents the newest first. */
export function compareStanding(a: Standable, b: Standable): number {
  const standing = standingOf(a);
  const byStanding = STANDINGS.indexOf(standing) - STANDINGS.indexOf(standingOf(b));
  if (byStanding !== 0) return byStanding;
  const byNeed = standing === 'needs_you' ? needRank(a.state) - needRank(b.state) : 0;
  if (byNeed !== 0) return byNeed;
  const bySince = standing === 'finished' ? b.state.since - a.state.since : a.state.since - b.state.since;
  // A total order: which of two agents comes first does not depend on their previous order.
  return bySince !== 0 ? bySince : a.session < b.session ? -1 : a.session > b.session ? 1 : 0;
}

function isOverLimit({ detector, state }: AgentView['incidents'][number]): boolean {
  return LIMITS.has(detector) && state !== 'muted';
}
