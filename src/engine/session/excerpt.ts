import type { AgentAdapter } from '../../agents/adapter';
import type { DecodeSink, LineDecoder } from '../../agents/decoder';
import type { TranscriptLine } from '../../base/tail';
import { createDecoder } from '../../agents/decoders';
import type { SqlReader } from '../../agents/sqlite/reader';
import { readPart } from '../../base/files';
import type { AgentEvent, Source } from '../../core/model';
import type { Excerpt, ExcerptEntry } from '../../core/words';
import { recogniseFile } from '../follow/recognise';
import { decodeFile } from '../follow/session-files';

/** Bytes of a transcript that are read before and after the place: a long session is not read whole to show one of its lines. */
const AROUND_BYTES = 512 * 1024;
/** The end of a longer line is searched for up to this many bytes. */
const LONGEST_BYTES = 4 * 1024 * 1024;
/** Records of a document or a database before and after the place. */
const AROUND_RECORDS = 60;
/** Steps that are shown before and after the highlighted one. */
const STEPS = 5;
/** Work in one turn of the event loop, milliseconds. */
const SLICE_MS = 4;
const LINE_FEED = 10;

export interface ExcerptPorts {
  readonly adapters: readonly AgentAdapter[];
  readonly sqlite: SqlReader | undefined;
  readonly readSmall: (path: string) => string | undefined;
  /** Milliseconds, for slices of work. */
  readonly clock: () => number;
  readonly breathe: () => Promise<void>;
}

/**
 * Reads what happened around a place of a transcript, for a person to read: five steps before it, the step itself, five after it. Null if the file
 * cannot be read, is no transcript of a known agent, or has nothing at that place that the agent's format knows.
 */
export async function readExcerpt(place: Source, session: string, ports: ExcerptPorts): Promise<Excerpt | null> {
  const recognised = await recogniseFile(ports.adapters, place.file);
  if (!recognised) return null;
  const { adapter, head } = recognised;
  const events: AgentEvent[] = [];
  const near = (event: AgentEvent): void => {
    if (adapter.unit === 'line' || Math.abs(event.source.offset - place.offset) <= AROUND_RECORDS) events.push(event);
  };
  const sink = {
    event: near,
    problem: () => {},
    wants: (one: { session: string }) => one.session === session,
    read: () => {},
  };
  const context = { file: place.file, readSmall: ports.readSmall, ...(ports.sqlite && { sqlite: ports.sqlite }) };
  const decoder = createDecoder(adapter, context);
  try {
    if (decoder.unit === 'line') await decodeLines(decoder, head, place, sink, ports);
    else await decodeFile(decoder, place.file, sink);
  } catch {
    return null;
  }
  const entries = around(entriesOf(events, place));
  return entries && { agentName: adapter.name, file: place.file, entries };
}

async function decodeLines(
  decoder: LineDecoder,
  head: Buffer,
  place: Source,
  sink: DecodeSink,
  ports: ExcerptPorts,
): Promise<void> {
  const from = Math.max(0, place.offset - AROUND_BYTES);
  const read = await readPart(place.file, { from, length: AROUND_BYTES * 2 });
  if (!read.ok) return;
  let { bytes } = read.value;
  if (bytes.indexOf(LINE_FEED, place.offset - from) < 0 && read.value.size > from + bytes.length) {
    const longer = await readPart(place.file, { from, length: AROUND_BYTES + LONGEST_BYTES });
    if (longer.ok) bytes = longer.value.bytes;
  }
  if (from > 0) {
    // Many formats name the session in the very first line, and nowhere else.
    const [first] = linesIn(head, 0);
    if (first) decoder.decode({ ...first, line: 1 }, { event: () => {}, problem: () => {} });
  }
  const lines = [...linesIn(bytes, from)];
  const at = lines.findIndex((line) => line.offset === place.offset);
  let until = ports.clock() + SLICE_MS;
  for (const [index, line] of lines.entries()) {
    if (ports.clock() >= until) {
      await ports.breathe();
      until = ports.clock() + SLICE_MS;
    }
    // Lines before an excerpt are not counted: the numbers of the others follow from the place, whose number is known.
    const number = place.line > 0 && at >= 0 ? Math.max(0, place.line + index - at) : 0;
    decoder.decode({ ...line, line: number }, sink);
  }
  decoder.settle?.(sink);
}

