import { type TemplateResult, html, nothing } from 'lit/html.js';
import {
  type ComparedResult,
  type ComparedLine,
  FOLDED_LINES,
  type PanelIncident,
  type PanelSample,
  alone,
  withShortRulers,
} from '../../panel-model';
import { whole } from '../../../base/util/counts';
import { capital, clockSeconds } from '../../../core/words';
import type { Actions, Model } from '../panel-model';
import { heading, icon, link, sentence, tile } from './basics';

/** Shows the first and last result side by side, with what the comparison ignored. */
export function samples(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const { incident } = model.snapshot;
  if (!incident || (!incident.first && !incident.last)) return nothing;
  const { comparison } = model;
  if (incident.first && incident.last && comparison) {
    const lines = Math.max(comparison.first.lines.length, comparison.last.lines.length);
    return html`<section aria-label=${'First and last'}>
      ${heading(
        'First and last',
        comparison.heading,
        link('Compare in Editor', () => actions.send({ type: 'compareSamples' })),
      )}
      <div class="pair">
        ${box('first', incident, incident.first, comparison.first, model, actions)}
        ${box('last', incident, incident.last, comparison.last, model, actions)}
      </div>
      ${showAll(lines, model, actions)}
    </section>`;
  }
  const only = incident.first ?? incident.last;
  if (!only) return nothing;
  const compared = alone(only);
  return html`<section aria-label=${'Result'}>
    ${heading('Result')} ${box(incident.first ? 'first' : 'last', incident, only, compared, model, actions)}
    ${showAll(compared.lines.length, model, actions)}
  </section>`;
}

function showAll(lines: number, { local }: Model, actions: Actions): TemplateResult | typeof nothing {
  if (lines <= FOLDED_LINES) return nothing;
  return html`<p class="after-boxes">
    ${
      local.allLines
        ? link('Show Fewer Lines', () => actions.change({ allLines: false }))
        : link(`Show All ${whole(lines)} Lines`, () => actions.change({ allLines: true }))
    }
  </p>`;
}

function box(
  which: 'first' | 'last',
  incident: PanelIncident,
  sample: PanelSample,
  compared: ComparedResult,
  model: Model,
  actions: Actions,
): TemplateResult {
  const [from, to] = model.local.allLines ? [0, compared.lines.length] : [compared.from, compared.to];
  const marked = compared.lines.some((line) => line.differs);
  const name = which === 'first' ? 'First' : 'Last';
  const result = which === 'first' ? 'First result' : 'Last result';
  const letter = incident.evidence.find((row) => row.letter !== undefined)?.letter ?? 'A';
  const open = () => actions.send({ type: 'openLine', file: sample.file, line: sample.line, offset: sample.offset });
  return html`<div class="sample">
    <div class="bar">
      ${tile(letter, which === 'first')}<span>${name}</span><span class="quiet">${clockSeconds(sample.at)}</span
      ><span class="end">${link(sample.line > 0 ? `line ${sample.line}` : 'open', open, `${result}, line ${sample.line}`)}</span>
      <button
        type="button"
        class="icon-button small"
        title=${'Copy Output'}
        aria-label=${'Copy Output'}
        @click=${() => actions.send({ type: 'copySample', which })}
      >
        ${icon('copy')}
      </button>
    </div>
    <pre tabindex="0" aria-label=${result}>${compared.lines
      .slice(from, to)
      .map((line, index) => sampleLine(line, which, marked, index > 0))}</pre>
  </div>`;
}

function sampleLine(line: ComparedLine, which: 'first' | 'last', marked: boolean, notFirst: boolean): TemplateResult {
  const sign = which === 'first' ? '−' : '+';
  const margin = marked ? html`<span class="sign">${line.differs ? sign : ' '} </span>` : nothing;
  const text = line.segments.map((segment) =>
    segment.ignored
      ? html`<span class="ignored" title=${'Ignored in the comparison'}>${segment.text}</span>`
      : html`${withShortRulers(segment.text)}`,
  );
  return html`${notFirst ? '\n' : nothing}${margin}${line.differs ? html`<span class="differs">${text}</span>` : text}`;
}

/** Lists what would clear the incident. */
export function clears({ snapshot: { incident } }: Model): TemplateResult | typeof nothing {
  if (incident?.resolvedAt !== null || incident.clears.length === 0) return nothing;
  return html`<section aria-label=${'What would clear this'}>
    ${heading('What would clear this')}
    <ul class="clears">
      ${incident.clears.map((one) => html`<li><span>${sentence(capital(one))}</span></li>`)}
    </ul>
  </section>`;
}
