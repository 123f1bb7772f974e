import { createDecoder } from '../../src/agents/decoders';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { AgentAdapter } from '../../src/agents/adapter';
import type { DecoderContext } from '../../src/agents/decoder';
import { ownCallsOf } from '../../src/agents/own-calls';
import { createLocalReader } from '../../src/agents/sqlite/local';
import type { AgentEvent, Problem } from '../../src/core/model';

/** Everything that a transcript decodes to, and how many steps its raw bytes hold by the vendor's own marker. */
export interface Decoded {
  readonly events: readonly AgentEvent[];
  readonly problems: readonly Problem[];
  readonly lines: number;
  /** Marker hits that are steps of this transcript. */
  readonly marked: number;
}

/** Reads databases in the thread of the test. */
export const localSqlite = createLocalReader(join(__dirname, '../../node_modules/sql.js/dist/sql-wasm.wasm'));

export const smallFiles: DecoderContext['readSmall'] = (path) => {
  try {
    const text = readFileSync(path, 'utf8');
    return text.length <= 65_536 ? text : undefined;
  } catch {
    return undefined;
  }
};

/** Decodes a file as the engine does: by lines, as one document, or as a database with its write-ahead log. */
export async function decodeFile(adapter: AgentAdapter, path: string): Promise<Decoded> {
  const events: AgentEvent[] = [];
  const problems: Problem[] = [];
  const sink = {
    event: (event: AgentEvent) => void events.push(event),
    problem: (problem: Problem) => void problems.push(problem),
  };
  const decoder = createDecoder(adapter, { file: path, readSmall: smallFiles, sqlite: localSqlite });
  if (decoder.unit === 'database') {
    const log = existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`) : null;
    let [lines, marked] = [0, 0];
    const read = (_session: string, records: number, calls: number) => {
      lines += records;
      marked += calls;
    };
    await decoder.decode(readFileSync(path), log, { ...sink, wants: () => true, read });
    return { events, problems, lines, marked };
  }
  const text = readFileSync(path, 'utf8');
  if (decoder.unit === 'document') {
    decoder.decode(text, sink);
    return { events, problems, lines: 1, marked: countMarkers(adapter, text) };
  }
  // The other files of the session come first, as in a scan.
  for (const other of adapter.files?.(path, undefined).companions ?? []) {
    if (!existsSync(other)) continue;
    for (const line of linesOf(readFileSync(other, 'utf8'))) decoder.decodeCompanion?.(other, line, sink);
  }
  const lines = linesOf(text);
  const ownCalls = ownCallsOf(adapter);
  let marked = 0;
  for (const line of lines) {
    decoder.decode(line, sink);
    marked += ownCalls(line.text, countMarkers(adapter, line.text));
  }
  decoder.settle?.(sink);
  return { events, problems, lines: lines.length, marked };
}

export interface Line {
  readonly text: string;
  readonly line: number;
  readonly offset: number;
}

/** Complete lines with their number and byte offset; text after the last line break counts as a line too. */
export function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let offset = 0;
  for (const [index, line] of text.split('\n').entries()) {
    lines.push({ text: line, line: index + 1, offset });
    offset += Buffer.byteLength(line) + 1;
  }
  if (lines.at(-1)?.text === '') lines.pop();
  return lines;
}

function countMarkers(adapter: AgentAdapter, text: string): number {
  let count = 0;
  for (const marker of adapter.callMarkers) {
    for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, at + marker.length)) count++;
  }
  return count;
}

/** Compares with the stored text of this name; `UPDATE_GOLDEN=1` (npm run golden) stores it instead. */
export function matchGolden(name: string, actual: string): void {
  const path = join(__dirname, 'expected', `${name}.txt`);
  if (process.env['UPDATE_GOLDEN']) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, actual);
    return;
  }
  expect(existsSync(path), `${path} is missing: npm run golden`).toBe(true);
  expect(actual).toBe(readFileSync(path, 'utf8'));
}

/** One line for each event and problem, in the order of the file: line, type, the fields that matter. */
export function print(decoded: Decoded): string {
  const calls = decoded.events.filter((event) => event.type === 'tool_call').length;
  const first = decoded.events[0]?.session;
  const rows = [
    ...decoded.events.map((event, index) => ({ line: event.source.line, index, text: printEvent(event, first) })),
    ...decoded.problems.map((problem, index) => ({
      line: problem.line,
      index: 1e9 + index,
      text: `problem        ${problem.why}`,
    })),
  ];
  rows.sort((one, other) => one.index - other.index || one.line - other.line);
  const head = `lines ${decoded.lines}, events ${decoded.events.length}, calls ${calls} of ${decoded.marked}, problems ${decoded.problems.length}`;
  return `${[head, ...rows.map((row) => `${String(row.line).padStart(5)}  ${row.text}`)].join('\n')}\n`;
}

function printEvent(event: AgentEvent, mainSession: string | undefined): string {
  const session = event.session === mainSession ? '' : ` <${event.session}>`;
  const seconds = new Date(event.at).toISOString().slice(11, 23);
  return `${event.type.padEnd(14)} ${seconds}${session}${fieldsOf(event)}`.trimEnd();
}

/** Every field except those already printed; strings quoted, on one line, cut. */
function fieldsOf(event: AgentEvent): string {
  const { type: _type, agent: _agent, session: _session, at: _at, source: _source, ...fields } = event;
  return Object.entries(fields)
    .filter(([, value]) => value !== false && value !== undefined)
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? quoted(value, 90) : short(value)}`)
    .join('');
}

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 220 ? `${text.slice(0, 200)}… (${text.length})` : text;
}

function quoted(text: string, limit: number): string {
  return JSON.stringify(text.length > limit ? `${text.slice(0, limit)}… (${text.length})` : text);
}
