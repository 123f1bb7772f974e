import type { AgentView } from '../../../core/model';
import type { PanelHealth, Vitals } from '../snapshot';

/** Maximum number of tools, and of plan items, that are counted one by one. */
const COUNTED_ROWS = 12;

/** Picks the figures under the lead. */
export function vitalsOf({ health, state }: AgentView): Vitals {
  return {
    startedAt: health.startedAt,
    ...(state.kind === 'finished' && { endedAt: state.since }),
    ...(health.lastNewAt !== undefined && {
      lastNew: {
        at: health.lastNewAt,
        ...(health.lastNewStep !== undefined && { step: health.lastNewStep }),
      },
    }),
    ...(health.lastProgress && { lastProgress: { at: health.lastProgress.at, text: health.lastProgress.text } }),
  };
}

/** Returns the counts of the whole session, tools and plan items with the highest counts first. */
export function healthOf({ health, plan }: AgentView): PanelHealth {
  const mostFirst = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).sort(([, one], [, other]) => other - one);
  const tools = mostFirst(health.callsByTool);
  const titles = new Map(plan.map(({ id, title }) => [id, title]));
  return {
    calls: health.calls,
    failures: health.failures,
    failuresInARow: health.failuresInARow,
    tools: tools.slice(0, COUNTED_ROWS).map(([name, calls]) => ({ name, calls })),
    otherCalls: tools.slice(COUNTED_ROWS).reduce((sum, [, calls]) => sum + calls, 0),
    malformed: health.validationFailures,
    malformedInARow: health.validationFailuresInARow,
    claims: health.gateAttempts,
    blocked: mostFirst(health.blockedByPlanItem)
      .slice(0, COUNTED_ROWS)
      .map(([id, times]) => ({ id, title: titles.get(id) ?? id, times })),
    ...(health.contextTokens !== undefined && { contextTokens: health.contextTokens }),
    ...(health.contextWindow !== undefined && { contextWindow: health.contextWindow }),
    ...(health.totalTokens !== undefined && { totalTokens: health.totalTokens }),
    ...(health.rereads && { rereads: health.rereads }),
  };
}
