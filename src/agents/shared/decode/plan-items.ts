import type { PlanItem, PlanStatus } from '../../../core/model';
import { asArray, asRecord, asText } from './json';

const STATUS: Readonly<Record<string, PlanStatus>> = {
  pending: 'pending',
  todo: 'pending',
  not_started: 'pending',
  in_progress: 'in_progress',
  'in-progress': 'in_progress',
  doing: 'in_progress',
  completed: 'completed',
  done: 'completed',
  blocked: 'blocked',
};

const TITLES = ['step', 'content', 'description', 'title', 'subject', 'task', 'text'] as const;

/**
 * Returns the items of a plan that is written whole (`update_plan`, `write_todos`, `todo_write`, …); null if the value is not a list of them.
 *
 * Items without an id are recognised by their text, which stays the same when a list is reordered. A cancelled item is left out.
 */
export function planItems(value: unknown): readonly PlanItem[] | null {
  const list = asArray(value);
  if (!list) return null;
  const items: PlanItem[] = [];
  const ids = new Set<string>();
  for (const entry of list.slice(0, 500)) {
    const record = asRecord(entry);
    const key = record && TITLES.find((name) => asText(record[name]) !== undefined);
    if (!record || !key) continue;
    const title = asText(record[key]) ?? '';
    const status = asText(record['status']);
    if (status === 'cancelled' || status === 'deleted') continue;
    const wanted = idOf(record['id']) ?? title.slice(0, 200);
    let id = wanted;
    for (let n = 2; ids.has(id); n++) id = `${wanted} (${n})`;
    ids.add(id);
    items.push({ id, title, status: STATUS[status ?? ''] ?? 'pending' });
  }
  return items.length === 0 && list.length > 0 ? null : items;
}

function idOf(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : asText(value);
}
