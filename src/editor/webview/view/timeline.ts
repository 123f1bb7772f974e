import { type TemplateResult, html, nothing } from 'lit/html.js';
import { type PanelIntent, TIMELINE_MODES, type TimelineMode } from '../../panel-model';
import { counted } from '../../../base/util/counts';
import { clockSpan, plain } from '../../../core/words';
import { type Actions, type Model, currentStep } from '../panel-model';
import { ZOOM } from '../timeline/keys';
import { isLaneShared } from '../timeline/brackets';
import { HEIGHTS, stepLineOf, readout, stepTimeOf } from '../timeline/steps';
import type { Timeline } from '../timeline/controller';
import { heading, iconButton, link, sentence, tile } from './basics';

/** Maximum number of names. More would be a list of the past, which the incidents already are. */
const MOST_NAMES = 6;

/** Draws the heading, the two canvases as one slider, and the legend with the readout. */
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
    return noSteps(snapshot);
  }
  const label = `${counted(end, 'step')}, ${clockSpan(stepTimeOf(steps, first), stepTimeOf(steps, end - 1), now)}`;
  const selected = local.selected ?? end - 1;
  return html`<section aria-label=${'Timeline'}>
    ${heading('Timeline', label, tools(model, actions, canvas))}
    <div
      class="timeline"
      tabindex="0"
      role="slider"
      aria-label=${'Timeline, step'}
      aria-orientation="horizontal"
      aria-valuemin=${first + 1}
      aria-valuemax=${end}
      aria-valuenow=${selected + 1}
      aria-valuetext=${plain(readout(steps, selected, model.subjects, local.mode))}
      @keydown=${slider.keydown}
      ${slider.connect}
    >
      <canvas class="session" aria-hidden="true"></canvas>
      <canvas class="detail" aria-hidden="true"></canvas>
    </div>
    ${patternNames(model, actions)}${legend(model, actions)}
  </section>`;
}

/** Explains why there is no tile: the history keeps the evidence of an incident, not the steps of its session. */
function noSteps({ flags, state }: Model['snapshot']): TemplateResult {
  const [head, text] =
    flags.past === true
      ? ['not kept', 'The history keeps the evidence of incidents, shown below, but no timeline.']
      : state.kind === 'not_monitored'
        ? ['no step recognized', '']
        : ['no step yet', 'The first tool call with its result appears here.'];
  return html`<section aria-label=${'Timeline'}>
    ${heading('Timeline', head)}${text === '' ? nothing : html`<p class="quiet">${text}</p>`}
  </section>`;
}

const MODE_NAMES: Readonly<Record<TimelineMode, string>> = { steps: 'Steps', time: 'Time' };

/** Switches the placement of steps: side by side, or by the clock. */
function modes({ local }: Model, actions: Actions): TemplateResult {
  return html`<span class="choices" role="group" aria-label=${'Arrange steps by'}>
    ${TIMELINE_MODES.map(
      (mode) => html`<button
        type="button"
        class="choice"
        aria-pressed=${local.mode === mode ? 'true' : 'false'}
        @click=${() => actions.placeSteps(mode)}
      >
        ${MODE_NAMES[mode]}
      </button>`,
    )}
  </span>`;
}

function tools(model: Model, actions: Actions, canvas: Timeline | null): TemplateResult {
  const { local } = model;
  const act = (what: Parameters<Timeline['act']>[0]) => () => canvas?.act(what);
  const newest = local.window.from !== null;
  return html`<span class="newest ${newest ? 'shown' : ''}"
      >${newest ? link('Show Newest', act({ kind: 'newest' })) : nothing}</span
    >${modes(model, actions)}${iconButton('zoom-out', 'Zoom Out', act({ kind: 'zoom', factor: 1 / ZOOM }))}${iconButton(
      'zoom-in',
      'Zoom In',
      act({ kind: 'zoom', factor: ZOOM }),
    )}${iconButton('screen-full', 'Show Whole Session', act({ kind: 'whole' }))}`;
}

/** Draws the legend of the marks that are drawn. */
function legend(model: Model, actions: Actions): TemplateResult {
  const { shown } = model.steps;
  const bar = (is: boolean, look: string, words: string) =>
    is ? html`<span><i class="bar ${look}" aria-hidden="true"></i>${words}</span>` : nothing;
  return html`<div class="legend">
    ${bar(shown.looked, 'low', HEIGHTS.looked)}${bar(shown.ran, 'middle', HEIGHTS.ran)}${bar(shown.changed, 'high', HEIGHTS.changed)}${bar(
      shown.failed,
      'hollow',
      'failed',
    )}${bar(shown.seen, 'seen', 'seen before')}${shown.first ? html`<span>${tile('A', true)}${'first time'}</span>` : nothing}${
      shown.repeat ? html`<span>${tile('A', false)}${'same result again'}</span>` : nothing
    }
    ${readoutLine(model, actions)}
  </div>`;
}

/** Names repeats in full if the timeline has no gutter for them or one lane has several patterns. */
function patternNames({ steps }: Model, actions: Actions): TemplateResult | typeof nothing {
  const { patterns } = steps.data;
  if (patterns.length === 0) return nothing;
  return html`<ul class="patterns ${isLaneShared(patterns) ? 'always' : ''}" aria-label=${'What repeats'}>
    ${patterns.slice(-MOST_NAMES).map((pattern) => {
      const last = pattern.steps.at(-1);
      const count = `×${pattern.count} ${pattern.words}`;
      return html`<li>
        ${tile(pattern.letter, false)}${last === undefined ? count : link(count, () => actions.select(last))}
        <code>${pattern.subject}</code>
      </li>`;
    })}
  </ul>`;
}

/** Draws the readout, which is the timeline's tooltip: what is under the pointer, otherwise the selected step. */
function readoutLine(model: Model, actions: Actions): TemplateResult {
  const { local, steps, subjects } = model;
  if (local.hovered && 'words' in local.hovered) return html`<span class="readout">${local.hovered.words}</span>`;
  const step = currentStep(model);
  if (step === null) return html`<span class="readout"></span>`;
  const line = stepLineOf(steps, step);
  const intent: PanelIntent = { type: 'openStep', step };
  return html`<span class="readout"
    >${sentence(readout(steps, step, subjects, local.mode))} ${
      line > 0 ? link(`line ${line}`, () => actions.send(intent)) : nothing
    }</span
  >`;
}
