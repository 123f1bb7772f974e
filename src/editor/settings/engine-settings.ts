import type { EngineSettings } from '../../engine/ports';
import type { Settings } from './settings';

const DAY_MS = 86_400_000;

/** Picks the settings of the engine. While paused, the engine reads no agent at all. */
export function engineSettings(
  settings: Settings,
  paused: boolean,
  given: Pick<EngineSettings, 'folders' | 'detectors' | 'raised'> & { readonly agents: readonly string[] },
): EngineSettings {
  const { agents, ...rest } = given;
  return {
    ...rest,
    // The editor reports transcripts in the workspace.
    walksFolders: false,
    maxAgeMs: settings.maxAgeMs,
    historyMs: settings.historyDays * DAY_MS,
    disabled: paused ? new Set(agents) : settings.disabledAgents,
  };
}
