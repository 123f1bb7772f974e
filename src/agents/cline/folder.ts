import type { DecoderContext } from '../decoder';
import { asNumber, asRecord, asText, type JsonRecord, parseJson } from '../shared/decode';

/** Returns the folder of the command line: settings, hooks, data. */
export function clineFolder(home: string, env: Readonly<Record<string, string | undefined>>): string {
  return env['CLINE_DIR'] || `${home}/.cline`;
}

/** Returns the folder of its sessions, with one folder for each. */
export function sessionsFolder(home: string, env: Readonly<Record<string, string | undefined>>): string {
  return `${env['CLINE_DATA_DIR'] || `${clineFolder(home, env)}/data`}/sessions`;
}

/** Content of `<session>.json` next to the messages. */
export interface SessionState {
  readonly cwd: string | undefined;
  readonly pid: number | undefined;
  /** `running`, or how it ended. */
  readonly status: string | undefined;
}

export function stateIn(text: string | undefined): SessionState {
  const record: JsonRecord = asRecord(text === undefined ? undefined : parseJson(text)) ?? {};
  return { cwd: asText(record['cwd']), pid: asNumber(record['pid']), status: asText(record['status']) };
}

/** Returns the state for a file of messages; empty if there is no such file next to it. */
export function companionState(file: string, readSmall: DecoderContext['readSmall'] | undefined): SessionState {
  const companion = file.replace(/\.messages\.json$/, '.json');
  return stateIn(companion === file ? undefined : readSmall?.(companion));
}
