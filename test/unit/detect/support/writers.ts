import type { AgentAdapter } from '../../../../src/agents/adapter';
import { atif } from '../../../../src/agents/atif';
import { claudeCode } from '../../../../src/agents/claude-code';
import { codex } from '../../../../src/agents/codex';
import { copilot } from '../../../../src/agents/copilot';
import { gemini } from '../../../../src/agents/gemini';
import { generic } from '../../../../src/agents/generic';
import { qwen } from '../../../../src/agents/qwen';
import type { AgentEvent } from '../../../../src/model';

/** What an agent does, whatever writes it down. */
export type Act =
  /** Runs a command; `fails`: with exit code 1. */
  | { readonly does: 'run'; readonly command: string; readonly output: string; readonly fails?: boolean }
  | { readonly does: 'read'; readonly path: string }
  | { readonly does: 'edit'; readonly path: string; readonly from: string; readonly to: string }
  | { readonly does: 'write'; readonly path: string; readonly text: string }
  | { readonly does: 'say'; readonly text: string }
  | { readonly does: 'prompt'; readonly text: string }
  | { readonly does: 'compact' }
  /** So many tokens of its context are used. */
  | { readonly does: 'use'; readonly tokens: number }
  /** The model's service refuses a request. */
  | { readonly does: 'refused' }
  /** Calls a tool that does not exist. */
  | { readonly does: 'unknown tool'; readonly name: string }
  /** Says that it is done. */
  | { readonly does: 'claim' }
  /** A program gives feedback. */
  | { readonly does: 'feedback'; readonly text: string }
  | { readonly does: 'wait'; readonly seconds: number };

export interface Format {
  readonly name: string;
  readonly adapter: AgentAdapter;
  /** Acts for which this format has no record, or whose record does not hold what is needed. */
  readonly lacks: ReadonlySet<Act['does']>;
  /** Detectors whose signal these records do not carry. */
  readonly silent?: ReadonlySet<string>;
  /** The records of the acts, `at` moving by two seconds with each. */
  readonly records: (acts: readonly Act[]) => readonly object[];
}

const CWD = '/home/dev/project';
const SESSION = '11111111-0000-4000-8000-0000000000aa';
const BEGIN = Date.parse('2026-11-20T12:00:00Z');

interface Call {
  readonly id: string;
  readonly tool: 'bash' | 'read' | 'edit' | 'write' | string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly output: string;
  readonly fails: boolean;
}

/** The call that an act makes, with the names of arguments that most agents use; null where it makes none. */
function callOf(act: Act, id: string): Call | null {
  switch (act.does) {
    case 'run':
      return { id, tool: 'bash', args: { command: act.command }, output: act.output, fails: act.fails === true };
    case 'read':
      return { id, tool: 'read', args: { file_path: act.path }, output: `content of ${act.path}`, fails: false };
    case 'edit': {
      const args = { file_path: act.path, old_string: act.from, new_string: act.to };
      return { id, tool: 'edit', args, output: `The file ${act.path} has been updated.`, fails: false };
    }
    case 'write': {
      const args = { file_path: act.path, content: act.text };
      return { id, tool: 'write', args, output: `File created at ${act.path}`, fails: false };
    }
    default:
      return null;
  }
}

type Write = (act: Act, call: Call | null, t: string, n: number) => readonly object[];

/** Writes act after act, each two seconds later. */
function each(write: Write, head: (t: string) => readonly object[]): Format['records'] {
  return (acts) => {
    let at = BEGIN;
    const records = [...head(new Date(at).toISOString())];
    for (const [n, act] of acts.entries()) {
      at += act.does === 'wait' ? act.seconds * 1000 : 2000;
      records.push(...write(act, callOf(act, `call_${n}`), new Date(at).toISOString(), n));
    }
    return records;
  };
}

const genericFormat: Format = {
  name: 'generic',
  adapter: generic,
  lacks: new Set(),
  records: each(
    (act, call, t) => {
      const line = (type: string, fields: object = {}) => ({ v: 1, t, type, ...fields });
      if (call)
        return [
          line('tool_call', { id: call.id, name: call.tool, args: call.args }),
          line('tool_result', { id: call.id, output: call.output, isError: call.fails }),
        ];
      switch (act.does) {
        case 'say':
          return [line('assistant', { text: act.text })];
        case 'prompt':
          return [line('user', { text: act.text })];
        case 'feedback':
          return [line('user', { text: act.text, automated: true })];
        case 'compact':
          return [line('compaction')];
        case 'use':
          return [line('usage', { contextTokens: act.tokens, contextWindow: 200_000 })];
        case 'refused':
          return [line('error', { kind: 'rate_limit', message: '529 Overloaded' })];
        case 'unknown tool':
          return [line('error', { kind: 'validation', message: `unknown tool ${act.name}` })];
        case 'claim':
          return [line('completion', { claim: 'TASK_COMPLETE' })];
        case 'wait':
          return [line('clock')];
        default:
          return [];
      }
    },
    (t) => [{ v: 1, t, type: 'session_start', cwd: CWD }],
  ),
};

