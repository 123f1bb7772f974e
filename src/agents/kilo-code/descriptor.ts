import type { AgentDescriptor } from '../descriptor';
import { launchOf } from '../opencode/launch';
import { KILO } from '../opencode/program';

export const kiloCodeDescriptor: AgentDescriptor = {
  id: KILO.agent,
  name: KILO.name,
  testedWith: 'read in files of 7.7',
  tested: { oldest: '7.7.9', newest: '7.7.9' },
  packages: ['@kilocode/cli'],
  transcripts: '`~/.local/share/kilo/kilo.db`',
  shows: {
    runningTool: 'yes',
    waiting: 'its questions only',
    turnEnd: 'yes',
    loopCheck: 'not recorded',
    liveness: 'its process, Linux',
  },
  summary: {
    read: 'yes, from its database',
    nudged: 'yes',
    stopped: 'yes',
    refused: 'yes',
    restarted: 'resume; other ways by its documentation',
  },
  messages: {
    whileWorking: 'yes',
    atEnd: 'yes',
    heldByGate: 'no: at the end of a turn `kilo run` does not wait for plugins',
    wakesIdle: 'no',
    stop: 'yes',
    blockCall: 'yes',
    runningSessions: 'after a resume',
  },
  launch: launchOf(KILO),
};
