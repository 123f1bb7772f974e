import { type TemplateResult, html, nothing } from 'lit/html.js';
import { repeat } from 'lit/directives/repeat.js';
import { type OverviewRow, type RowAct } from '../../panel-model';
import { counted } from '../../../base/util/counts';
import { NOTICES, ago, elapsed, plain, stateLabel } from '../../../core/words';
import { icon, link, sentence, stateIcon } from '../view/basics';
import { type Grouping, type OverviewLine, headingSummary, placeWithin } from './groups';
import { type OverviewActions, type OverviewModel, isCompact, lineKeyOf } from './model';
import { stripWords } from './strip';

const ACTS: Readonly<Record<RowAct, string>> = { nudge: 'Nudge', continue: 'Continue', go: 'Go There' };

/** Draws the head, the column names, and the lines that are in view. */
export function page(
  model: OverviewModel,
  actions: OverviewActions,
  shown: { readonly from: number; readonly to: number },
): TemplateResult {
  const compact = isCompact(model.all.length);
  return html`<header class="top">
      <h1>${'Agents'}</h1>
      <span class="label">${headingSummary(model.all)}</span>
      ${notice(model)}${waiting(model, actions)}
      <div class="tools">${grouping(model, actions)}${filter(model, actions)}</div>
    </header>
    <div class="columns label" aria-hidden="true">
      <span></span><span>${'Task'}</span><span class="strip">${'Last 100 steps'}</span><span class="doing">${'Doing'}</span
      ><span class="since">${'Since'}</span><span></span>
    </div>
    ${empty(model, actions)}
    <div
      class="list ${compact ? 'compact' : ''}"
      role="treegrid"
      aria-label=${'Agents'}
      aria-rowcount=${model.items.length}
      aria-activedescendant=${activeId(model, shown) ?? nothing}
      tabindex="0"
    >
      <div class="room above" role="presentation"></div>
      ${repeat(model.items.slice(shown.from, shown.to), lineKeyOf, (item, index) => line(item, shown.from + index, model, actions))}
      <div class="room below" role="presentation"></div>
    </div>`;
}

function notice({ restricted, paused }: OverviewModel): TemplateResult | typeof nothing {
  const text = paused ? NOTICES.paused : restricted ? NOTICES.restricted : '';
  return text === ''
    ? nothing
    : html`<span class="label">${icon(paused ? 'debug-pause' : 'lock', 'small')} ${text}</span>`;
}

function waiting({ order }: OverviewModel, actions: OverviewActions): TemplateResult | typeof nothing {
  if (order.waiting === 0) return nothing;
  return html`<span class="label">
    ${`${counted(order.waiting, 'agent')} changed`}, ${link('Update Order', () => actions.updateOrder())}
  </span>`;
}

function grouping({ local, all }: OverviewModel, actions: OverviewActions): TemplateResult {
  const choice = (value: Grouping, name: string) =>
    html`<button
      type="button"
      class="choice"
      aria-pressed=${local.grouping === value ? 'true' : 'false'}
      @click=${() => actions.change({ grouping: value })}
    >
      ${name}
    </button>`;
  return html`<div class="choices" role="group" aria-label=${'Group'}>
    ${choice('need', 'By Need')}${choice('folder', 'By Folder')}${
      all.some((row) => row.machine) || local.grouping === 'machine' ? choice('machine', 'By Machine') : nothing
    }
  </div>`;
}

function filter({ local }: OverviewModel, actions: OverviewActions): TemplateResult {
  return html`<label class="filter">
    ${icon('search')}
    <input
      type="text"
      placeholder=${'Filter agents'}
      aria-label=${'Filter agents'}
      .value=${local.filter}
      @input=${(event: InputEvent) => {
        if (event.target instanceof HTMLInputElement) actions.change({ filter: event.target.value });
      }}
    />
  </label>`;
}

function empty({ all, items, local }: OverviewModel, actions: OverviewActions): TemplateResult | typeof nothing {
  if (items.length > 0) return nothing;
  if (all.length > 0) {
    return html`<p class="empty">
      ${`Nothing found for “${local.filter}”.`} ${link('Clear Filter', () => actions.change({ filter: '' }))}
    </p>`;
  }
  return html`<p class="empty">
    ${'No agent is watched here yet. Start one, and it appears here.'}
    ${link('Replay a Stuck Agent', () => actions.send({ type: 'replay' }))}
  </p>`;
}

