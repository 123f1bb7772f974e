import type { AgentDescriptor } from '../descriptor';
import { qwenLaunch } from './launch';

export const qwenDescriptor: AgentDescriptor = {
  id: 'qwen-code',
  name: 'Qwen Code',
  testedWith: '0.15.10; read in 0.21.13 (synthetic)',
  transcripts: '`~/.qwen/projects/<folder>/chats/<id>.jsonl`',
  looksByItself: true,
  shows: {
    runningTool: 'yes',
    waiting: 'no',
    turnEnd: 'inferred from the answer',
    loopCheck: 'if it is written',
    liveness: 'none',
  },
  summary: {
    read: 'yes',
    nudged: 'no: messages wait in the [inbox](docs/inbox.md)',
    stopped: 'no',
    refused: 'no',
    restarted: 'with its documented arguments (not tested)',
  },
  launch: qwenLaunch,
};
