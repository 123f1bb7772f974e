import type { VersionRange } from '../../model';

/** Follows the agent's name in a list: `not tested with 2.3.1`. */
export function notTestedWith(version: string): string {
  return `not tested with ${version}`;
}

/** Writes the note for a connected agent whose release was not tested. */
export function notTestedSentence(agentName: string, version: string, { oldest, newest }: VersionRange): string {
  const tested = oldest === newest ? oldest : `${oldest} to ${newest}`;
  return `Unstuck was tested with ${agentName} ${tested}, not with ${version}, so messages may not arrive. Its next call will show.`;
}
