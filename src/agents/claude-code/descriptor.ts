import type { AgentDescriptor } from '../descriptor';
import { claudeCodeLaunch } from './launch';

export const claudeCodeDescriptor: AgentDescriptor = {
  id: 'claude-code',
  name: 'Claude Code',
  testedWith: 'read in files of 1.0 to 2.1',
  tested: { oldest: '2.1.278', newest: '2.1.332' },
  folders: [{ variable: 'CLAUDE_CONFIG_DIR', usual: '.claude' }],
  packages: ['@anthropic-ai/claude-code'],
  transcripts: '`~/.claude/projects/<folder>/*.jsonl`, sub-agents beside',
  shows: {
    runningTool: 'yes',
    waiting: 'yes, from its registry; otherwise guessed from missing output',
    turnEnd: 'yes',
    liveness: 'registry of sessions',
  },
  summary: {
    read: 'yes, with its sub-agents and the registry of its sessions',
    nudged: 'yes; wakes idle ones',
    stopped: 'yes',
    refused: 'yes',
    restarted: 'resume, fork, fresh, other model',
  },
  messages: {
    whileWorking: 'yes',
    atEnd: 'yes',
    heldByGate: 'only without a person (`-p`)',
    wakesIdle: 'interactive sessions',
    stop: 'yes',
    blockCall: 'yes',
    runningSessions: 'yes, but they cannot be woken',
    ownStep: 'trust the folder',
  },
  holdsForGates: true,
  launch: claudeCodeLaunch,
};