/** Yields the whole lines of a piece of a file that begins at `from`; a line cut off at its beginning is left out. */
function* linesIn(bytes: Buffer, from: number): Generator<Omit<TranscriptLine, 'line'>> {
  let start = from === 0 ? 0 : bytes.indexOf(LINE_FEED) + 1;
  while (start < bytes.length) {
    const found = bytes.indexOf(LINE_FEED, start);
    const stop = found < 0 ? bytes.length : found;
    if (stop > start) yield { text: bytes.toString('utf8', start, stop), offset: from + start };
    start = stop + 1;
  }
}

/** Returns calls with their results, and the text between them, in order. */
function entriesOf(events: readonly AgentEvent[], place: Source): ExcerptEntry[] {
  const entries: (ExcerptEntry & { readonly id?: string })[] = [];
  const calls = new Map<string, number>();
  const lit = (source: Source) =>
    source.offset === place.offset && (place.offset > 0 || place.line <= 0 || source.line === place.line);
  // A file may hold the sessions of sub-agents too, which are other stories.
  const session = events.find(({ source }) => lit(source))?.session;
  for (const event of events) {
    if (event.session !== session) continue;
    const { at, source } = event;
    const base = { at, line: source.line, isLit: lit(source) };
    switch (event.type) {
      case 'user':
        entries.push({ ...base, kind: event.automated ? 'program' : 'person', text: event.text });
        break;
      case 'assistant': {
        const last = entries.at(-1);
        if (last?.kind === 'agent' && event.chunk)
          entries[entries.length - 1] = { ...last, text: last.text + event.text, isLit: last.isLit || base.isLit };
        else entries.push({ ...base, kind: 'agent', text: event.text });
        break;
      }
      case 'tool_call':
        calls.set(event.id, entries.length);
        entries.push({ ...base, kind: 'call', text: event.subject, input: inputOf(event) });
        break;
      case 'tool_result': {
        const result = { text: event.output, failed: event.isError, at };
        const index = calls.get(event.id);
        const call = index === undefined ? undefined : entries[index];
        if (call && index !== undefined) entries[index] = { ...call, result, isLit: call.isLit || base.isLit };
        else entries.push({ ...base, kind: 'call', text: '', result });
        break;
      }
      case 'error':
        entries.push({ ...base, kind: 'error', text: event.message });
        break;
      case 'compaction':
        entries.push({ ...base, kind: 'note', text: 'The context was compacted.' });
        break;
      default:
    }
  }
  return entries;
}

/** Returns the arguments of a call that its name does not show. */
function inputOf({ args, command, subject }: Extract<AgentEvent, { type: 'tool_call' }>): string {
  if (command !== undefined) return command === subject ? '' : command;
  if (typeof args === 'string') return args;
  return Object.keys(args ?? {}).length === 0 ? '' : JSON.stringify(args, null, 2);
}

/** Returns the highlighted entry with that many steps around it; null if none is highlighted. */
function around(entries: readonly ExcerptEntry[]): ExcerptEntry[] | null {
  const at = entries.findIndex((entry) => entry.isLit);
  if (at < 0) return null;
  const isStep = (index: number) => entries[index]?.kind === 'call';
  let from = at;
  for (let steps = 0; from > 0 && steps < STEPS; ) if (isStep(--from)) steps++;
  let to = at + 1;
  for (let steps = 0; to < entries.length && steps < STEPS; to++) if (isStep(to)) steps++;
  return entries.slice(from, to);
}
