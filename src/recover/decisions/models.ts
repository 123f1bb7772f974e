import { type AgentId, isAgentId } from '../../core/model';

/** Models of one kind of agent from the smallest to the most capable, by the names that its command line takes. */
export type Tiers = readonly string[];

/**
 * Claude Code names its tiers by aliases that outlive versions (haiku, sonnet, opus). The model names of other agents come and go, so the person sets
 * their tiers; without them the rungs that need a model say so.
 */
const BUILT_IN: Readonly<Partial<Record<AgentId, Tiers>>> = { 'claude-code': ['haiku', 'sonnet', 'opus'] };

export type ModelTiers = Readonly<Partial<Record<AgentId, Tiers>>>;

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.:/@[\]+-]{0,127}$/;

/** Reads the machine setting `unstuck.recovery.models`: agent id → list of models, smallest first. */
export function readModelTiers(value: unknown): ModelTiers {
  const tiers: Partial<Record<AgentId, Tiers>> = { ...BUILT_IN };
  if (typeof value !== 'object' || value === null) return tiers;
  for (const [agent, list] of Object.entries(value)) {
    if (!isAgentId(agent) || !Array.isArray(list)) continue;
    tiers[agent] = list.filter((one): one is string => typeof one === 'string' && NAME.test(one)).slice(0, 10);
  }
  return tiers;
}

/**
 * Returns the tier above the model that a session uses, or the top one if the model is in no tier. Undefined at the top, and if no tiers are known.
 */
export function nextModel(tiers: Tiers, model: string | undefined): string | undefined {
  const at = tierOf(tiers, model);
  return at === -1 ? tiers.at(-1) : tiers[at + 1];
}

export function topModel(tiers: Tiers): string | undefined {
  return tiers.at(-1);
}

/**
 * Returns the index of a model's tier, so that `claude-sonnet-4-5` is of the tier `sonnet`: the whole name first, then the longest tier that is a
 * part of it.
 */
function tierOf(tiers: Tiers, model: string | undefined): number {
  if (model === undefined) return -1;
  const exact = tiers.indexOf(model);
  if (exact !== -1) return exact;
  const name = model.toLowerCase();
  let best = -1;
  for (const [index, tier] of tiers.entries()) {
    const isPart = name.split(/[^a-z0-9.]+/).includes(tier.toLowerCase()) || name.endsWith(`/${tier.toLowerCase()}`);
    if (isPart && tier.length > (tiers[best]?.length ?? 0)) best = index;
  }
  return best;
}
