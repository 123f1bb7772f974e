import type { RecordedLine } from './recording';

/** The folder in which the recorded runs worked. */
const RECORDED_FOLDER = '/home/dev/project';

export interface Identity {
  readonly session: string;
  /** Folder in which the replayed run appears to work. */
  readonly folder: string;
  /** First prompt of the replayed run, if the recorded one is too short to distinguish runs. */
  readonly title?: { readonly recorded: string; readonly shown: string };
}

/**
 * Returns a recorded record as if it were written now: with its own session, folder and time, and new ids of calls, so that a round can be played
 * more than once. `round` makes the ids of a repeat differ.
 */
export function rewrite(line: RecordedLine, identity: Identity, at: number, round: number): string {
  const moved = { ...line };
  if (typeof moved['timestamp'] === 'string') moved['timestamp'] = new Date(at).toISOString();
  if (typeof moved['sessionId'] === 'string') moved['sessionId'] = identity.session;
  if (moved['type'] === 'cost-state' && typeof moved['startTime'] === 'number') moved['startTime'] = at - 60_000;
  let text = JSON.stringify(moved).split(RECORDED_FOLDER).join(jsonBody(identity.folder));
  if (identity.title) text = text.split(jsonBody(identity.title.recorded)).join(jsonBody(identity.title.shown));
  if (round > 0) {
    text = text
      .replace(/toolu_01Mock(\d+)/g, (_, digits: string) => `toolu_${round + 10}Mock${digits}`)
      .replace(/msg_01Mock(\d+)/g, (_, digits: string) => `msg_${round + 10}Mock${digits}`)
      .replace(
        /"((?:parentU|u)uid)":"([0-9a-f-]{24})([0-9a-f]{12})"/g,
        (_, name: string, head: string, tail: string) => `"${name}":"${head}${shift(tail, round)}"`,
      );
  }
  return text;
}

/** Returns a string as it is written inside a JSON string. */
function jsonBody(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Returns another number of 12 hexadecimal digits for each round. */
function shift(hex: string, by: number): string {
  return ((Number.parseInt(hex, 16) + by) % 2 ** 48).toString(16).padStart(12, '0');
}
