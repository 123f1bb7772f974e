import type { PanelIntent, PanelSnapshot } from '../../../../../src/editor/panel-model';
import { type Actions, derive, FRESH, type Local, type Model } from '../../../../../src/editor/webview/panel-model';
import { NOW } from './panel-fixtures';

/** The panel of a snapshot, and what its reader requested. */
export function panelOf(snapshot: PanelSnapshot, local: Partial<Local> = {}) {
  const { steps, comparison, folded, unfolded } = derive(snapshot);
  const model: Model = {
    snapshot,
    local: { ...FRESH, ...local },
    now: NOW,
    steps,
    comparison,
    rows: local.allEvidence ? unfolded : folded,
    subjects: [],
  };
  const sent: PanelIntent[] = [];
  const did: unknown[] = [];
  const note = (name: string) => (what?: unknown) => void did.push(what === undefined ? name : [name, what]);
  const actions: Actions = {
    send: (intent) => void sent.push(intent),
    change: note('change'),
    select: note('select'),
    openStep: note('open step'),
    placeSteps: note('place'),
    focusMessage: note('focus the message'),
    sendMessage: note('send the message'),
    edit: ({ id }) => void did.push(['edit', id]),
  };
  return { model, actions, sent, did };
}
