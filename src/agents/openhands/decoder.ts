import type { DecoderContext, DocumentDecoder, LineDecoder } from '../adapter';
import {
  asArray,
  asRecord,
  asText,
  at,
  baseName,
  folderOf,
  type JsonRecord,
  parseJson,
  parseRecord,
  sessionOfFile,
  timeOf,
} from '../shared/decode';
import { createDocument } from '../shared/decode/document';
import { sourceOf, Teller } from '../shared/decode/teller';
import { createCalls } from './calls';
import { createSdk } from './sdk';
import { createV0 } from './v0';

/** Events of both generations, told apart by what they carry. */
function createEvents(teller: Teller): (event: JsonRecord) => void {
  const calls = createCalls(teller);
  const v0 = createV0(teller, calls);
  const sdk = createSdk(teller, calls);
  return (event) => {
    teller.timed(timeOf(event['timestamp']));
    if (asText(event['kind']) !== undefined) sdk(event);
    else v0(event);
  };
}

/** Decodes SDK events, one a line (`events.jsonl`). */
export function createLineDecoder({ file }: DecoderContext): LineDecoder {
  const teller = new Teller('openhands', file, sessionOf(file));
  const decodeEvent = createEvents(teller);
  return {
    unit: 'line',
    decode(line, sink) {
      teller.begin(sourceOf(file, line), sink);
      if (line.text.trim() === '') return;
      const event = parseRecord(line.text);
      if (event) decodeEvent(event);
      else teller.problem('not a JSON record');
    },
  };
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
        begin(teller) {
          decodeEvent = createEvents(teller);
          teller.tell({ type: 'session_info' });
        },
      };
    },
    record(teller, event, _index, once) {
      if (!once('event')) return;
      const record = asRecord(event);
      if (record && decodeEvent) decodeEvent(record);
      else teller.problem('an event that is no record');
    },
  });
}

/** `conversations/<id>/events.jsonl`: the folder names the conversation. */
function sessionOf(file: string): string {
  return /^events\.jsonl$/.test(baseName(file)) ? baseName(folderOf(file)) || 'events' : sessionOfFile(file);
}
