import type { DecoderContext, DocumentDecoder } from '../decoder';
import {
  asArray,
  asNumber,
  asRecord,
  asString,
  asText,
  at,
  type CallDescription,
  describeCall,
  type JsonRecord,
  oneLine,
  parseRecord,
  relativeTo,
  sessionOfFile,
  textOf,
} from '../shared/decode';
import { createDocument } from '../shared/conversation';

/** Commands of SWE-agent's own interface at the beginning of an action; anything else is a shell command. */
const OWN =
  /^(?:open|goto|scroll_down|scroll_up|search_file|search_dir|find_file|edit|create|submit|str_replace_editor|view|insert|exit_forfeit)\b/;
/** The harness writes the end of a run as if it were an action. */
const EXIT = /^exit_(?:cost|format|context|error|api|environment|timeout|forfeit|total_execution_time)\b/;
/** Answers of its own commands that did nothing; a shell's exit code is not recorded. */
const FAILED =
  /^(?:Your proposed edit has introduced new syntax error|No replacement was performed|Invalid `\w+` parameter|The path [^\n]{1,400} (?:does not exist|is not an absolute path)|File [^\n]{1,400} not found|Error: File [^\n]{1,400}|No file open|Usage: |ERROR: |Edit failed|The command timed out|EXECUTION TIMED OUT|(?:\/bin\/)?bash: (?:line \d+: )?[^\n]{1,200}: (?:command not found|No such file or directory|Permission denied)|Command '[^\n]{0,400}' timed out)/;

/** Decodes a `.traj` file of SWE-agent, 0.x and 1.x: thought, action and observation of each step, without times. */
export function createDecoder({ file }: DecoderContext): DocumentDecoder {
  let info: JsonRecord | undefined;
  let cwd: string | undefined;
  return createDocument<JsonRecord>({
    agent: 'swe-agent',
    file,
    session: sessionOfFile(file),
    read(text) {
      const document = parseRecord(text);
      const trajectory = asArray(document?.['trajectory']);
      if (!document || !trajectory) return document ? 'a document without a trajectory' : 'not a JSON document';
      info = asRecord(document['info']);
      const task = (asArray(document['history']) ?? [])
        .map(asRecord)
        .find((one) => one?.['role'] === 'user' && one['is_demo'] !== true);
      return {
        records: trajectory.map((step) => asRecord(step) ?? {}),
        begin(emitter) {
          const version = asText(info?.['swe_agent_version']);
          emitter.emit({ type: 'session_info', mode: 'print', ...(version !== undefined && { version }) });
          const prompt = textOf(task?.['content']);
          if (prompt.trim() !== '') emitter.emit({ type: 'user', text: prompt, automated: false });
        },
      };
    },
    record(emitter, step, index, once) {
      if (!once('step')) return;
      const thought = asString(step['thought'])?.trim() ?? '';
      const action = asString(step['action'])?.trim() ?? '';
      const observation = asString(step['observation']) ?? '';
      if (EXIT.test(action) || (action === '' && observation.startsWith('Exited'))) {
        return emitter.emit({ type: 'session_end', reason: 'error' });
      }
      if (thought !== '') emitter.emit({ type: 'assistant', text: thought, chunk: false });
      if (action === '') {
        if (observation !== '') emitter.emit({ type: 'error', kind: 'validation', message: observation });
        else if (thought === '' && asText(step['response'])) {
          emitter.emit({ type: 'assistant', text: asText(step['response']) ?? '', chunk: false });
        }
        return;
      }
      const state = stateOf(step['state']);
      const folder = asText(state?.['working_dir']);
      if (folder !== undefined && folder !== cwd) {
        cwd = folder;
        emitter.emit({ type: 'session_info', cwd });
      }
      const id = `step ${index}`;
      const name = OWN.exec(action)?.[0] ?? 'bash';
      emitter.emit({
        type: 'tool_call',
        id,
        name,
        args: { command: action },
        ...describe(name, action, openFile(state), cwd),
      });
      const seconds = asNumber(step['execution_time']);
      emitter.emit({
        type: 'tool_result',
        id,
        output: observation,
        isError: FAILED.test(observation),
        ...(seconds !== undefined && { durationMs: Math.round(seconds * 1000) }),
      });
      if (name === 'submit') emitter.emit({ type: 'completion', claim: 'submit' });
    },
    ended(emitter, { records }, once) {
      const status = asText(info?.['exit_status']);
      if (status === undefined || !once('end')) return;
      const stats = asRecord(info?.['model_stats']);
      const input = asNumber(stats?.['tokens_sent']);
      const output = asNumber(stats?.['tokens_received']);
      const cost = asNumber(stats?.['instance_cost']);
      if (input !== undefined || output !== undefined || cost !== undefined) {
        emitter.emit({
          type: 'usage',
          ...(input !== undefined && { inputTokens: input }),
          ...(output !== undefined && { outputTokens: output }),
          ...(cost !== undefined && { cost }),
        });
      }
      const last = asString(records.at(-1)?.['action'])?.trim() ?? '';
      if (!EXIT.test(last)) emitter.emit({ type: 'session_end', reason: status === 'submitted' ? 'clean' : 'error' });
    },
  });
}

/** Reads the state, which 0.x printed as JSON into a string. */
function stateOf(value: unknown): JsonRecord | undefined {
  return typeof value === 'string' ? parseRecord(value) : asRecord(value);
}

function openFile(state: JsonRecord | undefined): string | undefined {
  const file = asText(state?.['open_file']) ?? asText(at(state, 'open_file_path'));
  return file === undefined || file === 'n/a' ? undefined : file;
}

function describe(name: string, action: string, open: string | undefined, cwd: string | undefined): CallDescription {
  const first = action.split('\n', 1)[0] ?? '';
  const words = first.split(/\s+/);
  const shown = (path: string): string => relativeTo(path, cwd);
  switch (name) {
    case 'bash':
      return describeCall('bash', { command: action }, { cwd });
    case 'str_replace_editor':
      return describeCall(name, { command: words[1], path: words[2] }, { cwd });
    case 'open':
    case 'view': {
      const path = words[1];
      if (path === undefined) return { kind: 'looked', subject: oneLine(first) };
      return {
        kind: 'looked',
        subject: oneLine(`Read ${shown(path)}${words[2] === undefined ? '' : ` ${words[2]}`}`),
        target: path,
      };
    }
    case 'create': {
      const path = words[1];
      return {
        kind: 'changed',
        subject: oneLine(`Write ${shown(path ?? '')}`),
        ...(path !== undefined && { target: path }),
      };
    }
    case 'edit':
    case 'insert': {
      const where = open === undefined ? '' : ` in ${shown(open)}`;
      return {
        kind: 'changed',
        subject: oneLine(`Edit ${words[1] ?? ''}${where}`),
        ...(open !== undefined && { target: open }),
      };
    }
    case 'submit':
      return { kind: 'other', subject: 'submit' };
    default:
      return {
        kind: 'looked',
        subject: oneLine(open === undefined || !/^(?:goto|scroll)/.test(name) ? first : `${first} in ${shown(open)}`),
      };
  }
}
