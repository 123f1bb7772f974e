import type { AgentView } from '../../core/model';
import type { Cases } from './cases';
import type { RecoveryParts } from './ports';

/** A session that began more than this before the requested start is another one, milliseconds. */
const CLOCKS_DIFFER_MS = 2_000;

/** A start that leads to a new session. */
interface Start {
  readonly from: AgentView;
  /** When it was requested, milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Returns the first session of the same agent that begins after the start in the same folder, or that names the old session as its origin. One that
 * has taken over already is the result of another start.
 */
export function successorOf(
  { engine }: Pick<RecoveryParts, 'engine'>,
  cases: Pick<Cases, 'hasTakenOver'>,
  { from, at }: Start,
): string | undefined {
  return engine.agents().find((view) => {
    if (view.session === from.session || view.agent !== from.agent || cases.hasTakenOver(view.session)) return false;
    if (engine.session(view.session)?.facts.forkedFrom === from.session) return view.health.lastEventAt > at;
    return view.cwd === from.cwd && view.parent === undefined && view.health.startedAt >= at - CLOCKS_DIFFER_MS;
  })?.session;
}
