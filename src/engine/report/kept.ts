import { type Evidence, type Incident, type Sample, repeatsIn } from '../../core/model';
import { VERSION } from '../../agents/generic/fields';
import type { GenericRecord, RecordNames } from './records';

/** Steps that are written at most: further ones of a pattern repeat nothing new. */
const MOST_STEPS = 200;

/**
 * Makes records of what an incident itself keeps, for when its transcript is gone: the calls of its pattern in their order, each with its result from
 * the evidence. Calls are recognised by the text shown to a person, so that `Edit src/calc.py` becomes an edit, and everything else a command.
 *
 * @param failing the results are failures; the evidence does not say
 */
export function keptRecords(incident: Incident, names: RecordNames, failing: boolean): GenericRecord[] {
  const samples = [incident.firstSample, incident.lastSample].filter((one) => one !== undefined);
  const records: GenericRecord[] = [];
  const put = (at: number, fields: GenericRecord): void => {
    records.push({ v: VERSION, t: new Date(at).toISOString(), session: names.session, ...fields });
  };
  const { agentName, cwd } = names;
  const start = { type: 'session_start', agent: agentName, ...(cwd !== undefined && { cwd }) };
  put(incident.firstAt, incident.model === undefined ? start : { ...start, model: incident.model });
  let edits = 0;
  let at = incident.firstAt;
  for (const [index, one] of rows(incident).entries()) {
    at = Math.max(at + 1, one.at);
    if (one.step === undefined) {
      put(at, { type: 'assistant', text: one.text === '' ? one.subject : one.text });
      continue;
    }
    const id = String(index + 1);
    const edit = /^(?:Edit|Write) (.+)$/.exec(one.subject)?.[1];
    const looked = /^(?:Read|List) (.+)$/.exec(one.subject)?.[1];
    const call =
      edit !== undefined
        ? { name: 'edit_file', args: { file_path: edit, content: `edit ${++edits}` } }
        : looked !== undefined
          ? { name: 'read_file', args: { file_path: looked } }
          : { name: 'shell', args: { command: one.subject } };
    const isError = failing && one.role !== 'between';
    put(at, { type: 'tool_call', id, ...call });
    put(at, { type: 'tool_result', id, output: resultOf(one, samples), isError });
  }
  return records;
}

/** Returns the course of events: all steps of the pattern whose numbers were kept, and what is known to lie between them. */
function rows({ evidence, pattern, count }: Incident): Evidence[] {
  const known = new Map(evidence.flatMap((one) => (one.step === undefined ? [] : [[one.step, one] as const])));
  const all = [...evidence];
  for (const { letter, steps } of pattern ?? []) {
    const like = repeatsIn(evidence).find((one) => (one.letter ?? 'A') === letter);
    if (like) for (const step of steps) if (!known.has(step)) all.push({ ...like, step, at: 0 });
  }
  if (all.some(({ step }) => step !== undefined)) {
    all.sort((a, b) => (a.step ?? 0) - (b.step ?? 0));
    return all.slice(-MOST_STEPS);
  }
  // Messages have no numbers: the last one is repeated for those that were not kept.
  const last = all.at(-1);
  if (!last) return all;
  const missing = Math.max(0, Math.min(count, MOST_STEPS) - all.length);
  return [...all, ...Array.from({ length: missing }, () => last)];
}

/** Returns the whole result if it was kept, otherwise its line. */
function resultOf(one: Evidence, samples: readonly Sample[]): string {
  const whole = samples.find(
    ({ source }) => source.offset === (one.end ?? one.source).offset && source.line === (one.end ?? one.source).line,
  );
  return whole?.text ?? one.text;
}
