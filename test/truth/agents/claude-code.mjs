/** A session of Claude Code as it writes it: transcript and registry, for a process that lives until it is killed. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @param {object} options
 * @param {string} options.home
 * @param {string} options.workspace
 * @param {number} options.number makes the ids of this session
 * @param {() => number} options.now the agent's clock, milliseconds since the epoch
 * @param {string} [options.cwd] where it works; the workspace by default
 * @param {string} [options.entrypoint] `sdk-cli` without a terminal
 */
export function claudeCode({ home, workspace, number, now, cwd: begunIn = workspace, entrypoint = 'cli' }) {
  const session = `00000000-0000-4000-8000-0000000000${String(number).padStart(2, '0')}`;
  const file = join(home, '.claude/projects', begunIn.replace(/[^A-Za-z0-9]/g, '-'), `${session}.jsonl`);
  const child = spawn('sleep', ['100000'], { stdio: 'ignore' });
  const pid = child.pid ?? 0;
  const registry = join(home, '.claude/sessions', `${pid}.json`);
  for (const path of [file, registry]) fs.mkdirSync(dirname(path), { recursive: true });
  const startedAt = now();
  let cwd = begunIn;
  let gitBranch = 'main';
  let records = 0;
  /** @type {string | null} */
  let parentUuid = null;

  const append = (/** @type {Record<string, unknown>} */ record) => {
    const uuid = `00000000-0000-4000-8000-${String(number).padStart(2, '0')}${String(++records).padStart(10, '0')}`;
    const base = {
      sessionId: session,
      cwd,
      version: '2.1.329',
      gitBranch,
      userType: 'external',
      entrypoint,
    };
    const line = { parentUuid, isSidechain: false, ...record, uuid, timestamp: new Date(now()).toISOString(), ...base };
    parentUuid = uuid;
    fs.appendFileSync(file, `${JSON.stringify(line)}\n`);
    fs.utimesSync(file, now() / 1000, now() / 1000);
  };
  const status = (/** @type {'idle' | 'busy' | 'waiting'} */ value, /** @type {string} */ waitingFor = '') => {
    const entry = {
      pid,
      procStart: processStart(pid),
      sessionId: session,
      cwd,
      startedAt,
      version: '2.1.329',
      kind: 'interactive',
      entrypoint,
      status: value,
      statusUpdatedAt: now(),
      ...(waitingFor !== '' && { waitingFor }),
    };
    fs.writeFileSync(registry, JSON.stringify(entry));
  };
  const said = (/** @type {object[]} */ content, /** @type {string} */ stop_reason, more = {}) =>
    append({
      type: 'assistant',
      message: {
        id: `msg_${number}_${records}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-opus-5-5',
        content,
        stop_reason,
        usage: { input_tokens: 1800, cache_read_input_tokens: 16_000 + records * 40, output_tokens: 90 },
      },
      ...more,
    });
  const synthetic = (/** @type {string} */ text, /** @type {object} */ error) =>
    append({
      type: 'assistant',
      message: {
        id: `msg_${number}_${records}`,
        type: 'message',
        role: 'assistant',
        model: '<synthetic>',
        content: [{ type: 'text', text }],
        stop_reason: 'stop_sequence',
        usage: { input_tokens: 0, output_tokens: 0 },
      },
      isApiErrorMessage: true,
      ...error,
    });
  const turnEnded = () => {
    append({ type: 'system', subtype: 'turn_duration', durationMs: 60_000, messageCount: records, isMeta: false });
    status('idle');
  };

  const agent = {
    session,
    file,
    prompt: (/** @type {string} */ content) => {
      append({
        type: 'user',
        message: { role: 'user', content },
        permissionMode: 'default',
        origin: { kind: 'human' },
      });
      status('busy');
    },
    call: (/** @type {string} */ name, /** @type {object} */ input) =>
      said([{ type: 'tool_use', id: `toolu_${number}_${records + 1}`, name, input }], 'tool_use'),
    /** The result of the last call. */
    result: (/** @type {string} */ content, is_error = false) => {
      const tool_use_id = `toolu_${number}_${records}`;
      append({
        type: 'user',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id, content, is_error }] },
      });
      status('busy');
    },
    /** Waits for a person with the last call open. */
    waitsFor: (/** @type {'permission prompt' | 'input needed'} */ what) => status('waiting', what),
    /** Works in that folder from now on. */
    movesTo: (/** @type {string} */ folder, /** @type {string} */ branch) => {
      cwd = folder;
      gitBranch = branch;
    },
    says: (/** @type {string} */ text) => said([{ type: 'text', text }], 'end_turn'),
    /** A hook of the person keeps it from ending. */
    sentBack: (/** @type {string} */ hook, /** @type {string} */ text) =>
      append({
        type: 'user',
        message: { role: 'user', content: `Stop hook feedback:\n[${hook}]: ${text}\n` },
        isMeta: true,
      }),
    answer: (/** @type {string} */ text) => {
      said([{ type: 'text', text }], 'end_turn');
      turnEnded();
    },
    limitReached: (/** @type {string} */ resets) => {
      synthetic(`You've hit your session limit · resets ${resets}`, {
        error: 'rate_limit',
        apiErrorStatus: 429,
        apiErrorType: 'rate_limit_error',
      });
      turnEnded();
    },
    fails: (/** @type {string} */ words, /** @type {number} */ apiErrorStatus) => {
      synthetic(`API Error: ${words}`, { error: 'server_error', apiErrorStatus, apiErrorType: 'overloaded_error' });
      turnEnded();
    },
    /** Dies as with `kill -9`: the registry keeps its last entry. */
    die: () => void child.kill('SIGKILL'),
    end: () => void child.kill('SIGKILL'),
  };
  return agent;
}

/** Returns the start of a process as /proc writes it, in clock ticks. */
function processStart(/** @type {number} */ pid) {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}