const CLAUDE_TOOLS: Readonly<Record<string, string>> = { bash: 'Bash', read: 'Read', edit: 'Edit', write: 'Write' };

const claudeFormat: Format = {
  name: 'claude-code',
  adapter: claudeCode,
  lacks: new Set(['claim', 'feedback']),
  records: each(
    (act, call, t, n) => {
      const line = (type: string, fields: object) => ({
        type,
        uuid: `u${n}-${type}`,
        timestamp: t,
        sessionId: SESSION,
        cwd: CWD,
        version: '2.1.329',
        isSidechain: false,
        ...fields,
      });
      const assistant = (content: object, used = 1000) =>
        line('assistant', {
          message: {
            id: `msg_${n}`,
            type: 'message',
            role: 'assistant',
            model: 'claude-opus-5-5',
            content: [content],
            stop_reason: 'tool_use',
            usage: {
              input_tokens: used,
              output_tokens: 10,
              cache_read_input_tokens: 0,
              cache_creation_input_tokens: 0,
            },
          },
        });
      const result = (id: string, content: string, isError: boolean) =>
        line('user', {
          message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] },
        });
      if (call)
        return [
          assistant({ type: 'tool_use', id: call.id, name: CLAUDE_TOOLS[call.tool], input: call.args }),
          result(call.id, call.fails ? `Exit code 1\n${call.output}` : call.output, call.fails),
        ];
      switch (act.does) {
        case 'say':
          return [assistant({ type: 'text', text: act.text })];
        case 'prompt':
          return [line('user', { message: { role: 'user', content: act.text } })];
        case 'compact':
          return [
            line('system', {
              subtype: 'compact_boundary',
              content: 'Conversation compacted',
              compactMetadata: { trigger: 'auto', preTokens: 168_000, postTokens: 2600 },
            }),
          ];
        case 'use':
          return [assistant({ type: 'text', text: `step ${n}` }, act.tokens)];
        case 'refused':
          return [
            line('system', {
              subtype: 'api_error',
              level: 'error',
              error: {
                status: 529,
                error: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
              },
              retryInMs: 500,
              retryAttempt: 1,
              maxRetries: 10,
            }),
          ];
        case 'unknown tool':
          return [
            assistant({ type: 'tool_use', id: `bad_${n}`, name: act.name, input: {} }),
            result(`bad_${n}`, `<tool_use_error>Error: No such tool available: ${act.name}</tool_use_error>`, true),
          ];
        case 'wait':
          return [line('system', { subtype: 'informational', content: 'tick' })];
        default:
          return [];
      }
    },
    () => [],
  ),
};

const codexFormat: Format = {
  name: 'codex',
  adapter: codex,
  lacks: new Set(['refused', 'claim', 'feedback', 'read']),
  // its edits are patches, whose lines of context fit only if the agent knew the file
  silent: new Set(['premature_action']),
  records: each(
    (act, call, t, n) => {
      const line = (type: string, payload: object) => ({ timestamp: t, type, payload });
      const called = (id: string, name: string, args: object) =>
        line('response_item', { type: 'function_call', name, arguments: JSON.stringify(args), call_id: id });
      const answered = (id: string, output: string) =>
        line('response_item', { type: 'function_call_output', call_id: id, output });
      if (call) {
        if (call.tool === 'bash')
          return [
            called(call.id, 'exec_command', { cmd: call.args['command'] }),
            answered(
              call.id,
              `Chunk ID: ${n}\nWall time: 0.1 seconds\nProcess exited with code ${call.fails ? 1 : 0}\nOutput:\n${call.output}`,
            ),
          ];
        const { file_path: path, old_string: from, new_string: to, content } = call.args as Record<string, string>;
        const patch =
          call.tool === 'edit'
            ? `*** Update File: ${path}\n@@\n-${from}\n+${to}`
            : `*** Add File: ${path}\n${String(content).replace(/^/gm, '+')}`;
        return [
          line('response_item', {
            type: 'custom_tool_call',
            status: 'completed',
            call_id: call.id,
            name: 'apply_patch',
            input: `*** Begin Patch\n${patch}\n*** End Patch`,
          }),
          line('response_item', {
            type: 'custom_tool_call_output',
            call_id: call.id,
            output: 'Exit code: 0\nSuccess.',
          }),
        ];
      }
      switch (act.does) {
        case 'say':
          return [
            line('response_item', {
              type: 'message',
              role: 'assistant',
              content: [{ type: 'output_text', text: act.text }],
            }),
          ];
        case 'prompt':
          return [line('event_msg', { type: 'user_message', message: act.text })];
        case 'compact':
          return [line('compacted', { message: 'Summary of what was done.', replacement_history: [] })];
        case 'use': {
          const usage = { input_tokens: act.tokens, output_tokens: 10, total_tokens: act.tokens + 10 };
          return [
            line('event_msg', {
              type: 'token_count',
              info: { total_token_usage: usage, last_token_usage: usage, model_context_window: 200_000 },
            }),
          ];
        }
        case 'unknown tool':
          return [called(`bad_${n}`, act.name, {}), answered(`bad_${n}`, `unsupported call: ${act.name}`)];
        case 'wait':
          return [line('event_msg', { type: 'agent_reasoning_section_break' })];
        default:
          return [];
      }
    },
    (t) => [
      { timestamp: t, type: 'session_meta', payload: { id: SESSION, timestamp: t, cwd: CWD, cli_version: '0.169.0' } },
    ],
  ),
};

