import type { DecoderContext, DocumentDecoder, LineDecoder } from '../adapter';
import {
  asArray,
  asRecord,
  asText,
  folderOf,
  type JsonRecord,
  parseRecord,
  sessionOfFile,
  timeOf,
} from '../shared/decode';
import { Teller, sourceOf } from '../shared/decode/teller';
import { createFold } from './fold';
import { parentOfFile } from './locate';
import { createStream } from './stream';

/** Decodes a chat in JSON Lines, and captures of `--output-format stream-json`. */
export function createLineDecoder({ file, readSmall }: DecoderContext): LineDecoder {
  const teller = new Teller('gemini-cli', file, sessionOfFile(file));
  const fold = createFold(teller);
  const stream = createStream(teller);

  const header = (record: JsonRecord): void => {
    const session = asText(record['sessionId']);
    if (session !== undefined) teller.session = session;
    fold.cwd ??= projectRoot(file, readSmall);
    teller.timed(timeOf(record['startTime']));
    const { parent } = parentOfFile(file, record['kind']);
    teller.tell({
      type: 'session_info',
      ...(fold.cwd !== undefined && { cwd: fold.cwd }),
      ...(parent !== undefined && { parent, role: 'sub-agent' }),
    });
  };

  const patched = (set: JsonRecord): void => {
    const session = asText(set['sessionId']);
    if (session !== undefined) teller.session = session;
    teller.timed(timeOf(set['lastUpdated']));
    const messages = asArray(set['messages']);
    if (messages) fold.list(messages);
    else teller.tell({ type: 'other', name: 'header' });
  };

  return {
    unit: 'line',
    decode(line, sink) {
      teller.begin(sourceOf(file, line), sink);
      if (line.text.trim() === '') return;
      const record = parseRecord(line.text);
      if (!record) return teller.problem('not a JSON record');
      const set = asRecord(record['$set']);
      if (set) return patched(set);
      if (record['projectHash'] !== undefined && record['type'] === undefined) return header(record);
      if (record['$rewindTo'] !== undefined) return teller.tell({ type: 'other', name: 'rewind' });
      const type = asText(record['type']);
      if (type === undefined) return teller.problem('a record without a type');
      // The chat has an id for each of its messages, the stream for none.
      if (record['id'] === undefined || /^(?:init|message|tool_use|tool_result|result)$/.test(type)) {
        return stream.record(record);
      }
      teller.timed(timeOf(record['timestamp']));
      fold.message(record);
    },
  };
}

/** Decodes the older chat: one JSON document, rewritten whole after each message. */
export function createDocumentDecoder({ file, readSmall }: DecoderContext): DocumentDecoder {
  const teller = new Teller('gemini-cli', file, sessionOfFile(file));
  const fold = createFold(teller);
  let begun = false;
  let broken = false;
  return {
    unit: 'document',
    decode(text, sink) {
      teller.begin({ file, line: 1, offset: 0 }, sink);
      const record = parseRecord(text);
      const messages = asArray(record?.['messages']) ?? asArray(record?.['history']);
      if (!record || !messages) {
        // It is read while it is being written: told once, until it can be read again.
        if (!broken) teller.problem(record ? 'a document without messages' : 'not a JSON document');
        broken = true;
        return;
      }
      broken = false;
      if (!begun) {
        begun = true;
        teller.session = asText(record['sessionId']) ?? teller.session;
        teller.timed(timeOf(record['startTime']) ?? timeOf(record['start_time']));
        fold.cwd = projectRoot(file, readSmall);
        teller.tell({ type: 'session_info', ...(fold.cwd !== undefined && { cwd: fold.cwd }) });
      }
      for (const [index, value] of messages.entries()) {
        teller.begin({ file, line: index + 1, offset: index }, sink);
        const message = asRecord(value);
        if (!message) {
          teller.problem('a message that is no record');
          continue;
        }
        teller.timed(timeOf(message['timestamp']) ?? timeOf(message['ts']));
        const type = message['type'] ?? message['role'];
        const content = message['content'] ?? message['parts'];
        fold.message({ ...message, id: asText(message['id']) ?? `#${index}`, type, content });
      }
    },
  };
}

/** `.project_root` beside the chats says which folder the project is. */
function projectRoot(file: string, readSmall: DecoderContext['readSmall']): string | undefined {
  const project = folderOf(folderOf(file));
  return readSmall(`${project}/.project_root`)?.trim() || undefined;
}
