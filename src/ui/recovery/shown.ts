import type { Proposal } from '../../engine/recovery/ports';
import type { MessageKind } from '../../model';
import { PANEL_ACTIONS, type PanelHelpedBefore, type PanelRecovery } from '../../panel/snapshot';
import type { HelpedBefore } from '../../store/types';

/** What the panel shows of a proposal. */
export function shownProposal({ ladder, actions, automatic }: Proposal): PanelRecovery {
  return {
    rungs: ladder.rows.map(({ number, name, state, note }) => ({ number, name, state, note })),
    label: ladder.label,
    actions: PANEL_ACTIONS.flatMap((action) => {
      const found = actions.find((one) => one.action === action);
      return found ? [{ action, possible: found.possible, text: found.text }] : [];
    }),
    automatic: automatic.on
      ? { held: automatic.held, text: automatic.text, ...(automatic.next && { nextAt: automatic.next.at }) }
      : null,
  };
}

const WAYS: Readonly<Record<MessageKind, string>> = {
  nudge: 'Nudge',
  gate: 'Gate feedback',
  reassign: 'Reassigning',
  checkpoint: 'Checkpoint',
  stop: 'Stopping',
  restart: 'Restart',
  escalate: 'Another model',
  block: 'Refusing the call',
};

/** What the panel shows of what helped before; undefined where there was nothing like it. */
export function shownHelp({ similar, tried }: HelpedBefore): PanelHelpedBefore | undefined {
  if (similar.length === 0) return undefined;
  return {
    ways: tried.map(({ kind, recovered }) => ({ name: WAYS[kind], helped: recovered.n, tried: recovered.of })),
    similar: similar.slice(0, 20).map((incident) => incident.id),
  };
}