const GEMINI_TOOLS: Readonly<Record<string, string>> = {
  bash: 'run_shell_command',
  read: 'read_file',
  edit: 'replace',
  write: 'write_file',
};

const geminiFormat: Format = {
  name: 'gemini-cli',
  adapter: gemini,
  lacks: new Set(['compact', 'use', 'refused', 'claim', 'feedback', 'wait']),
  records: each(
    (act, call, t, n) => {
      const said = (fields: object) => ({ id: `m${n}`, timestamp: t, type: 'gemini', content: '', ...fields });
      const calls = (
        name: string | undefined,
        args: object,
        output: string,
        fails: boolean,
        id: string,
        status = 'success',
      ) =>
        said({
          toolCalls: [
            {
              id,
              name,
              args,
              status,
              timestamp: t,
              result: [
                {
                  functionResponse: {
                    id,
                    name,
                    response: fails && status === 'error' ? { error: output } : { output },
                  },
                },
              ],
            },
          ],
        });
      if (call)
        return [
          calls(
            GEMINI_TOOLS[call.tool],
            call.args,
            call.tool === 'bash' ? `Output: ${call.output}\nExit Code: ${call.fails ? 1 : 0}` : call.output,
            call.fails,
            call.id,
          ),
        ];
      switch (act.does) {
        case 'say':
          return [said({ content: act.text })];
        case 'prompt':
          return [{ id: `m${n}`, timestamp: t, type: 'user', content: [{ text: act.text }] }];
        case 'unknown tool':
          return [calls(act.name, {}, `Tool "${act.name}" not found in registry.`, true, `bad_${n}`, 'error')];
        default:
          return [];
      }
    },
    (t) => [{ sessionId: SESSION, projectHash: 'e0c4', startTime: t, lastUpdated: t, kind: 'main' }],
  ),
};

const COPILOT_TOOLS: Readonly<Record<string, string>> = { bash: 'bash', read: 'view', edit: 'edit', write: 'create' };

const copilotFormat: Format = {
  name: 'copilot-cli',
  adapter: copilot,
  lacks: new Set(['compact', 'use', 'refused', 'claim', 'feedback', 'wait']),
  records: each(
    (act, call, t, n) => {
      const line = (type: string, data: object) => ({ type, data, id: `e${n}-${type}`, timestamp: t, parentId: null });
      const called = (id: string, toolName: string | undefined, args: object) =>
        line('tool.execution_start', { toolCallId: id, toolName, arguments: args, turnId: '0' });
      if (call) {
        const shell = call.tool === 'bash';
        return [
          called(call.id, COPILOT_TOOLS[call.tool], call.args),
          line('tool.execution_complete', {
            toolCallId: call.id,
            success: true,
            ...(shell && { shellExecution: { exitCode: call.fails ? 1 : 0 } }),
            result: {
              content: shell
                ? `${call.output}\n<shellId: 0 completed with exit code ${call.fails ? 1 : 0}>`
                : call.output,
            },
          }),
        ];
      }
      switch (act.does) {
        case 'say':
          return [line('assistant.message', { messageId: `m${n}`, content: act.text, toolRequests: [], turnId: '0' })];
        case 'prompt':
          return [line('user.message', { content: act.text, messageId: `u${n}`, turnId: '0' })];
        case 'unknown tool':
          return [
            called(`bad_${n}`, act.name, {}),
            line('tool.execution_complete', {
              toolCallId: `bad_${n}`,
              success: false,
              error: { message: `Tool '${act.name}' does not exist.`, code: 'failure' },
            }),
          ];
        default:
          return [];
      }
    },
    (t) => [
      {
        type: 'session.start',
        data: { sessionId: SESSION, version: 1, copilotVersion: '1.0.102', startTime: t, context: { cwd: CWD } },
        id: 'e0',
        timestamp: t,
        parentId: null,
      },
    ],
  ),
};

