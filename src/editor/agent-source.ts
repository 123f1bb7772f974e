import type { Engine } from '../engine/engine';
import type { Machine } from '../core/model';
import type { MachineReport } from '../core/words';

/** The part of the engine that lists, panel, status bar and notifications read. */
export type EngineAgents = Pick<
  Engine,
  | 'onDidChange'
  | 'onDidChangeIncident'
  | 'agents'
  | 'shownAgent'
  | 'agent'
  | 'timeline'
  | 'incidentsOf'
  | 'changeIncident'
>;

/**
 * Source of the agents that lists, panel, status bar and notifications show, by session. The engine is one; another adds the agents of other
 * machines. Code that acts on files and processes of this machine uses the engine directly.
 */
export type AgentSource = EngineAgents & {
  /** Returns the other machines, including those without agents. */
  machines(): readonly Machine[];
  /** Returns what another machine reported about an agent after `requestReports`, oldest first; empty for an agent of this machine. */
  reportsOf(key: string): readonly MachineReport[];
  /** Called when a person looks at an agent. Requests its machine's reports if it runs on another one. */
  requestReports(key: string): void;
};
