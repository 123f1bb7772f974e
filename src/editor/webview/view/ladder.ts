import { type TemplateResult, html, nothing } from 'lit/html.js';
import { type PanelHelpedBefore, type PanelRung } from '../../panel-model';
import { whole } from '../../../base/util/counts';
import { helpedWords, recoveryLabel, seenBeforeWords, similarCommand } from '../../../core/words';
import type { Actions, Model } from '../panel-model';
import { heading, icon, link } from './basics';

/** Draws the heading of the right column, with what automatic mode does next. */
export function recoveryHeading({ snapshot: { recovery }, now }: Model, actions: Actions): TemplateResult {
  if (!recovery) return heading('Recovery');
  const { automatic, rungs } = recovery;
  // On the last rung it is the reader's turn, so there is nothing left to hold.
  const isOver = rungs.at(-1)?.state === 'current';
  const held = automatic?.held === true;
  const hold = automatic && (held || !isOver);
  const tools = hold
    ? link(
        held ? 'Continue' : 'Hold',
        () => actions.send({ type: 'hold', on: !held }),
        held ? 'Continue automatic recovery' : 'Hold automatic recovery',
      )
    : undefined;
  return heading('Recovery', recoveryLabel(automatic, now), tools);
}

/** Draws a line of small steps: what was done on each and what resulted, or what it would use. */
export function ladder({ snapshot: { recovery } }: Model, actions: Actions): TemplateResult | typeof nothing {
  if (!recovery || recovery.rungs.length === 0) return nothing;
  const { automatic, rungs } = recovery;
  // While it counts down, the label says so; otherwise this says why it does nothing.
  const why = automatic && !automatic.held && automatic.nextAt === undefined ? automatic.text : '';
  return html`<ol class="ladder">
      ${rungs.map((one) => rung(one, actions))}
    </ol>
    ${why === '' ? nothing : html`<p class="label after-ladder">${why}</p>`}`;
}

/** Draws a step. One that can be taken is a button: feedback opens the box, and actions that start or end an agent ask first. */
function rung({ name, state, note, action }: PanelRung, actions: Actions): TemplateResult {
  const words = html`${name}${state === 'done' ? html`<span class="voice">, done</span>` : nothing}`;
  return html`<li class=${state} aria-current=${state === 'current' ? 'step' : nothing}>
    <span class="dot" aria-hidden="true"></span>${
      action === null
        ? html`<span class="name">${words}</span>`
        : html`<button
            type="button"
            class="name link"
            @click=${() => (action === 'nudge' ? actions.focusMessage() : actions.send({ type: 'recover', action }))}
          >${words}</button>`
    }${note === '' ? nothing : html`<span class="note">${note}</span>`}
  </li>`;
}

/** Shows the actions that freed agents in the same situation before, and those that did not. */
export function seenBefore(before: PanelHelpedBefore | undefined, actions: Actions): TemplateResult | typeof nothing {
  if (!before || (before.ways.length === 0 && before.similar.length === 0)) return nothing;
  return html`<div class="block">
    <h3>${'Seen before'}</h3>
    <p>${seenBeforeWords(before.similar.length, before.ways)}</p>
    ${before.noted === '' ? nothing : html`<p class="quiet">${before.noted}</p>`}
    ${
      before.ways.length === 0
        ? nothing
        : html`<ul class="ways">
          ${before.ways.map(
            (way) => html`<li>
              ${way.helped > 0 ? icon('pass', 'tone-good') : icon('error', 'tone-quiet')}<span>${helpedWords(way)}</span
              ><span class="label">${`${whole(way.helped)} of ${whole(way.tried)}`}</span>
            </li>`,
          )}
        </ul>`
    }
    ${
      before.similar.length === 0
        ? nothing
        : html`<p class="links">${link(similarCommand(before.similar.length), () => actions.send({ type: 'showSimilar' }))}</p>`
    }
  </div>`;
}
