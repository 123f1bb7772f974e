import type { AgentDescriptor } from '../descriptor';
import { qwenLaunch } from './launch';

export const qwenDescriptor: AgentDescriptor = {
  id: 'qwen-code',
  name: 'Qwen Code',
  testedWith: 'read in 0.15.10 and 0.21.13 (synthetic)',
  tested: { oldest: '0.24.4', newest: '0.24.4' },
  folders: [{ variable: 'QWEN_HOME', usual: '.qwen' }],
  packages: ['@qwen-code/qwen-code'],
  transcripts: '`~/.qwen/projects/<folder>/chats/<id>.jsonl`',
  shows: {
    runningTool: 'yes',
    waiting: 'its questions only',
    turnEnd: 'inferred from the answer',
    loopCheck: 'if it is written',
    liveness: 'its process, Linux',
  },
  summary: {
    read: 'yes',
    nudged: 'yes; does not wake idle ones',
    refused: 'yes',
    restarted: 'resume; other ways by its documentation',
  },
  messages: {
    whileWorking: 'yes, also after calls that fail',
    atEnd: 'yes, but its transcript does not show it',
    heldByGate: 'not tried',
    wakesIdle: 'no',
    stop: 'no: its hook’s answer ends no turn',
    blockCall: 'yes',
    runningSessions: 'after a resume',
  },
  launch: qwenLaunch,
};
