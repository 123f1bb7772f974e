import { CLAUDE_HOOK_EVENTS, claudeHookForm } from '../../../src/agents/claude-code/bridge-hook';
import { CODEX_HOOK_EVENTS, codexHookForm } from '../../../src/agents/codex/bridge-hook';
import { COPILOT_HOOK_EVENTS, copilotHookForm } from '../../../src/agents/copilot/bridge-hook';
import { GEMINI_HOOK_EVENTS, geminiHookForm } from '../../../src/agents/gemini/bridge-hook';
import { parseMessage, parseReceipt } from '../../../src/agents/inbox/messages/schema';
import type { InboxMessage } from '../../../src/core/model';
import { parseJson } from '../../../src/base/util/json';
import { textsBelow } from '../seeds';
import { json, jsonReader } from './reader';

const MESSAGE = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

const message = {
  v: 1,
  id: MESSAGE,
  t: '2026-11-20T18:53:50.123Z',
  session: 's1',
  agent: 'codex',
  kind: 'nudge',
  text: `Read the error first.\n[unstuck ${MESSAGE}]`,
  incident: '01ARZ3NDEKTSV4RRFFQ69G5FAX',
  attempt: 1,
  from: 'unstuck',
  automated: true,
  expires: '2036-11-20T19:03:50.123Z',
};

/** Messages and receipts of an inbox. */
export const inbox = jsonReader(
  'inbox',
  json(
    message,
    { ...message, kind: 'block', call: { name: 'shell', args: { command: 'npm test' } } },
    { ...message, kind: 'restart', restart: { mode: 'fresh', prompt: 'Begin anew.', model: 'm', thinking: 'high' } },
    { ...message, kind: 'reassign', task: { to: 's2', avoid: ['npm test'], prompt: 'Go on.' } },
    { v: 1, t: message.t, id: MESSAGE, state: 'taken', by: 'hook:Stop', outcome: 'changed', reason: 'expired' },
  ),
  (input) => {
    const read = parseMessage(input, MESSAGE);
    if (!read.ok && (read.error.why === '' || read.error.why.length > 300)) throw new Error('no short reason');
    parseReceipt(input);
  },
);

const FORMS = [claudeHookForm, codexHookForm, geminiHookForm, copilotHookForm];
const EVENTS = [...CLAUDE_HOOK_EVENTS, ...CODEX_HOOK_EVENTS, ...GEMINI_HOOK_EVENTS, ...COPILOT_HOOK_EVENTS, 'toString'];
const waiting = ['nudge', 'stop', 'block'].map(
  (kind) => ({ ...message, kind, call: { name: 'Bash', args: { command: 'npm test' } } }) as InboxMessage,
);

/** An agent's input to its hook while messages wait. */
export const hook = jsonReader(
  'hook',
  [
    ...textsBelow('test/unit/agents/hook-bridges/fixtures').flatMap(({ text }) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.stringify((JSON.parse(line) as { payload: unknown }).payload)),
    ),
    ...json({
      session_id: 's1',
      transcript_path: '/t.jsonl',
      cwd: '/work',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'npm test' },
      tool_calls: [{ tool_name: 'Bash', tool_input: { command: 'npm test' } }],
      stop_hook_active: false,
    }),
  ],
  (input) => {
    const payload = parseJson(input);
    for (const form of FORMS) {
      for (const event of EVENTS) {
        const request = form.read(event, payload, {}, () => null);
        if (!request) continue;
        request.ready?.({ now: () => 0, small: () => input, end: () => input });
        const answer = form.answer(event, request.choose(waiting), ['/work/wake'], payload);
        if (answer.exitCode !== 0 && answer.exitCode !== 2) throw new Error(`exit code ${String(answer.exitCode)}`);
        if (answer.stdout !== '') JSON.parse(answer.stdout);
      }
    }
  },
);
