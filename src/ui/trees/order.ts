import { type AgentView, needsAnswer } from '../../model';

/** Groups of the lists, in order: what needs a person first. */
export type Group = 'needs_you' | 'watch' | 'your_turn' | 'working' | 'finished';

const GROUPS: readonly Group[] = ['needs_you', 'watch', 'working', 'your_turn', 'finished'];

export function groupOf({ state }: AgentView): Group {
  switch (state.kind) {
    case 'escalated':
    case 'stuck':
      return 'needs_you';
    case 'waiting':
      return needsAnswer(state) ? 'needs_you' : state.probable ? 'watch' : 'your_turn';
    case 'stalled':
    case 'not_monitored':
    case 'recovering':
      return 'watch';
    case 'working':
      return 'working';
    case 'finished':
      return state.ended === 'died' ? 'needs_you' : 'finished';
  }
}

const PRECEDENCE = [
  'escalated',
  'stuck',
  'waiting',
  'finished',
  'stalled',
  'not_monitored',
  'recovering',
  'working',
] as const;

/** By group, inside a group by state, then what has lasted longest; finished ones the newest first. */
export function compareRows(a: AgentView, b: AgentView): number {
  const group = groupOf(a);
  const byGroup = GROUPS.indexOf(group) - GROUPS.indexOf(groupOf(b));
  if (byGroup !== 0) return byGroup;
  const byState = PRECEDENCE.indexOf(a.state.kind) - PRECEDENCE.indexOf(b.state.kind);
  if (byState !== 0) return byState;
  const bySince = group === 'finished' ? b.state.since - a.state.since : a.state.since - b.state.since;
  // A total order: which of two comes first does not depend on who was there before.
  return bySince !== 0 ? bySince : a.session < b.session ? -1 : a.session > b.session ? 1 : 0;
}

/** Finished agents stand in the lists only when asked for, when they died, or when they ended while this window watched them. */
export function isListed(view: AgentView, finishedShown: boolean): boolean {
  const endedWhileHere = !view.history && view.coverage.seen > 0;
  return finishedShown || view.state.kind !== 'finished' || view.state.ended === 'died' || endedWhileHere;
}
