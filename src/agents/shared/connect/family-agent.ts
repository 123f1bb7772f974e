import { join } from 'node:path';
import type { BridgeAbilities } from '../../inbox';
import type { AgentId } from '../../../core/model';
import type { HookAgent, SettingsPlaces } from './hook-agent';
import { plainHookCommand } from './hook-entries';
import type { FamilyEvent } from './hook-family';
import { GROUPED, type HookLayout } from './hook-settings';
import { switchedOffIn } from './switched-off';

/** A relative of Claude Code as Connect sees it: its settings, beside its hook in `FamilyHook`. */
export interface FamilyAgent {
  readonly id: AgentId;
  readonly name: string;
  /** What its hook delivers. */
  readonly kinds: BridgeAbilities['kinds'];
  readonly events: readonly FamilyEvent[];
  /** Beside the command itself. `timeout`: in the unit of the agent. */
  readonly entry: { readonly type?: 'command'; readonly name?: string; readonly timeout: number };
  /** The form of its settings; that of Claude Code where absent. */
  readonly layout?: HookLayout;
  /** The name of an event in its settings; Claude Code's where absent. */
  readonly nameOf?: (event: FamilyEvent) => string;
  /** Settings of the user, absolute. */
  readonly userSettings: (places: SettingsPlaces) => string;
  /** Settings of a project that can switch hooks off, below its folder; absent where nothing can. */
  readonly projectSettings?: string;
  readonly remarks: HookAgent['remarks'];
  /** The call of the test, beside what all of the family have. */
  readonly sampleCall: object;
  /** Field that names the session; `session_id` where absent. */
  readonly sampleSession?: string;
  /** Variable of the environment that names the project. */
  readonly projectVariable: string;
}

/** Connects an agent of the family through hooks in the user's own settings. Those of a project are a file of the repository. */
export function familyAgent(row: FamilyAgent): HookAgent {
  const { id, name, kinds, events, entry, userSettings, projectSettings, remarks, sampleCall, projectVariable } = row;
  const { layout = GROUPED, nameOf = (event) => event } = row;
  const { timeout, ...named } = entry;
  const sampled = nameOf(events.includes('PostToolUse') ? 'PostToolUse' : 'PreToolUse');
  return {
    id,
    name,
    scopes: ['user'],
    abilities: { wakesIdle: false, joinsRunning: false, kinds },
    layout,
    settingsPath: (_scope, _folder, places) => userSettings(places),
    entries: (hookFolder) =>
      events.map((event) => ({
        event: nameOf(event),
        command: { ...named, command: plainHookCommand(hookFolder, id, event), timeout },
      })),
    switchedOff: (folder, places) =>
      projectSettings === undefined
        ? Promise.resolve(null)
        : switchedOffIn(name, [join(folder, projectSettings), userSettings(places)]),
    remarks,
    sample: {
      event: sampled,
      payload: (session, folder) => ({
        [row.sampleSession ?? 'session_id']: session,
        transcript_path: join(folder, `${session}.jsonl`),
        cwd: folder,
        hook_event_name: sampled,
        ...sampleCall,
      }),
      env: (_session, folder) => ({ [projectVariable]: folder }),
    },
  };
}
