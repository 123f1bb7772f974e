import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AgentId } from '../../../core/model';

/** Differences between the agents that load a plugin file of Unstuck's. */
export interface PluginAgent {
  readonly agent: AgentId;
  /** As a person reads it. */
  readonly name: string;
  /** Absolute path of the file, which the agent loads when it starts. */
  readonly file: (home: string, env: Readonly<Record<string, string | undefined>>) => string;
  /** The whole file. */
  readonly text: (hookFolder: string) => string;
  readonly remarks: {
    /** One sentence about running sessions. */
    readonly sessions: string;
    /** One sentence about runs without a person. */
    readonly printRuns: string;
  };
  /**
   * Calls what the file exports as the agent does. Returns one step of the agent, at which a message is delivered; null where nothing is
   * loaded. `deliver` takes the texts that reach the agent.
   */
  readonly play: (loaded: unknown, scene: PluginScene) => Promise<(() => Promise<unknown>) | null>;
}

export interface PluginScene {
  readonly session: string;
  readonly folder: string;
  readonly deliver: (text: string) => void;
}

/** Identifies a file of Unstuck's, also one of another version, and shows a person what wrote it. */
const MARK = '// Written by Unstuck';

/** Name of the plugin itself in the extension's storage, where updates replace it. */
export const PLUGIN_NAME = 'opencode-plugin.mjs';

/** The head of each file. */
export function pluginHead(name: string): string {
  return [
    `${MARK} (command "Connect Agent"): hands its messages to ${name}'s sessions.`,
    '// "Disconnect Agent" removes this file. Where Unstuck is gone, it does nothing.',
  ].join('\n');
}

/** Where the plugin itself lies, as an agent imports it: a literal of JavaScript. */
export function pluginUrl(hookFolder: string): string {
  return JSON.stringify(pathToFileURL(join(hookFolder, PLUGIN_NAME)).href);
}

export function isOurs(text: string): boolean {
  return text.startsWith(MARK);
}
