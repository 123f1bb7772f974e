import { type OverviewIntent, type OverviewMessage, type OverviewRow } from '../../panel-model';
import { type Group, type Grouping, type OverviewLine, groupsOf, itemsOf, matches } from './groups';
import { NO_ORDER, type Order, ordered } from './order';

/** The reader's place, and what was chosen. */
export interface OverviewLocal {
  readonly filter: string;
  readonly grouping: Grouping;
  /** Groups that were folded or unfolded by hand. */
  readonly folded: ReadonlyMap<string, boolean>;
  /** The row or group to which the keys apply. */
  readonly active: string | null;
}

export interface OverviewModel {
  readonly rows: ReadonlyMap<string, OverviewRow>;
  readonly order: Order;
  readonly all: readonly OverviewRow[];
  readonly groups: readonly Group[];
  readonly items: readonly OverviewLine[];
  readonly local: OverviewLocal;
  readonly now: number;
  readonly restricted: boolean;
  readonly paused: boolean;
}

export interface OverviewActions {
  send(intent: OverviewIntent): void;
  change(part: Partial<OverviewLocal>): void;
  updateOrder(): void;
}

export const FRESH_OVERVIEW: OverviewLocal = { filter: '', grouping: 'need', folded: new Map(), active: null };

/** Heights of lines, css pixels. From `COMPACT_FROM` agents on rows are lower. */
const GROUP_HEIGHT = 36;
const ROW_HEIGHT = 32;
const COMPACT_HEIGHT = 22;
const COMPACT_FROM = 40;

export function isCompact(agents: number): boolean {
  return agents >= COMPACT_FROM;
}

/** Returns the key of a line: used to know what is active, and to remember a drawing. */
export function lineKeyOf(item: OverviewLine): string {
  return item.kind === 'row' ? item.row.session : `group ${item.group.id}`;
}

/** Returns the rows after a message. */
export function received(rows: ReadonlyMap<string, OverviewRow>, message: OverviewMessage): Map<string, OverviewRow> {
  const listed = new Set(message.order);
  const next = new Map(message.whole ? [] : [...rows].filter(([session]) => listed.has(session)));
  for (const row of message.rows) next.set(row.session, row);
  return next;
}

/** Returns everything that is drawn. */
export function modelOf(
  input: Pick<OverviewModel, 'rows' | 'order' | 'local' | 'now' | 'restricted' | 'paused'>,
): OverviewModel {
  const { rows, order, local, now } = input;
  const all = order.sessions.flatMap((session) => {
    const row = rows.get(session);
    const standing = order.places.get(session)?.standing;
    return row && standing ? [{ ...row, standing }] : [];
  });
  const shown = all.filter((row) => matches(row, local.filter));
  const groups = groupsOf(shown, local.grouping, local.folded, all.length, now);
  return { ...input, all, groups, items: itemsOf(groups) };
}

/** Returns the lines [from, to) that are in view, with some on either side, and the room above and below them, css pixels. */
export function windowOf(
  items: readonly OverviewLine[],
  compact: boolean,
  scrollTop: number,
  height: number,
): { readonly from: number; readonly to: number; readonly above: number; readonly below: number } {
  const whole = topOf(items, items.length, compact);
  // A list that became shorter is still scrolled to where it was.
  const top = Math.max(0, Math.min(scrollTop, whole - height));
  let from = 0;
  let above = 0;
  let item = items[0];
  while (item && above + lineHeightOf(item, compact) <= top - BESIDE) {
    above += lineHeightOf(item, compact);
    item = items[++from];
  }
  // Uses whole blocks of lines, so that the window moves once in a while and not with each line.
  for (; from % BLOCK > 0; from--) above -= lineHeightOf(items[from - 1] as OverviewLine, compact);
  item = items[from];
  let to = from;
  let end = above;
  for (; item && (end <= top + height + BESIDE || to % BLOCK > 0); item = items[++to])
    end += lineHeightOf(item, compact);
  return { from, to, above, below: whole - end };
}

/** Room drawn beyond the edges, so that nothing is blank while scrolling. */
const BESIDE = 200;
const BLOCK = 8;

export function lineHeightOf(item: OverviewLine, compact: boolean): number {
  if (item.kind === 'group') return GROUP_HEIGHT;
  return compact ? COMPACT_HEIGHT : ROW_HEIGHT;
}

/** Returns where a line begins, from the top of the list. */
export function topOf(items: readonly OverviewLine[], index: number, compact: boolean): number {
  return items.slice(0, index).reduce((top, item) => top + lineHeightOf(item, compact), 0);
}

export { NO_ORDER, ordered };
