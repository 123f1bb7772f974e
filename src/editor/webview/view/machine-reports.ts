import { type TemplateResult, html, nothing } from 'lit/html.js';
import { REPORTS, clockSeconds } from '../../../core/words';
import type { Model } from '../panel-model';
import { heading, stateIcon } from './basics';

/** Number of rows shown, the newest. */
const SHOWN = 20;

/** Shows the reports of the agent's machine, newest first, in place of the steps, which stay there. */
export function machineReports({ snapshot: { machine, reports: rows = [] } }: Model): TemplateResult | typeof nothing {
  if (!machine) return nothing;
  const newest = rows.slice(-SHOWN).reverse();
  return html`<section aria-label=${REPORTS.heading()}>
    ${heading(REPORTS.heading(), REPORTS.label(machine.name))}
    ${
      newest.length === 0
        ? html`<p class="quiet">${REPORTS.none()}</p>`
        : html`<ol class="reports">
            ${newest.map(
              ({ at, look, words }) =>
                html`<li>
                  <span class="time">${clockSeconds(at)}</span>${stateIcon(look)}<span class="ellipsis" title=${words}
                    >${words}</span
                  >
                </li>`,
            )}
          </ol>`
    }
  </section>`;
}
