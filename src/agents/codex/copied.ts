import { asRecord, asText, type JsonRecord, parseRecord } from '../shared/decode';
import { parentOf } from './locate';

const ENVELOPE =
  /^\{"timestamp":"[^"\\]{1,60}",(?:"ordinal":\d{1,12},)?"type":"(?:(session_meta)"|event_msg","payload":\{"type":"t(?:ask|urn)_started")/;
const TYPE = '"type":"';

/** Returns the threads that this one was made from: the history at its beginning may be theirs. */
export function originsOf(meta: JsonRecord): readonly string[] {
  return [asText(meta['forked_from_id']), parentOf(meta)].filter((id) => id !== undefined);
}

/**
 * Returns whether the turn belongs to this thread. Ids of threads and turns are UUIDv7, which begin with their creation time: a turn older than its
 * thread was copied.
 */
export function isOwnTurn(turn: string | undefined, thread: string): boolean {
  const time = (id: string) =>
    /^[0-9a-f]{8}-[0-9a-f]{4}-7/i.test(id) ? Number.parseInt(id.replace('-', '').slice(0, 12), 16) : null;
  const made = turn === undefined ? null : time(turn);
  const began = time(thread);
  return made === null || began === null || made >= began;
}

/**
 * Counts the calls of a rollout without those of the history that a fork copied to its beginning: after the head of the original thread, up to the
 * first turn that is no older than the thread itself. Read from the envelopes of the lines, independently of the decoder.
 */
export function createOwnCalls(): (text: string, found: number) => number {
  let own: JsonRecord | undefined;
  let copied = false;
  return (text, found) => {
    const payload = isHeadOrTurn(text) ? asRecord(parseRecord(text)?.['payload']) : undefined;
    if (payload?.['type'] === 'task_started' || payload?.['type'] === 'turn_started') {
      if (copied && isOwnTurn(asText(payload['turn_id']), asText(own?.['id']) ?? '')) copied = false;
    } else if (payload) {
      const id = asText(payload['id']) ?? asText(payload['session_id']);
      if (own !== undefined && (id === undefined || id === asText(own['id']))) return copied ? 0 : found;
      copied = own !== undefined && id !== undefined && originsOf(own).includes(id);
      if (!copied) own = payload;
    }
    return copied ? 0 : found;
  };
}

/** Returns whether the line is the head of a thread or the beginning of a turn. A few characters rule out most lines. */
function isHeadOrTurn(text: string): boolean {
  const at = text.indexOf(TYPE) + TYPE.length;
  const kind = text.charCodeAt(at);
  return (kind === 0x73 || kind === 0x65) && ENVELOPE.test(text.length > 400 ? text.slice(0, 400) : text);
}
