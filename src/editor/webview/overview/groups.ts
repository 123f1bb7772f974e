import { counted } from '../../../base/util/counts';
import { type OverviewRow } from '../../panel-model';
import { NEEDS, type Need, needOf } from '../../../core/model';
import { NEED_NAMES, needsYouWords, plain, presenceWords, thisMachine, whole } from '../../../core/words';

/** Grouping of the rows: by need, by folder, or by machine. */
export const GROUPINGS = ['need', 'folder', 'machine'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface Group {
  /** Key under which the folded state is remembered. */
  readonly id: string;
  readonly name: string;
  /** Number and kind of the rows. */
  readonly count: string;
  readonly rows: readonly OverviewRow[];
  readonly isOpen: boolean;
}

/** One line of the list. */
export type OverviewLine =
  | { readonly kind: 'group'; readonly group: Group }
  | { readonly kind: 'row'; readonly row: OverviewRow; readonly group: Group };

/** With more agents than this, groups of agents that need nothing are folded. */
const MANY = 40;
const RECENT_MS = 2 * 60_000;

/**
 * Returns the groups of the rows, which are in order. Empty groups are left out. A folder is placed where its first row is: the one with the worst
 * agent comes first.
 *
 * @param folded what the reader folded or unfolded, by the group's id
 * @param all number of all agents, including those that a filter leaves out
 */
export function groupsOf(
  rows: readonly OverviewRow[],
  grouping: Grouping,
  folded: ReadonlyMap<string, boolean>,
  all: number,
  now: number,
): readonly Group[] {
  const groups = new Map<string, OverviewRow[]>();
  for (const row of rows) {
    const id = idOf(row, grouping);
    const group = groups.get(id);
    if (group) group.push(row);
    else groups.set(id, [row]);
  }
  const needs: readonly string[] = NEEDS;
  const inOrder = [...groups];
  if (grouping === 'need') inOrder.sort(([a], [b]) => needs.indexOf(a) - needs.indexOf(b));
  return inOrder.map(([id, inside]): Group => {
    const isQuiet = id === 'working' || id === 'your_turn' || id === 'finished';
    const isFolded = folded.get(id) ?? (isQuiet && all > MANY);
    return {
      id,
      name: nameOf(id, inside, grouping, now),
      count: grouping === 'need' ? whole(inside.length) : placeCount(inside, grouping, now),
      rows: inside,
      isOpen: !isFolded,
    };
  });
}

function idOf(row: OverviewRow, grouping: Grouping): string {
  switch (grouping) {
    case 'need':
      return needOf(row.standing);
    case 'folder':
      return `folder ${row.folder}`;
    case 'machine':
      return row.machine ? `machine ${row.machine.name}` : 'this machine';
  }
}

function nameOf(id: string, rows: readonly OverviewRow[], grouping: Grouping, now: number): string {
  switch (grouping) {
    case 'need':
      return needName(id as Need, rows, now);
    case 'folder':
      return rows[0]?.folder || 'Unknown folder';
    case 'machine':
      return rows[0]?.machine?.name ?? thisMachine();
  }
}

function needName(need: Need, rows: readonly OverviewRow[], now: number): string {
  const isFresh = ({ standing, lastNewAt = 0 }: OverviewRow) => standing === 'working' && now - lastNewAt < RECENT_MS;
  const fresh = need === 'working' && rows.every(isFresh);
  return fresh && rows.length > 1 ? `${NEED_NAMES[need]}, all with new results in the last 2 min` : NEED_NAMES[need];
}

function placeCount(rows: readonly OverviewRow[], grouping: Grouping, now: number): string {
  const machine = grouping === 'machine' ? rows[0]?.machine : undefined;
  const lost = machine && machine.presence !== 'live' ? [presenceWords(machine.presence, machine.lastSeenAt, now)] : [];
  return [...lost, ...attention(rows), agentsAmong(rows)].join(' · ');
}

/** Returns `11 agents, 2 sub-agents`. */
function agentsAmong(rows: readonly OverviewRow[]): string {
  const sub = rows.filter(({ isSubAgent }) => isSubAgent).length;
  const agents = rows.length - sub;
  return [...(agents > 0 ? [counted(agents, 'agent')] : []), ...(sub > 0 ? [counted(sub, 'sub-agent')] : [])].join(
    ', ',
  );
}

/** Returns where an agent works, as far as the name of its group does not show it. */
export function placeWithin({ place, folder }: Pick<OverviewRow, 'place' | 'folder'>, grouping: Grouping): string {
  if (grouping !== 'folder' || folder === '') return place;
  if (place === folder) return '';
  return place.startsWith(`${folder}, `) ? place.slice(folder.length + 2) : place;
}

/** Returns `1 needs you`, `2 stuck`; empty if neither applies. */
function attention(rows: readonly OverviewRow[]): readonly string[] {
  const count = (standing: OverviewRow['standing']) => rows.filter((row) => row.standing === standing).length;
  const needs = count('needs_you');
  const stuck = count('stuck');
  return [...(needs > 0 ? [needsYouWords(needs)] : []), ...(stuck > 0 ? [`${whole(stuck)} stuck`] : [])];
}

/** Returns the text next to the heading: `1 needs you · 2 stuck · 12 agents`, or `12 agents, none needs you`. */
export function headingSummary(rows: readonly OverviewRow[]): string {
  if (rows.length === 0) return '';
  const agents = agentsAmong(rows);
  const needs = attention(rows);
  return needs.length > 0
    ? [...needs, agents].join(' · ')
    : rows.length === 1
      ? `${agents}, does not need you`
      : `${agents}, none needs you`;
}

export function itemsOf(groups: readonly Group[]): readonly OverviewLine[] {
  return groups.flatMap((group): readonly OverviewLine[] => [
    { kind: 'group', group },
    ...(group.isOpen ? group.rows.map((row): OverviewLine => ({ kind: 'row', row, group })) : []),
  ]);
}

/** Returns whether the row contains every word of the filter. */
export function matches(row: OverviewRow, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const text = [
    row.title,
    row.agentName,
    row.place,
    row.folder,
    row.machine?.name ?? '',
    row.standing.replaceAll('_', ' '),
    plain(row.doing),
  ]
    .join('\n')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}
