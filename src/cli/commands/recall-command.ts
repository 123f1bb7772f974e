import { resolve } from 'node:path';
import { DETECTOR_IDS, attemptsOf } from '../../core/model';
import { OUTCOMES, type SearchLine, narrowed, readSearchLine } from '../../history';
import type { Learning, RecallHit } from '../../history/types';
import { signsInLine } from '../../base/util/showable';
import { endingWords } from '../../core/words';
import { readArguments } from '../arguments';
import type { DataPlace } from '../../base/files';
import { noteTrouble, openHistory } from '../history';
import { type Output, UsageError } from '../output';
import { incidentRecord } from '../scan-record';

/** `recall <words>`: prints incidents and learnings that match the words, best match first. */
export async function recallCommand(
  args: readonly string[],
  output: Output,
  place?: DataPlace,
  now: () => number = Date.now,
): Promise<number> {
  const { values, positionals } = readArguments('recall', args, {
    limit: { type: 'string' },
    level: { type: 'string', multiple: true },
    rule: { type: 'string', multiple: true },
    agent: { type: 'string', multiple: true },
    outcome: { type: 'string', multiple: true },
    in: { type: 'string', multiple: true },
    since: { type: 'string' },
    until: { type: 'string' },
    folder: { type: 'string' },
    store: { type: 'string' },
    json: { type: 'boolean' },
  });
  const { words, filter } = questionOf(positionals, values, now());
  if (words === '' && Object.keys(filter).length === 0)
    throw new UsageError('usage', "unstuck recall: name the words to look for. See 'unstuck recall --help'.");
  const limit = Number(values.limit ?? 20);
  if (!(Number.isInteger(limit) && limit > 0))
    throw new UsageError('usage', 'unstuck recall: --limit must be a number of results.');
  const store = await openHistory('recall', values, place);
  try {
    const hits = await store.recall(words, { filter, limit });
    noteTrouble('recall', store, output);
    for (const hit of hits) output.line(values.json ? JSON.stringify(hitRecord(hit)) : hitLine(hit));
    if (hits.length === 0 && !values.json) output.note('Nothing was found.');
  } finally {
    await store.close();
  }
  return 0;
}

/** The options that narrow a search, and the key of each in a search line. */
const NARROWING = [
  ['level', 'level'],
  ['rule', 'rule'],
  ['agent', 'agent'],
  ['outcome', 'outcome'],
  ['in', 'folder'],
  ['since', 'since'],
  ['until', 'until'],
] as const;

function questionOf(
  positionals: readonly string[],
  values: Readonly<Partial<Record<(typeof NARROWING)[number][0], string | string[]>>>,
  now: number,
): SearchLine {
  const { words, filter } = readSearchLine(positionals.join(' ').trim(), now);
  let narrow = filter;
  for (const [option, key] of NARROWING) {
    for (const value of [values[option] ?? []].flat()) {
      const next = narrowed(narrow, key, option === 'in' ? resolve(value) : value, now);
      if (!next) throw new UsageError('usage', `unstuck recall: "${value}" is no ${key}${CHOICES[key] ?? '.'}`);
      narrow = next;
    }
  }
  return { words, filter: narrow };
}

const CHOICES: Readonly<Partial<Record<(typeof NARROWING)[number][1], string>>> = {
  level: '. Use stuck or warn.',
  rule: `. Use one of ${DETECTOR_IDS.join(', ')}.`,
  outcome: `. Use one of ${OUTCOMES.join(', ')}.`,
  since: '. Write 7d, 24h or 2026-11-20T18:53:50Z.',
  until: '. Write 7d, 24h or 2026-11-20T18:53:50Z.',
};

/** Returns one result as `recall --json` prints it, with how well it matches: an incident in the form of `scan`, or a learning. */
function hitRecord(hit: RecallHit) {
  const found = { id: hit.id, score: Math.round(hit.score * 1000) / 1000, matched: hit.matched };
  if (hit.kind === 'incident') {
    const { incident } = hit;
    const { state, title, outcome, openedAt } = incident;
    return {
      ...incidentRecord(incident.file, incident),
      ...found,
      title,
      state,
      outcome,
      t: new Date(openedAt).toISOString(),
    };
  }
  const { at, ...learning } = hit.learning;
  return { kind: 'learning' as const, ...learning, ...found, t: new Date(at).toISOString() };
}

function hitLine(hit: RecallHit): string {
  if (hit.kind === 'learning') {
    const { id, at, sourceTask, pinned } = hit.learning;
    const parts = [time(at), pinned === true ? 'learned, pinned' : 'learned', learnedWords(hit.learning)];
    return [...parts, `(${signsInLine(sourceTask)})  [${id}]`].join('  ');
  }
  const { incident } = hit;
  const { id, detector, agentName, subject, why, openedAt } = incident;
  const ended = endingWords({ ...incident, attempts: attemptsOf(incident) }) || 'open';
  const parts = [time(openedAt), detector, signsInLine(agentName), signsInLine(subject), `(${ended})`];
  return [...parts, signsInLine(why), `[${id}]`].join('  ');
}

/** Returns the person's own text, otherwise the cause with its result. */
function learnedWords({ cause, content, editedAt, tried, state }: Learning): string {
  if (editedAt !== undefined || cause === undefined) return signsInLine(content);
  const helped = state === 'recovered' ? `; freed by ${tried === 'by_itself' ? 'itself' : tried}` : '';
  return `${signsInLine(cause).replace(/\.$/, '')}${helped}`;
}

function time(at: number): string {
  return new Date(at).toISOString();
}