const qwenFormat: Format = {
  name: 'qwen-code',
  adapter: qwen,
  lacks: new Set(['use', 'refused', 'claim', 'feedback', 'wait']),
  records: each(
    (act, call, t, n) => {
      const line = (type: string, fields: object) => ({
        uuid: `u${n}-${type}`,
        parentUuid: null,
        sessionId: SESSION,
        timestamp: t,
        type,
        cwd: CWD,
        version: '0.15.10',
        ...fields,
      });
      const called = (id: string, name: string | undefined, args: object) =>
        line('assistant', { message: { role: 'model', parts: [{ functionCall: { id, name, args } }] } });
      const answered = (id: string, name: string | undefined, response: object, status: string) =>
        line('tool_result', {
          message: { role: 'user', parts: [{ functionResponse: { id, name, response } }] },
          toolCallResult: { callId: id, status },
        });
      if (call) {
        const name = GEMINI_TOOLS[call.tool];
        const output =
          call.tool === 'bash'
            ? `Command: ${String(call.args['command'])}\nOutput: ${call.output}\nError: (none)\nExit Code: ${call.fails ? 1 : 0}`
            : call.output;
        return [called(call.id, name, call.args), answered(call.id, name, { output }, 'success')];
      }
      switch (act.does) {
        case 'say':
          return [line('assistant', { message: { role: 'model', parts: [{ text: act.text }] } })];
        case 'prompt':
          return [line('user', { message: { role: 'user', parts: [{ text: act.text }] } })];
        case 'compact':
          return [
            line('system', {
              subtype: 'chat_compression',
              systemPayload: { info: { originalTokenCount: 94_000, newTokenCount: 2000, compressionStatus: 1 } },
            }),
          ];
        case 'unknown tool':
          return [
            called(`bad_${n}`, act.name, {}),
            answered(`bad_${n}`, act.name, { error: `Tool "${act.name}" not found in registry.` }, 'error'),
          ];
        default:
          return [];
      }
    },
    () => [],
  ),
};

const atifFormat: Format = {
  name: 'atif',
  adapter: atif,
  lacks: new Set(['compact', 'use', 'refused', 'claim', 'feedback', 'wait', 'unknown tool']),
  records: each(
    (act, call, t, n) => {
      const step = (source: string, message: string, more: object = {}) => ({
        step_id: n + 1,
        timestamp: t,
        source,
        message,
        ...more,
      });
      if (call)
        return [
          step('agent', '', {
            tool_calls: [{ tool_call_id: call.id, function_name: call.tool, arguments: call.args }],
            observation: {
              results: [
                {
                  source_call_id: call.id,
                  content: call.fails ? `${call.output}\n[Command finished with exit code 1]` : call.output,
                },
              ],
            },
          }),
        ];
      switch (act.does) {
        case 'say':
          return [step('agent', act.text)];
        case 'prompt':
          return [step('user', act.text)];
        default:
          return [];
      }
    },
    () => [],
  ),
};

export const FORMATS: readonly Format[] = [
  genericFormat,
  claudeFormat,
  codexFormat,
  geminiFormat,
  copilotFormat,
  qwenFormat,
  atifFormat,
];

/** The events that a format's own decoder makes of its records. */
export function decoded({ adapter, records }: Format, acts: readonly Act[]): AgentEvent[] {
  const events: AgentEvent[] = [];
  const sink = { event: (event: AgentEvent) => void events.push(event), problem: () => undefined };
  const decoder = adapter.createDecoder({ file: `/t/${SESSION}.jsonl`, readSmall: () => undefined });
  if (decoder.unit === 'line') {
    let offset = 0;
    for (const [index, record] of records(acts).entries()) {
      const text = JSON.stringify(record);
      decoder.decode({ text, line: index + 1, offset }, sink);
      offset += text.length + 1;
    }
  } else if (decoder.unit === 'document') {
    decoder.decode(
      JSON.stringify({
        schema_version: 'ATIF-v1.6',
        session_id: SESSION,
        agent: { name: 'an agent', version: '1', model_name: 'm' },
        steps: records(acts),
      }),
      sink,
    );
  }
  return events;
}
