/** A session of Codex in a terminal as it writes it, for a process that has its transcript open until it ends. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @param {object} options
 * @param {string} options.home
 * @param {string} options.workspace
 * @param {number} options.number makes the ids of this session
 * @param {() => number} options.now the agent's clock, milliseconds since the epoch
 */
export function codex({ home, workspace, number, now }) {
  const session = `01a1c4af-8680-7c9e-89a9-c743bfc7dc${String(number).padStart(2, '0')}`;
  const begun = new Date(now()).toISOString();
  const name = `rollout-${begun.slice(0, 19).replaceAll(':', '-')}-${session}.jsonl`;
  const file = join(home, '.codex/sessions', begun.slice(0, 10).replaceAll('-', '/'), name);
  fs.mkdirSync(dirname(file), { recursive: true });
  let ordinal = 0;
  let turn = 0;
  let calls = 0;

  const append = (/** @type {string} */ type, /** @type {object} */ payload) => {
    fs.appendFileSync(
      file,
      `${JSON.stringify({ timestamp: new Date(now()).toISOString(), ordinal: ordinal++, type, payload })}\n`,
    );
    fs.utimesSync(file, now() / 1000, now() / 1000);
  };
  const turnId = () =>
    `01a1c4af-8e50-7d00-8467-5adc1cc8${String(number).padStart(2, '0')}${String(turn).padStart(2, '0')}`;
  const item = (/** @type {object} */ of) =>
    append('event_msg', { type: 'item_completed', thread_id: session, turn_id: turnId(), item: of });
  append('session_meta', {
    id: session,
    session_id: session,
    timestamp: begun,
    cwd: workspace,
    originator: 'codex-tui',
    cli_version: '0.169.0',
    source: 'cli',
    thread_source: 'user',
    model_provider: 'openai',
    git: { branch: 'main' },
  });
  const open = fs.openSync(file, 'a');
  const child = spawn('/bin/bash', ['-c', 'exec -a codex sleep 100000'], {
    cwd: workspace,
    stdio: ['ignore', 'ignore', 'ignore', open],
  });
  fs.closeSync(open);

  const makesCall = (/** @type {string} */ cmd) =>
    append('response_item', {
      type: 'function_call',
      name: 'exec_command',
      arguments: JSON.stringify({ cmd }),
      call_id: `call_${number}_${++calls}`,
    });
  /** Ends the command of the last call. */
  const ran = (/** @type {string} */ cmd, /** @type {string} */ output, /** @type {number} */ secs) =>
    item({
      type: 'CommandExecution',
      id: `call_${number}_${calls}`,
      command: ['/bin/bash', '-lc', cmd],
      cwd: `file://${workspace}`,
      status: 'completed',
      aggregated_output: output,
      exit_code: 0,
      duration: { secs, nanos: 0 },
    });

  return {
    session,
    file,
    prompt: (/** @type {string} */ text, mode = 'default') => {
      turn++;
      append('event_msg', {
        type: 'task_started',
        turn_id: turnId(),
        started_at: Math.floor(now() / 1000),
        model_context_window: 258_400,
        collaboration_mode_kind: mode,
        turn_attribution: { turn_trigger: 'user' },
      });
      append('turn_context', {
        turn_id: turnId(),
        cwd: workspace,
        approval_policy: 'never',
        model: 'gpt-5.5',
        collaboration_mode: { mode },
        sandbox_policy: { type: 'danger-full-access' },
      });
      append('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
      item({ type: 'UserMessage', id: `user_${number}_${turn}`, content: [{ type: 'text', text, text_elements: [] }] });
    },
    call: makesCall,
    /** The result of the last call. */
    result: (/** @type {string} */ cmd, /** @type {string} */ output) => {
      const id = `call_${number}_${calls}`;
      ran(cmd, output, 1);
      const told = `Wall time: 1.0000 seconds\nProcess exited with code 0\nOutput:\n${output}`;
      append('response_item', { type: 'function_call_output', call_id: id, output: told });
      append('event_msg', {
        type: 'token_count',
        info: {
          total_token_usage: { total_tokens: 6_900 * calls },
          last_token_usage: { total_tokens: 6_900 + 40 * calls },
          model_context_window: 258_400,
        },
      });
    },
    /** Starts a command that is still running when its call is answered. */
    leaves: (/** @type {string} */ cmd) => {
      makesCall(cmd);
      append('response_item', {
        type: 'function_call_output',
        call_id: `call_${number}_${calls}`,
        output: `Wall time: 1.0000 seconds\nProcess running with session ID ${1000 + calls}\nOutput:\n`,
      });
    },
    /** Ends the command of the last call. */
    leftEnds: (/** @type {string} */ cmd, /** @type {string} */ output) => ran(cmd, output, 45),
    spawns: (/** @type {string} */ message, /** @type {string} */ thread) => {
      const id = `call_${number}_${++calls}`;
      append('response_item', {
        type: 'function_call',
        name: 'spawn_agent',
        namespace: 'multi_agent_v1',
        arguments: JSON.stringify({ message }),
        call_id: id,
      });
      item({
        type: 'CollabAgentToolCall',
        id,
        tool: 'spawn_agent',
        status: 'completed',
        receiver_thread_ids: [thread],
      });
      append('response_item', {
        type: 'function_call_output',
        call_id: id,
        output: JSON.stringify({ agent_id: thread, nickname: 'Ptolemy' }),
      });
    },
    childEnds: (/** @type {string} */ thread, /** @type {string} */ text) => {
      const notice = JSON.stringify({ agent_path: thread, status: { completed: text } });
      append('response_item', {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: `<subagent_notification>\n${notice}\n</subagent_notification>` }],
      });
    },
    answer: (/** @type {string} */ text) => {
      item({ type: 'AgentMessage', id: `msg_${number}_${ordinal}`, content: [{ type: 'Text', text }] });
      append('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });
      append('event_msg', { type: 'task_complete', turn_id: turnId(), last_agent_message: text, duration_ms: 60_000 });
    },
    end: () => void child.kill('SIGKILL'),
  };
}
