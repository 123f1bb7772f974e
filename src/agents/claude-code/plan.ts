import type { PlanItem, PlanStatus } from '../../core/model';
import { asArray, asRecord, asText, type JsonRecord } from '../shared/decode';

const STATUS: Readonly<Record<string, PlanStatus>> = {
  pending: 'pending',
  in_progress: 'in_progress',
  completed: 'completed',
  blocked: 'blocked',
};

/** A plan that grows by single calls (Task*), or is replaced as a whole (TodoWrite). Each method returns the plan, or null if nothing changed. */
export interface PlanKeeper {
  /** Applies a successful call of a plan tool, with the structured result of its record. */
  called(name: string, input: JsonRecord | undefined, result: JsonRecord | undefined): readonly PlanItem[] | null;
  /** Reads the list from the CLI's reminder to its model. */
  reminded(content: unknown): readonly PlanItem[] | null;
}

/** @param begun the plan so far */
export function createPlanKeeper(begun: readonly PlanItem[] = []): PlanKeeper {
  let items = begun;
  const replace = (next: readonly PlanItem[] | null): readonly PlanItem[] | null => {
    if (next === null || same(next, items)) return null;
    items = next;
    return items;
  };
  return {
    called(name, input, result) {
      switch (name) {
        case 'TodoWrite':
          return replace(listed(result?.['newTodos'] ?? input?.['todos']));
        case 'TaskCreate': {
          const task = asRecord(result?.['task']);
          const id = asText(task?.['id']);
          const title = asText(task?.['subject']) ?? asText(input?.['subject']);
          if (id === undefined || title === undefined) return null;
          return replace([...items.filter((item) => item.id !== id), { id, title, status: 'pending' }]);
        }
        case 'TaskUpdate':
          return replace(updated(items, input));
        case 'TaskList':
          return replace(listed(result?.['tasks']));
        default:
          return null;
      }
    },
    reminded: (content) => ((asArray(content)?.length ?? 0) > 0 ? replace(listed(content)) : null),
  };
}

/** Reads TodoWrite items. They have no id: their text is what stays the same when the list is reordered. */
function listed(value: unknown): readonly PlanItem[] | null {
  const list = asArray(value);
  if (!list) return null;
  const items: PlanItem[] = [];
  const ids = new Set<string>();
  for (const entry of list) {
    const record = asRecord(entry);
    const title = asText(record?.['subject']) ?? asText(record?.['content']) ?? asText(record?.['title']);
    if (record === undefined || title === undefined) continue;
    const wanted = asText(record['id']) ?? title.slice(0, 200);
    let id = wanted;
    for (let n = 2; ids.has(id); n++) id = `${wanted} (${n})`;
    ids.add(id);
    const blockedBy = texts(record['blockedBy']);
    const status = STATUS[asText(record['status']) ?? ''] ?? 'pending';
    items.push({ id, title, status, ...(blockedBy.length > 0 && { blockedBy }) });
  }
  return items;
}

function updated(items: readonly PlanItem[], input: JsonRecord | undefined): readonly PlanItem[] | null {
  const id = asText(input?.['taskId']);
  if (input === undefined || id === undefined) return null;
  if (input['status'] === 'deleted') return items.filter((item) => item.id !== id);
  const blocks = texts(input['addBlocks']);
  return items.map((item) => {
    const added = item.id === id ? texts(input['addBlockedBy']) : blocks.includes(item.id) ? [id] : [];
    const blockedBy = [...new Set([...(item.blockedBy ?? []), ...added])];
    const own = item.id === id;
    return {
      id: item.id,
      title: (own && asText(input['subject'])) || item.title,
      status: (own && STATUS[asText(input['status']) ?? '']) || item.status,
      ...(blockedBy.length > 0 && { blockedBy }),
    };
  });
}

function texts(value: unknown): readonly string[] {
  return (asArray(value) ?? []).filter((entry): entry is string => typeof entry === 'string');
}

function same(one: readonly PlanItem[], other: readonly PlanItem[]): boolean {
  return (
    one.length === other.length &&
    one.every((item, index) => {
      const twin = other[index];
      return (
        twin !== undefined &&
        item.id === twin.id &&
        item.title === twin.title &&
        item.status === twin.status &&
        (item.blockedBy ?? []).join('\n') === (twin.blockedBy ?? []).join('\n')
      );
    })
  );
}
