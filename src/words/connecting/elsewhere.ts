import { t, texts } from '../../util/l10n';

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
  const found = t`${agentName} (process ${String(pid)}) keeps its files in ${folder}. This window looks in ${ours}, so it does not see that agent, and what Connect writes may not reach it.`;
  const advice = settable
    ? t`Look there, or start VS Code where ${variable} is set as the agent has it.`
    : t`Start VS Code where ${variable} is set as the agent has it.`;
  return `${found} ${advice}`;
}

/** Buttons below it. */
export const ELSEWHERE = texts({ lookThere: 'Look There', connectAnyway: 'Connect Anyway' });

/** After *Look There*: what is watched is settled when a window opens. */
export function looksThere(folder: string): string {
  return t`Unstuck looks in ${folder} once this window was reloaded. Then connect the agent.`;
}
