import { readPart, readText } from '../../base/files';
import { oversizedResponse } from '../../core/rules/cards/oversized-response';
import type { Incident, Sample, Source } from '../../core/model';
import type { Spills } from '../../history';
import type { Log } from '../../base/util/log';
import type { Session } from './session';

/** Shorter results are shown whole. */
const SHOWN = 1_000;
/** No more of a record is read again. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Characters by which a result is found again in its record. */
const KNOWN_BY = 200;
/** Results that are remembered as saved. */
const REMEMBERED = 1_000;

/**
 * Saves what a transcript holds of oversized results, redacted, for a day, and tells the incident where it is. Where it
 * cannot be written, the preview in the evidence is all there is. Incidents that lay there before are not looked at.
 */
export class OversizedResults {
  private readonly seen = new Set<string>();

  constructor(
    private readonly spills: Spills,
    private readonly log: Log,
  ) {}

  /** An incident was raised, or grew. */
  incident(incident: Incident, session: Session): void {
    const { detector, history, lastSample } = incident;
    if (detector !== oversizedResponse.id || history || !lastSample) return;
    const id = `${incident.session}/${lastSample.source.offset}`;
    if (this.seen.has(id)) return;
    this.seen.add(id);
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

/** The text that begins so, whole, from its record in the transcript; undefined where it is not found there any more. */
async function wholeText({ file, offset }: Source, head: string): Promise<string | undefined> {
  try {
    return longest(await recordAt(file, offset), (text) => text.startsWith(head));
  } catch {
    return undefined;
  }
}

/** The record at a byte of a file with one record a line; of any other file the whole of it. */
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

/** The longest string in a record that is the one, however deep it lies. */
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
