import { type TemplateResult, html, nothing } from 'lit/html.js';
import { live } from 'lit/directives/live.js';
import {
  MESSAGE_LENGTH,
  type OtherIncident,
  type PanelDelivery,
  type Sentence,
  deliveryLine,
  incidentDescription,
  incidentLook,
  incidentTitle,
  isActive,
  maySend,
  reachSentence,
  say,
} from '../../protocol';
import { type Actions, type Model, isBoxShown, messageKey, messageText } from '../panel-model';
import { heading, link, sentence, stateIcon } from './basics';

/** The right column: message, deliveries, what else happened in this session. */
export function recovery(model: Model, actions: Actions): TemplateResult {
  const { snapshot } = model;
  const boxed = isBoxShown(model);
  const quiet = snapshot.message !== null && !boxed && snapshot.deliveries.length === 0;
  const said = boxed || quiet || snapshot.deliveries.length > 0;
  return html`${
    said
      ? html`<section aria-label="Recovery">
        ${heading('Recovery')} ${quiet ? html`<p class="quiet">${sentence(nothingToRecover(model))}</p>` : nothing}
        ${boxed ? messageBox(model, actions) : nothing}
        ${snapshot.deliveries.map((delivery) => deliveryBlock(delivery, model, actions))}
      </section>`
      : nothing
  }${otherIncidents(model, actions)}`;
}

/** Why there is no box, and what *Nudge* would do. */
function nothingToRecover({ snapshot: { message, incident, state }, now }: Model): Sentence {
  if (message && !maySend(message.reach)) return reachSentence(message.reach, now);
  const own = say`Nudge sends a message of your own.`;
  if (state.kind === 'not_monitored') return own;
  return incident && message?.draft
    ? say`Nothing to recover yet. Nudge opens a draft from the evidence.`
    : say`Nothing to recover. ${own}`;
}

const MAC = /Mac|iPhone|iPad/.test(navigator.platform);

function messageBox(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const { snapshot, local, now } = model;
  const { message } = snapshot;
  if (!message) return nothing;
  const text = messageText(model);
  const origin = message.draft === '' ? 'Your own' : text === message.draft ? 'Drafted from the evidence' : 'Edited';
  const sending = local.sent === messageKey(snapshot);
  const on = maySend(message.reach) && text.trim() !== '' && !sending;
  const name = message.incident === undefined ? 'Nudge' : `Nudge ${message.number}`;
  return html`<div class="message-block">
    <h3 id="message-name">${name}</h3>
    <div class="message">
      <textarea
        aria-label="Message to ${snapshot.agentName}"
        aria-describedby="message-reach"
        maxlength=${MESSAGE_LENGTH}
        placeholder="Write to ${snapshot.agentName}"
        .value=${live(text)}
        @input=${(event: Event) => {
          if (event.target instanceof HTMLTextAreaElement) actions.change({ text: event.target.value });
        }}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            if (on) actions.sendMessage();
          } else if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur();
        }}
      ></textarea>
      <div class="bar">
        <span class="label grow">${origin}</span><kbd>${MAC ? '⌘Enter' : 'Ctrl+Enter'}</kbd
        ><button type="button" class="button" ?disabled=${!on} @click=${() => actions.sendMessage()}>Send Nudge</button>
      </div>
    </div>
    <p class="reach" id="message-reach">
      ${sentence(reachSentence(message.reach, now))}
      ${
        message.reach.kind === 'not_connected'
          ? link('Connect Agent', () => actions.send({ type: 'connect' }))
          : message.reach.kind === 'restricted'
            ? link('Manage Workspace Trust', () => actions.send({ type: 'manageTrust' }))
            : nothing
      }
    </p>
  </div>`;
}

function deliveryBlock(delivery: PanelDelivery, model: Model, actions: Actions): TemplateResult {
  const { snapshot, local } = model;
  const line = deliveryLine({ ...delivery, agentName: snapshot.agentName });
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
    <h3>${delivery.number > 0 ? `Nudge ${delivery.number}` : 'Nudge'}</h3>
    <ol class="delivery dots-${line.dots.length}">
      ${line.dots.map(
        (dot) => html`<li class=${dot.done ? '' : 'todo'}>
          <span class="name">${dot.name}</span><span class="note">${dot.note}</span>
        </li>`,
      )}
    </ol>
    <p class="links">${line.actions.map(act)}${link(shown ? 'Hide Text' : 'Show Text', toggle)}</p>
    ${shown ? html`<pre class="sent" tabindex="0" aria-label="Text of the nudge">${delivery.text}</pre>` : nothing}
  </div>`;
}

function otherIncidents({ snapshot, now }: Model, actions: Actions): TemplateResult | typeof nothing {
  const open = snapshot.others.filter((one) => isActive(one.state));
  const earlier = snapshot.others.filter((one) => !isActive(one.state));
  const none = snapshot.incident === null && snapshot.others.length === 0 && snapshot.state.kind !== 'not_monitored';
  const row = (one: OtherIncident) => html`<li>
    ${stateIcon(incidentLook(one.state))}
    ${link(incidentTitle(one, now), () => actions.send({ type: 'showIncident', id: one.id }))}
    <span class="label">${incidentDescription(one, now)}</span>
  </li>`;
  const block = (name: string, rows: readonly OtherIncident[]) =>
    rows.length === 0
      ? nothing
      : html`<div class="block">
          <h3>${name}</h3>
          <ul class="incidents">
            ${rows.map(row)}
          </ul>
        </div>`;
  if (none) return html`<div class="block"><h3>Earlier in this session</h3><p class="small">No incidents.</p></div>`;
  return html`${block('Also open', open)}${block('Earlier in this session', earlier)}`;
}
