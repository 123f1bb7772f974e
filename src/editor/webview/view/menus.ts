import { type TemplateResult, html, nothing } from 'lit/html.js';
import { type PanelIntent } from '../../panel-model';
import { ACTION_DETAILS, ACTION_NAMES, RECOVER, recommendedName, waysOut } from '../../../core/words';
import type { Actions, Model } from '../panel-model';
import { icon } from './basics';
import { type MenuItem, menuButton } from './menu';

/** Draws *Recover*, only if there is something to recover. Actions that are impossible now are in a second part with the reason. */
export function recoverMenu(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const { recovery, message } = model.snapshot;
  if (!recovery) return nothing;
  // A nudge is not among the actions: it is read first, in the box below.
  const nudge =
    message === null ? [] : [{ action: 'nudge' as const, name: ACTION_NAMES.nudge, possible: true, text: '' }];
  const { possible, impossible } = waysOut([...nudge, ...recovery.actions], recovery.recommended?.action ?? null);
  const items = [
    ...possible.map(({ action, name }): MenuItem => {
      const isFirst = action === recovery.recommended?.action;
      return {
        text: isFirst ? recommendedName(name, recovery.recommended.note) : name,
        meaning: ACTION_DETAILS[action],
        act: () => (action === 'nudge' ? actions.focusMessage() : actions.send({ type: 'recover', action })),
        apart: action === possible[1]?.action && possible[0]?.action === recovery.recommended?.action,
      };
    }),
    ...impossible.map(
      ({ name, text }, index): MenuItem => ({
        text: name,
        act: () => undefined,
        hindrance: text,
        apart: index === 0 && RECOVER.notNow,
      }),
    ),
  ];
  if (items.length === 0) return nothing;
  const content = html`${RECOVER.menu}${icon('chevron-down', 'small')}`;
  return menuButton(
    { menu: 'recover', name: RECOVER.menu, classes: 'button secondary', content, items },
    model,
    actions,
  );
}

/** Draws *More Actions*. */
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
    ...(incident?.rule === 'sent_back' ? [item('Open Hook', { type: 'openHook' }, { apart: true })] : []),
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
  return gates?.verdict === 'running' ? 'They are running.' : undefined;
}
