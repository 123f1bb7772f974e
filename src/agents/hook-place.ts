import type { AgentId } from '../core/model';
import { configFolder } from './claude-code/locate';
import { codexHome } from './codex/locate';
import type { LocateEnvironment } from './transcripts';

/** Settings that contain a person's hooks, those of the folder first. */
const FILES: Partial<Record<AgentId, (environment: LocateEnvironment, folder: string) => readonly string[]>> = {
  'claude-code': (environment, folder) => [
    `${folder}/.claude/settings.local.json`,
    `${folder}/.claude/settings.json`,
    `${configFolder(environment)}/settings.json`,
  ],
  codex: (environment, folder) => [
    `${folder}/.codex/hooks.json`,
    `${codexHome(environment)}/hooks.json`,
    `${codexHome(environment)}/config.toml`,
  ],
};
/** End of a long name that an alert has cut. */
const CUT = /…$/;

/** The place of a hook in an agent's own settings. */
export interface HookPlace {
  /** Absolute. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
}

/**
 * Finds the hook that sends an agent back; null if the agent's settings do not contain it.
 *
 * @param name its command, or the file that contains it, as named in the alert
 */
export function hookPlaceOf(
  agent: AgentId,
  name: string,
  folder: string,
  environment: LocateEnvironment,
  readSmall: (path: string) => string | undefined,
): HookPlace | null {
  const written = JSON.stringify(name.replace(CUT, '')).slice(1, -1);
  for (const file of FILES[agent]?.(environment, folder) ?? []) {
    const text = readSmall(file);
    const at = text?.indexOf(file === name ? 'Stop' : written) ?? -1;
    if (text !== undefined && at >= 0) return { file, line: text.slice(0, at).split('\n').length };
  }
  return null;
}
