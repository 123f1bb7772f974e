import { type TemplateResult, html, nothing } from 'lit/html.js';
import { repeat } from 'lit/directives/repeat.js';
import type { RuleChange, RuleRow, RulesIntent, RulesMessage } from '../../panel-model';
import { loadingText, say, strong } from '../../../core/words';
import { icon, link, sentence } from '../view/basics';

type Send = (intent: RulesIntent) => void;

/** Draws the page: whose rules they are, to whom a change applies, and a row for each rule. */
export function page(message: RulesMessage | null, send: Send): TemplateResult {
  if (message === null) {
    return html`<h1>${'Rules'}</h1>
      <p class="quiet" role="status">${loadingText()}</p>`;
  }
  const { agentName, title, rows, notice, past, hasMorePast } = message;
  return html`<header>
      <h1>${`Rules for ${agentName}`}</h1>
      <p>${title}</p>
      <p class="quiet">
        ${`Rules that fired or came close are listed first. Changes apply to all sessions of ${agentName} at once.`}
        ${link('Open in Settings', () => send({ type: 'openSettings' }))}
      </p>
      <p class="quiet">
        ${past} ${hasMorePast ? link('All History', () => send({ type: 'allHistory' })) : nothing}
      </p>
      ${notice === '' ? nothing : html`<p class="notice" role="status">${icon('warning')} ${notice}</p>`}
    </header>
    <ul class="rules">
      ${repeat(
        rows,
        ({ detector }) => detector,
        (row) => rule(row, send),
      )}
    </ul>`;
}

function rule(row: RuleRow, send: Send): TemplateResult {
  return html`<li class=${row.on ? '' : 'off'}>
    <div>
      <h2>${row.on ? row.name : `${row.name} (off)`}</h2>
      <p>${row.limits}<span class="quiet">${`, counts ${row.counts}`}</span></p>
    </div>
    <div class="now">${now(row)}</div>
    <div class="do" role="group" aria-label=${`Change ${row.name}`}>${changes(row, send)}</div>
  </li>`;
}

/** Shows the present counts of a rule, and the verdicts of people on it. */
function now(row: RuleRow): TemplateResult {
  const near =
    row.reached === ''
      ? html`<p class="quiet">${row.incident === '' ? 'Not close.' : `Earlier: ${row.incident}`}</p>`
      : html`<p><strong>${row.reached}</strong>${row.nearest === '' ? nothing : html` <code>${row.nearest}</code>`}</p>`;
  return html`${
    !row.isOpen ? near : html`<p class="trouble">${icon('warning')} ${sentence(say`Now: ${strong(row.incident)}`)}</p>`
  }${row.past === '' ? nothing : html`<p class="quiet">${row.past}</p>`}${row.heldBackBy === '' ? nothing : html`<p class="quiet">${row.heldBackBy}</p>`}${
    row.said === '' ? nothing : html`<p class="quiet">${row.said}.</p>`
  }`;
}

function changes(row: RuleRow, send: Send): TemplateResult {
  const button = (change: RuleChange, words: string, can = true) => html`<button
    type="button"
    class="button secondary"
    aria-disabled=${can ? nothing : 'true'}
    @click=${() => (can ? send({ type: 'change', detector: row.detector, change }) : undefined)}
  >
    ${words}
  </button>`;
  return html`${button('less', 'Less Sensitive', row.on && row.canBeLess)}${button(
    'more',
    'More Sensitive',
    row.on && row.canBeMore,
  )}${row.on ? button('off', 'Turn Off') : button('on', 'Turn On')}${button('reset', 'Reset', row.isOwn)}`;
}
