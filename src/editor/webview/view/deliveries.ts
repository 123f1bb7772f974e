import { type TemplateResult, html, nothing } from 'lit/html.js';
import { type PanelDelivery } from '../../panel-model';
import { deliveryLine, deliveryName } from '../../../core/words';
import type { Actions, Model } from '../panel-model';
import { link } from './basics';

/** Shows the state of one message, and what can be done about it. */
export function deliveryBlock(delivery: PanelDelivery, model: Model, actions: Actions): TemplateResult {
  const { snapshot, local } = model;
  const line = deliveryLine({
    ...delivery,
    agentName: snapshot.agentName,
    ...(snapshot.machine && { machine: snapshot.machine.name }),
  });
  const shown = local.shownTexts.includes(delivery.id);
  const act = (action: (typeof line.actions)[number]) => {
    switch (action) {
      case 'undo':
        return link('Undo', () => actions.send({ type: 'withdraw', id: delivery.id }));
      case 'edit':
        return link('Edit', () => actions.edit(delivery));
      case 'send_again':
        return link('Send Again', () => actions.send({ type: 'sendAgain', id: delivery.id }));
      case 'connect':
        return link('Connect Agent', () => actions.send({ type: 'connect' }));
    }
  };
  const toggle = () =>
    actions.change({
      shownTexts: shown ? local.shownTexts.filter((id) => id !== delivery.id) : [...local.shownTexts, delivery.id],
    });
  return html`<div class="block">
    <h3>${deliveryName(delivery.kind, delivery.number)}</h3>
    <ol class="delivery dots-${line.dots.length}">
      ${line.dots.map(
        (dot) => html`<li class=${dot.done ? '' : 'todo'}>
          <span class="name">${dot.name}</span><span class="note">${dot.note}</span>
        </li>`,
      )}
    </ol>
    <p class="links">${line.actions.map(act)}${link(shown ? 'Hide Text' : 'Show Text', toggle)}</p>
    ${shown ? html`<pre class="sent" tabindex="0" aria-label=${'Text of the message'}>${delivery.text}</pre>` : nothing}
  </div>`;
}
