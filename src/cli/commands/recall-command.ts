import type { RecallHit } from '../../store/types';
import { signsInLine } from '../../util/showable';
import { readArguments } from '../arguments';
import { type HistoryPlace, noteTrouble, openHistory } from '../history';
import { type Output, UsageError } from '../output';
import { incidentRecord } from '../scan-record';

/** `recall <words>`: incidents and learnings that fit the words, the best first. */
export async function recallCommand(args: readonly string[], output: Output, place?: HistoryPlace): Promise<number> {
  const { values, positionals } = readArguments('recall', args, {
    limit: { type: 'string' },
    folder: { type: 'string' },
    store: { type: 'string' },
    json: { type: 'boolean' },
  });
  const words = positionals.join(' ').trim();
  if (words === '') throw new UsageError('usage', "unstuck recall: say what to look for. See 'unstuck help'.");
  const limit = Number(values.limit ?? 20);
  if (!(Number.isInteger(limit) && limit > 0))
    throw new UsageError('usage', 'unstuck recall: --limit is a number of results.');
  const store = await openHistory('recall', values, place);
  try {
    const hits = await store.recall(words, limit);
    noteTrouble('recall', store, output);
    for (const hit of hits) output.line(values.json ? JSON.stringify(hitRecord(hit)) : hitLine(hit));
    if (hits.length === 0 && !values.json) output.note('Nothing was found.');
  } finally {
    await store.close();
  }
  return 0;
}

/** One result as `recall --json` prints it: an incident as `scan` does, or a learning, with how well it fits. */
export function hitRecord(hit: RecallHit) {
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
  if (hit.kind === 'learning')
    return `learning  ${signsInLine(hit.learning.title)}: ${signsInLine(hit.learning.content)}`;
  const { incident } = hit;
  const when = new Date(incident.openedAt).toISOString();
  const came = incident.outcome ? `${incident.state}, ${incident.outcome}` : incident.state;
  return `${when}  ${incident.detector}  ${signsInLine(incident.agentName)}  ${signsInLine(incident.subject)}  (${came})  ${signsInLine(incident.why)}`;
}
