import { readPart, readText } from '../../base/files';
import { oversizedResponse } from '../../core/rules/cards/oversized-response';
import type { Incident, Sample, Source } from '../../core/model';
import type { Spills } from '../../history';
import type { Log } from '../../base/util/log';
import type { Session } from './session';

/** Shorter results are shown whole. */
const SHOWN = 1_000;
/** No more than this is read of a record. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Characters by which a result is found again in its record. */
const KNOWN_BY = 200;
/** Number of results remembered as saved. */
const REMEMBERED = 1_000;

/**
 * Saves the oversized results in a transcript, redacted, for a day, and notes the place in the incident. If a result cannot be written, the preview
 * in the evidence is all there is. Incidents of the history are ignored.
 */
export class OversizedResults {
  private readonly seen = new Set<string>();

  constructor(
    private readonly spills: Spills,
    private readonly log: Log,
  ) {}

  /** Called when an incident was raised or grew. */
  incident(incident: Incident, session: Session): void {
    const { detector, history, lastSample } = incident;
    if (detector !== oversizedResponse.id || history || !lastSample) return;
    const id = `${incident.session}/${lastSample.source.offset}`;
    // Lines are numbered once the whole transcript was read, into another session: that one gets the place, too.
    const name = `${id}:${lastSample.source.line}`;
    if (this.seen.has(name)) return;
    this.seen.add(name);
    if (this.seen.size > REMEMBERED) this.seen.delete(this.seen.values().next().value ?? '');
    void this.save(id, incident.id, lastSample, session);
  }

  private async save(id: string, incident: string, { source, text }: Sample, session: Session): Promise<void> {
    const { file, reason } = await this.spills.spill(id, async () => {
      const whole = await wholeText(source, text.slice(0, KNOWN_BY));
      // What the agent itself cut short is shown as it is; its own file is named in the evidence.
      return whole === undefined || whole.length <= SHOWN ? undefined : whole;
    });
    if (reason !== undefined) this.log.warn(`an oversized result could not be saved: ${reason}`);
    if (file !== null) session.changeIncident(incident, { type: 'spilled', line: source.line, file });
  }
}

/** Returns the whole text that begins like this, from its record in the transcript; undefined if it is no longer there. */
async function wholeText({ file, offset }: Source, head: string): Promise<string | undefined> {
  try {
    return longest(await recordAt(file, offset), (text) => text.startsWith(head));
  } catch {
    return undefined;
  }
}

/** Returns the record at a byte of a file with one record per line; of any other file, the whole content. */
async function recordAt(file: string, offset: number): Promise<unknown> {
  if (!/\.jsonl$/i.test(file)) {
    const read = await readText(file, { limit: MOST_BYTES });
    return JSON.parse(read.ok ? read.value : '');
  }
  const pieces: Buffer[] = [];
  for (let at = offset; at - offset < MOST_BYTES; ) {
    const read = await readPart(file, { from: at, length: 256 * 1024 });
    const piece = read.ok ? read.value.bytes : Buffer.alloc(0);
    if (piece.length === 0) break;
    const end = piece.indexOf(10);
    pieces.push(end < 0 ? piece : piece.subarray(0, end));
    if (end >= 0) break;
    at += piece.length;
  }
  return JSON.parse(Buffer.concat(pieces).toString('utf8'));
}

/** Returns the longest matching string in a record, however deep it is nested. */
function longest(value: unknown, isIt: (text: string) => boolean): string | undefined {
  let found: string | undefined;
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string') {
      if (next.length > (found?.length ?? -1) && isIt(next)) found = next;
    } else if (typeof next === 'object' && next !== null) {
      for (const inner of Object.values(next)) left.push(inner);
    }
  }
  return found;
}
