import { type TemplateResult, html, nothing } from 'lit/html.js';
import { type PanelIncident } from '../../panel-model';
import { repeatsIn } from '../../../core/model';
import { counted } from '../../../base/util/counts';
import {
  HINT_LOOK,
  NOTICES,
  age,
  ago,
  incidentLook,
  leadSentence,
  outcomePill,
  percentDigits,
  ruleFigure,
  ruleLabels,
  short,
  whole,
} from '../../../core/words';
import { clock, clockOn } from '../../../core/words';
import { spanOf } from '../evidence-rows';
import type { Actions, Model } from '../panel-model';
import { icon, link, sentence, stateIcon } from './basics';

/** Shows notices for the whole panel: the transcript is gone, reading only, paused. */
export function notices({ snapshot: { flags } }: Model, actions: Actions): TemplateResult | typeof nothing {
  const lines = [
    flags.past && html`${icon('history')}<span>${NOTICES.past}</span>`,
    flags.gone && html`${icon('trash')}<span>${NOTICES.gone}</span>`,
    flags.restricted &&
      html`${icon('lock')}<span>${NOTICES.restricted}</span>${link('Manage Workspace Trust', () =>
        actions.send({ type: 'manageTrust' }),
      )}`,
    flags.paused &&
      html`${icon('debug-pause')}<span>${NOTICES.paused}</span>${link('Resume Watching', () =>
        actions.send({ type: 'resume' }),
      )}`,
    flags.storeLocked && html`${icon('database')}<span>${NOTICES.storeLocked}</span>`,
  ].filter((line) => line !== false && line !== undefined);
  return lines.length > 0 ? html`<ul class="notices">${lines.map((line) => html`<li>${line}</li>`)}</ul>` : nothing;
}

/** Draws the sentence, and how it is known. */
export function lead(model: Model, actions: Actions): TemplateResult {
  const { snapshot, now } = model;
  const { incident, state } = snapshot;
  const saysIt = snapshot.lead.kind === 'incident' || (snapshot.lead.kind === 'state' && snapshot.lead.was !== null);
  const isHint = incident?.resolvedAt === null && !saysIt && state.kind !== 'recovering';
  return html`<p class="lead">${sentence(leadSentence(snapshot.lead, now))}</p>
    ${
      state.kind === 'not_monitored' && !state.lost
        ? html`<p class="after-lead">${link('Show Skipped Lines', () => actions.send({ type: 'showSkipped' }))}</p>`
        : nothing
    }${
      isHint && state.kind !== 'stalled'
        ? html`<p class="hint-line">${stateIcon(HINT_LOOK)}<span>${sentence(incident.why)}</span></p>`
        : nothing
    }${snapshot.hints.map(
      ({ why, file, line, offset }) =>
        html`<p class="hint-line">${stateIcon(HINT_LOOK)}<span>${sentence(why)} ${link('Open Line', () =>
          actions.send({ type: 'openLine', file, line, offset }),
        )}</span></p>`,
    )}${incident ? ruleLine(incident, snapshot.flags.past === true, actions) : nothing}`;
}

/** `past` means that there is no current state to show. */
function ruleLine(incident: PanelIncident, past: boolean, actions: Actions): TemplateResult {
  const labels = ruleLabels(incident.detector, incident.rule, incident.certainty);
  return html`<div class="label rule-line">
    ${labels.map((label) => html`<span>${label}</span>`)}${
      incident.resolvedAt === null
        ? nothing
        : html`<span class="pill">${stateIcon(incidentLook(incident))}${outcomePill(incident)}</span>${
            past ? nothing : link('Show Current State', () => actions.send({ type: 'showIncident', id: '' }))
          }`
    }
  </div>`;
}

interface Vital {
  readonly name: string;
  readonly value: unknown;
  readonly note: unknown;
}

