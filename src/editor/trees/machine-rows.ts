import * as vscode from 'vscode';
import { type AgentView, type Machine, standingOf } from '../../core/model';
import { type MachineFacts, machineInShort, presenceSentence } from '../../core/words';
import type { TreeRow } from '../voice';

/** Another machine with its agents, those that need a person first. */
export interface MachineGroup {
  readonly machine: Machine;
  readonly views: readonly AgentView[];
}

/**
 * Groups the agents by other machines. The machine with the worst agent comes first, machines without agents last.
 *
 * @param views agents in the order of the lists
 */
export function machineGroups(machines: readonly Machine[], views: readonly AgentView[]): readonly MachineGroup[] {
  if (machines.length === 0) return [];
  const byName = new Map<string, AgentView[]>();
  for (const view of views) {
    if (!view.machine) continue;
    const group = byName.get(view.machine.name);
    if (group) group.push(view);
    else byName.set(view.machine.name, [view]);
  }
  const places = [...byName.keys()];
  const placeOf = ({ name }: Machine) => (byName.has(name) ? places.indexOf(name) : places.length);
  return [...machines]
    .sort((a, b) => placeOf(a) - placeOf(b) || (a.name < b.name ? -1 : 1))
    .map((machine) => ({ machine, views: byName.get(machine.name) ?? [] }));
}

/** Counts the agents of a machine for its row. */
export function machineFacts({ machine, views }: MachineGroup): MachineFacts {
  const count = (standing: ReturnType<typeof standingOf>) =>
    views.filter((view) => standingOf(view) === standing).length;
  return {
    presence: machine.presence,
    lastSeenAt: machine.lastSeenAt,
    needsYou: count('needs_you'),
    stuck: count('stuck'),
    agents: views.length,
  };
}

export function machineRow(group: MachineGroup, now: number): TreeRow {
  const { name, presence, lastSeenAt } = group.machine;
  const description = machineInShort(machineFacts(group), now);
  return {
    id: `machine/${name}`,
    label: name,
    description,
    icon: new vscode.ThemeIcon(presence === 'live' ? 'server' : 'debug-disconnect'),
    tooltip: presence === 'live' ? `${name}: ${description}` : presenceSentence(presence, lastSeenAt, now),
    // Set even without agents: the editor keeps a row closed that could not be opened before.
    children: 'open',
    context: 'machine',
  };
}
