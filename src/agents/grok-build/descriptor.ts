import type { AgentDescriptor } from '../descriptor';

export const grokBuildDescriptor: AgentDescriptor = {
  id: 'grok-build',
  name: 'Grok Build',
  experimental: true,
  testedWith: 'runs without a terminal only',
  tested: { oldest: '1.0.41', newest: '1.0.41' },
  folders: [{ variable: 'GROK_HOME', usual: '.grok' }],
  packages: ['@xai-official/grok'],
  transcripts: '`~/.grok/sessions/<folder>/<id>/updates.jsonl`',
  shows: {
    runningTool: 'yes',
    turnEnd: 'yes',
  },
  summary: {
    read: 'experimental',
    nudged: 'yes; does not wake idle ones',
    refused: 'yes',
  },
  messages: {
    whileWorking: 'yes, also after calls that fail',
    atEnd: 'yes',
    heldByGate: 'not tried',
    wakesIdle: 'no',
    stop: 'no: its hook’s answer ends no turn',
    blockCall: 'yes',
    runningSessions: 'not tried',
  },
};
