import {
  asArray,
  asRecord,
  asString,
  asText,
  at,
  describeCall,
  exitCodeIn,
  type JsonRecord,
  malformed,
  MINI_SWE_FORM,
} from '../shared/decode';
import type { RecordEmitter } from '../shared/conversation';

const BLOCK = /```(?:mswea_bash_command|bash|sh)?[ \t]*\n([\s\S]*?)\n?```/g;
const DONE = 'COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT';
const REFUSED =
  /^(?:Please always provide EXACTLY ONE action|Format error|Your (?:last )?(?:output|response) (?:was|is) (?:not|truncated)|No tool calls found|Tool call error)/i;

/** Calls in a message of the model, and the text around them. */
export interface ModelMessage {
  readonly text: string;
  readonly commands: readonly { readonly id: string; readonly command: string }[];
  /** True if the commands are in the text: there must be exactly one, or none of them runs. */
  readonly inText: boolean;
}

/** Reads a message of the model. The commands are code blocks in the text, or in newer versions tool calls, which `extra.actions` repeats. */
export function readAnswer(content: string, message: JsonRecord | undefined, id: string): ModelMessage {
  const commands: { id: string; command: string }[] = [];
  for (const [n, value] of (asArray(at(message, 'extra', 'actions')) ?? []).entries()) {
    const action = asRecord(value);
    const command = asText(action?.['command']) ?? asString(value);
    if (command !== undefined) commands.push({ id: asText(action?.['tool_call_id']) ?? `${id}.${n}`, command });
  }
  if (commands.length > 0) return { text: content.replace(BLOCK, '').trim(), commands, inText: false };
  for (const match of content.matchAll(BLOCK))
    commands.push({ id: `${id}.${commands.length}`, command: match[1] ?? '' });
  return { text: content.replace(BLOCK, '').trim(), commands, inText: true };
}

export interface Pairing {
  answered(answer: ModelMessage): void;
  /** Takes the harness's answer, for the call with this id or for the last one. `refused`: the harness says that none ran. */
  observed(text: string, answer?: { readonly id?: string | undefined; readonly refused?: boolean }): void;
  readonly waiting: boolean;
}

/** Pairs each message of the model with the harness's answer: one command at a time, anything else is refused. */
export function createPairing(emitter: RecordEmitter): Pairing {
  let open: { id: string; command: string }[] = [];
  let unfit = false;
  return {
    get waiting() {
      return open.length > 0 || unfit;
    },
    answered({ text, commands, inText }) {
      if (text !== '') emitter.emit({ type: 'assistant', text, chunk: false });
      unfit = commands.length === 0 || (inText && commands.length > 1);
      open = unfit ? [] : [...commands];
      const batch = open[0]?.id;
      for (const { id, command } of open) {
        const described = describeCall('bash', { command });
        emitter.emit({
          type: 'tool_call',
          id,
          name: 'bash',
          args: { command },
          ...(batch !== undefined && { batch }),
          ...described,
        });
      }
    },
    observed(text, { id, refused = REFUSED.test(text.trimStart()) } = {}) {
      const call = open.find((one) => one.id === id) ?? open[0];
      const fit = call !== undefined && !refused;
      if (!fit) {
        if (call) {
          const why = malformed('format', text, 'one command');
          emitter.emit({ type: 'tool_result', id: call.id, output: text, isError: true, ...why });
          open = open.filter((one) => one !== call);
        } else if (unfit || refused) {
          emitter.emit({ type: 'error', kind: 'validation', message: text });
        } else emitter.emit({ type: 'user', text, automated: true });
        unfit = false;
        return;
      }
      open = open.filter((one) => one !== call);
      const exitCode = exitCodeIn(text.trimStart(), [MINI_SWE_FORM]);
      emitter.emit({
        type: 'tool_result',
        id: call.id,
        output: bodyOf(text),
        isError:
          (exitCode !== undefined && exitCode !== 0) ||
          /^(?:The last command timed out|The command .{0,400} timed out)/.test(text.trimStart()),
        ...(exitCode !== undefined && { exitCode }),
      });
      if (call.command.includes(DONE) && (exitCode === undefined || exitCode === 0))
        emitter.emit({ type: 'completion', claim: DONE });
    },
  };
}

function bodyOf(text: string): string {
  const body = /^\s*<returncode>-?\d+<\/returncode>\s*([\s\S]*)$/.exec(text)?.[1];
  if (body === undefined) return text.trim();
  return body.replace(/^<output>\n?/, '').replace(/\n?<\/output>\s*$/, '');
}
