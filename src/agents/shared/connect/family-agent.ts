import { join } from 'node:path';
import type { BridgeAbilities } from '../../inbox';
import type { AgentId } from '../../../core/model';
import type { HookAgent, SettingsPlaces } from './hook-agent';
import { plainHookCommand } from './hook-entries';
import type { FamilyEvent } from './hook-family';
import { GROUPED } from './hook-settings';
import { switchedOffIn } from './switched-off';

/** A relative of Claude Code as Connect sees it: its settings, beside its hook in `FamilyHook`. */
export interface FamilyAgent {
  readonly id: AgentId;
  readonly name: string;
  /** What its hook delivers. */
  readonly kinds: BridgeAbilities['kinds'];
  readonly events: readonly FamilyEvent[];
  /** Beside the command itself. `timeout`: in the unit of the agent. */
  readonly entry: { readonly name?: string; readonly timeout: number };
  /** Settings of the user, absolute. */
  readonly userSettings: (places: SettingsPlaces) => string;
  /** Settings of a project, below its folder. */
  readonly projectSettings: string;
  readonly remarks: HookAgent['remarks'];
  /** The call of the test, beside what all of the family have. */
  readonly sampleCall: object;
  /** Variable of the environment that names the project. */
  readonly projectVariable: string;
}

/** Connects an agent of the family through hooks in the user's own settings. Those of a project are a file of the repository. */
export function familyAgent(row: FamilyAgent): HookAgent {
  const { id, name, kinds, events, entry, userSettings, projectSettings, remarks, sampleCall, projectVariable } = row;
  return {
    id,
    name,
    scopes: ['user'],
    abilities: { wakesIdle: false, joinsRunning: false, kinds },
    layout: GROUPED,
    settingsPath: (_scope, _folder, places) => userSettings(places),
    entries: (hookFolder) => {
      const { timeout, ...named } = entry;
      return events.map((event) => ({
        event,
        command: { type: 'command', ...named, command: plainHookCommand(hookFolder, id, event), timeout },
      }));
    },
    switchedOff: (folder, places) => switchedOffIn(name, [join(folder, projectSettings), userSettings(places)]),
    remarks,
    sample: {
      event: 'PostToolUse',
      payload: (session, folder) => ({
        session_id: session,
        transcript_path: join(folder, `${session}.jsonl`),
        cwd: folder,
        hook_event_name: 'PostToolUse',
        ...sampleCall,
      }),
      env: (_session, folder) => ({ [projectVariable]: folder }),
    },
  };
}
