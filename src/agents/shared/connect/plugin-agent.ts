import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AgentId } from '../../../core/model';
import type { BridgeAbilities, HookTest } from '../../inbox';
import type { HookBridgeEnvironment } from './hook-agent';

/** Differences between the agents that run a file of Unstuck's own: a plugin or a hook. */
export interface PluginAgent {
  readonly agent: AgentId;
  /** Name that people see. */
  readonly name: string;
  readonly abilities: BridgeAbilities;
  /** Name for the file that people see, and the file of the extension's storage that it runs. */
  readonly what: 'plugin' | 'hook';
  readonly runs: string;
  /** Absolute path of the file. */
  readonly file: (home: string, env: Readonly<Record<string, string | undefined>>) => string;
  /** Returns the whole file. */
  readonly text: (hookFolder: string) => string;
  readonly remarks: {
    /** Sentences about running sessions, shown first. */
    readonly sessions: readonly string[];
    /** Further sentences, shown last. */
    readonly rest: readonly string[];
  };
  /** Calls the file as the agent does, with a separate inbox. */
  readonly test: (environment: HookBridgeEnvironment) => Promise<HookTest>;
}

/** Fields shared by the agents that load the plugin into their own process. */
export const PLUGIN: Pick<PluginAgent, 'abilities' | 'what' | 'runs'> = {
  abilities: {
    wakesIdle: true,
    joinsRunning: false,
    kinds: ['nudge', 'gate', 'reassign', 'checkpoint', 'stop', 'block'],
  },
  what: 'plugin',
  runs: 'opencode-plugin.mjs',
};

/** Identifies a file of Unstuck's, even one of another version, and shows a person what wrote it. */
const MARK = /^(?:#!\/bin\/sh\n#|\/\/) Written by Unstuck/;

/** Returns the head of each file. `comment`: the characters that begin a comment. */
export function pluginHead(name: string, comment = '//'): string {
  return [
    `${comment} Written by Unstuck (command "Connect Agent"): hands its messages to ${name}'s sessions.`,
    `${comment} "Disconnect Agent" removes this file. Where Unstuck is gone, it does nothing.`,
  ].join('\n');
}

/** Returns the URL of the plugin itself, as an agent imports it: a JavaScript literal. */
export function pluginUrl(hookFolder: string): string {
  return JSON.stringify(pathToFileURL(join(hookFolder, PLUGIN.runs)).href);
}

export function isOurs(text: string): boolean {
  return MARK.test(text);
}
