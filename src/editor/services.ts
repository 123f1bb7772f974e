import type * as vscode from 'vscode';
import type { Timers } from '../base/beat';
import type { Engine } from '../engine/engine';
import type { Bridge } from '../agents/inbox/bridge';
import type { IncidentStore } from '../history/types';
import type { Log } from '../base/util/log';
import type { AgentSource } from './agent-source';
import type { Feedback } from './notifications/feedback';
import type { Replays } from './replay/sessions';
import type { Settings } from './settings/settings';

/** Services that the parts of the editor share. Made once by window.ts. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly engine: Engine;
  /** The agents that are shown: the engine's, and those of other machines if a server is set. */
  readonly agents: AgentSource;
  /** History of incidents. It opens without its database; `status` reports whether it is ready. */
  readonly store: IncidentStore;
  /** Sessions of replays, which are never kept. */
  readonly replayed: Replays;
  /** Names that a person reads, by agent id. */
  readonly agentNames: ReadonlyMap<string, string>;
  /** Bridges that carry messages to agents, by agent id. */
  readonly bridges: ReadonlyMap<string, Bridge>;
  /** Verdicts of people that an agent is not stuck. */
  readonly feedback: Feedback;
  readonly settings: () => Settings;
  /** Workspace folders on disk, including those of a running replay. */
  readonly folders: () => readonly string[];
  readonly log: Log;
  readonly now: () => number;
  /** Timers for work that only checks whether something changed. */
  readonly beat: Timers;
}
