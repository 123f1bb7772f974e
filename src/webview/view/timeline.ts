import { type TemplateResult, html, nothing } from 'lit/html.js';
import { type PanelIntent } from '../../panel';
import { clockSpan, counted, plain } from '../../words';
import { type Actions, type Model, currentStep } from '../panel-model';
import { ZOOM } from '../timeline/keys';
import { lineOf, readout, timeOf } from '../timeline/steps';
import type { Timeline } from '../timeline/controller';
import { heading, iconButton, link, sentence, tile } from './basics';

/** Heading, the two canvases as one slider, legend with readout. */
export function timeline(
  model: Model,
  actions: Actions,
  canvas: Timeline | null,
  slider: {
    readonly keydown: (event: KeyboardEvent) => void;
    /** The directive that gives the element to the canvases. */
    readonly connect: unknown;
  },
): TemplateResult {
  const { steps, snapshot, local, now } = model;
  const { first, end } = steps.range;
  const total = end - first;
  if (total === 0) {
    const blind = snapshot.state.kind === 'not_monitored';
    return html`<section aria-label="Timeline">
      ${heading('Timeline', blind ? 'no step recognised' : 'no step yet')}
      ${blind ? nothing : html`<p class="quiet">The first tool call with its result appears here.</p>`}
    </section>`;
  }
  const label = `${counted(end, 'step')}, ${clockSpan(timeOf(steps, first), timeOf(steps, end - 1), now)}`;
  const selected = local.selected ?? end - 1;
  return html`<section aria-label="Timeline">
    ${heading('Timeline', label, tools(model, canvas))}
    <div
      class="timeline"
      tabindex="0"
      role="slider"
      aria-label="Timeline, step"
      aria-orientation="horizontal"
      aria-valuemin=${first + 1}
      aria-valuemax=${end}
      aria-valuenow=${selected + 1}
      aria-valuetext=${plain(readout(steps, selected, model.subjects))}
      @keydown=${slider.keydown}
      ${slider.connect}
    >
      <canvas class="session" aria-hidden="true"></canvas>
      <canvas class="detail" aria-hidden="true"></canvas>
    </div>
    ${legend(model, actions)}
  </section>`;
}

function tools({ local }: Model, canvas: Timeline | null): TemplateResult {
  const act = (what: Parameters<Timeline['act']>[0]) => () => canvas?.act(what);
  const newest = local.window.from !== null;
  return html`<span class="newest ${newest ? 'shown' : ''}"
      >${newest ? link('Show Newest', act({ kind: 'newest' })) : nothing}</span
    >${iconButton('zoom-out', 'Zoom Out', act({ kind: 'zoom', factor: 1 / ZOOM }))}${iconButton(
      'zoom-in',
      'Zoom In',
      act({ kind: 'zoom', factor: ZOOM }),
    )}${iconButton('screen-full', 'Show Whole Session', act({ kind: 'whole' }))}`;
}

function legend(model: Model, actions: Actions): TemplateResult {
  const hasRepeats = model.snapshot.timeline.patterns.length > 0;
  return html`<div class="legend">
    <span><i class="bar low" aria-hidden="true"></i>looked</span><span><i class="bar middle" aria-hidden="true"></i>ran</span
    ><span><i class="bar high" aria-hidden="true"></i>changed</span
    ><span><i class="bar hollow" aria-hidden="true"></i>failed</span>
    ${
      hasRepeats
        ? html`<span>${tile('A', true)}first time</span><span>${tile('A', false)}same result again</span>`
        : nothing
    }
    ${readoutLine(model, actions)}
  </div>`;
}

/** The readout is the timeline's tooltip: what is under the pointer, else the selected step. */
function readoutLine(model: Model, actions: Actions): TemplateResult {
  const { local, steps, subjects } = model;
  if (local.hovered && 'words' in local.hovered) return html`<span class="readout">${local.hovered.words}</span>`;
  const step = currentStep(model);
  if (step === null) return html`<span class="readout"></span>`;
  const line = lineOf(steps, step);
  const intent: PanelIntent = { type: 'openStep', step };
  return html`<span class="readout"
    >${sentence(readout(steps, step, subjects))} ${
      line > 0 ? link(`line ${line}`, () => actions.send(intent)) : nothing
    }</span
  >`;
}
