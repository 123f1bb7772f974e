import type { AgentDescriptor } from '../descriptor';
import { codexLaunch } from './launch';

export const codexDescriptor: AgentDescriptor = {
  id: 'codex',
  name: 'Codex',
  fullName: 'Codex CLI',
  testedWith: 'read in 0.106 to 0.146',
  tested: { oldest: '0.157.0', newest: '0.171.0' },
  folders: [{ variable: 'CODEX_HOME', usual: '.codex' }],
  packages: ['@openai/codex'],
  transcripts: '`~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`',
  shows: {
    runningTool: 'yes',
    waiting: 'calls that ask to leave the sandbox; otherwise guessed from missing output',
    turnEnd: 'yes',
    liveness: 'lock, Linux',
  },
  summary: {
    read: 'yes',
    nudged: 'yes',
    stopped: 'only under `unstuck run`',
    refused: 'yes',
    restarted: 'resume, fork in a terminal, fresh, other model',
  },
  messages: {
    whileWorking: 'yes',
    atEnd: 'yes',
    heldByGate: '`codex exec`',
    wakesIdle: 'no',
    stop: 'no',
    blockCall: 'yes',
    runningSessions: 'after a resume',
    ownStep: 'choose *Trust all and continue* when Codex next starts',
  },
  holdsForGates: true,
  launch: codexLaunch,
};
