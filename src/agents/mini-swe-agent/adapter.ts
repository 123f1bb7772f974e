import type { AgentAdapter } from '../adapter';
import { sessionOfFile } from '../shared/decode';
import { miniSweAgentDescriptor } from './descriptor';

/** mini-swe-agent: `*.traj.json`, rewritten after each step. */
export const miniSweAgent: AgentAdapter = {
  id: miniSweAgentDescriptor.id,
  name: miniSweAgentDescriptor.name,
  unit: 'document',
  locate: () => [],
  workspaceFiles: ['.traj.json'],
  writesTimes: false,
  recognises(head, file) {
    if (/"trajectory_format":\s*"mini-swe-agent/.test(head)) return 'yes';
    if (
      /^\s*\[\s*\{\s*"role":\s*"system"/.test(head.slice(0, 400)) &&
      /mswea_bash_command|ONE bash code block/.test(head)
    )
      return 'yes';
    // 2.x writes its configuration first and the mark last, so the head shows one of them or neither.
    return file.endsWith('.traj.json') && /^\s*[[{]/.test(head) ? 'maybe' : 'no';
  },
  peek: (_head, file) => ({ session: sessionOfFile(file) }),
  decoder: 'miniSweAgent',
  // One for each answer of the model, which must contain exactly one command.
  callMarkers: ['"role": "assistant"', '"role":"assistant"'],
  // Next to each answer the service's own response may be kept, which contains the same message.
  ownCalls: (text, found) => (text.includes('"choices":') ? Math.ceil(found / 2) : found),
  showsRunningTool: false,
  turnEnds: 'no',
};

/** Terminal output of mini-swe-agent, captured into a log. */
export const miniSweAgentLog: AgentAdapter = {
  id: miniSweAgentDescriptor.id,
  name: miniSweAgentDescriptor.name,
  unit: 'line',
  locate: () => [],
  writesTimes: false,
  recognises(head, file) {
    if (/mini-swe-agent(?:\u001b\[[0-9;]{0,20}m| ){0,8}\(step /.test(head)) return 'yes';
    // A terminal session that begins with the installation: the agent itself comes after the head.
    const terminal =
      head.includes('mini-swe-agent') || (/(?:^|[./\\])agent\.log$/.test(file) && head.includes('asciinema rec'));
    return file.endsWith('.log') && terminal && !/^\s*[[{]/.test(head) ? 'maybe' : 'no';
  },
  peek: (_head, file) => ({ session: sessionOfFile(file) }),
  decoder: 'miniSweAgentLog',
  callMarkers: ['mini-swe-agent\u001b[0m\u001b[31m (step ', 'mini-swe-agent (step '],
  showsRunningTool: true,
  turnEnds: 'no',
};