/** Returns ids of lines for the screen reader: sessions may contain what an id may not. */
function idOf(index: number): string {
  return `line-${index}`;
}

function activeId(
  { items, local }: OverviewModel,
  { from, to }: { readonly from: number; readonly to: number },
): string | undefined {
  const at = items.findIndex((item) => lineKeyOf(item) === local.active);
  return at >= from && at < to ? idOf(at) : undefined;
}

function line(item: OverviewLine, index: number, model: OverviewModel, actions: OverviewActions): TemplateResult {
  const isActive = lineKeyOf(item) === model.local.active;
  return item.kind === 'group'
    ? groupLine(item, index, isActive, model, actions)
    : rowLine(item.row, index, isActive, model, actions);
}

function groupLine(
  { group }: OverviewLine,
  index: number,
  isActive: boolean,
  { local }: OverviewModel,
  actions: OverviewActions,
): TemplateResult {
  const toggle = () =>
    actions.change({ folded: new Map(local.folded).set(group.id, group.isOpen), active: `group ${group.id}` });
  return html`<div
    id=${idOf(index)}
    class="group ${isActive ? 'active' : ''}"
    role="row"
    aria-level="1"
    aria-rowindex=${index + 1}
    aria-expanded=${group.isOpen ? 'true' : 'false'}
    @click=${toggle}
  >
    <span role="gridcell">
      ${icon(group.isOpen ? 'chevron-down' : 'chevron-right')}<strong class="ellipsis">${group.name}</strong>
      <span class="label">${group.count}</span>
    </span>
  </div>`;
}

/** Returns the text in place of the strip. The steps of an agent on another machine stay there. */
function noSteps({ machine }: OverviewRow): string {
  return machine ? `steps stay on ${machine.name}` : 'no steps yet';
}

function rowLine(
  row: OverviewRow,
  index: number,
  isActive: boolean,
  model: OverviewModel,
  actions: OverviewActions,
): TemplateResult {
  const { now } = model;
  const { session, act } = row;
  const doing = plain(row.doing);
  const place = placeWithin(row, model.local.grouping);
  const who = [row.isSubAgent ? 'sub-agent' : '', row.run ?? '', place, row.agentName].filter(Boolean).join(' · ');
  const span = now - row.since;
  const since = row.state.kind === 'finished' ? ago(span) : elapsed(span);
  const open = () => {
    actions.change({ active: session });
    actions.send({ type: 'open', session, focus: false });
  };
  const acted = (event: Event) => {
    event.stopPropagation();
    if (act) actions.send({ type: act === 'go' ? act : 'nudge', session });
  };
  return html`<div
    id=${idOf(index)}
    class="row ${isActive ? 'active' : ''} ${row.standing === 'finished' ? 'rests' : ''}"
    role="row"
    aria-level="2"
    aria-rowindex=${index + 1}
    aria-label="${[stateLabel(row.state, row.title, row.agentName, now), row.place, doing].filter(Boolean).join(', ')}"
    @click=${open}
  >
    <span role="gridcell">${stateIcon(row.look)}</span>
    <span role="gridcell" class="task" title="${row.title}, ${who}">
      <span class="ellipsis">${row.title}</span><span class="who ellipsis">${who}</span>
    </span>
    <span role="gridcell" class="strip" aria-label=${row.steps.length > 0 ? stripWords(row.steps) : noSteps(row)}>
      ${row.steps.length > 0 ? html`<canvas data-session=${session}></canvas>` : html`<span class="quiet">${noSteps(row)}</span>`}
    </span>
    <span role="gridcell" class="doing ellipsis" title=${doing}>${sentence(row.doing)}</span>
    <span role="gridcell" class="since">${since}</span>
    <span role="gridcell" class="act">
      ${
        act
          ? html`<button type="button" class="button secondary" tabindex="-1" @click=${acted}>${ACTS[act]}</button>`
          : nothing
      }
    </span>
  </div>`;
}
