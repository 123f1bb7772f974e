const FOCUSABLE = 'button:not([disabled]):not([tabindex="-1"]), textarea, [tabindex="0"]';

/** F6: moves the focus to the first control of the next or previous column, header and footer included. Returns false if there is none. */
export function moveColumn(root: HTMLElement, direction: 1 | -1): boolean {
  const columns = [...root.querySelectorAll<HTMLElement>('.head, section[aria-label="Timeline"], .column, footer')]
    .map((column) => ({ column, target: column.querySelector<HTMLElement>(FOCUSABLE) }))
    .filter((one) => one.target !== null);
  if (columns.length === 0) return false;
  const focused = document.activeElement;
  const at = columns.findIndex(({ column }) => focused !== null && column.contains(focused));
  const start = at < 0 && direction < 0 ? 0 : at;
  const next = columns[(start + direction + columns.length) % columns.length];
  next?.target?.focus();
  return next !== undefined;
}
