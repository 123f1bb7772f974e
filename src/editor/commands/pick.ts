import type { AgentView, Incident } from '../../core/model';
import { onlyThere, statePill } from '../../core/words';
import { hasWhyLine, lookOf, whyOf } from '../trees/row-words';
import type { AgentNode } from '../trees/agent-rows';
import type { IncidentNode } from '../trees/incidents-view';
import type { CommandParts } from './parts';
import { inform, pickOne } from '../voice';

/** Argument of a command: a session id, a row of a tree, an incident. */
export type Argument = string | AgentNode | IncidentNode | Incident | undefined;

export function sessionOf(argument: Argument): string | undefined {
  if (argument === undefined) return undefined;
  if (typeof argument === 'string') return argument;
  if ('session' in argument) return argument.session;
  if (argument.kind === 'incident') return argument.incident.session;
  return 'view' in argument ? argument.view.session : undefined;
}

/** Returns whether a command was called from a row of an agent. */
export function isRow(argument: Argument): boolean {
  return typeof argument === 'object' && 'view' in argument;
}

export function pickedIncident(argument: Argument): Incident | undefined {
  if (argument === undefined || typeof argument === 'string') return undefined;
  if ('session' in argument) return argument;
  return argument.kind === 'incident' ? argument.incident : undefined;
}

/** Returns the row of a learning, if it is one. */
export function pickedLearning(argument: Argument): Extract<IncidentNode, { kind: 'learning' }> | undefined {
  return typeof argument === 'object' && 'kind' in argument && argument.kind === 'learning' ? argument : undefined;
}

/** Picks an agent of this machine, for commands that need its files or its terminal. */
export async function pickHere(
  parts: CommandParts,
  argument: Argument,
  placeHolder: string,
): Promise<AgentView | undefined> {
  const view = await pickAgent(parts, argument, placeHolder, (one) => !one.machine);
  return isElsewhere(view) ? undefined : view;
}

/** Returns whether the agent runs on another machine, and informs the person if so. */
export function isElsewhere(view: AgentView | undefined): boolean {
  if (!view?.machine) return false;
  void inform(onlyThere(view.machine.name));
  return true;
}

/** @param isOffered selects the agents to choose from if none is named */
export async function pickAgent(
  parts: CommandParts,
  argument: Argument,
  placeHolder: string,
  isOffered: (view: AgentView) => boolean = () => true,
): Promise<AgentView | undefined> {
  const session = sessionOf(argument) ?? parts.panels.current();
  const known = session === undefined ? undefined : parts.services.agents.agent(session);
  if (known) return known;
  const views = parts.list.views().filter(isOffered);
  if (views.length === 0) {
    void inform('No agent is watched here yet.');
    return undefined;
  }
  // If the intended agent is gone, another must not be taken in its place without asking.
  if (views.length === 1 && session === undefined) return views[0];
  const now = parts.services.now();
  const items = views.map((view) => {
    const description = [statePill(view.state, now), parts.list.placeName(view)]
      .filter((part) => part !== '')
      .join(' · ');
    const detail = hasWhyLine(view) ? whyOf(view, now) : undefined;
    return { icon: lookOf(view, now).icon, label: view.title, description, ...(detail && { detail }), view };
  });
  return (await pickOne(items, { placeHolder }))?.view;
}

/** Returns where an agent works, or an open folder. */
export async function pickFolder(parts: CommandParts, argument: Argument): Promise<string | undefined> {
  const session = sessionOf(argument) ?? parts.panels.current();
  const cwd = session === undefined ? undefined : parts.services.agents.agent(session)?.cwd;
  if (cwd !== undefined) return cwd;
  const folders = parts.services.folders();
  return folders.length <= 1
    ? folders[0]
    : (
        await pickOne(
          folders.map((label) => ({ label })),
          { placeHolder: 'Which folder?' },
        )
      )?.label;
}
