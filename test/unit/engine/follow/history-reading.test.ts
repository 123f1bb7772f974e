import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentAdapter } from '../../../../src/agents/adapter';
import { createDecoder } from '../../../../src/agents/decoders';
import { ownCallsOf } from '../../../../src/agents/own-calls';
import { registry } from '../../../../src/agents/registry';
import type { AgentEvent, Incident } from '../../../../src/core/model';
import { resolveOptions } from '../../../../src/detect/session/options';
import { Copies, KnownRecords } from '../../../../src/engine/follow/copies';
import { HistoryReading } from '../../../../src/engine/follow/history-reading';
import { LastLines } from '../../../../src/engine/follow/last-lines';
import type { TranscriptNote } from '../../../../src/engine/follow/notes';
import { recognise } from '../../../../src/engine/follow/recognise';
import { Session } from '../../../../src/engine/session/session';
import { ticksUpTo } from '../../../../src/engine/session/ticks';
import { type Line, linesOf, smallFiles } from '../../../golden/support';

const FIXTURES = join(__dirname, '../../../golden/fixtures');

/** Transcripts of real agents and of made-up scenes that are read line by line. */
const transcripts = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
  .map((name) => join(FIXTURES, name))
  .filter((file) => file.endsWith('.jsonl') && statSync(file).isFile())
  .flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const adapter = recognise(registry, text.slice(0, 65_536), file);
    return adapter?.unit === 'line' ? [{ file, adapter, lines: linesOf(text) }] : [];
  });
type Recorded = (typeof transcripts)[number];

function read({ file, adapter }: Recorded, lines: readonly Line[], note?: TranscriptNote) {
  const copies = new Copies(new KnownRecords(), adapter.id);
  const decoder = createDecoder(adapter, { file, readSmall: smallFiles, plan: note?.sessions[0]?.[1].facts.plan });
  const reading = new HistoryReading(
    {
      decoder,
      copies,
      ownCalls: ownCallsOf(adapter),
      prepare: (event, partly, take) => sessionOf(adapter, file, event, partly, take),
      beforeEvent: (event, session) => ticksUpTo(session, event.at),
    },
    note,
  );
  for (const line of lines) reading.line(line, 0);
  return { reading, copies };
}

function sessionOf(
  adapter: AgentAdapter,
  file: string,
  { session }: AgentEvent,
  partly: boolean,
  onIncident: (incident: Incident) => void,
): Session {
  const off = { on: false };
  const quiet = partly ? { premature_action: off, over_helpfulness: off } : {};
  const detectors = resolveOptions({ preset: 'balanced', detectors: quiet }, adapter.id);
  const { id: agent, name: agentName, showsRunningTool, turnEnds, outcomesLateMs } = adapter;
  const isHistory = () => false;
  return new Session({
    agent,
    agentName,
    session,
    file,
    showsRunningTool,
    turnEnds,
    outcomesLateMs,
    detectors,
    isHistory,
    onIncident,
    live: true,
  });
}

/** Returns the note that a reading of these lines would make; undefined before its first event. */
function noted({ reading, copies }: ReturnType<typeof read>, end: LastLines): TranscriptNote | undefined {
  const last = end.note();
  if (!last || reading.sessions.length === 0) return undefined;
  const sessions = reading.sessions.map(({ session }) => [session.options.session, session.note()] as const);
  return JSON.parse(JSON.stringify({ sessions, records: copies.note(), end: last })) as TranscriptNote;
}

/** The view that a person has of each session. */
function shown({ reading }: ReturnType<typeof read>) {
  return reading.sessions.map(({ session }) => {
    const { incidents, ...view } = session.view(session.facts.lastEventAt);
    return {
      ...view,
      incidents: incidents.map(({ id, count, level, firstLine }) => ({ id, count, level, firstLine })),
    };
  });
}

/** The same, except for what depends on an outcome last seen before the lines that are read: it counts as new. */
function counted(read: Parameters<typeof shown>[0]) {
  return shown(read).map(
    ({ nearMisses: _near, health: { lastNewAt: _at, lastNewStep: _step, ...health }, ...view }) => ({
      ...view,
      health,
    }),
  );
}

const findingsOf = ({ reading }: ReturnType<typeof read>) =>
  reading.sessions.reduce((sum, { session }) => sum + session.findings, 0);

/** The ends of the first three quarters of its lines. */
const quartersOf = ({ lines }: Recorded) => [1, 2, 3].map((part) => Math.floor((lines.length * part) / 4));

/** The lines at which the turn is over and no call runs, as where a note is made; except at the end of the transcript. */
function restsOf(recorded: Recorded): number[] {
  const { reading } = read(recorded, []);
  return recorded.lines.slice(0, -1).flatMap((line) => {
    reading.line(line, 0);
    const rests = reading.sessions.every(({ session: { facts } }) => !facts.turnOpen && !facts.hasOpenCall);
    return rests && reading.sessions.length > 0 ? [line.line] : [];
  });
}

/** Each transcript, cut at each place where the rules may continue from the note that is made there. */
function* continued(warmBytes: number, cutsOf: (recorded: Recorded) => number[]) {
  for (const recorded of transcripts) {
    const whole = read(recorded, recorded.lines);
    for (const cut of cutsOf(recorded)) {
      const lines = recorded.lines.slice(0, cut);
      const end = new LastLines(warmBytes);
      for (const line of lines) end.take(line);
      const before = read(recorded, lines);
      const note = noted(before, end);
      if (!note?.sessions.every(([, { canContinue }]) => canContinue)) continue;
      const first = note.end.from.lines;
      const after = read(recorded, recorded.lines.slice(first), note);
      yield {
        name: `${recorded.file.slice(FIXTURES.length + 1)}:${cut}`,
        first,
        cut,
        whole,
        after,
        found: findingsOf(whole) - findingsOf(before),
      };
    }
  }
}

describe('a reading that continues from a note', () => {
  it('shows what a reading of the whole shows, or says that a rule found something', { timeout: 120_000 }, () => {
    const cuts = [...continued(256 * 1024, quartersOf)];
    expect(cuts.length).toBeGreaterThan(100);
    for (const { name, whole, after, found } of cuts) {
      if (after.reading.isEnough) expect(shown(after), name).toEqual(shown(whole));
      expect(after.reading.isEnough, name).toBe(found === 0);
    }
  });

  it('misses only what begins before the lines that it reads', { timeout: 120_000 }, () => {
    const cuts = [...continued(2 * 1024, restsOf)].filter(({ first }) => first > 0);
    expect(cuts.length).toBeGreaterThan(50);
    for (const { name, first, cut, whole, after, found } of cuts) {
      if (!after.reading.isEnough) continue;
      if (found === 0) expect(counted(after), name).toEqual(counted(whole));
      const alerts = whole.reading.sessions.flatMap(({ session: { book, hints } }) => [...book.all(), ...hints.all()]);
      for (const { alertLine, firstLine } of alerts)
        if (alertLine > cut) expect(firstLine, name).toBeLessThanOrEqual(first);
    }
  });
});
