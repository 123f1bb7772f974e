import { type TemplateResult, html, nothing } from 'lit/html.js';
import type { PanelIntent } from '../../panel-model';
import { HEALTH, inARow, shareWords, tokenWords, whole } from '../../../core/words';
import type { Actions, Model } from '../panel-model';
import { link } from './basics';

type Counted = Extract<PanelIntent, { type: 'showCounted' }>;

/** Shows the counts of the whole session, folded; each number opens what it counts. Empty for a session that is not followed. */
export function loopHealth({ snapshot }: Model, actions: Actions): TemplateResult | typeof nothing {
  const { health, flags } = snapshot;
  if (flags.past === true || health.calls === 0) return nothing;
  /** Draws a number that opens what it counts. A zero has nothing to open. */
  const number = (count: number, thing: Counted['thing'], said: string, name?: string) =>
    count === 0
      ? html`${whole(count)}`
      : link(
          whole(count),
          () => actions.send({ type: 'showCounted', thing, ...(name !== undefined && { name }) }),
          `${said}: ${whole(count)}`,
        );
  const row = (name: string, value: unknown) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  const countRow = (name: string, count: number, thing: Counted['thing'], more = '') =>
    row(name, html`${number(count, thing, name)}${more === '' ? nothing : html`<span class="label">${more}</span>`}`);
  const each = (said: string, value: unknown) => html`<span class="each"><span>${said}</span> ${value}</span>`;
  return html`<details class="health">
    <summary>${HEALTH.heading} <span class="label">${HEALTH.label}</span></summary>
    <dl>
      ${row(
        HEALTH.calls,
        html`${number(health.calls, 'calls', HEALTH.calls)}
        ${health.tools.map(({ name, calls }) => each(name, number(calls, 'calls', name, name)))}${
          health.otherCalls > 0 ? each(HEALTH.others, whole(health.otherCalls)) : nothing
        }`,
      )}
      ${countRow(HEALTH.failures, health.failures, 'failures', inARow(health.failuresInARow))}
      ${countRow(HEALTH.malformed, health.malformed, 'malformed', inARow(health.malformedInARow))}
      ${countRow(HEALTH.claims, health.claims, 'claims')}
      ${row(
        HEALTH.blocked,
        health.blocked.length === 0
          ? HEALTH.none
          : health.blocked.map(({ id, title, times }) => each(title, number(times, 'blocked', title, id))),
      )}
      ${health.rereads ? row(HEALTH.rereads, `${shareWords(health.rereads)} steps`) : nothing}
      ${row(HEALTH.tokens, tokenWords(health) || HEALTH.noUsage)}
    </dl>
  </details>`;
}
