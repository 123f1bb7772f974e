import type { BridgeAbilities, ConnectScope, HookFiles } from '../../inbox';
import type { AgentId } from '../../../core/model';
import type { FoundHook, HookEntry, HookLayout } from './hook-settings';
import type { BridgeProcesses } from './bridge-process';

export interface SettingsPlaces {
  readonly home: string;
  /** Seconds that the hook may wait for the quality gates at the end of a print mode run; 120 if absent. */
  readonly gateWait?: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of the settings that an organisation made for Claude Code; absent: the platform's own. */
  readonly managedSettings?: string;
}

/** One call of the hook as the agent makes it, for the test at the end of Connect. */
export interface HookSample {
  readonly event: string;
  readonly payload: (session: string, folder: string) => object;
  readonly env: (session: string, folder: string) => Readonly<Record<string, string>>;
}

/** Differences between the agents that receive messages through hooks in a person's own settings. */
export interface HookAgent {
  readonly id: AgentId;
  readonly name: string;
  /** Scopes in which it can be connected; the first is offered first. */
  readonly scopes: readonly [ConnectScope, ...ConnectScope[]];
  readonly abilities: BridgeAbilities;
  readonly layout: HookLayout;
  /** Absolute path of the settings file. */
  readonly settingsPath: (scope: ConnectScope, folder: string, places: SettingsPlaces) => string;
  /** Returns the entries that Connect writes. If the agent asks its user to trust each new entry, the text is the same in every version. */
  readonly entries: (hookFolder: string, gateWait?: number) => readonly HookEntry[];
  /** Returns one sentence if the agent's settings prevent Unstuck's hook from running; else null. */
  readonly switchedOff: (folder: string, places: SettingsPlaces) => Promise<string | null>;
  /** Returns the exact next step if the user has not yet allowed the agent to run these hooks; else null. */
  readonly untrusted?: (file: string, ours: readonly FoundHook[], places: SettingsPlaces) => Promise<string | null>;
  readonly remarks: {
    /** Sentences about running sessions, shown first. */
    readonly sessions: readonly string[];
    /** Further sentences, shown last. */
    readonly rest: readonly string[];
  };
  readonly sample: HookSample;
}

/** Facts of the machine for the bridges. */
export interface HookBridgeEnvironment extends SettingsPlaces {
  /** Folder of the extension's own storage whose path survives updates (src/agents/inbox/hook/hook-folder.ts). */
  readonly hookFolder: string;
  /** Reads the hook as this version ships it. */
  readonly hookFiles: () => Promise<HookFiles>;
  readonly processes: BridgeProcesses;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
