import { createDecoder } from '../../../../src/agents/decoders';
import type { LineDecoder } from '../../../../src/agents/decoder';
import { vscodeChat } from '../../../../src/agents/vscode-chat/adapter';
import type { AgentEvent, Problem } from '../../../../src/core/model';

export const SESSION = '0c0ffee0-0000-4000-8000-000000000001';
const W = '/user/workspaceStorage/abc';
export const TRANSCRIPT = `${W}/GitHub.copilot-chat/transcripts/${SESSION}.jsonl`;
export const LOG = `${W}/chatSessions/${SESSION}.jsonl`;
export const START = Date.now() - 600_000;
export const FAIL = 'FAIL test_total expected 6 got 5';

const at = (seconds: number): string => new Date(START + seconds * 1_000).toISOString();

/** A session that is read as its two files grow. */
export function session() {
  const events: AgentEvent[] = [];
  const problems: Problem[] = [];
  const sink = {
    event: (event: AgentEvent) => void events.push(event),
    problem: (problem: Problem) => void problems.push(problem),
  };
  const decoder = createDecoder(vscodeChat, { file: TRANSCRIPT, readSmall: () => undefined, cwd: '/proj' });
  if (decoder.unit !== 'line') throw new Error('not a decoder of lines');
  const lines: LineDecoder = decoder;
  let line = 0;
  let logLine = 0;
  return {
    events,
    problems,
    transcript(...records: readonly object[]) {
      for (const record of records) lines.decode({ text: JSON.stringify(record), line: ++line, offset: line }, sink);
    },
    log(...records: readonly object[]) {
      for (const record of records)
        lines.decodeCompanion?.(LOG, { text: JSON.stringify(record), line: ++logLine, offset: logLine }, sink);
    },
    settle: () => lines.settle?.(sink),
    results: () =>
      events.flatMap((event) =>
        event.type === 'tool_result' ? [[event.id, event.outcome ?? (event.isError ? 'failed' : 'ok')]] : [],
      ),
    types: () => events.map(({ type }) => type).filter((type) => type !== 'other' && type !== 'request'),
  };
}

export const record = {
  start: () => ({
    type: 'session.start',
    data: { sessionId: SESSION, version: 1, producer: 'copilot-agent', vscodeVersion: '1.139.1' },
    timestamp: at(0),
  }),
  user: (seconds: number, content: string) => ({ type: 'user.message', data: { content }, timestamp: at(seconds) }),
  asks: (seconds: number, ...calls: readonly (readonly [id: string, name: string, args: object])[]) => ({
    type: 'assistant.message',
    data: {
      messageId: `m${seconds}`,
      content: 'Next.',
      toolRequests: calls.map(([toolCallId, name, args]) => ({ toolCallId, name, arguments: JSON.stringify(args) })),
    },
    timestamp: at(seconds),
  }),
  says: (seconds: number, content: string) => ({
    type: 'assistant.message',
    data: { messageId: `m${seconds}`, content, toolRequests: [] },
    timestamp: at(seconds),
  }),
  done: (seconds: number, toolCallId: string, success = true) => ({
    type: 'tool.execution_complete',
    data: { toolCallId, success },
    timestamp: at(seconds),
  }),
};

export const command = (id: string, line = 'npm run unit') => [id, 'run_in_terminal', { command: line }] as const;
export const read = (id: string, filePath = '/proj/a.txt') => [id, 'read_file', { filePath }] as const;

export const terminal = (toolCallId: string, exitCode?: number, text?: string) => ({
  kind: 'toolInvocationSerialized',
  toolCallId,
  toolId: 'run_in_terminal',
  isConfirmed: { type: 1 },
  toolSpecificData: {
    kind: 'terminal',
    commandLine: { original: 'npm run unit' },
    terminalCommandState: exitCode === undefined ? {} : { exitCode, duration: 20 },
    ...(text !== undefined && { terminalCommandOutput: { text, lineCount: 1 } }),
  },
});

export const tool = (toolCallId: string, toolId: string) => ({
  kind: 'toolInvocationSerialized',
  toolCallId,
  toolId,
  isConfirmed: { type: 1 },
});

export const request = (text: string, more: object = {}, seconds = 0.1) => ({
  requestId: `request_${text}`,
  timestamp: START + seconds * 1_000,
  message: { text },
  modelId: 'copilot/gpt-small',
  modelState: { value: 0 },
  response: [],
  ...more,
});

export const whole = (...requests: readonly object[]) => ({
  kind: 0,
  v: { version: 3, creationDate: START, sessionId: SESSION, requests },
});
export const push = (index: number, ...parts: readonly object[]) => ({
  kind: 2,
  k: ['requests', index, 'response'],
  v: parts,
});
export const set = (index: number, key: string, v: unknown) => ({ kind: 1, k: ['requests', index, key], v });
/** The end of a turn: what the model received for each call, by id. */
export const result = (results: Readonly<Record<string, string>>, rounds: readonly object[] = []) => ({
  metadata: {
    toolCallRounds: rounds,
    toolCallResults: Object.fromEntries(
      Object.entries(results).map(([id, value]) => [`${id}__vscode-1795341859307`, { content: [{ value }] }]),
    ),
  },
});
