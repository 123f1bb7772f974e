import type { DecoderContext, DocumentDecoder, LineDecoder } from '../decoder';
import {
  asArray,
  asRecord,
  asText,
  at,
  folderOf,
  type JsonRecord,
  parseRecord,
  sessionOfFile,
  timeOf,
  eachRecord,
} from '../shared/decode';
import { Conversation } from '../shared/conversation';
import { planItems } from '../shared/decode/plan-items';
import { createFold, TOOLS } from './fold';
import { directoryOf, parentOfFile } from './locate';
import { createStream } from './stream';

function createConversation(file: string): Conversation {
  const conversation: Conversation = new Conversation({
    agent: 'gemini-cli',
    file,
    session: sessionOfFile(file),
    tools: TOOLS,
    namesStrayResults: true,
    answered(_call, result, added) {
      conversation.marks(added === '' && result.isError ? result.output : added);
    },
    plan: ({ name, args }) => (name === 'write_todos' ? planItems(at(args, 'todos')) : null),
  });
  return conversation;
}

/** Decodes a chat in JSON Lines, and captures of `--output-format stream-json`. */
export function createLineDecoder({ file, readSmall }: DecoderContext): LineDecoder {
  const conversation = createConversation(file);
  const fold = createFold(conversation);
  const stream = createStream(conversation);

  const header = (record: JsonRecord): void => {
    const session = asText(record['sessionId']);
    if (session !== undefined) conversation.session = session;
    if (conversation.facts.cwd === undefined)
      conversation.facts.update({ cwd: projectRoot(file, readSmall) ?? directoryOf(record) });
    const { cwd } = conversation.facts;
    conversation.timed(timeOf(record['startTime']));
    const { parent } = parentOfFile(file, record['kind']);
    conversation.emit({
      type: 'session_info',
      ...(cwd !== undefined && { cwd }),
      ...(parent !== undefined && { parent, role: 'sub-agent' }),
    });
  };

  const patched = (set: JsonRecord): void => {
    const session = asText(set['sessionId']);
    if (session !== undefined) conversation.session = session;
    conversation.timed(timeOf(set['lastUpdated']));
    const messages = asArray(set['messages']);
    if (messages) fold.list(messages);
    else conversation.emit({ type: 'other', name: 'header' });
  };

  return eachRecord({
    unit: 'line',
    decode(line, sink) {
      const record = conversation.record(file, line, sink);
      if (!record) return;
      const set = asRecord(record['$set']);
      if (set) return patched(set);
      if (record['projectHash'] !== undefined && record['type'] === undefined) return header(record);
      if (record['$rewindTo'] !== undefined) return conversation.emit({ type: 'other', name: 'rewind' });
      const type = asText(record['type']);
      if (type === undefined) return conversation.problem('a record without a type');
      // Each message of the chat has an id; in the stream none has.
      if (record['id'] === undefined || /^(?:init|message|tool_use|tool_result|result)$/.test(type)) {
        return stream(record);
      }
      conversation.timed(timeOf(record['timestamp']));
      fold.message(record);
    },
  });
}

/** Decodes the older chat: one JSON document, rewritten whole after each message. */
export function createDocumentDecoder({ file, readSmall }: DecoderContext): DocumentDecoder {
  const conversation = createConversation(file);
  const fold = createFold(conversation);
  let begun = false;
  let broken = false;
  return {
    unit: 'document',
    decode(text, sink) {
      conversation.begin({ file, line: 1, offset: 0 }, sink);
      const record = parseRecord(text);
      const messages = asArray(record?.['messages']) ?? asArray(record?.['history']);
      if (!record || !messages) {
        // It may have been read while it was being written: one problem until it can be read again.
        if (!broken) conversation.problem(record ? 'a document without messages' : 'not a JSON document');
        broken = true;
        return;
      }
      broken = false;
      if (!begun) {
        begun = true;
        conversation.session = asText(record['sessionId']) ?? conversation.session;
        conversation.timed(timeOf(record['startTime']) ?? timeOf(record['start_time']));
        const cwd = projectRoot(file, readSmall);
        conversation.facts.update({ cwd });
        conversation.emit({ type: 'session_info', ...(cwd !== undefined && { cwd }) });
      }
      for (const [index, value] of messages.entries()) {
        conversation.begin({ file, line: index + 1, offset: index }, sink);
        const message = asRecord(value);
        if (!message) {
          conversation.problem('a message that is no record');
          continue;
        }
        conversation.timed(timeOf(message['timestamp']) ?? timeOf(message['ts']));
        const type = message['type'] ?? message['role'];
        const content = message['content'] ?? message['parts'];
        fold.message({ ...message, id: asText(message['id']) ?? `#${index}`, type, content });
      }
    },
  };
}

/** Returns the project's folder, from `.project_root` next to the chats. */
function projectRoot(file: string, readSmall: DecoderContext['readSmall']): string | undefined {
  const project = folderOf(folderOf(file));
  return readSmall(`${project}/.project_root`)?.trim() || undefined;
}
