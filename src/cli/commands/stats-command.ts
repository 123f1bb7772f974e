import type { Statistics } from '../../history/types';
import { statisticsTables } from '../../core/words';
import { readArguments, readTime } from '../arguments';
import type { DataPlace } from '../../base/files';
import { noteTrouble, openHistory } from '../history';
import { type Output, UsageError } from '../output';

const DAY_MS = 86_400_000;

/** `stats [--days N | --since T]`: reports from the history what got stuck, what it cost and what freed it. */
export async function statsCommand(
  args: readonly string[],
  output: Output,
  place?: DataPlace,
  now: () => number = Date.now,
): Promise<number> {
  const { values, positionals } = readArguments('stats', args, {
    days: { type: 'string' },
    since: { type: 'string' },
    folder: { type: 'string' },
    store: { type: 'string' },
    json: { type: 'boolean' },
  });
  if (positionals.length > 0)
    throw new UsageError('usage', "unstuck stats: takes options only. See 'unstuck stats --help'.");
  const days = values.days === undefined ? null : Number(values.days);
  if (days !== null && !(Number.isInteger(days) && days > 0))
    throw new UsageError('usage', 'unstuck stats: --days must be a number of days, 1 or more.');
  const until = now();
  const since =
    values.since === undefined ? (days === null ? 0 : until - days * DAY_MS) : readTime('stats', values.since);
  const store = await openHistory('stats', values, place);
  try {
    const figures = await store.statistics({ since, until });
    noteTrouble('stats', store, output);
    if (values.json) output.line(JSON.stringify(statisticsRecord(figures)));
    else for (const line of textOf(figures)) output.line(line);
  } finally {
    await store.close();
  }
  return 0;
}

/** Returns the record that `stats --json` prints. */
function statisticsRecord({ range, ...figures }: Statistics) {
  const time = (at: number) => new Date(at).toISOString();
  return { kind: 'statistics' as const, since: time(range.since), until: time(range.until), ...figures };
}

/** Yields the lines of the tables, with aligned columns. */
function* textOf(figures: Statistics): Generator<string> {
  for (const { title, columns, rows } of statisticsTables(figures)) {
    if (rows.length === 0) continue;
    const head = columns.some((name) => name !== '') ? [columns] : [];
    const all = [...head, ...rows.map((row) => row.cells)];
    const widths = columns.map((_, column) => Math.max(...all.map((cells) => (cells[column] ?? '').length)));
    yield title;
    for (const cells of all)
      yield `  ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')}`.trimEnd();
    yield '';
  }
}
