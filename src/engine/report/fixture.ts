import { VERSION } from '../../agents/generic/fields';
import { generic } from '../../agents/generic/adapter';
import { resolveOptions } from '../../detect/session/options';
import type { AgentEvent, Incident, Preset } from '../../core/model';
import type { FixtureFailure } from '../../core/words';
import { scanLines } from '../scan';
import { keptRecords } from './kept';
import { neutral } from './neutral';
import { type GenericRecord, genericRecords } from './records';
import { type SourcePorts, eventsOf } from './source';
import { spansOf } from './spans';

export interface FixturePorts extends SourcePorts {
  /** Called between pieces of work: waits if they have taken long. */
  readonly breathe: () => Promise<void> | undefined;
}

/** A generic transcript that raises the alarm of an incident again. */
export interface Fixture {
  /** JSON Lines, each with a line break at its end. */
  readonly text: string;
  /** Thresholds with which a scan of it raises the alarm. */
  readonly preset: Preset;
  /** Its source: the transcript, or what the history kept of it. */
  readonly from: 'transcript' | 'kept';
}

export type FixtureResult =
  | { readonly ok: true; readonly fixture: Fixture }
  | { readonly ok: false; readonly failure: FixtureFailure };

/** The default thresholds come first: everyone scans with these. */
const PRESETS: readonly Preset[] = ['balanced', 'eager'];
const SESSION = 'fixture';
const FILE = 'fixture.agent.jsonl';

/**
 * Makes a redacted generic transcript that reproduces an incident: from as few steps around it in the transcript as are enough or, if that is gone,
 * from what the history keeps. The result is checked: a scan of it raises the same rule at the same level.
 */
export async function makeFixture(incident: Incident, ports: FixturePorts): Promise<FixtureResult> {
  if (incident.rule === 'peers' || incident.rule === 'outage') return failed({ reason: 'several_sessions' });
  const events = await eventsOf(incident, ports);
  const from = events ? 'transcript' : 'kept';
  const folders = foldersOf(incident, events ?? []);
  const pieces = [...(events ? ofTranscript(incident, events) : ofKept(incident))];
  const made: string[][] = [];
  let raised: readonly Raised[] = [];
  for (const preset of PRESETS) {
    for (const [index, records] of pieces.entries()) {
      const lines = (made[index] ??= await printed(records, folders, ports));
      const found = await raisedBy(lines, preset, ports);
      if (found.some((one) => isSame(one, incident)))
        return { ok: true, fixture: { text: lines.map((line) => `${line}\n`).join(''), preset, from } };
      if (preset === 'balanced') raised = found;
    }
  }
  if (incident.detector === 'gate_blocked' && !raised.some(({ detector }) => detector === incident.detector))
    return failed({ reason: 'gates' });
  const others = raised.map(({ detector, level }) => ({ detector, level }));
  return failed({ reason: from === 'kept' ? 'transcript_gone' : 'differs', raised: others });
}

function failed(failure: FixtureFailure): FixtureResult {
  return { ok: false, failure };
}

type Raised = Pick<Incident, 'detector' | 'rule' | 'level'>;

function isSame(one: Raised, incident: Raised): boolean {
  return one.detector === incident.detector && one.rule === incident.rule && one.level === incident.level;
}

function* ofTranscript(incident: Incident, events: readonly AgentEvent[]): Generator<GenericRecord[]> {
  const [cwd] = foldersOf(incident, events);
  const names = { session: SESSION, agentName: incident.agentName, ...(cwd !== undefined && { cwd }) };
  for (const span of spansOf(incident, events)) {
    // A rule of silence waited for this: the time until it reported.
    const clock = { v: VERSION, t: new Date(span.until).toISOString(), session: SESSION, type: 'clock' };
    yield [...genericRecords(span.events, names), clock];
  }
}

function* ofKept(incident: Incident): Generator<GenericRecord[]> {
  const { folder } = incident;
  const names = { session: SESSION, agentName: incident.agentName, ...(folder !== undefined && { cwd: folder }) };
  for (const failing of [true, false]) yield keptRecords(incident, names, failing);
}

/** Returns the folders whose paths reveal where someone works: the agent's own first. */
function foldersOf({ folder }: Incident, events: readonly AgentEvent[]): string[] {
  const folders = new Set<string>();
  for (const event of events) if (event.type === 'session_info' && event.cwd !== undefined) folders.add(event.cwd);
  if (folder !== undefined) folders.add(folder);
  return [...folders];
}

async function printed(
  records: readonly GenericRecord[],
  folders: readonly string[],
  { breathe }: FixturePorts,
): Promise<string[]> {
  const lines: string[] = [];
  for (const record of records) {
    lines.push(JSON.stringify(neutral(record, folders)));
    await breathe();
  }
  return lines;
}

async function raisedBy(lines: readonly string[], preset: Preset, ports: FixturePorts): Promise<Raised[]> {
  const options = {
    adapter: generic,
    detectors: () => resolveOptions({ preset, detectors: {} }),
    readSmall: () => undefined,
  };
  const { sessions } = await scanLines(FILE, lines, options, ports.breathe);
  // An incident kept by an older version may be a hint now.
  return sessions.flatMap(({ incidents, hints }) => [...incidents, ...hints]);
}
