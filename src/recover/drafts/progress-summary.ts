import type { Incident, PlanItem } from '../../core/model';
import { lastResultLine } from './approaches';
import { plainLine } from '../quote';

/** Facts about a session's work, from its transcript. */
export interface ProgressFacts {
  /** Task of the agent, one line. */
  readonly title: string;
  readonly plan: readonly PlanItem[];
  /** Successful changes, oldest first, as the transcript names them: `Edit src/calc.py`. */
  readonly changes: readonly string[];
  /** The last thing that advanced the work, for example `pytest -q passed`. */
  readonly lastProgress?: string;
  readonly branch?: string;
  /** Incident in which it is stuck; null if it is not. */
  readonly incident: Incident | null;
}

const MOST_ITEMS = 12;
const MOST_CHANGES = 15;
/** Characters that git shows of a subject. */
const SUBJECT = 72;

/** Describes the work in words, for the message of a checkpoint and for an agent that continues it. Without Markdown that a program would read. */
export function progressLines(facts: ProgressFacts): readonly string[] {
  const { plan, changes, incident } = facts;
  const titles = (status: PlanItem['status']) =>
    plan.filter((item) => item.status === status).map((item) => plainLine(item.title));
  const changed = [...countedTimes(changes)].slice(-MOST_CHANGES);
  const result = incident ? lastResultLine(incident) : '';
  return [
    ...list('Done', titles('completed')),
    ...list('In progress', titles('in_progress')),
    ...list('Blocked', titles('blocked')),
    ...list('Open', titles('pending')),
    ...list('Changed', changed),
    ...(facts.lastProgress ? [`Last progress: ${plainLine(facts.lastProgress)}`] : []),
    ...(incident ? [`Stuck on: ${plainLine(incident.subject)}, ${incident.count} times`] : []),
    ...(result === '' ? [] : [`Last result: ${result}`]),
  ];
}

/** Words the message of a checkpoint: a subject, and what was done, is open and failed. */
export function checkpointMessage(facts: ProgressFacts, session: string): string {
  const title = plainLine(facts.title);
  const subject = `Unstuck checkpoint: ${title === '' ? 'work in progress' : title}`;
  const cut = subject.length > SUBJECT ? `${subject.slice(0, SUBJECT - 1).trimEnd()}…` : subject;
  const branch = facts.branch === undefined ? '' : `, branch ${plainLine(facts.branch)}`;
  return [cut, '', ...progressLines(facts), '', `Session ${plainLine(session)}${branch}`].join('\n');
}

function list(name: string, items: readonly string[]): readonly string[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, MOST_ITEMS).map((item) => `- ${item}`);
  const more = items.length - shown.length;
  return [`${name}:`, ...shown, ...(more > 0 ? [`- and ${more} more`] : [])];
}

function countedTimes(changes: readonly string[]): readonly string[] {
  const times = new Map<string, number>();
  for (const change of changes) {
    const before = times.get(change) ?? 0;
    times.delete(change);
    times.set(change, before + 1);
  }
  return [...times].map(([change, count]) => (count > 1 ? `${plainLine(change)} (${count} times)` : plainLine(change)));
}
