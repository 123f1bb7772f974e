import { type TemplateResult, html, nothing } from 'lit/html.js';
import type { Actions, MenuName, Model } from '../panel-model';

/** A command of a menu. */
export interface MenuItem {
  readonly text: string;
  readonly act: () => void;
  /** Effect of the command, in one sentence. */
  readonly meaning?: string;
  /** Why it cannot be done now. The item stays in the menu and can be read. */
  readonly hindrance?: string;
  /** True for a line before it; a string is also the heading of a new part. */
  readonly apart?: boolean | string;
}

export interface MenuButton {
  readonly menu: MenuName;
  /** Name of the menu, and of the button if that shows no words. */
  readonly name: string;
  readonly classes: string;
  readonly content: TemplateResult;
  readonly isIcon?: true;
  readonly items: readonly MenuItem[];
}

/** Draws a button that opens a menu below it, with arrow keys. One menu is open at a time. */
export function menuButton(
  { menu, name, classes, content, isIcon, items }: MenuButton,
  model: Model,
  actions: Actions,
): TemplateResult {
  const open = model.local.menu === menu;
  const close = (focus: boolean, event: Event) => {
    const button = root(event)?.querySelector<HTMLElement>('[aria-haspopup]');
    actions.change({ menu: null });
    if (focus) button?.focus();
  };
  const show = (event: Event, item: number) => {
    actions.change({ menu });
    focusItem(root(event), item);
  };
  return html`<div
    class="menu-root"
    @keydown=${(event: KeyboardEvent) => {
      if (!open && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
        event.preventDefault();
        show(event, event.key === 'ArrowDown' ? 0 : -1);
      }
      if (!open) return;
      if (moveInMenu(event)) event.preventDefault();
      else if (event.key === 'Escape') {
        event.preventDefault();
        close(true, event);
      }
    }}
    @focusout=${(event: FocusEvent) => {
      const next = event.relatedTarget;
      if (open && !(next instanceof Node && root(event)?.contains(next))) actions.change({ menu: null });
    }}
  >
    <button
      type="button"
      class=${classes}
      title=${isIcon ? name : nothing}
      aria-label=${isIcon ? name : nothing}
      aria-haspopup="menu"
      aria-expanded=${open}
      @click=${(event: Event) => (open ? actions.change({ menu: null }) : show(event, 0))}
    >
      ${content}
    </button>
    ${
      open
        ? html`<div class="menu" role="menu" aria-label=${name}>${items.map((item) => menuItem(item, close))}</div>`
        : nothing
    }
  </div>`;
}

/** Draws an item. Its name is its content: the command, and what it does or why it cannot be done now. */
function menuItem(item: MenuItem, close: (focus: boolean, event: Event) => void): TemplateResult {
  const off = item.hindrance !== undefined;
  const part = typeof item.apart === 'string' ? item.apart : '';
  return html`${
    item.apart
      ? html`<div class="separator" role="separator" aria-label=${part || nothing}></div>
            ${part === '' ? nothing : html`<div class="part" aria-hidden="true">${part}</div>`}`
      : nothing
  }<button
      type="button"
      role="menuitem"
      tabindex="-1"
      aria-disabled=${off ? 'true' : nothing}
      @click=${(event: Event) => {
        if (off) return;
        close(true, event);
        item.act();
      }}
    >
      <span class="command">${item.text}</span> ${
        off
          ? html`<span class="hindrance">${item.hindrance}</span>`
          : item.meaning
            ? html`<span class="meaning">${item.meaning}</span>`
            : nothing
      }
    </button>`;
}

function root(event: Event): HTMLElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLElement>('.menu-root') : null;
}

/** Focuses an item once the menu is drawn, with the next frame. */
function focusItem(menu: HTMLElement | null, index: number): void {
  requestAnimationFrame(() => [...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])].at(index)?.focus());
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
