import { type TemplateResult, html, nothing } from 'lit/html.js';
import { counted } from '../../../base/util/counts';
import { type NearMissRow, nearMissTable } from '../../../core/words';
import { type Actions, mayWonderWhyNot, type Model } from '../panel-model';
import { heading, link } from './basics';

/** Explains silence: shows how near each rule came to an agent that is not stuck. */
export function whyNot({ snapshot, local, now }: Model, actions: Actions): TemplateResult | typeof nothing {
  if (!mayWonderWhyNot(snapshot, now)) return nothing;
  const { near, far } = nearMissTable(snapshot.nearMisses, snapshot.others, now);
  const rows = local.allRules ? [...near, ...far] : near;
  const rest = far.length === 0 ? nothing : restOf(far.length, near.length, local.allRules, actions);
  return html`<section class="why-not" aria-label=${'Why not stuck'}>
    ${heading('Why not stuck', 'how close each rule came in this session')}
    ${rows.length > 0 ? table(rows) : nothing} ${rest}
  </section>`;
}

function restOf(far: number, near: number, shown: boolean, actions: Actions): TemplateResult {
  const rules = `${counted(far, near === 0 ? 'rule' : 'more rule')} ${far === 1 ? 'was' : 'were'} not close.`;
  return html`<p class="label after-table">
    ${shown ? nothing : html`${rules} `}${
      shown
        ? link('Show Close Rules Only', () => actions.change({ allRules: false }))
        : link('Show All Rules', () => actions.change({ allRules: true }))
    }
  </p>`;
}

/** Draws the table. Its roles are stated because it becomes a list of pairs in a narrow panel, where `display` would remove them. */
function table(rows: readonly NearMissRow[]): TemplateResult {
  const head = (text: string, classes = '') => html`<th role="columnheader" scope="col" class=${classes}>${text}</th>`;
  return html`<table role="table">
    <thead role="rowgroup">
      <tr role="row">
        ${head('Rule')}${head('Nearest')}${head('Reached', 'number')}${head('Why it did not fire')}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        (row) => html`<tr role="row">
          <td role="cell" class="rule">${row.name}</td>
          <td role="cell" class="nearest">${row.nearest || '–'}</td>
          <td role="cell" class="number">${row.reached || '–'}</td>
          <td role="cell" class="held">${row.heldBackBy || nothing}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}
