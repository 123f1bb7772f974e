import type { AgentDescriptor } from '../descriptor';
import { geminiLaunch } from './launch';

export const geminiDescriptor: AgentDescriptor = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  testedWith: 'read in files of 2025-12 to 2026-04',
  tested: { oldest: '0.55.1', newest: '0.61.0' },
  folders: [{ variable: 'GEMINI_CLI_HOME', usual: '' }],
  packages: ['@google/gemini-cli'],
  transcripts: '`~/.gemini/tmp/<project>/chats/session-*`',
  shows: {
    runningTool: 'no',
    turnEnd: 'no (stream-json: yes)',
    loopCheck: 'written',
    liveness: 'its process, Linux',
  },
  summary: {
    read: 'yes',
    nudged: 'yes',
    stopped: 'yes',
    refused: 'yes',
    restarted: 'resume, fresh, other model',
  },
  messages: {
    whileWorking: 'yes',
    atEnd: 'yes',
    heldByGate: '`-p`, on Linux',
    wakesIdle: 'no',
    stop: 'yes',
    blockCall: 'yes',
    runningSessions: 'after a resume',
  },
  holdsForGates: true,
  launch: geminiLaunch,
};
