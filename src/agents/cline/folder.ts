import type { DecoderContext } from '../decoder';
import { asNumber, asRecord, asText, type JsonRecord, parseJson } from '../shared/decode';

/** Folder of the command line: settings, hooks, data. */
export function clineFolder(home: string, env: Readonly<Record<string, string | undefined>>): string {
  return env['CLINE_DIR'] || `${home}/.cline`;
}

/** Its sessions, a folder for each. */
export function sessionsFolder(home: string, env: Readonly<Record<string, string | undefined>>): string {
  return `${env['CLINE_DATA_DIR'] || `${clineFolder(home, env)}/data`}/sessions`;
}

/** What `<session>.json` beside the messages says. */
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

/** The same for the file of its messages; empty where there is no such file beside it. */
export function stateBeside(file: string, readSmall: DecoderContext['readSmall'] | undefined): SessionState {
  const beside = file.replace(/\.messages\.json$/, '.json');
  return stateIn(beside === file ? undefined : readSmall?.(beside));
}