/** Shows figures that have a meaning: none is 0 or unknown. For a session that is not followed, none is known. */
export function vitals(model: Model, actions: Actions): TemplateResult | typeof nothing {
  if (model.snapshot.flags.past === true) return nothing;
  const kind = model.snapshot.state.kind;
  const inTrouble = kind === 'stuck' || kind === 'escalated' || kind === 'recovering';
  const shown = inTrouble
    ? [figure(model), lastNew(model, actions), context(model), malformed(model, actions)]
    : [runtime(model), context(model), lastNew(model, actions), figure(model), malformed(model, actions)];
  const all = shown.filter((one) => one !== null);
  return html`<dl class="vitals">
    ${all.map(
      ({ name, value, note }) => html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
        <dd class="note">${note}</dd>
      </div>`,
    )}
  </dl>`;
}

function runtime({ snapshot: { vitals: facts }, now }: Model): Vital {
  return {
    name: 'Runtime',
    value: age((facts.endedAt ?? now) - facts.startedAt),
    note: facts.startedAt > 0 ? `since ${clockOn(facts.startedAt, now)}` : '',
  };
}

function context({ snapshot: { health } }: Model): Vital | null {
  const { contextTokens, contextWindow } = health;
  if (!contextTokens) return null;
  if (!contextWindow) return { name: 'Context', value: short(contextTokens), note: 'tokens; context size unknown' };
  const share = contextTokens / contextWindow;
  return {
    name: 'Context',
    value: html`${percentDigits(share)} %${meter(share)}`,
    note: `${short(contextTokens)} of ${short(contextWindow)} tokens`,
  };
}

const METER = 64;

/** Drawn as an image, because the content policy allows no width in a style attribute. */
function meter(share: number): TemplateResult {
  const filled = Math.max(0, Math.min(1, share)) * (METER - 2);
  return html`<svg
    class="meter"
    role="meter"
    aria-label=${'Context used'}
    aria-valuemin="0"
    aria-valuemax="100"
    aria-valuenow=${percentDigits(share)}
    width=${METER}
    height="6"
    viewBox="0 0 64 6"
  >
    <rect class="frame" x="0.5" y="0.5" width="63" height="5" rx="2.5"></rect>
    <rect class="filled" x="1" y="1" width=${filled.toFixed(1)} height="4" rx="2"></rect>
  </svg>`;
}

/** Returns the last new result of the call in which an agent is stuck: other calls may well have newer ones. */
function lastNew({ snapshot: { vitals: facts, incident, state }, now }: Model, actions: Actions): Vital | null {
  if (incident && (state.kind === 'stuck' || state.kind === 'escalated') && repeats(incident))
    return {
      name: 'Last new result of this call',
      value: ago(now - incident.firstAt),
      note: `at ${clock(incident.firstAt)}`,
    };
  if (!facts.lastNew) return null;
  const { at, step } = facts.lastNew;
  return {
    name: 'Last new result',
    value: ago(now - at),
    note:
      step === undefined
        ? `at ${clock(at)}`
        : html`${link(`step ${whole(step + 1)}`, () => actions.openStep(step))}, ${clock(at)}`,
  };
}

/** Returns true if the agent is stuck in a single call. Over the runs of a loop that call is new in each session, but still the same call. */
function repeats({ detector, rule }: PanelIncident): boolean {
  if (rule === 'runs') return true;
  return rule === null && (detector === 'repeating_action' || detector === 'repeating_outcome');
}

/** Returns the rule's own figure for a stuck agent, otherwise the last progress. */
function figure({ snapshot, now, steps }: Model): Vital | null {
  const { incident, state } = snapshot;
  const inTrouble = state.kind === 'stuck' || state.kind === 'escalated' || state.kind === 'recovering';
  if (incident && (inTrouble || incident.resolvedAt !== null)) {
    const said = ruleFigure(
      incident.detector,
      incident.rule,
      incident.count,
      spanOf(incident),
      age((incident.resolvedAt ?? now) - incident.firstAt),
      incident.subject,
    );
    return {
      name: said.label,
      value: said.value,
      note: state.kind === 'recovering' ? stepsAgo(incident, steps.range.end) : said.note,
    };
  }
  const progress = snapshot.vitals.lastProgress;
  return progress ? { name: 'Last progress', value: ago(now - progress.at), note: progress.text } : null;
}

function stepsAgo(incident: PanelIncident, end: number): string {
  const last = repeatsIn(incident.evidence).at(-1)?.step;
  if (last === undefined) return '';
  const steps = end - 1 - last;
  return steps === 0 ? 'at the last step' : `${counted(steps, 'step')} ago`;
}

function malformed({ snapshot: { health, machine } }: Model, actions: Actions): Vital | null {
  if (health.malformed === 0) return null;
  const note = `of ${whole(health.calls)}`;
  const open = () => actions.send({ type: 'showCounted', thing: 'malformed' });
  return {
    name: 'Malformed calls',
    value: whole(health.malformed),
    note: machine ? note : html`${note}, ${link('Show', open, 'Show malformed calls')}`,
  };
}
