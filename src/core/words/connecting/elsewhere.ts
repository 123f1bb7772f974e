/** An agent that keeps its files where this window does not look. */
interface ElsewhereFacts {
  readonly pid: number;
  /** `CODEX_HOME` */
  readonly variable: string;
  readonly folder: string;
  readonly ours: string;
  readonly settable: boolean;
}

/** Explains why Connect refuses where it would write to a place that the agent does not read, and what to do. */
export function elsewhereSentence(agentName: string, facts: ElsewhereFacts): string {
  const { pid, variable, folder, ours, settable } = facts;
  const found = `${agentName} (process ${pid}) keeps its files in ${folder}. This window looks in ${ours}, so it cannot see that agent, and what Connect writes may not reach it.`;
  const advice = settable
    ? `Look there, or start VS Code with the same ${variable} as the agent.`
    : `Start VS Code with the same ${variable} as the agent.`;
  return `${found} ${advice}`;
}

/** A line below the agents of a window; clicking it leads to *Look There*. */
export function lookFor(agentName: string, folder: string): string {
  return `Look for ${agentName} in ${folder}`;
}

/** Buttons below it. */
export const ELSEWHERE = { lookThere: 'Look There', connectAnyway: 'Connect Anyway' } as const;

/** Follows *Look There*: the watched folders are fixed when a window opens. */
export function looksThere(folder: string): string {
  return `Reload this window so that Unstuck looks in ${folder}. Then connect the agent.`;
}
