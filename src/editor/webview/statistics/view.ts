import { type TemplateResult, html, nothing, svg } from 'lit/html.js';
import { RANGES, type RangeDays, type StatisticsMessage } from '../../panel-model';
import { whole } from '../../../base/util/counts';
import { type StatisticsTable, statisticsFigures, statisticsTables } from '../../../core/words';

const RANGE_NAMES: Readonly<Record<RangeDays, string>> = { 7: '7 days', 30: '30 days', 0: 'All' };
/** Number of sessions below which shares mean nothing. */
const ENOUGH = 10;
/** Length of a whole bar. */
const BAR = 200;
/** Styles of the parts of a bar that has several. */
const PARTS = ['freed', 'not', 'unknown'];

/** Draws the page: range, three figures, then each table with its bars next to the numbers. */
export function page(
  message: StatisticsMessage | null,
  days: RangeDays,
  choose: (days: RangeDays) => void,
): TemplateResult {
  const figures = message?.figures ?? null;
  return html`<header class="top">
      <h1>${'Statistics'}</h1>
      <div class="choices" role="group" aria-label=${'Range'}>
        ${RANGES.map(
          (one) => html`<button type="button" aria-pressed=${one === days} @click=${() => choose(one)}>
            ${RANGE_NAMES[one]}
          </button>`,
        )}
      </div>
    </header>
    ${message === null ? html`<p class="quiet">${'Counting.'}</p>` : nothing}
    ${message !== null && figures === null ? html`<p role="alert">${message.problem}</p>` : nothing}
    ${figures === null ? nothing : body(figures)}`;
}

function body(figures: NonNullable<StatisticsMessage['figures']>): TemplateResult {
  const { of } = figures.sessions;
  if (of === 0) return html`<p class="quiet">${'No sessions in this period.'}</p>`;
  const few =
    of < ENOUGH
      ? html`<p class="quiet">${`${whole(of)} of ${ENOUGH} sessions so far. That is too few to compare.`}</p>`
      : nothing;
  const [, ...tables] = statisticsTables(figures);
  return html`<dl class="figures">
      ${statisticsFigures(figures).map(
        ({ label, value, note }) => html`<div>
          <dt>${label}</dt>
          <dd class="value">${value}</dd>
          <dd class="note">${note}</dd>
        </div>`,
      )}
    </dl>
    ${few}
    <div class="tables">${tables.filter(({ rows }) => rows.length > 0).map(table)}</div>`;
}

function table({ id, title, columns, rows, drawn }: StatisticsTable): TemplateResult {
  return html`<section aria-labelledby=${id}>
    <h2 id=${id}>${title}</h2>
    <table>
      <thead>
        <tr>
          ${columns.map((name) => html`<th scope="col">${name}</th>`)}
          <th scope="col" class="drawn">${drawn.length > 1 ? drawn.map(key) : drawn}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ cells, bar }) => html`<tr>
            ${cells.map((cell, column) => (column === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`))}
            <td class="bar">${bars(bar)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

/** Draws the name of a part, next to a piece of it. */
function key(name: string, index: number): TemplateResult {
  return html`<span class="key"
    ><svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      <rect class=${PARTS[index] ?? 'one'} x="0.5" y="1.5" width="9" height="7"></rect></svg
    >${name}</span
  > `;
}

/** Draws the bars of a row. Its numbers are in the row, so the bars add nothing for a screen reader. */
function bars(parts: readonly number[]): TemplateResult {
  let from = 0;
  const kinds = parts.length === 1 ? ['one'] : PARTS;
  return html`<svg width=${BAR} height="10" viewBox="0 0 ${BAR} 10" aria-hidden="true">
    ${parts.map((part, index) => {
      const width = Math.max(0, part * BAR - 1);
      const x = from;
      from += part * BAR;
      return width <= 0
        ? nothing
        : svg`<rect class=${kinds[index] ?? 'one'} x=${x + 0.5} y="1.5" width=${width} height="7"></rect>`;
    })}
  </svg>`;
}
