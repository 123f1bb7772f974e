import { type TemplateResult, html, nothing } from 'lit/html.js';
import { whole } from '../../../base/util/counts';
import { clockSeconds, code, plain, say } from '../../../core/words';
import { type Occurrence, evidenceLabel } from '../evidence-rows';
import { type Actions, type Model, currentStep } from '../panel-model';
import { heading, link, sentence, tile } from './basics';

/** Draws the list of evidence: the results that were counted, with what the agent did in between. */
export function evidence(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const { incident } = model.snapshot;
  if (!incident || model.rows.length === 0) return nothing;
  const isHere = model.snapshot.machine === undefined;
  const tools = isHere ? link('Open All in Transcript', () => actions.send({ type: 'openAll' })) : undefined;
  const current = currentStep(model);
  // The newest step is only followed and not selected, so no row is marked for it.
  const chosen = model.local.hovered !== null || model.local.selected !== null;
  const occurrences = model.rows.filter((row) => row.kind === 'occurrence');
  // One row is in the tab order: the one that the timeline points at, otherwise the newest.
  const active = occurrences.findLast((row) => row.step !== null && row.step === current) ?? occurrences.at(-1);
  return html`<section class="evidence" aria-label=${'Evidence'}>
    ${heading('Evidence', sentence(evidenceLabel(incident, model.steps)), tools)}
    <ol
      @keydown=${moveBetweenRows}
      @pointerleave=${() => actions.change({ hovered: null })}
    >
      ${model.rows.map((row) => {
        switch (row.kind) {
          case 'occurrence':
            return occurrence(row, {
              active: row === active,
              current: chosen && row.step !== null && row.step === current,
              isHere,
              actions,
            });
          case 'gap':
            return html`<li class="gap">
              <span class="bar" aria-hidden="true"></span><span></span
              ><span class="ellipsis" title=${row.text}>${row.text}</span>
            </li>`;
          case 'more':
            return html`<li class="gap">
              <span class="bar dotted" aria-hidden="true"></span><span></span>${link(
                `Show ${whole(row.count)} More`,
                () => actions.change({ allEvidence: true }),
              )}
            </li>`;
        }
      })}
    </ol>
  </section>`;
}

interface RowState {
  readonly active: boolean;
  readonly current: boolean;
  /** True if its line can be opened here. */
  readonly isHere: boolean;
  readonly actions: Actions;
}

function occurrence(row: Occurrence, { active, current, isHere, actions }: RowState): TemplateResult {
  const open = () => {
    if (row.place)
      actions.send({ type: 'openLine', file: row.place.file, line: row.place.line, offset: row.place.offset });
    else if (row.step !== null) actions.openStep(row.step);
  };
  const point = () => {
    if (row.step !== null) actions.change({ hovered: { step: row.step } });
  };
  const result = row.same || row.text;
  const where = row.line > 0 ? `line ${row.line}` : 'open';
  const label = plain(say`${clockSeconds(row.at)}, ${code(row.subject)}, ${result}, ${where}`);
  return html`<li
    class="hit ${current ? 'current' : ''}"
    @pointerenter=${point}
    @focusin=${point}
    @focusout=${() => actions.change({ hovered: null })}
    @click=${() => {
      if (row.step !== null) actions.select(row.step);
    }}
    @dblclick=${() => {
      if (isHere) open();
    }}
  >
    ${tile(row.letter, row.first)}<span class="time">${clockSeconds(row.at)}</span
    ><span class="ellipsis" title=${row.subject}><code>${row.subject}</code></span>
    ${
      row.same
        ? html`<span class="same"><b aria-hidden="true">=</b>${row.same}</span>`
        : html`<span class="result ellipsis" title=${row.text}>${row.text}</span>`
    }${isHere ? openButton() : html`<span class="label">${where}</span>`}
  </li>`;

  function openButton(): TemplateResult {
    return html`<button
      type="button"
      class="link"
      tabindex=${active ? 0 : -1}
      aria-label=${label}
      @click=${(event: Event) => {
        event.stopPropagation();
        open();
      }}
    >
      ${where}
    </button>`;
  }
}

/** Moves between the rows with the arrow keys (roving tabindex). */
function moveBetweenRows(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp' && event.key !== 'Home' && event.key !== 'End') return;
  const list = event.currentTarget;
  if (!(list instanceof HTMLElement) || event.ctrlKey || event.altKey || event.metaKey) return;
  const links = [...list.querySelectorAll<HTMLElement>('li.hit .link')];
  const at = links.findIndex((one) => one === document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
  const target = links[Math.max(0, Math.min(links.length - 1, next))];
  if (!target) return;
  event.preventDefault();
  target.focus();
}
