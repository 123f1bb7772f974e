import { needsPerson } from '../../core/model';
import type { CommandParts } from './parts';
import { type Argument, pickedIncident, pickAgent, pickHere, sessionOf } from './pick';
import { inform } from '../voice';

export async function showEvidence(parts: CommandParts, argument: Argument): Promise<void> {
  const incident = pickedIncident(argument);
  const session = sessionOf(argument);
  if (session !== undefined && parts.services.agents.agent(session)) parts.panels.show(session);
  else if (incident) parts.panels.showIncident(incident);
  else {
    const view = await pickAgent(parts, argument, 'Show which agent?');
    if (view) parts.panels.show(view.session);
  }
}

/** *Next Agent That Needs Me*: shows the first in the order of the lists, then the one after the agent that is shown. */
export function showNextNeedingMe(parts: CommandParts): void {
  const needing = parts.list.audible().filter(needsPerson);
  const current = needing.findIndex((view) => view.session === parts.panels.current());
  const next = needing[(current + 1) % Math.max(1, needing.length)];
  if (next) parts.panels.show(next.session);
  else void inform('No agent needs you.');
}

export async function openTranscript(parts: CommandParts, argument: Argument): Promise<void> {
  const incident = pickedIncident(argument);
  const last = incident?.evidence.at(-1);
  if (last) {
    await parts.transcripts.show(last.source, incident?.session ?? '');
    return;
  }
  const view = await pickHere(parts, argument, 'Open the transcript of which agent?');
  if (view)
    await parts.transcripts.show(
      {
        file: view.file,
        line: Math.max(1, parts.services.engine.session(view.session)?.facts.lastLine ?? 1),
        offset: 0,
      },
      view.session,
    );
}
