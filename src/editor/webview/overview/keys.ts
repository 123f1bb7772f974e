import { type OverviewActions, type OverviewModel, lineKeyOf } from './model';

/** Number of lines that Page Up and Page Down move. */
const PAGE = 10;

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** Handles a key in the list. Returns false if the key has no meaning here. */
export function pressed(
  { key, ctrlKey, metaKey, altKey }: Pressed,
  model: OverviewModel,
  actions: OverviewActions,
): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  const { items, local } = model;
  const at = items.findIndex((item) => lineKeyOf(item) === local.active);
  const item = items[at];
  const go = (index: number): boolean => {
    const to = items[Math.max(0, Math.min(items.length - 1, index))];
    if (to) actions.change({ active: lineKeyOf(to) });
    return to !== undefined;
  };
  const fold = (isFolded: boolean): boolean => {
    if (item?.kind === 'row') {
      if (isFolded) return go(items.findIndex((one) => one.kind === 'group' && one.group.id === item.group.id));
      return true;
    }
    if (item) actions.change({ folded: new Map(local.folded).set(item.group.id, isFolded) });
    return item !== undefined;
  };
  switch (key) {
    case 'ArrowDown':
      return go(at + 1);
    case 'ArrowUp':
      return go(at < 0 ? 0 : at - 1);
    case 'PageDown':
      return go(at + PAGE);
    case 'PageUp':
      return go(at - PAGE);
    case 'Home':
      return go(0);
    case 'End':
      return go(items.length - 1);
    case 'ArrowLeft':
      return fold(true);
    case 'ArrowRight':
      return fold(false);
    case 'Enter':
    case ' ':
      if (item?.kind === 'row') actions.send({ type: 'open', session: item.row.session, focus: key === 'Enter' });
      else if (item) return fold(item.group.isOpen);
      return item !== undefined;
    case 'n':
      if (item?.kind !== 'row' || (item.row.act !== 'nudge' && item.row.act !== 'continue')) return false;
      actions.send({ type: 'nudge', session: item.row.session });
      return true;
    case 'g':
      if (item?.kind !== 'row' || item.row.act !== 'go') return false;
      actions.send({ type: 'go', session: item.row.session });
      return true;
    case 'u':
      actions.updateOrder();
      return true;
    default:
      return false;
  }
}
