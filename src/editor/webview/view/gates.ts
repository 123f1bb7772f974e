import { type TemplateResult, html, nothing } from 'lit/html.js';
import { type PanelGate, type PanelGates } from '../../panel-model';
import { whole } from '../../../base/util/counts';
import { gateAria, gateSign, gateWords, gatesLabel, gatesOutcome, gatesDelivery } from '../../../core/words';
import type { Actions, Model } from '../panel-model';
import { heading, icon, link } from './basics';

/** Number of failures of a gate that are listed while folded. */
const FOLDED = 3;

type Failure = PanelGate['failures'][number];

/** Shows the last run of the quality gates, or the one under way. */
export function qualityGates(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const { snapshot, now } = model;
  const { gates, deliveries } = snapshot;
  if (!gates) return nothing;
  const sent = deliveries.find((one) => one.id === gates.message);
  const said = [gatesOutcome(gates), gatesDelivery(gates.notSent, sent?.times.queued)].filter((words) => words !== '');
  return html`<section class="quality-gates" aria-label=${'Quality gates'}>
    ${heading('Quality gates', gatesLabel(gates, now))}
    ${
      gates.results.length === 0
        ? nothing
        : html`<ul class="gates">
          ${gates.results.map((gate) => gateRow(gate, model, actions))}
        </ul>`
    }
    ${said.length === 0 ? nothing : html`<p class="label after-gates">${said.join(' ')}</p>`}
    ${commands(gates, model, actions)}
  </section>`;
}

function commands(gates: PanelGates, { snapshot }: Model, actions: Actions): TemplateResult | typeof nothing {
  // Without trust nothing runs and nothing is sent; the notice at the top says so.
  if (snapshot.flags.restricted) return nothing;
  if (gates.verdict === 'running') {
    return html`<p class="links">${link('Cancel', () => actions.send({ type: 'cancelGates' }), 'Cancel Quality Gates')}</p>`;
  }
  const state = snapshot.deliveries.find((one) => one.id === gates.message)?.state;
  const isLost = state === 'expired' || state === 'failed' || state === 'withdrawn';
  const sends = gates.verdict === 'failed' && snapshot.message !== null && (gates.message === undefined || isLost);
  return html`<p class="links">
    ${
      sends ? link('Send to Agent', () => actions.send({ type: 'sendGates' }), 'Send to Agent: What Failed') : nothing
    }${link('Run Again', () => actions.send({ type: 'runGates' }), 'Run Again: Quality Gates')}
  </p>`;
}

function gateRow(gate: PanelGate, model: Model, actions: Actions): TemplateResult {
  const { now } = model;
  return html`<li class=${gate.status}>
    <span class="voice">${gateAria(gate, now)}</span
    ><code aria-hidden="true">${gateSign(gate.status)}</code
    ><span class="name" aria-hidden="true" title=${gate.command}>${gate.name}</span
    ><span class="note" aria-hidden="true"
      >${gate.status === 'running' ? icon('loading', 'small spin') : nothing}${gateWords(gate, now)}</span
    >${gate.status === 'failed' ? failures(gate, model, actions) : nothing}
  </li>`;
}

function failures(gate: PanelGate, { local }: Model, actions: Actions): TemplateResult | typeof nothing {
  if (gate.failures.length === 0) return nothing;
  const all = local.shownFailures.includes(gate.id);
  const shown = all ? gate.failures : gate.failures.slice(0, FOLDED);
  const folded = gate.failures.length - shown.length;
  return html`<ul class="failures">
    ${shown.map((one, index) => failure(one, gate.id, index, actions))}${
      folded > 0
        ? html`<li>
          ${link(`Show ${whole(folded)} More`, () => actions.change({ shownFailures: [...local.shownFailures, gate.id] }))}
        </li>`
        : nothing
    }${folded === 0 && gate.more > 0 ? html`<li>${`and ${whole(gate.more)} more`}</li>` : nothing}
  </ul>`;
}

function failure(one: Failure, gate: string, index: number, actions: Actions): TemplateResult {
  const words = [one.test, one.message].filter((part) => part !== undefined && part !== '').join(': ');
  const place = [one.file, one.line].filter((part) => part !== undefined).join(':');
  const open = () => actions.send({ type: 'openFailure', gate, failure: index });
  return html`<li>
    ${one.file === undefined ? nothing : html`<code>${link(place, open, `Open ${place}`)}</code>`}
    ${words === '' ? nothing : html`<span class="ellipsis" title=${words}>${words}</span>`}
  </li>`;
}
