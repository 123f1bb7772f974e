import { type TemplateResult, html, nothing } from 'lit/html.js';
import { needsAnswer } from '../../../core/model';
import type { Model } from '../panel-model';

/** Shows what waits for approval: the plan, or each call in full, with the folder where it would run. */
export function asks({ snapshot: { state, cwd } }: Model): TemplateResult | typeof nothing {
  if (state.waitingFor === 'plan' && state.question)
    return html`<section class="asks" aria-label=${'The plan'}><pre tabindex="0">${state.question}</pre></section>`;
  const calls = needsAnswer(state) ? (state.calls ?? []) : [];
  if (calls.length === 0) return nothing;
  return html`<section class="asks" aria-label=${'What it asks for'}>
    ${cwd === undefined ? nothing : html`<p class="label">${`in ${cwd}`}</p>`}
    ${calls.map(({ command, subject }) => html`<pre tabindex="0">${command ?? subject}</pre>`)}
  </section>`;
}
