import type { AgentDescriptor } from '../descriptor';
import { launchOf } from './launch';
import { OPENCODE } from './program';

export const opencodeDescriptor: AgentDescriptor = {
  id: OPENCODE.agent,
  name: OPENCODE.name,
  testedWith: 'read in files of 1.18',
  tested: { oldest: '1.18.33', newest: '1.18.33' },
  folders: [
    { variable: 'XDG_CONFIG_HOME', usual: '.config', shared: true },
    { variable: 'XDG_DATA_HOME', usual: '.local/share', shared: true },
  ],
  packages: ['opencode-ai'],
  transcripts: '`~/.local/share/opencode/opencode.db`; `opencode export`, `run --format json`',
  shows: {
    runningTool: 'yes',
    waiting: 'its questions only',
    turnEnd: 'yes',
    loopCheck: 'not recorded',
    liveness: 'its process, Linux',
  },
  summary: {
    read: 'yes, from its database',
    nudged: 'yes; wakes idle ones in its terminal form',
    stopped: 'yes',
    refused: 'yes',
    restarted: 'resume, fork, fresh, other model',
  },
  messages: {
    whileWorking: 'yes',
    atEnd: 'yes',
    heldByGate: 'no: at the end of a turn `opencode run` does not wait for plugins',
    wakesIdle: 'yes, but not `opencode run`',
    stop: 'yes',
    blockCall: 'yes',
    runningSessions: 'after a resume',
  },
  launch: launchOf(OPENCODE),
};
