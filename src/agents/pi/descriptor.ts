import type { AgentDescriptor } from '../descriptor';
import { piLaunch } from './launch';

export const piDescriptor: AgentDescriptor = {
  id: 'pi',
  name: 'pi',
  testedWith: 'read in files of version 3',
  tested: { oldest: '0.74.2', newest: '1.5.2' },
  folders: [{ variable: 'PI_CODING_AGENT_DIR', usual: '.pi/agent' }],
  packages: ['@earendil-works/pi-coding-agent'],
  transcripts: '`~/.pi/agent/sessions/<folder>/*.jsonl`',
  shows: {
    runningTool: 'yes',
    turnEnd: 'yes',
    liveness: 'its process, Linux',
  },
  summary: {
    read: 'yes',
    nudged: 'yes; wakes idle ones in a terminal',
    stopped: 'yes',
    refused: 'yes',
    restarted: 'resume, fork, fresh, other model',
  },
  messages: {
    whileWorking: 'yes, also after calls that fail',
    atEnd: 'yes',
    heldByGate: 'no: at the end of a turn pi does not wait for extensions',
    wakesIdle: 'yes, but not `pi -p`',
    stop: 'yes',
    blockCall: 'yes',
    runningSessions: 'after `/reload` or a resume',
  },
  launch: piLaunch,
};
