import { type TemplateResult, html, nothing } from 'lit/html.js';
import type { Sentence, StateLook } from '../../../core/words';
import { type IconName, iconCharacter } from '../icons';

/** Draws an icon. The words next to it carry its meaning. */
export function icon(of: IconName | StateLook, classes = ''): TemplateResult {
  const name = typeof of === 'string' ? of : of.icon;
  return html`<i class="icon ${classes}" aria-hidden="true">${iconCharacter(name)}</i>`;
}

export function stateIcon(look: StateLook, classes = ''): TemplateResult {
  return icon(look, `tone-${look.tone} ${classes}`);
}

/** Draws a sentence with its code spans, as text nodes. */
export function sentence(parts: Sentence): TemplateResult[] {
  return parts.map((part) => {
    if (part.code) return html`<code>${part.text}</code>`;
    return part.strong ? html`<strong>${part.text}</strong>` : html`${part.text}`;
  });
}

/** Draws the tile of a letter, hollow if its result is new. */
export function tile(letter: string, hollow: boolean): TemplateResult {
  return html`<i class="tile ${hollow ? 'hollow' : ''}" aria-hidden="true">${letter}</i>`;
}

/** Draws a section's heading row: h2, a quiet label, tools at the right. */
export function heading(title: string, label?: unknown, tools?: unknown): TemplateResult {
  return html`<div class="heading">
    <h2>${title}</h2>
    ${label ? html`<span class="label">${label}</span>` : nothing}${
      tools ? html`<div class="tools">${tools}</div>` : nothing
    }
  </div>`;
}

export function iconButton(name: IconName, label: string, click: () => void): TemplateResult {
  return html`<button type="button" class="icon-button" title=${label} aria-label=${label} @click=${click}>
    ${icon(name)}
  </button>`;
}

/** Draws a command that looks like a link. It is a button, since buttons act and a panel has nowhere to link to. */
export function link(text: string, click: () => void, label?: string): TemplateResult {
  return html`<button type="button" class="link" aria-label=${label ?? nothing} @click=${click}>${text}</button>`;
}
