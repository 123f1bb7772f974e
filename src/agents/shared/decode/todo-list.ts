import type { PlanItem } from '../../../core/model';
import { asRecord, asText } from '.';
import { planItems } from './plan-items';

/** Returns the list of `update_todo`: a Markdown checklist, or items. Null if it is neither. */
export function todoItems(args: unknown): readonly PlanItem[] | null {
  const todos = asRecord(args)?.['todos'];
  const text = asText(todos);
  if (text === undefined) return planItems(todos);
  const items: { content: string; status: string }[] = [];
  for (const line of text.split('\n').slice(0, 500)) {
    const item = /^\s*(?:[-*+]\s+)?\[([ xX~/-])\]\s+(\S.*)$/.exec(line);
    if (item?.[2]) items.push({ content: item[2].trim(), status: STATUS[item[1] ?? ' '] ?? 'pending' });
  }
  return items.length === 0 ? null : planItems(items);
}

const STATUS: Readonly<Record<string, string>> = {
  x: 'completed',
  X: 'completed',
  '~': 'in_progress',
  '-': 'in_progress',
  '/': 'in_progress',
};
