import { describe, expect, it } from 'vitest';
import { miniSweAgent, miniSweAgentLog } from '../../../../src/agents/mini-swe-agent/adapter';
import { registry } from '../../../../src/agents/registry';
import { recognise } from '../../../../src/engine/follow/recognise';
import type { AgentEvent } from '../../../../src/core/model';
import { decodeAny } from '../fuzz';
import { fc, test } from '../shared/property';

const types = (events: readonly AgentEvent[]) =>
  events.filter((event) => event.type !== 'other').map((event) => event.type);
const only = <T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
const block = (command: string) => `THOUGHT: so.\n\n\`\`\`bash\n${command}\n\`\`\``;
const says = (content: string, more: object = {}) => ({ role: 'assistant', content, ...more });
const replies = (content: string) => ({ role: 'user', content });
const run = (...messages: object[]) =>
  decodeAny(miniSweAgent, [
    JSON.stringify({
      trajectory_format: 'mini-swe-agent-1',
      messages: [{ role: 'system', content: 's' }, replies('Task'), ...messages],
    }),
  ]).events;

describe('a mini-swe-agent trajectory', () => {
  it('pairs each command with the answer that follows it', () => {
    const events = run(says(block('pytest -q')), replies('<returncode>1</returncode>\n<output>\n1 failed\n</output>'));
    expect(types(events)).toEqual(['session_info', 'user', 'assistant', 'tool_call', 'tool_result']);
    expect(only(events, 'tool_result')[0]).toMatchObject({ isError: true, exitCode: 1, output: '1 failed' });
  });

  it('treats an answer that was refused as malformed', () => {
    const refusal = replies('Please always provide EXACTLY ONE action in triple backticks, found 2 actions.');
    expect(types(run(says(`${block('ls')}\n${block('pwd')}`), refusal)).slice(2)).toEqual(['assistant', 'error']);
    expect(types(run(says('I am done.'), refusal)).slice(2)).toEqual(['assistant', 'error']);
  });

  it('shows the end of the run, and the claim to be done', () => {
    const events = run(says(block('echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT')), replies('diff'), {
      role: 'exit',
      content: '',
      extra: { exit_status: 'LimitsExceeded' },
    });
    expect(types(events).slice(-2)).toEqual(['completion', 'session_end']);
    expect(only(events, 'session_end')[0]?.reason).toBe('error');
  });

  it('may contain tool calls of newer versions', () => {
    const events = run(
      says('So.', {
        extra: {
          actions: [
            { command: 'ls', tool_call_id: 'call_1' },
            { command: 'pwd', tool_call_id: 'call_2' },
          ],
          response: { usage: { prompt_tokens: 9, completion_tokens: 1 } },
        },
      }),
      { role: 'tool', tool_call_id: 'call_2', content: '<returncode>0</returncode>\n<output>\n/p\n</output>' },
      { role: 'tool', tool_call_id: 'call_1', content: '<returncode>0</returncode>\n<output>\na\n</output>' },
    );
    expect(only(events, 'tool_result').map((one) => [one.id, one.output])).toEqual([
      ['call_2', '/p'],
      ['call_1', 'a'],
    ]);
    expect(only(events, 'usage')).toMatchObject([{ contextTokens: 10 }]);
  });
});

/** A run of 2.x: its configuration comes first, the mark of the format last, and records of the harness itself have no time. */
const DAY = Date.UTC(2026, 2, 16);
const answer = (n: number) => {
  const timestamp = DAY / 1000 + n * 5;
  const message = { content: 'So.', role: 'assistant', tool_calls: [{ id: `call_${n}`, function: { name: 'bash' } }] };
  const actions = [{ command: 'ls', tool_call_id: `call_${n}` }];
  return { ...message, extra: { actions, response: { id: 'r', choices: [{ index: 0, message }] }, timestamp } };
};
const observation = (n: number) => ({
  role: 'tool',
  tool_call_id: `call_${n}`,
  content: '<returncode>0</returncode>\n<output>\na\n</output>',
  extra: { timestamp: DAY / 1000 + n * 5 + 1 },
});
const refusal = {
  role: 'user',
  content: 'Bitte genau ein Werkzeug aufrufen.',
  extra: { interrupt_type: 'FormatError' },
};
const ofTwo = (...messages: object[]) =>
  JSON.stringify(
    {
      info: { model_stats: {}, config: { agent: { system_template: 'x'.repeat(70_000) } }, mini_version: '2.2.4' },
      messages: [{ role: 'system', content: 's' }, replies('Task'), ...messages],
      trajectory_format: 'mini-swe-agent-1.1',
    },
    null,
    2,
  );

describe('a trajectory of 2.x', () => {
  it('is recognised by its name until it was read, and then distinguished from one of another agent', () => {
    const head = ofTwo().slice(0, 65_536);
    expect(head).not.toContain('"role"');
    expect(recognise(registry, head, '/runs/a.traj.json')?.id).toBe('mini-swe-agent');
    const other = JSON.stringify({ messages: [], trajectory_format: 'other-1' });
    expect(decodeAny(miniSweAgent, [other])).toMatchObject({
      events: [],
      problems: [{ why: 'a trajectory of another agent' }],
    });
  });

  it('is read to its last message, each call counted once', () => {
    const text = ofTwo(answer(1), observation(1), refusal, answer(2), observation(2));
    const { events } = decodeAny(miniSweAgent, [text]);
    expect(types(events).slice(2)).toEqual([
      'assistant',
      'tool_call',
      'tool_result',
      'error',
      'assistant',
      'tool_call',
      'tool_result',
    ]);
    expect(only(events, 'error')[0]).toMatchObject({ kind: 'validation', message: refusal.content });
    const markers = text.split('"role": "assistant"').length - 1;
    expect(markers).toBe(4);
    expect(miniSweAgent.ownCalls?.(text, markers)).toBe(2);
  });
});

describe('the output of mini-swe-agent', () => {
  const log = [
    '\u001b[1;31mmini-swe-agent\u001b[0m\u001b[31m (step \u001b[0m\u001b[1;31m1\u001b[0m\u001b[31m, \u001b[0m\u001b[1;31m$0.00\u001b[0m\u001b[31m):\u001b[0m\r',
    '⠋ Waiting for the LM to respond...\r',
    'THOUGHT: look.',
    '```bash',
    'ls -la',
    '```',
    '04:41:47 - LiteLLM:ERROR: litellm_logging.py:4483 - Error',
    'User:',
    "ImportError: Missing dependency No module named 'backoff'.",
    'User:',
    '<returncode>2</returncode>',
    '<output>',
    'no',
    '</output>',
    '────────────────────────────────',
  ];

  it('is read between colours, spinners and warnings of a library', () => {
    const { events } = decodeAny(miniSweAgentLog, log);
    expect(types(events)).toEqual(['request', 'assistant', 'tool_call', 'tool_result']);
    expect(only(events, 'tool_call')[0]).toMatchObject({ command: 'ls -la', source: { line: 6 } });
    expect(only(events, 'tool_result')[0]).toMatchObject({ isError: true, exitCode: 2, output: 'no' });
  });

  test.prop([fc.array(fc.oneof(fc.constantFrom(...log), fc.string()), { maxLength: 60 })])(
    'is read in any order',
    (lines) => {
      decodeAny(miniSweAgentLog, lines);
    },
  );

  test.prop([fc.json({ depthSize: 'large' })])('is read as any JSON', (text) => {
    decodeAny(miniSweAgent, [
      `{"messages":[${text},{"role":"assistant","content":${text}},{"role":"user","content":${text}}]}`,
    ]);
  });
});
