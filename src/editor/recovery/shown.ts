import type { RecoveryProposal } from '../../recover/act/ports';
import type { MessageKind, RecoveryAction } from '../../core/model';
import { whole } from '../../base/util/counts';
import { PANEL_ACTIONS, type PanelHelpedBefore, type PanelRecovery } from '../panel-model/snapshot';
import type { HelpedBefore } from '../../history/types';

/** Describes a proposal for the panel. `before` is the record of similar incidents, as far as it is known. */
export function shownProposal(
  { ladder, actions, recommended, automatic }: RecoveryProposal,
  before: HelpedBefore | undefined,
): PanelRecovery {
  return {
    rungs: ladder.rows.map(({ name, state, note, action }) => ({ name, state, note, action })),
    actions: PANEL_ACTIONS.flatMap((action) => {
      const found = actions.find((one) => one.action === action);
      return found ? [{ action, name: found.name, possible: found.possible, text: found.text }] : [];
    }),
    recommended: recommended && { action: recommended, note: helpedNote(recommended, before) },
    automatic: automatic.on
      ? { held: automatic.held, text: automatic.text, ...(automatic.next && { nextAt: automatic.next.at }) }
      : null,
  };
}

/** The message that carries an action; null if none does. */
const CARRIED_BY: Readonly<Record<RecoveryAction, MessageKind | null>> = {
  nudge: 'nudge',
  split: 'nudge',
  resume: 'restart',
  fresh: 'restart',
  fork: 'restart',
  next_model: 'escalate',
  top_model: 'escalate',
  reassign: 'reassign',
  stop: 'stop',
  checkpoint: 'checkpoint',
  block: 'block',
  ask: null,
};

/** Says what this action did for similar incidents: `helped 2 of 2`, or empty if it was never tried. */
export function helpedNote(action: RecoveryAction, before: HelpedBefore | undefined): string {
  const way = before?.tried.find(({ kind }) => kind === CARRIED_BY[action]);
  return way === undefined || way.recovered.of === 0
    ? ''
    : `helped ${whole(way.recovered.n)} of ${whole(way.recovered.of)}`;
}

const WAYS: Readonly<Record<MessageKind, string>> = {
  nudge: 'Nudge',
  gate: 'Gate feedback',
  reassign: 'Reassigning',
  checkpoint: 'Checkpoint',
  stop: 'Stopping',
  restart: 'Restart',
  escalate: 'Another model',
  block: 'Blocking the call',
};

/** Describes for the panel what helped before; undefined if no incident was similar. */
export function shownHelp({ similar, tried, noted }: HelpedBefore): PanelHelpedBefore | undefined {
  if (similar.length === 0) return undefined;
  return {
    ways: tried.map(({ kind, recovered }) => ({ name: WAYS[kind], helped: recovered.n, tried: recovered.of })),
    noted,
    similar: similar.slice(0, 20).map((incident) => incident.id),
  };
}
