/** Transcripts as the agents write them: records of recorded runs are the templates, and a step fills them in. */
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../support/vscode-host.mjs';

/**
 * @typedef {object} Writer lines with their line ends; times are those of the clock
 * @property {string} file
 * @property {() => string} head the part before the first prompt
 * @property {(text: string) => string} prompt
 * @property {(step: import('./work.mjs').Step, id: string) => [call: string, result: string]} step
 * @property {(text: string) => string} answer the turn ends with it
 * @property {() => string} outage a refused request; Claude Code only
 */
/** @typedef {{ session: string, home: string, workspace: string, now: () => number }} WriterOptions */

const recorded = (/** @type {string} */ path) =>
  fs
    .readFileSync(join(projectRoot, 'test/golden/fixtures', path), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** @type {Record<string, (options: WriterOptions) => Writer>} */
export const WRITERS = { 'claude-code': claudeCode, codex, gemini };

const CLAUDE = recorded('claude-code/h-healthy-15-steps.jsonl');
const API_ERRORS = recorded('claude-code/k-api-errors-retry.jsonl').filter((record) => record.subtype === 'api_error');

/** @param {WriterOptions} options @returns {Writer} */
function claudeCode({ session, home, workspace, now }) {
  let parent = null;
  let count = 0;
  const own = (record, fields) => {
    const uuid = `${session.slice(0, 24)}${String(count++).padStart(12, '0')}`;
    const made = { ...record, ...fields, sessionId: session };
    if ('timestamp' in record) made.timestamp = new Date(now()).toISOString();
    if ('cwd' in record) made.cwd = workspace;
    if ('uuid' in record) made.uuid = uuid;
    if ('parentUuid' in record) {
      made.parentUuid = parent;
      parent = uuid;
    }
    return `${JSON.stringify(made)}\n`;
  };
  const isPrompt = (record) => record.type === 'user' && typeof record.message.content === 'string';
  const promptRecord = CLAUDE.find(isPrompt);
  const spoken = CLAUDE.filter((record) => record.type === 'assistant');
  const calling = spoken.find((record) => record.message.content[0].type === 'tool_use');
  const ending = spoken.findLast((record) => record.message.stop_reason === 'end_turn');
  const resultFor = CLAUDE.find((record) => record.type === 'user' && Array.isArray(record.message.content));
  const message = (record, id, content) => ({
    message: { ...record.message, id: `msg_${session.slice(-6)}_${id}`, content: [content] },
  });
  return {
    file: join(home, '.claude/projects', workspace.replace(/[^A-Za-z0-9]/g, '-'), `${session}.jsonl`),
    head: () =>
      CLAUDE.slice(0, CLAUDE.findIndex(isPrompt))
        .map((record) => own(record, {}))
        .join(''),
    prompt: (text) => own(promptRecord, { message: { role: 'user', content: text } }),
    step: (step, id) => {
      const call = `toolu_${session.slice(-6)}_${id}`;
      const content = { type: 'tool_use', id: call, name: step.tool, input: inputOf(step, workspace) };
      const { text, toolUseResult } = resultOf(step, workspace);
      const result = { tool_use_id: call, type: 'tool_result', content: text, ...(step.failed && { is_error: true }) };
      return [
        own(calling, message(calling, id, content)),
        own(resultFor, { message: { role: 'user', content: [result] }, toolUseResult }),
      ];
    },
    answer: (text) => own(ending, message(ending, `end_${count}`, { type: 'text', text })),
    outage: () => own(API_ERRORS[count % API_ERRORS.length], {}),
  };
}

function inputOf(step, workspace) {
  switch (step.tool) {
    case 'Bash':
      return { command: step.command, description: 'Runs a command' };
    case 'Read':
      return { file_path: join(workspace, step.path) };
    case 'Edit':
      return {
        replace_all: false,
        file_path: join(workspace, step.path),
        old_string: step.before,
        new_string: step.after,
      };
    case 'Write':
      return { file_path: join(workspace, step.path), content: step.text };
    default:
      throw new Error('no such tool');
  }
}

function resultOf(step, workspace) {
  switch (step.tool) {
    case 'Bash': {
      const done = { stdout: step.output, stderr: '', interrupted: false, isImage: false, noOutputExpected: false };
      return { text: step.output, toolUseResult: step.failed ? `Error: ${step.output}` : done };
    }
    case 'Read': {
      const lines = step.output.split('\n');
      const file = {
        filePath: join(workspace, step.path),
        content: step.output,
        numLines: lines.length,
        startLine: 1,
        totalLines: lines.length,
      };
      return {
        text: lines.map((line, index) => `${index + 1}\t${line}`).join('\n'),
        toolUseResult: { type: 'text', file },
      };
    }
    case 'Edit': {
      const filePath = join(workspace, step.path);
      const text = `The file ${filePath} has been updated successfully. (file state is current in your context — no need to Read it back)`;
      return {
        text,
        toolUseResult: {
          filePath,
          oldString: step.before,
          newString: step.after,
          userModified: false,
          replaceAll: false,
        },
      };
    }
    case 'Write': {
      const filePath = join(workspace, step.path);
      const text = `File created successfully at: ${filePath} (file state is current in your context — no need to Read it back)`;
      return { text, toolUseResult: { type: 'create', filePath, content: step.text, structuredPatch: [] } };
    }
    default:
      throw new Error('no such tool');
  }
}

const CODEX = recorded('codex/cm_b_edit_test.jsonl');

/** @param {WriterOptions} options @returns {Writer} */
function codex({ session, home, workspace, now }) {
  let ordinal = 0;
  const started = new Date(now());
  const thread = CODEX[0].payload.id;
  const line = (record) => {
    const text = JSON.stringify({ ...record, timestamp: new Date(now()).toISOString(), ordinal: ordinal++ });
    return `${text.replaceAll(thread, session).replaceAll('/home/dev2/project', workspace)}\n`;
  };
  const typed = (type) => CODEX.find(({ payload }) => payload.type === type);
  const first = CODEX.findIndex(
    ({ payload }) => payload.type === 'message' && payload.role === 'user' && !payload.content[0].text.startsWith('<'),
  );
  const [called, answered, tokens] = ['custom_tool_call', 'custom_tool_call_output', 'token_count'].map(typed);
  const spoken = CODEX.findLast(({ payload }) => payload.type === 'message' && payload.role === 'assistant');
  const [day, time] = started.toISOString().slice(0, 19).split('T');
  return {
    file: join(
      home,
      '.codex/sessions',
      day.replaceAll('-', '/'),
      `rollout-${day}T${time.replaceAll(':', '-')}-${session}.jsonl`,
    ),
    head: () => CODEX.slice(0, first).map(line).join(''),
    prompt: (text) => {
      const record = CODEX[first];
      return [
        { ...typed('task_started') },
        { ...record, payload: { ...record.payload, content: [{ type: 'input_text', text }] } },
      ]
        .map(line)
        .join('');
    },
    step: (step, id) => {
      const call_id = `call_${session.slice(-6)}_${id}`;
      const { input, output } = codexStep(step);
      const told = [
        { type: 'input_text', text: 'Script completed\nWall time 0.1 seconds\nOutput:\n' },
        { type: 'input_text', text: output },
      ];
      return [
        line({ ...called, payload: { ...called.payload, id: `ctc_${id}`, call_id, input } }),
        line({ ...answered, payload: { ...answered.payload, id: `ctco_${id}`, call_id, output: told } }) + line(tokens),
      ];
    },
    answer: (text) => {
      const record = { ...spoken, payload: { ...spoken.payload, content: [{ type: 'output_text', text }] } };
      const ended = typed('task_complete');
      return [record, { ...ended, payload: { ...ended.payload, last_agent_message: text } }].map(line).join('');
    },
    outage: () => '',
  };
}

function codexStep(step) {
  const ran = (/** @type {string} */ cmd, /** @type {string} */ output, failed = false) => ({
    input: `const r = await tools.exec_command({cmd: ${JSON.stringify(cmd)}});\ntext(r);`,
    output: JSON.stringify({
      chunk_id: '509397',
      wall_time_seconds: 0.1,
      exit_code: failed ? 1 : 0,
      original_token_count: 31,
      output,
    }),
  });
  const patch = (/** @type {string} */ kind, /** @type {string} */ path, /** @type {string[]} */ lines) => ({
    input: `text(await tools.apply_patch(${JSON.stringify(`*** Begin Patch\n*** ${kind} File: ${path}\n${lines.join('\n')}\n*** End Patch`)}));`,
    output: '{}',
  });
  switch (step.tool) {
    case 'Bash':
      return ran(step.command, step.output.replace(/^Exit code 1\n/, ''), step.failed);
    case 'Read':
      return ran(`cat ${step.path}`, step.output);
    case 'Edit':
      return patch('Update', step.path, ['@@', `-${step.before}`, `+${step.after}`]);
    case 'Write':
      return patch(
        'Add',
        step.path,
        step.text.split('\n').map((text) => `+${text}`),
      );
    default:
      throw new Error('no such tool');
  }
}

const GEMINI = recorded('gemini/b_edit_test.jsonl');

/** @param {WriterOptions} options @returns {Writer} */
function gemini({ session, home, workspace, now }) {
  let count = 0;
  const id = () => `${session.slice(0, 24)}${String(count++).padStart(12, '0')}`;
  const time = () => new Date(now()).toISOString();
  const line = (record) => `${JSON.stringify(record).replaceAll('/home/dev2/project', workspace)}\n`;
  const called = GEMINI.find((record) => record.toolCalls);
  const touched = () => line({ $set: { lastUpdated: time() } });
  const stamp = time().slice(0, 16).replaceAll(':', '-');
  return {
    file: join(home, '.gemini/tmp/project/chats', `session-${stamp}-${session.slice(0, 8)}${session.slice(-4)}.jsonl`),
    head: () =>
      line({ ...GEMINI[0], sessionId: session, startTime: time(), lastUpdated: time() }) +
      line({
        $set: { messages: [{ ...GEMINI[1].$set.messages[0], id: id(), timestamp: time() }], lastUpdated: time() },
      }),
    prompt: (text) => line({ id: id(), timestamp: time(), type: 'user', content: [{ text }] }) + touched(),
    step: (step, number) => {
      const { name, args, output } = geminiStep(step);
      const call = `${name}__fc_${session.slice(-4)}${number}`;
      const response = { functionResponse: { id: call, name, response: { output } } };
      const message = { ...called, id: id(), timestamp: time(), content: '', toolCalls: undefined };
      const [tool] = called.toolCalls;
      const done = {
        ...message,
        toolCalls: [{ ...tool, id: call, name, args, result: [response], status: 'success', timestamp: time() }],
      };
      return [
        line(message) + touched(),
        line(done) + line({ id: id(), timestamp: time(), type: 'user', content: [response] }) + touched(),
      ];
    },
    answer: (text) => {
      const { toolCalls: _, ...message } = called;
      return line({ ...message, id: id(), timestamp: time(), content: text }) + touched();
    },
    outage: () => '',
  };
}

function geminiStep(step) {
  switch (step.tool) {
    case 'Bash': {
      const output = `<untrusted_context>\nOutput: ${step.output.replace(/^Exit code 1\n/, '')}${step.failed ? '\nExit Code: 1' : ''}\nProcess Group PGID: 5524\n</untrusted_context>`;
      return { name: 'run_shell_command', args: { command: step.command, description: 'Runs a command' }, output };
    }
    case 'Read':
      return { name: 'read_file', args: { file_path: step.path }, output: step.output };
    case 'Edit':
      return {
        name: 'replace',
        args: { file_path: step.path, old_string: step.before, new_string: step.after, instruction: 'Adjust the code' },
        output: `Successfully modified file: ${step.path} (1 replacements). Here is the updated code:\n${step.after}\n`,
      };
    case 'Write':
      return {
        name: 'write_file',
        args: { file_path: step.path, content: step.text },
        output: `Successfully created and wrote to new file: ${step.path}. Here is the updated code:\n${step.text}`,
      };
    default:
      throw new Error('no such tool');
  }
}

/** Appends to a transcript, and makes its folder. */
export function append(/** @type {string} */ file, /** @type {string} */ text) {
  fs.mkdirSync(dirname(file), { recursive: true });
  fs.appendFileSync(file, text);
}
