import type { AgentDescriptor } from '../descriptor';

export const vscodeChatDescriptor: AgentDescriptor = {
  id: 'vscode-chat',
  name: 'VS Code Chat',
  fullName: 'VS Code Chat (local agent)',
  testedWith: 'VS Code with `copilot` 0.67.0',
  tested: { oldest: '1.139.1', newest: '1.139.1' },
  transcripts:
    '`User/workspaceStorage/<id>/GitHub.copilot-chat/transcripts/<session>.jsonl` and `…/<id>/chatSessions/<session>.jsonl`',
  shows: {
    runningTool: 'yes',
    waiting: 'yes, when its log is saved',
    turnEnd: 'yes, when its log is saved',
  },
  summary: {
    read: 'yes; outcomes up to a minute late without a hook',
    nudged: 'yes, from the first prompt after Connect',
    stopped: 'yes, in the chat of its window',
    refused: 'yes',
    restarted: 'fresh, other model: as a new chat in its window',
  },
  messages: {
    whileWorking: 'yes, with its next call',
    atEnd: 'yes',
    heldByGate: 'no',
    wakesIdle: 'no',
    stop: 'not by a message; a click cancels its turn in the chat',
    blockCall: 'yes',
    runningSessions: 'from their next prompt',
  },
};
