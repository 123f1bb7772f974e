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
 * Where lists, panel, status bar and notifications get their agents from, by their sessions. The engine is one; another joins it with
 * the agents of other machines. What acts on files and processes of this machine asks the engine itself.
 */
export type AgentSource = EngineAgents & {
  /** Other machines, also those without agents. */
  machines(): readonly Machine[];
  /** Reports of another machine about an agent that was asked for, oldest first; empty for an agent of this machine. */
  told(key: string): readonly MachineReport[];
  /** A person looks at it: asks what its machine told, if it runs on another one. */
  ask(key: string): void;
};
