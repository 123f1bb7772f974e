import { type TemplateResult, html, nothing } from 'lit/html.js';
import type { PanelIntent } from '../../protocol';
import type { Actions, Model } from '../panel-model';
import { icon } from './basics';

interface Item {
  readonly text: string;
  readonly intent: PanelIntent;
  /** A line stands before it. */
  readonly apart?: true;
}

function items({ snapshot }: Model): readonly Item[] {
  const mute: readonly Item[] = snapshot.incident?.active ? [{ text: 'Mute…', intent: { type: 'mute' } }] : [];
  return [
    ...mute,
    { text: 'Open Transcript', intent: { type: 'openTranscript' }, ...(mute.length > 0 && { apart: true as const }) },
    { text: 'Copy Summary', intent: { type: 'copySummary' } },
  ];
}

/** *More Actions*, as a menu button with arrow keys. */
export function moreMenu(model: Model, actions: Actions): TemplateResult {
  const open = model.local.menuOpen;
  const close = (focus: boolean, event: Event) => {
    actions.change({ menuOpen: false });
    if (focus) root(event)?.querySelector<HTMLElement>('[aria-haspopup]')?.focus();
  };
  const toggle = (event: Event) => {
    actions.change({ menuOpen: !open });
    if (!open) focusItem(root(event), 0);
  };
  return html`<div
    class="menu-root"
    @keydown=${(event: KeyboardEvent) => {
      if (!open) return;
      if (moveInMenu(event)) event.preventDefault();
      else if (event.key === 'Escape') {
        event.preventDefault();
        close(true, event);
      }
    }}
    @focusout=${(event: FocusEvent) => {
      const next = event.relatedTarget;
      if (open && !(next instanceof Node && root(event)?.contains(next))) actions.change({ menuOpen: false });
    }}
  >
    <button
      type="button"
      class="icon-button large"
      title="More Actions"
      aria-label="More Actions"
      aria-haspopup="menu"
      aria-expanded=${open}
      @click=${toggle}
    >
      ${icon('ellipsis')}
    </button>
    ${
      open
        ? html`<div class="menu" role="menu" aria-label="More Actions">
          ${items(model).map(
            (item) => html`${item.apart ? html`<div class="separator" role="separator"></div>` : nothing}<button
                type="button"
                role="menuitem"
                tabindex="-1"
                @click=${(event: Event) => {
                  close(true, event);
                  actions.send(item.intent);
                }}
              >
                ${item.text}
              </button>`,
          )}
        </div>`
        : nothing
    }
  </div>`;
}

function root(event: Event): HTMLElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLElement>('.menu-root') : null;
}

/** The menu is drawn with the next frame; its item is focused after that. */
function focusItem(menu: HTMLElement | null, index: number): void {
  requestAnimationFrame(() => menu?.querySelectorAll<HTMLElement>('[role=menuitem]')[index]?.focus());
}

function moveInMenu(event: KeyboardEvent): boolean {
  const all = [...(root(event)?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const at = all.findIndex((item) => item === document.activeElement);
  const target = {
    ArrowDown: (at + 1) % all.length,
    ArrowUp: (at - 1 + all.length) % all.length,
    Home: 0,
    End: all.length - 1,
  }[event.key];
  if (target === undefined) return false;
  all[target]?.focus();
  return true;
}
