import type { AgentState, AgentView } from '../../../../src/model';
import { pastView } from '../../../../src/ui/panel/past-view';
import { T0, incident } from '../../store/support/incidents';

/** An agent of this window that works, with no incident. */
export function agentView(
  session: string,
  state: Partial<AgentState> = {},
  changes: Partial<AgentView> = {},
): AgentView {
  return {
    ...pastView(incident()),
    session,
    title: `Task of ${session}`,
    state: { kind: 'working', since: T0, ...state },
    coverage: { seen: 3, there: 3, lines: 10, skipped: 0, problems: [], lastReadAt: T0 },
    incidents: [],
    history: false,
    ...changes,
  };
}
