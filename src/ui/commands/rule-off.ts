import type { AgentId, DetectorId } from '../../model';

/** The setting `unstuck.detectors` with one rule off for one kind of agent; everything else stays. */
export function withRuleOff(detectors: Readonly<Record<string, unknown>>, agent: AgentId, detector: DetectorId) {
  const agents = (detectors['agents'] ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const own = agents[agent];
  const rule = { ...(own?.[detector] as object | undefined), on: false };
  return { ...detectors, agents: { ...agents, [agent]: { ...own, [detector]: rule } } };
}
