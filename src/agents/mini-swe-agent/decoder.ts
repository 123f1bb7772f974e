import type { DecoderContext, DocumentDecoder, LineDecoder } from '../decoder';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  copied,
  type JsonRecord,
  parseJson,
  sessionOfFile,
  textOf,
  timeOf,
} from '../shared/decode';
import { RecordEmitter, createDocument, sourceOf } from '../shared/conversation';
import { createPairing, type Pairing, readAnswer } from './actions';

/** Decodes `*.traj.json`: the messages of a run, alone (1.0) or next to `info` (later). */
export function createDecoder({ file }: DecoderContext): DocumentDecoder {
  let pairing: Pairing | undefined;
  let info: JsonRecord | undefined;
  let prompted = false;
  return createDocument<JsonRecord>({
    agent: 'mini-swe-agent',
    file,
    session: sessionOfFile(file),
    read(text) {
      const document = parseJson(text);
      if (document === undefined) return 'not a JSON document';
      const format = asText(at(document, 'trajectory_format'));
      if (format !== undefined && !format.startsWith('mini-swe-agent')) return 'a trajectory of another agent';
      const messages = asArray(document) ?? asArray(at(document, 'messages'));
      if (!messages) return 'a document without messages';
      info = asRecord(at(document, 'info'));
      return {
        records: messages.map((message) => asRecord(message) ?? {}),
        begin(emitter) {
          pairing = createPairing(emitter);
          const model = asText(at(info, 'config', 'model', 'model_name'));
          const version = asText(info?.['mini_version']);
          emitter.emit({
            type: 'session_info',
            mode: 'print',
            ...(model !== undefined && { model }),
            ...(version !== undefined && { version }),
          });
        },
      };
    },
    record(emitter, message, index, once) {
      if (!pairing || !once('message')) return;
      emitter.timed(timeOf(at(message, 'extra', 'timestamp')) ?? timeOf(message['timestamp']));
      const text = textOf(message['content']);
      switch (message['role']) {
        case 'assistant':
          pairing.answered(readAnswer(text, message, `message ${index}`));
          return usage(message);
        case 'user':
        case 'tool':
          if (prompted) {
            const refused = at(message, 'extra', 'interrupt_type') === 'FormatError';
            return pairing.observed(text, { id: asText(message['tool_call_id']), refused });
          }
          prompted = true;
          return emitter.emit({ type: 'user', text, automated: false });
        case 'exit': {
          const status = asText(at(message, 'extra', 'exit_status'));
          if (pairing.waiting) pairing.observed(text);
          return emitter.emit({
            type: 'session_end',
            reason: status === undefined || /^submitted$/i.test(status) ? 'clean' : 'error',
          });
        }
        default:
          return emitter.emit({ type: 'other', name: asText(message['role']) ?? 'message' });
      }

      function usage(answer: JsonRecord): void {
        const counts = asRecord(at(answer, 'extra', 'response', 'usage'));
        const input = asNumber(counts?.['prompt_tokens']);
        const output = asNumber(counts?.['completion_tokens']);
        const cost = asNumber(at(answer, 'extra', 'cost'));
        if (input === undefined && output === undefined && cost === undefined) return;
        emitter.emit({
          type: 'usage',
          ...(input !== undefined && { contextTokens: input + (output ?? 0), inputTokens: input }),
          ...(output !== undefined && { outputTokens: output }),
          ...(cost !== undefined && { cost }),
        });
      }
    },
    ended(emitter, { records }, once) {
      const status = asText(info?.['exit_status']);
      if (status === undefined || records.at(-1)?.['role'] === 'exit' || !once('end')) return;
      emitter.emit({ type: 'session_end', reason: /^submitted$/i.test(status) ? 'clean' : 'error' });
    },
  });
}

const STEP = /^mini-swe-agent \(step (\d{1,6}), \$[\d.]{1,12}\):\s*$/;
const RULE = /^─{20,}/;
const COMPLAINT = /^\d\d:\d\d:\d\d - LiteLLM:(?:ERROR|WARNING)/;
const LONGEST = 256 * 1024;

/** `ran`: the command was written, and its answer is still to come. */
type Part = 'before' | 'task' | 'says' | 'ran' | 'answer';

/** Decodes the terminal output of the command line (`*.log`): the steps, without times. */
export function createLogDecoder({ file }: DecoderContext): LineDecoder {
  const emitter = new RecordEmitter('mini-swe-agent', file, sessionOfFile(file));
  const pairing = createPairing(emitter);
  let part: Part | 'complaint' = 'before';
  let after: Part = 'before';
  let step = '0';
  let text = '';
  let place = emitter.place;

  const flush = (): void => {
    const whole = copied(text.trim());
    text = '';
    if (part === 'answer') {
      if (whole !== '' || pairing.waiting) pairing.observed(whole);
    } else if (part === 'says') pairing.answered(readAnswer(whole, undefined, `step ${step}`));
    else if (part === 'task' && whole !== '') emitter.emit({ type: 'user', text: whole, automated: false }, place);
  };

  return {
    unit: 'line',
    decode(raw, sink) {
      emitter.begin(sourceOf(file, raw), sink);
      const line = raw.text
        .replace(/\u001b\[[0-9;?]*[a-zA-Z]/g, '')
        .replace(/\r/g, '')
        .replace(/[\u2800-\u28ff] Waiting for the LM to respond\.\.\.\s*/g, '')
        .trimEnd();
      const found = STEP.exec(line);
      if (found) {
        if (part === 'complaint') part = after;
        flush();
        step = found[1] ?? step;
        part = 'says';
        place = emitter.place;
        return emitter.emit({ type: 'request' });
      }
      if (part === 'complaint') {
        // The library's own error, printed anywhere in between; it ends with the line that names what is missing.
        if (/^(?:\w+Error|\w+Exception): Missing dependency/.test(line)) part = after;
        return;
      }
      if (COMPLAINT.test(line)) {
        after = part;
        part = 'complaint';
        return;
      }
      if (line === 'User:') {
        flush();
        part = part === 'says' || part === 'ran' ? 'answer' : 'task';
        place = emitter.place;
        return;
      }
      if (RULE.test(line)) {
        flush();
        part = 'before';
        return;
      }
      if (part === 'before' || part === 'ran') return;
      if (text.length < LONGEST) text += `${line}\n`;
      // The end of the block: the command runs from here on.
      if (part === 'says' && line === '```' && /(?:^|\n)```\w+\n/.test(text)) {
        flush();
        part = 'ran';
      }
    },
  };
}
