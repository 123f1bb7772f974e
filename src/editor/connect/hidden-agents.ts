import type { AgentId, AgentView } from '../../core/model';
import type { ElsewherePort } from './connect';

/** An agent that works in a folder of this window but of which this window reads nothing. */
export interface HiddenAgent {
  readonly agent: AgentId;
  readonly name: string;
  /** Absolute path of the folder with its files. */
  readonly folder: string;
}

interface HiddenAgentsPorts {
  /** Agents that can be connected. */
  readonly agents: () => readonly { readonly agent: AgentId; readonly name: string }[];
  readonly views: () => readonly Pick<AgentView, 'agent' | 'state'>[];
  readonly folders: () => readonly string[];
  readonly elsewhere: ElsewherePort;
}

/**
 * Finds agents whose process works in a folder of this window and whose environment moves their files to a folder that a setting could name. Searches
 * only when a person looks and no agent of their kind is listed, since the search goes through all processes.
 */
export class HiddenAgents {
  private found: readonly HiddenAgent[] = [];

  constructor(private readonly ports: HiddenAgentsPorts) {}

  list(): readonly HiddenAgent[] {
    return this.found;
  }

  /** Searches again. Returns whether something changed. */
  async look(): Promise<boolean> {
    const { agents, views, folders, elsewhere } = this.ports;
    const listed = new Set(
      views()
        .filter(({ state }) => state.kind !== 'finished')
        .map(({ agent }) => agent),
    );
    const found: HiddenAgent[] = [];
    for (const { agent, name } of agents()) {
      if (listed.has(agent)) continue;
      const hidden = await elsewhere(agent, folders()).catch(() => null);
      if (hidden?.settable) found.push({ agent, name, folder: hidden.folder });
    }
    const changed = JSON.stringify(found) !== JSON.stringify(this.found);
    this.found = found;
    return changed;
  }
}
