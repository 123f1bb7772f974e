import { type TemplateResult, html, nothing } from 'lit/html.js';
import { type PanelIntent } from '../../panel-model';
import type { RecoveryAction } from '../../../core/model';
import { ACTION_NAMES, OTHER_WAYS, recommendedName, RESTARTS } from '../../../core/words';
import type { Actions, Model } from '../panel-model';
import { icon } from './basics';
import { type MenuItem, menuButton } from './menu';

/** *Restart*, only where there is something to recover. What cannot be done stays in it with its reason. */
export function restartMenu(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const { recovery } = model.snapshot;
  if (!recovery) return nothing;
  const first = firstOf(model, actions);
  const others = [...RESTARTS, ...OTHER_WAYS].filter((action) => action !== first?.action);
  const items = others.flatMap((action): MenuItem[] => {
    const offer = recovery.actions.find((one) => one.action === action);
    if (!offer) return [];
    return [
      {
        text: offer.name,
        act: () => actions.send({ type: 'recover', action }),
        ...(!offer.possible && { hindrance: offer.text }),
        ...((action === OTHER_WAYS[0] || (first && action === others[0])) && { apart: true }),
      },
    ];
  });
  if (first) {
    const words = [recommendedName(first.name), recovery.recommended?.note ?? ''].filter((part) => part !== '');
    items.unshift({ text: words.join(', '), act: first.act });
  }
  if (items.length === 0) return nothing;
  const content = html`${'Restart'}${icon('chevron-down', 'small')}`;
  return menuButton({ menu: 'restart', name: 'Restart', classes: 'button secondary', content, items }, model, actions);
}

/** The recommended action; null for none, or where there is no box for a message. */
function firstOf(
  { snapshot }: Model,
  actions: Actions,
): { action: RecoveryAction; name: string; act: () => void } | null {
  const { recovery, message } = snapshot;
  const wanted = recovery?.recommended?.action;
  // A nudge is not among the actions: it is read first, in the box below.
  if (wanted === 'nudge')
    return message !== null ? { action: wanted, name: ACTION_NAMES.nudge, act: () => actions.focusMessage() } : null;
  const offer = recovery?.actions.find(({ action }) => action === wanted);
  return offer ? { ...offer, act: () => actions.send({ type: 'recover', action: offer.action }) } : null;
}

/** *More Actions*. */
export function moreMenu(model: Model, actions: Actions): TemplateResult {
  const { incident, flags, machine } = model.snapshot;
  const item = (text: string, intent: PanelIntent, more: Partial<MenuItem> = {}): MenuItem => ({
    text,
    act: () => actions.send(intent),
    ...more,
  });
  const there: readonly MenuItem[] = [
    item('Mute for 1 Hour', { type: 'mute' }),
    item('Share…', { type: 'share' }, { apart: true }),
  ];
  const here: readonly MenuItem[] = [
    item('Save Checkpoint', { type: 'saveCheckpoint' }, hindered(checkpointHindrance(model))),
    item('Run Quality Gates', { type: 'runGates' }, hindered(gatesHindrance(model))),
    ...(incident?.resolvedAt === null
      ? [item('Not Stuck', { type: 'notStuck' }), item('Mute for 1 Hour', { type: 'mute' })]
      : []),
    item('Open Transcript', { type: 'openTranscript' }, { apart: true }),
    item('Share…', { type: 'share' }),
    // A session of the history is not followed: no rule counts anything in it.
    ...(flags.past === true ? [] : [item('Rules for This Agent…', { type: 'showRules' }, { apart: true })]),
  ];
  // Actions that need its files are done on its own machine.
  const items = machine ? there : here;
  const content = icon('ellipsis');
  return menuButton(
    { menu: 'more', name: 'More Actions', classes: 'icon-button large', content, isIcon: true, items },
    model,
    actions,
  );
}

function hindered(hindrance: string | undefined): Partial<MenuItem> {
  return hindrance === undefined ? {} : { hindrance };
}

function checkpointHindrance({ snapshot: { flags, recovery } }: Model): string | undefined {
  if (flags.restricted) return 'Nothing is saved until you trust this folder.';
  const offer = recovery?.actions.find((one) => one.action === 'checkpoint');
  return offer && !offer.possible ? offer.text : undefined;
}

function gatesHindrance({ snapshot: { flags, gates } }: Model): string | undefined {
  if (flags.restricted) return 'No gate runs until you trust this folder.';
  return gates?.verdict === 'running' ? 'They run now.' : undefined;
}
