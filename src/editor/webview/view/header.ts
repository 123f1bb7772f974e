import { type TemplateResult, html, nothing } from 'lit/html.js';
import { needsAnswer } from '../../../core/model';
import { GO_TO, PANEL_TITLE, cutWords, runWords, sendName, stateLook, statePill } from '../../../core/words';
import type { Actions, Model } from '../panel-model';
import type { IconName } from '../icons';
import { icon, stateIcon } from './basics';
import { moreMenu, recoverMenu } from './menus';

/** Shows where the agent is answered, while it asks: a nudge could be read as the answer. */
function answerButton({ snapshot }: Model, actions: Actions): TemplateResult | typeof nothing {
  const { surface, pid, machine } = snapshot;
  if (surface)
    return html`<button type="button" class="button" @click=${() => actions.send({ type: 'goTo' })}>
      ${icon('arrow-right', 'small')}${GO_TO[surface]}
    </button>`;
  const where = machine
    ? `Runs on ${machine.name}`
    : pid === undefined
      ? 'Runs outside VS Code'
      : `Runs outside VS Code, process ${pid}`;
  return html`<span class="label">${where}</span>`;
}

/** Draws *Nudge*: the one primary button while a message is called for and the box with its own button is out of view. */
function nudgeButton(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const { snapshot, local } = model;
  if (!snapshot.message) return nothing;
  const { open, continues, reach } = snapshot.message;
  const primary = open && !local.boxInView;
  return html`<button
    type="button"
    class="button ${primary ? '' : 'secondary'}"
    @click=${() => actions.focusMessage()}
  >
    ${icon('send', 'small')}${continues ? sendName(reach, continues) : 'Nudge'}
  </button>`;
}

/** Draws a restart button for an agent that died: it takes no message. *Recover* does that if there is an incident. */
function restartButton({ snapshot: { recovery, machine } }: Model, actions: Actions): TemplateResult | typeof nothing {
  if (recovery || machine) return nothing;
  return html`<button type="button" class="button" @click=${() => actions.send({ type: 'restart' })}>
    ${icon('debug-restart', 'small')}${'Restart'}
  </button>`;
}

function mainButton(model: Model, actions: Actions): TemplateResult | typeof nothing {
  const { state, flags } = model.snapshot;
  if (flags.past === true) return nothing;
  if (state.kind === 'finished' && (state.ended === 'died' || state.ended === 'error'))
    return restartButton(model, actions);
  return needsAnswer(state) ? answerButton(model, actions) : nudgeButton(model, actions);
}

/** Draws title, state and identity; at the right what can be done. */
export function header(model: Model, actions: Actions): TemplateResult {
  const { snapshot, now } = model;
  const look = stateLook(snapshot.state);
  const pid = snapshot.pid === undefined ? nothing : `Process ${snapshot.pid}`;
  const fact = (name: IconName, text: string | undefined, title: string | typeof nothing = nothing) =>
    text === undefined || text === ''
      ? nothing
      : html`<span title=${title}>${icon(name, 'small')}<span class="ellipsis" title=${text}>${text}</span></span>`;
  return html`<header class="head">
    <div class="who">
      <h1 title=${snapshot.title}>${cutWords(snapshot.title, PANEL_TITLE)}</h1>
      <div class="facts">
        <span class="pill tone-${look.tone}">${icon(look, 'small')}${statePill(snapshot.state, now)}</span>
        ${fact('server', snapshot.machine?.name)}${fact('hubot', snapshot.agentName, pid)}${fact('symbol-misc', snapshot.model)}${fact('folder', snapshot.cwd?.split(/[\\/]/).at(-1), snapshot.cwd)}${fact('git-branch', snapshot.branch)}${snapshot.run ? fact('debug-restart', runWords(snapshot.run)) : nothing}
      </div>
    </div>
    <div class="actions">
      ${mainButton(model, actions)}${recoverMenu(model, actions)}${moreMenu(model, actions)}
    </div>
  </header>`;
}

/** Draws one row that stays at the top when the header is scrolled out of view. */
export function stickyHeader(model: Model, actions: Actions): TemplateResult {
  const { snapshot, now, local } = model;
  const look = stateLook(snapshot.state);
  return html`<div class="sticky" ?hidden=${!local.scrolled}>
    <div class="row">
      ${stateIcon(look)}<span class="title ellipsis" title=${snapshot.title}
        >${cutWords(snapshot.title, PANEL_TITLE)}</span
      ><span class="state tone-${look.tone}">${statePill(snapshot.state, now)}</span>${mainButton(model, actions)}
    </div>
  </div>`;
}
