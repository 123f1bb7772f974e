import { type AgentView, needsAnswer } from './agent';

/**
 * Groups of agents in every list, the ones that need a person first: it asks, or its end needs a person; it is stuck; it is
 * silent; it cannot be read; it recovers; it reached a limit; it works; its turn ended; it has finished.
 */
export const STANDINGS = [
  'needs_you',
  'stuck',
  'stalled',
  'not_monitored',
  'recovering',
  'over_limits',
  'working',
  'your_turn',
  'finished',
] as const;
export type Standing = (typeof STANDINGS)[number];

/** Properties of an agent that decide its group. */
export type Standable = Pick<AgentView, 'session' | 'state' | 'incidents' | 'history' | 'usageLimit'>;

/** Rules about a limit, not about a loop: the agent works on, and a person may want to end it. */
const LIMITS: ReadonlySet<string> = new Set(['max_runtime', 'token_exhaustion']);

export function standingOf({ state, incidents, history, usageLimit }: Standable): Standing {
  switch (state.kind) {
    case 'escalated':
      return 'needs_you';
    case 'stuck':
      return 'stuck';
    case 'waiting':
      if (needsAnswer(state)) return 'needs_you';
      // Only silence says so: that is no more than for an agent that is silent.
      if (state.probable) return 'stalled';
      return usageLimit ? 'over_limits' : 'your_turn';
    case 'stalled':
    case 'not_monitored':
    case 'recovering':
      return state.kind;
    case 'working':
      return usageLimit || incidents.some(isOverLimit) ? 'over_limits' : 'working';
    case 'finished':
      // One that died before anybody looked is history.
      return state.ended === 'died' && !history ? 'needs_you' : 'finished';
  }
}

/** Must a person do something about it? */
export function needsPerson(view: Standable): boolean {
  const standing = standingOf(view);
  return standing === 'needs_you' || standing === 'stuck';
}

/** Agents that need a person, in order: a permission request, a plan, a question, an ended recovery, a process that died. */
const ASKING = ['permission', 'plan', 'question', 'escalated', 'died'] as const;

function asking({ kind, waitingFor }: AgentView['state']): number {
  if (kind === 'escalated') return ASKING.indexOf('escalated');
  if (kind === 'finished') return ASKING.indexOf('died');
  return ASKING.indexOf(ASKING.find((one) => one === waitingFor) ?? 'question');
}

/** The order of every list: by standing, then what has lasted longest; of finished agents the newest end first. */
export function compareStanding(a: Standable, b: Standable): number {
  const standing = standingOf(a);
  const byStanding = STANDINGS.indexOf(standing) - STANDINGS.indexOf(standingOf(b));
  if (byStanding !== 0) return byStanding;
  const byAsking = standing === 'needs_you' ? asking(a.state) - asking(b.state) : 0;
  if (byAsking !== 0) return byAsking;
  const bySince = standing === 'finished' ? b.state.since - a.state.since : a.state.since - b.state.since;
  // A total order: which of two comes first does not depend on who was there before.
  return bySince !== 0 ? bySince : a.session < b.session ? -1 : a.session > b.session ? 1 : 0;
}

function isOverLimit({ detector, state }: AgentView['incidents'][number]): boolean {
  return LIMITS.has(detector) && state !== 'muted';
}
