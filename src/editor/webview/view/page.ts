import { type TemplateResult, html, nothing } from 'lit/html.js';
import { loadingText, ago, coverageWords, skippedWords, reportedAgo } from '../../../core/words';
import type { Actions, Model } from '../panel-model';
import { asks } from './asks';
import { link } from './basics';
import { evidence } from './evidence';
import { qualityGates } from './gates';
import { loopHealth } from './health';
import { header, stickyHeader } from './header';
import { lead, notices, vitals } from './lead';
import { recovery } from './recovery';
import { clears, samples } from './samples';
import { machineReports } from './machine-reports';
import { whyNot } from './why-not';

/** Draws the page before the first snapshot. The style sheet shows it only when the wait is long enough to be noticed. */
export function loading(): TemplateResult {
  return html`<main>
    <h1 class="voice">Unstuck</h1>
    <p class="loading" role="status">${loadingText()}</p>
  </main>`;
}

/** Draws the whole panel: header, notices, explanation, figures, timeline; below them, evidence next to recovery. */
export function page(model: Model, actions: Actions, timeline: TemplateResult): TemplateResult {
  // An agent that is not read has neither evidence nor near misses.
  const hasLeft = model.snapshot.incident !== null || model.snapshot.state.kind !== 'not_monitored';
  const clearing = clears(model);
  const gates = qualityGates(model, actions);
  // The gates are next to what would clear the incident; without that, in the right column.
  const isPair = clearing !== nothing && gates !== nothing;
  return html`${stickyHeader(model, actions)}
    <div class="page">
      ${header(model, actions)}
      <main>
        ${notices(model, actions)}${lead(model, actions)}${asks(model)}${vitals(model, actions)}${model.snapshot.machine ? machineReports(model) : timeline}
        <div class="columns ${hasLeft ? '' : 'single'}">
          <div class="column">
            ${evidence(model, actions)}${samples(model, actions)}${
              isPair ? html`<div class="pair sections">${clearing}${gates}</div>` : clearing
            }${whyNot(model, actions)}
          </div>
          <aside class="column" aria-label=${'Recovery'}>${recovery(model, actions, isPair ? nothing : gates)}</aside>
        </div>
        ${model.snapshot.machine ? nothing : loopHealth(model, actions)}
      </main>
      ${model.snapshot.flags.past === true ? nothing : model.snapshot.machine ? source(model) : coverage(model, actions)}
    </div>`;
}

/** Shows from where everything comes that is shown of an agent on another machine. */
function source({ snapshot: { machine, coverage: facts }, now }: Model): TemplateResult {
  return html`<footer class="coverage"><span>${reportedAgo(machine?.name ?? '', now - facts.lastReadAt)}</span></footer>`;
}

function coverage({ snapshot: { coverage: facts, flags }, now }: Model, actions: Actions): TemplateResult {
  const skipped =
    facts.skipped > 0 ? html`, ${link('Show Why', () => actions.send({ type: 'showSkipped' }))}` : nothing;
  const read =
    facts.lastReadAt > 0 && !flags.gone ? html`<span>${`Read ${ago(now - facts.lastReadAt)}`}</span>` : nothing;
  return html`<footer class="coverage">
    <span>${coverageWords(facts.seen, facts.there)}</span><span>${skippedWords(facts.skipped)}${skipped}</span>${read}
  </footer>`;
}
