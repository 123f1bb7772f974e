import { type AgentView, type Doing, type Incident, wasSeen } from '../../../core/model';
import { beforeRecovery, type Lead, type Relief, reliefOf, type Watch } from '../../../core/words';
import { withCode } from '../../../core/words/parts';
import type { SnapshotInput } from '../snapshot-input';

/** Number of steps that the lead of a healthy agent counts. */
const RECENT = 10;

/** Makes the sentence that leads the panel from the state of the agent and the shown incident. */
export function leadOf(
  view: AgentView,
  shown: Incident | null,
  isChosen: boolean,
  watch: Watch | undefined,
  input: SnapshotInput,
): Lead {
  const { state } = view;
  const incident = (one: Incident): Lead => ({ kind: 'incident', why: withCode(one.why) });
  if (isChosen && shown) return incident(shown);
  if (input.closing) return { kind: 'closing', agentName: view.agentName };
  switch (state.kind) {
    case 'recovering':
      if (shown && watch) {
        const before = beforeRecovery(shown.detector, shown.rule, shown.subject, shown.count);
        return { kind: 'recovering', watch, before };
      }
      return shown ? incident(shown) : workingLead(view, input);
    case 'escalated':
    case 'stuck':
      return shown ? incident(shown) : workingLead(view, input);
    case 'waiting':
    case 'stalled':
    case 'not_monitored':
    case 'finished':
      return stateLead(view, shown);
    case 'working':
      return workingLead(view, input);
  }
}

/** Makes the lead for a state in which it repeats nothing now, with the reason why it was stuck before. */
function stateLead({ state, doing, health }: AgentView, shown: Incident | null): Lead {
  const ran = Math.max(0, state.since - health.startedAt);
  const was = shown?.level === 'stuck' && shown.resolvedAt === null ? withCode(shown.why) : null;
  return {
    kind: 'state',
    facts: { state, ...maybeDoing(doing), ...(state.kind === 'finished' && { ran }) },
    was: state.kind === 'stalled' ? null : was,
  };
}

/** Time after an agent was freed during which the lead says so first, milliseconds. */
const RELIEF_MS = 10 * 60_000;

/** Puts the relief of the chosen incident, or of a recently freed healthy agent, before the lead. */
export function relieved(
  lead: Lead,
  chosen: Incident | undefined,
  all: readonly Incident[],
  input: SnapshotInput,
): Lead {
  const relief = chosen ? reliefOf(chosen) : freshRelief(lead, all, input);
  return relief ? { kind: 'freed', relief, now: lead } : lead;
}

/** Finds the last relief of a healthy agent. A warning that is still open does not hide it. */
function freshRelief(lead: Lead, all: readonly Incident[], { view, now }: SnapshotInput): Relief | null {
  const healthy =
    lead.kind === 'working' || lead.kind === 'working_there' || (lead.kind === 'state' && isHealthy(lead));
  if (!healthy || view.incidents.some(({ level }) => level === 'stuck')) return null;
  // A warning counts only if a person acted on it.
  const last = all.find((one) => one.level === 'stuck' || reliefOf(one)?.automated === false);
  const relief = last ? reliefOf(last) : null;
  return relief && now - relief.progress.at < RELIEF_MS ? relief : null;
}

function isHealthy({ facts: { state } }: Extract<Lead, { kind: 'state' }>): boolean {
  return state.kind === 'waiting' || (state.kind === 'finished' && (state.ended ?? 'clean') === 'clean');
}

function workingLead(view: AgentView, { steps }: SnapshotInput): Lead {
  const { lastNewAt, lastProgress } = view.health;
  const progress = lastProgress && { progress: { kind: lastProgress.kind, at: lastProgress.at } };
  if (view.machine)
    return {
      kind: 'working_there',
      ...(lastNewAt !== undefined && { lastNewAt }),
      ...progress,
      ...maybeDoing(view.doing),
    };
  const recent = steps.flags.subarray(Math.max(0, steps.flags.length - RECENT));
  const fresh = recent.reduce((count, flags) => count + (wasSeen(flags) ? 0 : 1), 0);
  return {
    kind: 'working',
    fresh,
    of: recent.length,
    ...progress,
    ...maybeDoing(view.doing),
  };
}

function maybeDoing(doing: Doing | undefined): { doing?: Doing } {
  return doing ? { doing } : {};
}
