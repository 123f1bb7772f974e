import { type TemplateResult, html, nothing } from 'lit/html.js';
import { live } from 'lit/directives/live.js';
import { isActive } from '../../../core/model';
import { MESSAGE_LENGTH, type OtherIncident, type PanelDelivery } from '../../panel-model';
import { whole } from '../../../base/util/counts';
import {
  type Sentence,
  incidentDescription,
  incidentLook,
  incidentTitle,
  join,
  maySend,
  reachSentence,
  say,
  sendName,
} from '../../../core/words';
import { type Actions, type Model, isBoxShown, isSending, messageText } from '../panel-model';
import { link, sentence, stateIcon } from './basics';
import { deliveryBlock } from './deliveries';
import { ladder, recoveryHeading, seenBefore } from './ladder';

/**
 * Draws the right column: ladder, message, deliveries, what helped before, what else happened in this session. `between` is placed before the last of
 * these.
 */
export function recovery(model: Model, actions: Actions, between: unknown): TemplateResult {
  const { snapshot } = model;
  const { deliveries, helpedBefore } = snapshot;
  const boxed = isBoxShown(model);
  const quiet = quietWords(model, boxed);
  // A person who writes another message first sees what is already waiting.
  const waiting = deliveries.filter(({ state }) => state === 'queued');
  const others = deliveries.filter(({ state }) => state !== 'queued');
  const block = (delivery: PanelDelivery) => deliveryBlock(delivery, model, actions);
  const said = boxed || quiet !== null || deliveries.length > 0 || snapshot.recovery || helpedBefore;
  return html`${
    said
      ? html`<section aria-label=${'Recovery'}>
        ${recoveryHeading(model, actions)}${ladder(model, actions)}
        ${quiet ? html`<p class="quiet">${sentence(quiet)}</p>` : nothing}
        ${waiting.map(block)}${boxed ? messageBox(model, actions) : nothing}${others.map(block)}
        ${seenBefore(helpedBefore, actions)}
      </section>`
      : nothing
  }${between}${otherIncidents(model, actions)}`;
}

/** Returns the text in place of the message box; null for none. */
function quietWords(model: Model, boxed: boolean): Sentence | null {
  const { message, deliveries, recovery: ways } = model.snapshot;
  if (message === null || boxed || deliveries.length > 0) return null;
  return ways && maySend(message.reach) ? null : nothingToRecover(model);
}

/** Explains why there is no box, and what *Nudge* would do. */
function nothingToRecover({ snapshot: { message, incident, state }, now }: Model): Sentence {
  if (message && !maySend(message.reach)) return reachSentence(message.reach, now);
  const own = say`Use Nudge to send your own message.`;
  if (state.kind === 'not_monitored') return own;
  return incident && message?.draft
    ? say`Nothing to recover yet. Use Nudge to open a draft from the evidence.`
    : join(say`Nothing to recover.`, own);
}

const MAC = /Mac|iPhone|iPad/.test(navigator.platform);

function messageBox(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const { snapshot, now } = model;
  const { message } = snapshot;
  if (!message) return nothing;
  const text = messageText(model);
  const origin =
    message.draft === ''
      ? 'Your own'
      : text === message.draft
        ? message.continues
          ? 'Drafted'
          : 'Drafted from the evidence'
        : 'Edited';
  const on = maySend(message.reach) && text.trim() !== '' && !isSending(model);
  const name = message.continues
    ? 'Continue'
    : message.incident === undefined
      ? 'Nudge'
      : `Nudge ${whole(message.number)}`;
  return html`<div class="message-block">
    <h3 id="message-name">${name}</h3>
    <div class="message">
      <textarea
        aria-label=${`Message to ${snapshot.agentName}`}
        aria-describedby="message-reach"
        maxlength=${MESSAGE_LENGTH}
        placeholder=${`Write to ${snapshot.agentName}`}
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
        ><button type="button" class="button" ?disabled=${!on} @click=${() => actions.sendMessage()}>${sendName(message.reach, message.continues)}</button>
      </div>
    </div>
    <p class="reach" id="message-reach">
      ${sentence(reachSentence(message.reach, now))}
      ${
        message.reach.kind === 'hindered' && message.reach.why === 'untrusted'
          ? link('Manage Workspace Trust', () => actions.send({ type: 'manageTrust' }))
          : nothing
      }
    </p>
    ${message.notTested === undefined ? nothing : html`<p class="reach">${message.notTested}</p>`}
  </div>`;
}

function otherIncidents({ snapshot, now }: Model, actions: Actions): TemplateResult | typeof nothing {
  const open = snapshot.others.filter((one) => isActive(one.state));
  const earlier = snapshot.others.filter((one) => !isActive(one.state));
  const none = snapshot.incident === null && snapshot.others.length === 0 && snapshot.state.kind !== 'not_monitored';
  const row = (one: OtherIncident) => html`<li>
    ${stateIcon(incidentLook(one))}
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
  if (none)
    return html`<div class="block"><h3>${'Earlier in this session'}</h3><p class="small">${'No incidents.'}</p></div>`;
  return html`${block('Also open', open)}${block('Earlier in this session', earlier)}`;
}
