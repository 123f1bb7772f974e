import type { AgentDescriptor } from '../descriptor';
import { codexLaunch } from './launch';

export const codexDescriptor: AgentDescriptor = {
  id: 'codex',
  name: 'Codex',
  fullName: 'Codex CLI',
  testedWith: 'read in 0.106 to 0.146',
  tested: { oldest: '0.157.0', newest: '0.169.0' },
  folders: [{ variable: 'CODEX_HOME', usual: '.codex' }],
  packages: ['@openai/codex'],
  transcripts: '`~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`',
  looksByItself: true,
  shows: {
    runningTool: 'yes',
    waiting: 'by the call that wants out of its sandbox; else by silence in a mode that asks',
    turnEnd: 'yes',
    loopCheck: 'none',
    liveness: 'lock, Linux',
  },
  summary: {
    read: 'yes',
    nudged: 'yes',
    stopped: 'by its supervisor only',
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
    ownStep: '*Trust all and continue* when Codex starts next',
  },
  holdsForGates: true,
  launch: codexLaunch,
};
