import type { AgentState, AgentView } from '../../../../src/core/model';
import { MINUTE, T0 } from '../../history/support/incidents';

/** A working agent of this window, without incidents. */
export function agentView(
  session: string,
  state: Partial<AgentState> = {},
  changes: Partial<AgentView> = {},
): AgentView {
  return {
    agent: 'claude-code',
    agentName: 'Claude Code',
    session,
    file: '/home/me/.claude/projects/x/s.jsonl',
    title: `Task of ${session}`,
    model: 'sonnet',
    cwd: '/home/me/calc',
    state: { kind: 'working', since: T0, ...state },
    health: {
      calls: 0,
      callsByTool: {},
      failures: 0,
      failuresInARow: 0,
      validationFailures: 0,
      validationFailuresInARow: 0,
      gateAttempts: 0,
      blockedByPlanItem: {},
      startedAt: T0,
      lastEventAt: T0 + 10 * MINUTE,
    },
    coverage: { seen: 3, there: 3, lines: 10, skipped: 0, problems: [], lastReadAt: T0 },
    plan: [],
    incidents: [],
    hints: [],
    nearMisses: [],
    deliveries: [],
    history: false,
    deleted: false,
    ...changes,
  };
}
