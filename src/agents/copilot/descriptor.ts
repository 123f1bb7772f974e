import type { AgentDescriptor } from '../descriptor';
import { copilotLaunch } from './launch';

export const copilotDescriptor: AgentDescriptor = {
  id: 'copilot-cli',
  name: 'Copilot CLI',
  testedWith: 'read in 0.0.420, 1.0.11, 1.0.77',
  tested: { oldest: '1.0.102', newest: '1.0.102' },
  folders: [{ variable: 'COPILOT_HOME', usual: '.copilot' }],
  packages: ['@github/copilot'],
  transcripts: '`~/.copilot/session-state/<id>/events.jsonl`',
  shows: {
    runningTool: 'yes',
    waiting: 'if it is written',
    turnEnd: 'yes',
    liveness: 'lock with process id',
  },
  summary: {
    read: 'yes',
    nudged: 'yes',
    stopped: 'at its next command or edit',
    refused: 'yes',
    restarted: 'resume, fresh, other model',
  },
  messages: {
    whileWorking: 'yes',
    atEnd: 'yes',
    heldByGate: '`-p`, on Linux',
    wakesIdle: 'no',
    stop: 'at the next command or edit',
    blockCall: 'yes',
    runningSessions: 'after a resume',
  },
  holdsForGates: true,
  launch: copilotLaunch,
};
