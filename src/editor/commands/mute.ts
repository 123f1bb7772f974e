import type { AgentView } from '../../core/model';
import { clock } from '../../core/words';
import type { CommandParts } from './parts';
import { inform } from '../voice';

const HOUR_MS = 3_600_000;

/** *Mute for 1 Hour*: suppresses notifications about this agent and leaves it out of counts. */
export async function mute(parts: CommandParts, view: AgentView): Promise<void> {
  const until = parts.services.now() + HOUR_MS;
  parts.list.mute(view.session, until);
  const answer = await inform(`“${view.title}” is muted until ${clock(until)}.`, 'Unmute');
  if (answer === 'Unmute') unmute(parts, view);
}

/** *Unmute*: works even for an incident that an earlier version muted. */
export function unmute({ list, services }: CommandParts, view: AgentView): void {
  const at = services.now();
  list.mute(view.session, at);
  for (const { id } of view.incidents) services.engine.changeIncident(id, { type: 'unmute', at });
}
