import { MORE_THINKING } from '../../agents/launch';
import type { RungKind } from '../../core/model';
import {
  type AgentSituation,
  type Decision,
  type NothingReason,
  type RecoveryFacts,
  REASON_TEXTS,
  type StartForm,
} from './decision';
import { nextModel, topModel } from './models';

export type Hindrance = { readonly hindered: NothingReason; readonly text: string };

/** Returns the form of a start on a rung, or the reason why it cannot be started. */
export function startOnRung(kind: RungKind, facts: RecoveryFacts): StartForm | Hindrance {
  const { tiers, agent } = facts;
  switch (kind) {
    case 'fresh':
      return { mode: 'fresh' };
    case 'next_model': {
      const model = nextModel(tiers, agent.model);
      if (model !== undefined) return { mode: 'fresh', model };
      return hindrance(tiers.length === 0 ? 'no_models' : 'top_already');
    }
    case 'top_model': {
      const model = topModel(tiers);
      return model === undefined ? hindrance('no_models') : { mode: 'fresh', model, thinking: MORE_THINKING };
    }
    case 'as_is':
      return hindrance('as_is');
    case 'feedback':
      return { mode: 'resume' };
    case 'ask':
      return hindrance('no_such_rung');
  }
}

/**
 * Returns the means to start the agent again now. Never a terminal while its process is alive: two processes would write one transcript and change
 * the same files.
 */
export function startVia(
  start: StartForm,
  { agent, ways }: RecoveryFacts,
): Pick<Decision, 'via' | 'confirmGone'> | Hindrance {
  // The process of a chat is the editor's own.
  if (agent.inChat) return start.mode === 'fresh' ? { via: 'chat' } : hindrance('chat_goes_on');
  if (agent.supervised && !isGone(agent)) return { via: 'supervisor' };
  const missing = ways[start.mode];
  if (missing !== null) return { hindered: 'no_way_to_start', text: missing };
  if (isGone(agent)) return { via: 'terminal' };
  if (agent.here) return { via: 'terminal_after_stop' };
  if (agent.liveness === 'unknown') return { via: 'terminal', confirmGone: true };
  // If no message ends it either, the person closes it.
  return { via: 'terminal_after_stop' };
}

/** True if no process of the agent runs, as far as can be known. */
export function isGone({ liveness, state }: Pick<AgentSituation, 'liveness' | 'state'>): boolean {
  return liveness === 'gone' || (liveness === 'unknown' && state.kind === 'finished');
}

export function isHindered(value: object): value is Hindrance {
  return 'hindered' in value;
}

function hindrance(hindered: NothingReason): Hindrance {
  return { hindered, text: REASON_TEXTS[hindered] };
}
