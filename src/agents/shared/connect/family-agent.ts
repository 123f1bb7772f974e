import { join } from 'node:path';
import type { BridgeAbilities } from '../../inbox';
import type { AgentId } from '../../../core/model';
import type { HookAgent, SettingsPlaces } from './hook-agent';
import { plainHookCommand } from './hook-entries';
import type { FamilyEvent } from './hook-family';
import { GROUPED, type HookLayout } from './hook-settings';
import { switchedOffIn } from './switched-off';

/** A relative of Claude Code as seen by Connect: its settings, in addition to its hook in `FamilyHook`. */
export interface FamilyAgent {
  readonly id: AgentId;
  readonly name: string;
  /** Kinds of message that its hook delivers. */
  readonly kinds: BridgeAbilities['kinds'];
  readonly events: readonly FamilyEvent[];
  /** Fields next to the command itself. `timeout`: in the unit of the agent. */
  readonly entry: { readonly type?: 'command'; readonly name?: string; readonly timeout: number };
  /** The form of its settings; absent: that of Claude Code. */
  readonly layout?: HookLayout;
  /** Returns the name of an event in its settings; absent: Claude Code's name. */
  readonly nameOf?: (event: FamilyEvent) => string;
  /** Settings of the user, absolute. */
  readonly userSettings: (places: SettingsPlaces) => string;
  /** Settings of a project that can switch hooks off, relative to its folder; absent if nothing can. */
  readonly projectSettings?: string;
  readonly remarks: HookAgent['remarks'];
  /** The call of the test, besides the fields that the whole family has. */
  readonly sampleCall: object;
  /** Field that names the session; `session_id` if absent. */
  readonly sampleSession?: string;
  /** Environment variable that names the project. */
  readonly projectVariable: string;
}

/** Connects an agent of the family through hooks in the user's own settings. A project's settings are a file of the repository. */
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
