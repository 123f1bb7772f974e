import type { AgentId } from '../core/model';
import { descriptors } from './registry';

/**
 * Agents whose hook waits for the verdict of the quality gates at the end of a run without a person. OpenCode's plugin cannot: OpenCode waits for
 * nothing once a turn has ended, and before that it is unknown whether the turn will end.
 */
export const HOLDS_FOR_GATES: ReadonlySet<AgentId> = new Set(
  descriptors.filter(({ holdsForGates }) => holdsForGates).map(({ id }) => id),
);
