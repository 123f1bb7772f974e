/** Compares a run with its plan and prints the result as a table. */

/** Objects that VS Code itself may open and close between two readings. */
const SLACK = 4;
/** MB that the heap may grow from the middle of a run to its end, plus an amount for each session that began in that time and is still known. */
const HEAP_SLACK = 8;
const HEAP_OF_A_SESSION = 0.15;

/**
 * @param {string[]} wanted `session rule`, sorted
 * @param {string[]} got the same
 * @returns {{ missing: string[], extra: string[] }} an alert that came twice is extra once
 */
export function compareAlerts(wanted, got) {
  const left = [...got];
  const missing = wanted.filter((alert) => {
    const at = left.indexOf(alert);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return { missing, extra: left };
}

/**
 * @param {import('./measure.mjs').Reading} middle
 * @param {import('./measure.mjs').Reading} end as many sessions are live as in the middle
 * @param {number} begun sessions that began in between
 */
export function judgeGrowth(middle, end, begun) {
  const heap = HEAP_SLACK + begun * HEAP_OF_A_SESSION;
  return [
    verdict('watches of inotify', middle.watches, end.watches, 0),
    verdict('inotify instances', middle.instances, end.instances, 0),
    verdict('descriptors', middle.descriptors, end.descriptors, SLACK),
    verdict('timers', middle.timers, end.timers, SLACK),
    verdict('all handles', middle.handles, end.handles, SLACK),
    verdict('processes that it started', middle.children, end.children, 0),
    verdict('heap after a collection, MB', middle.heap, end.heap, heap),
  ];
}

function verdict(
  /** @type {string} */ what,
  /** @type {number} */ middle,
  /** @type {number} */ end,
  /** @type {number} */ bound,
) {
  return { what, middle, end, bound, holds: end <= middle + bound };
}

/** @type {[string, (reading: import('./measure.mjs').Reading) => string][]} */
const ROWS = [
  ['minute', (one) => one.minute.toFixed(1)],
  ['sessions begun / known transcripts', (one) => `${one.begun} / ${one.files}`],
  ['memory of the process, MB', (one) => one.rss.toFixed(0)],
  ['heap after a collection, MB', (one) => one.heap.toFixed(1)],
  ['buffers outside of it, MB', (one) => one.outside.toFixed(1)],
  ['watches of inotify', (one) => `${one.watches}`],
  ['inotify instances', (one) => `${one.instances}`],
  ['descriptors', (one) => `${one.descriptors}`],
  ['timers', (one) => `${one.timers}`],
  ['all handles', (one) => `${one.handles}`],
  ['processes that it started', (one) => `${one.children}`],
  ['threads', (one) => `${one.threads}`],
  ['history, KB', (one) => one.store.toFixed(0)],
  ['journals, KB', (one) => one.journal.toFixed(0)],
  ['incidents kept', (one) => `${one.incidents}`],
  [
    'part of a core since the reading before',
    (one) => (one.load === undefined ? '' : `${(one.load * 100).toFixed(1)} %`),
  ],
];

/** @param {Record<string, any>[]} readings with `name` */
export function tableOf(readings) {
  const lines = [
    `| | ${readings.map(({ name }) => name).join(' | ')} |`,
    `| --- |${' --- |'.repeat(readings.length)}`,
    ...ROWS.map(([title, cell]) => `| ${title} | ${readings.map((one) => cell(one)).join(' | ')} |`),
  ];
  return lines.join('\n');
}
