import { type AgentView, type Machine, type Standing, canContinue, needsAnswer, standingOf } from '../../core/model';
import { type Sentence, type StateLook, runWords } from '../../core/words';
import type { OverviewRow, RowAct } from './overview';
import { patternsOf } from './patterns';
import { showable } from './showable';
import { stampPatterns } from './timeline';

/** Facts for a row. Everything that needs I/O or a decision has been decided already. */
export interface RowInput {
  readonly view: AgentView;
  /** The newest steps, copied for this one message because the flags are changed. */
  readonly steps: { readonly from: number; readonly flags: Uint8Array };
  readonly look: StateLook;
  readonly doing: Sentence;
  readonly place: string;
  readonly folder: string;
  /** True if messages can be sent at all. */
  readonly trusted: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Makes the row of one agent, with texts that are safe to show. Pure. */
export function overviewRow({ view, steps, look, doing, place, folder, trusted, now }: RowInput): OverviewRow {
  stampPatterns(steps.flags, steps.from, view.incidents.slice().reverse().flatMap(patternsOf));
  const standing = standingOf(view);
  const { health } = view;
  return showable({
    session: view.session,
    title: view.title,
    agentName: view.agentName,
    state: view.state,
    standing,
    look,
    place,
    folder,
    ...(view.machine && { machine: machineOf(view.machine) }),
    doing,
    since: view.state.kind === 'working' ? (view.doing?.since ?? view.state.since) : view.state.since,
    steps: steps.flags,
    ...(health.lastNewAt !== undefined && { lastNewAt: health.lastNewAt }),
    ...(view.doing && { silentSince: health.lastEventAt }),
    ...(view.run && { run: runWords(view.run) }),
    isSubAgent: view.parent !== undefined,
    act: actOf(view, standing, trusted, now),
  });
}

function machineOf({ name, presence, lastSeenAt }: Machine): Machine {
  return { name, presence, lastSeenAt };
}

/** Returns the action on the row. An agent that asks could take a nudge as consent, so it is answered where it asks. */
function actOf({ state, machine }: AgentView, standing: Standing, trusted: boolean, now: number): RowAct | null {
  if (needsAnswer(state)) return 'go';
  if (machine && !machine.accepts.includes('nudge')) return null;
  if (trusted && canContinue(state, now)) return 'continue';
  const inTrouble = state.kind === 'escalated' || standing === 'stuck' || standing === 'stalled';
  return inTrouble && !state.probable && trusted ? 'nudge' : null;
}
