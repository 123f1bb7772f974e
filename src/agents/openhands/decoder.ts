import type { DecoderContext, DocumentDecoder, LineDecoder } from '../decoder';
import {
  asArray,
  asRecord,
  asText,
  at,
  baseName,
  folderOf,
  type JsonRecord,
  parseJson,
  sessionOfFile,
  timeOf,
  eachRecord,
} from '../shared/decode';
import { RecordEmitter, createDocument } from '../shared/conversation';
import { createCalls } from './calls';
import { createSdk } from './sdk';
import { createV0 } from './v0';

/** Reads events of both generations: those of the SDK have a `kind`. */
function createEvents(emitter: RecordEmitter): (event: JsonRecord) => void {
  const calls = createCalls(emitter);
  const v0 = createV0(emitter, calls);
  const sdk = createSdk(emitter, calls);
  return (event) => {
    emitter.timed(timeOf(event['timestamp']));
    if (asText(event['kind']) !== undefined) sdk(event);
    else v0(event);
  };
}

/** Decodes SDK events, one per line (`events.jsonl`). */
export function createLineDecoder({ file }: DecoderContext): LineDecoder {
  const emitter = new RecordEmitter('openhands', file, sessionOf(file));
  const decodeEvent = createEvents(emitter);
  return eachRecord({
    unit: 'line',
    decode(line, sink) {
      const event = emitter.record(file, line, sink);
      if (event) decodeEvent(event);
    },
  });
}

/** Decodes a trajectory: a list of events, alone or as the `history` of a benchmark's record. */
export function createDocumentDecoder({ file }: DecoderContext): DocumentDecoder {
  let decodeEvent: ((event: JsonRecord) => void) | undefined;
  return createDocument<unknown>({
    agent: 'openhands',
    file,
    session: sessionOf(file),
    read(text) {
      const document = parseJson(text);
      const events = asArray(document) ?? asArray(at(document, 'history')) ?? asArray(at(document, 'trajectory'));
      if (!events) return document === undefined ? 'not a JSON document' : 'a document without events';
      return {
        records: events,
        begin(emitter) {
          decodeEvent = createEvents(emitter);
          emitter.emit({ type: 'session_info' });
        },
      };
    },
    record(emitter, event, _index, once) {
      if (!once('event')) return;
      const record = asRecord(event);
      if (record && decodeEvent) decodeEvent(record);
      else emitter.problem('an event that is no record');
    },
  });
}

/** Returns the conversation, named by the folder: `conversations/<id>/events.jsonl`. */
function sessionOf(file: string): string {
  return /^events\.jsonl$/.test(baseName(file)) ? baseName(folderOf(file)) || 'events' : sessionOfFile(file);
}
