import { STORE_EVENT_TYPES } from '../../history';
import { type Contradiction, contradictionsIn } from '../../history/queries/contradictions';
import type { StoreEvent } from '../../history/types';
import { signsInLine } from '../../base/util/showable';
import { counted } from '../../base/util/counts';
import { eventSentence } from '../../core/words';
import { readArguments, readTime } from '../arguments';
import type { DataPlace } from '../../base/files';
import { noteTrouble, openHistory } from '../history';
import { type Output, UsageError } from '../output';

/**
 * `events [--type T] [--session S] [--since T]`: prints the event log of observations and recoveries, oldest first. `--check` prints its
 * contradictions instead. Returns the exit code: 1 if there are any.
 */
export async function eventsCommand(args: readonly string[], output: Output, place?: DataPlace): Promise<number> {
  const { values, positionals } = readArguments('events', args, {
    type: { type: 'string' },
    session: { type: 'string' },
    incident: { type: 'string' },
    since: { type: 'string' },
    limit: { type: 'string' },
    folder: { type: 'string' },
    store: { type: 'string' },
    check: { type: 'boolean' },
    json: { type: 'boolean' },
  });
  if (values.check && (values.type ?? values.limit ?? values.since) !== undefined)
    throw new UsageError(
      'usage',
      'unstuck events: --check reads whole incidents; leave out --type, --since and --limit.',
    );
  if (positionals.length > 0)
    throw new UsageError('usage', "unstuck events: takes options only. See 'unstuck events --help'.");
  const type = STORE_EVENT_TYPES.find((one) => one.toLowerCase() === values.type?.toLowerCase());
  if (values.type !== undefined && !type) {
    const known = STORE_EVENT_TYPES.join(', ');
    throw new UsageError('usage', `unstuck events: there is no type "${values.type}". Use one of ${known}.`);
  }
  const limit = values.limit === undefined ? undefined : Number(values.limit);
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0))
    throw new UsageError('usage', 'unstuck events: --limit must be a number of events.');
  const since = values.since === undefined ? undefined : readTime('events', values.since);
  const store = await openHistory('events', values, place);
  try {
    const events = await store.events({
      ...(type && { type }),
      ...(values.session !== undefined && { session: values.session }),
      ...(values.incident !== undefined && { incident: values.incident }),
      ...(since !== undefined && { since }),
      ...(limit !== undefined && { limit }),
    });
    noteTrouble('events', store, output);
    if (values.check) return checked(events, output, values.json === true);
    for (const event of events) output.line(values.json ? JSON.stringify(eventRecord(event)) : eventLine(event));
    if (events.length === 0 && !values.json) output.note('No such event.');
  } finally {
    await store.close();
  }
  return 0;
}

function checked(events: readonly StoreEvent[], output: Output, json: boolean): number {
  const found = contradictionsIn(events);
  for (const one of found) output.line(json ? JSON.stringify(contradictionRecord(one)) : contradictionLine(one));
  const number = `${counted(events.length, 'event')}, ${counted(found.length, 'contradiction')}`;
  if (!json) output.line(number);
  return found.length > 0 ? 1 : 0;
}

/** Returns one contradiction as `events --check --json` prints it. */
function contradictionRecord({ code, text, event }: Contradiction) {
  const { id, incident } = event;
  return { kind: 'contradiction' as const, code, text, incident: incident ?? null, event: id };
}

function contradictionLine({ code, text, event }: Contradiction): string {
  return `${new Date(event.t).toISOString()}  ${code}  ${signsInLine(`${event.incident ?? ''}  ${text}`)}`;
}

/** Returns one event as `events --json` prints it. */
function eventRecord({ id, t, type, session, agent, incident, data }: StoreEvent) {
  return {
    kind: 'event' as const,
    id,
    t: new Date(t).toISOString(),
    type,
    session,
    agent,
    incident: incident ?? null,
    data,
  };
}

function eventLine({ t, type, session, data }: StoreEvent): string {
  return `${new Date(t).toISOString()}  ${type}  ${signsInLine(session)}  ${signsInLine(eventSentence(type, data))}`.trimEnd();
}
