import type { AgentDescriptor } from '../descriptor';

export const clineDescriptor: AgentDescriptor = {
  id: 'cline',
  name: 'Cline',
  testedWith: 'read in tasks of 2025-10 to 2026-04 and a session of the newer form',
  tested: { oldest: '3.0.65', newest: '3.0.65' },
  folders: [{ variable: 'CLINE_DIR', usual: '.cline' }],
  packages: ['cline'],
  transcripts: "tasks of the editor's extension, `~/.cline/data`",
  shows: {
    runningTool: 'yes',
    waiting: 'yes (newer form: questions only)',
    turnEnd: 'its claim to be done, or its question',
    liveness: 'command line: a file beside, with its process',
  },
  summary: {
    read: 'yes',
    nudged: 'its command line; does not wake idle ones',
    stopped: 'its command line',
  },
  messages: {
    whileWorking: 'yes, also after calls that fail; command line only',
    atEnd: 'no',
    heldByGate: 'no',
    wakesIdle: 'no',
    stop: 'at the end of the next call',
    blockCall: 'no: its hook can only end the run',
    runningSessions: 'not tried',
  },
};
