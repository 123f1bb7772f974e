/** An agent keeps its files where this window does not look. */
interface ElsewhereFacts {
  readonly pid: number;
  /** `CODEX_HOME` */
  readonly variable: string;
  readonly folder: string;
  readonly ours: string;
  readonly settable: boolean;
}

/** What Connect says before it would write where the agent does not read, with what to do. */
export function elsewhereSentence(agentName: string, facts: ElsewhereFacts): string {
  const { pid, variable, folder, ours, settable } = facts;
  const found = `${agentName} (process ${pid}) keeps its files in ${folder}. This window looks in ${ours}, so it does not see that agent, and what Connect writes may not reach it.`;
  const start = `start VS Code where ${variable} is set as the agent has it`;
  return settable ? `${found} Look there, or ${start}.` : `${found} ${start.charAt(0).toUpperCase()}${start.slice(1)}.`;
}

export const LOOK_THERE = 'Look There';
export const CONNECT_ANYWAY = 'Connect Anyway';

/** After *Look There*: what is watched is settled when a window opens. */
export function looksThere(folder: string): string {
  return `Unstuck looks in ${folder} once this window was reloaded. Then connect the agent.`;
}
