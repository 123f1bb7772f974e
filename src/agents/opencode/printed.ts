import type { DecoderContext, DocumentDecoder, LineDecoder } from '../decoder';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  eachRecord,
  type JsonRecord,
  parseRecord,
  sessionOfFile,
} from '../shared/decode';
import { failureIn } from './failure';
import { createFold } from './fold';
import { createOrderedEvents } from './ordered-events';

/** Decodes the output of `opencode export <session>`: `{info, messages: [{info, parts}]}`. */
export function createExportDecoder({ file }: DecoderContext): DocumentDecoder {
  const timeline = createOrderedEvents();
  const fold = createFold(timeline.say, timeline.sayWithRequest);
  let introduced = false;
  let broken = false;
  return {
    unit: 'document',
    decode(text, sink) {
      const document = parseRecord(text);
      const info = asRecord(document?.['info']);
      const messages = asArray(document?.['messages']);
      if (!info || !messages) {
        if (!broken) sink.problem({ line: 1, offset: 0, why: 'not an exported session' });
        broken = true;
        return;
      }
      broken = false;
      const session = asText(info['id']) ?? sessionOfFile(file);
      if (!introduced) introduce(info);
      introduced = true;
      for (const [index, value] of newestOfEach(messages)) {
        const message = asRecord(value);
        const about = asRecord(message?.['info']);
        if (about) messageOf(about, asArray(message?.['parts']) ?? [], index + 1);
        else sink.problem({ line: index + 1, offset: index, why: 'a message without information' });
      }
      for (const { at: time, index, body } of timeline.drain()) {
        const source = { file, line: index, offset: index - 1 };
        sink.event({ agent: 'opencode', session, at: time, source, ...body });
      }
    },
  };

  function introduce(info: JsonRecord): void {
    const cwd = asText(info['directory']);
    const title = asText(info['title']);
    const version = asText(info['version']);
    const parent = asText(info['parentID']);
    fold.cwd = cwd;
    timeline.isChild = parent !== undefined;
    timeline.say(asNumber(at(info, 'time', 'created')) ?? 0, 1, {
      type: 'session_info',
      ...(cwd !== undefined && { cwd }),
      ...(title !== undefined && { title }),
      ...(version !== undefined && { version }),
      ...(parent !== undefined && { parent }),
    });
  }

  function messageOf(info: JsonRecord, parts: readonly unknown[], index: number): void {
    const id = asText(info['id']) ?? `#${index}`;
    const about = { ...info, id };
    let time = asNumber(at(info, 'time', 'created')) ?? 0;
    fold.message(about, index);
    for (const [number, value] of parts.entries()) {
      const part = asRecord(value);
      if (!part) continue;
      // Parts without a time of their own (the end of a step) come after the one before them.
      time = Math.max(time, asNumber(at(part, 'state', 'time', 'end')) ?? asNumber(at(part, 'time', 'end')) ?? 0);
      fold.part({ ...part, id: asText(part['id']) ?? `${id}/${number}` }, id, index, time);
    }
    fold.ended(about, index);
  }
}

/** Returns each message once, at its first place and in its last form: some exports repeat messages. */
function newestOfEach(messages: readonly unknown[]): Iterable<readonly [index: number, message: unknown]> {
  const byId = new Map<string, readonly [number, unknown]>();
  for (const [index, message] of messages.entries()) {
    const id = asText(at(message, 'info', 'id')) ?? `#${index}`;
    byId.set(id, [byId.get(id)?.[0] ?? index, message]);
  }
  return byId.values();
}

/** Decodes the output of `opencode run --format json`: parts once they are complete, and no prompt. */
export function createStreamDecoder({ file }: DecoderContext): LineDecoder {
  const timeline = createOrderedEvents();
  const fold = createFold(timeline.say, timeline.sayWithRequest);
  let session = sessionOfFile(file);
  /** Ids of messages: each is one answer of the model. */
  const answers = new Set<string>();
  return eachRecord({
    unit: 'line',
    decode(line, sink) {
      const source = { file, line: line.line, offset: line.offset };
      if (line.text.trim() === '') return;
      const record = parseRecord(line.text);
      const type = asText(record?.['type']);
      const time = asNumber(record?.['timestamp']);
      if (!record || type === undefined || time === undefined) {
        return sink.problem({
          line: line.line,
          offset: line.offset,
          why: record ? 'no event of OpenCode' : 'not valid JSON',
        });
      }
      session = asText(record['sessionID']) ?? session;
      emitFor(record, type, time);
      for (const { at: moment, body } of timeline.drain())
        sink.event({ agent: 'opencode', session, at: moment, source, ...body });
    },
  });

  function emitFor(record: JsonRecord, type: string, time: number): void {
    const part = asRecord(record['part']);
    const message = asText(part?.['messageID']) ?? 'message';
    if (type === 'error') {
      const failure = failureIn(asRecord(record['error']) ?? {});
      if (!failure.aborted) timeline.say(time, 1, { type: 'error', kind: failure.kind, message: failure.message });
      return timeline.say(time, 1, { type: 'turn_end', reason: failure.aborted ? 'interrupted' : 'error' });
    }
    if (!part) return timeline.say(time, 1, { type: 'other', name: type });
    if (!answers.has(message)) {
      answers.add(message);
      const start = asNumber(at(part, 'state', 'time', 'start')) ?? asNumber(at(part, 'time', 'start')) ?? time;
      fold.message({ id: message, role: 'assistant', time: { created: Math.min(start, time) } }, 1);
    }
    fold.part(part, message, 1, time);
    if (type !== 'step_finish') return;
    const finish = asText(part['reason']) ?? 'unknown';
    fold.ended({ id: message, role: 'assistant', time: { created: time, completed: time }, finish }, 1);
  }
}
