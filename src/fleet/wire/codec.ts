import * as z from 'zod/mini';
import { fieldsOf, parseJson } from '../../base/util/json';
import { fail, ok, type Result } from '../../base/util/result';
import {
  eventSchema,
  type EventRecord,
  messageSchema,
  type MessageRecord,
  receiptSchema,
  type ReceiptRecord,
} from './event';
import { LARGEST_RECORD, placeOfState, WIRE_VERSION } from './names';
import { agentSchema, type AgentRecord, machineSchema, type MachineRecord } from './state';

/** The reason why bytes are no valid record. `version`: of a later version. `place`: it is in the place of another machine, agent or viewer. */
export type WireProblem = 'too_large' | 'json' | 'version' | 'schema' | 'place';

export type FleetRecord = MachineRecord | AgentRecord | EventRecord | MessageRecord | ReceiptRecord;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Returns the bytes of a record; `too_large` above 64 KB. Never throws. */
export function encode(record: FleetRecord): Result<Uint8Array, WireProblem> {
  const bytes = encoder.encode(JSON.stringify(record));
  return bytes.length > LARGEST_RECORD ? fail('too_large') : ok(bytes);
}

/** Decodes the state in the bucket under this key. A state that names another machine or session is refused. */
export function decodeState(stateKey: string, bytes: Uint8Array): Result<MachineRecord | AgentRecord, WireProblem> {
  const place = placeOfState(stateKey);
  if (!place) return fail('place');
  const record = place.key === undefined ? decode(machineSchema, bytes) : decode(agentSchema, bytes);
  if (!record.ok) return record;
  const named = record.value.kind === 'agent' ? record.value.key : undefined;
  return record.value.machine === place.machine && named === place.key ? record : fail('place');
}

/** Decodes an event of this machine and session. */
export function decodeEvent(machine: string, key: string, bytes: Uint8Array): Result<EventRecord, WireProblem> {
  const record = decode(eventSchema, bytes);
  return record.ok && (record.value.machine !== machine || record.value.key !== key) ? fail('place') : record;
}

/** Decodes a message for this machine, from the viewer that the subject names. */
export function decodeMessage(machine: string, viewer: string, bytes: Uint8Array): Result<MessageRecord, WireProblem> {
  const record = decode(messageSchema, bytes);
  if (!record.ok) return record;
  if (record.value.machine !== machine || record.value.viewer !== viewer) return fail('place');
  return record.value.action === 'restart' && !record.value.restart ? fail('schema') : record;
}

/** Decodes a receipt of this machine for this viewer. */
export function decodeReceipt(machine: string, viewer: string, bytes: Uint8Array): Result<ReceiptRecord, WireProblem> {
  const record = decode(receiptSchema, bytes);
  return record.ok && (record.value.machine !== machine || record.value.viewer !== viewer) ? fail('place') : record;
}

/** Returns the id of a message that is otherwise no valid record, so that its sender can be notified. */
export function idOfBroken(bytes: Uint8Array): string | null {
  const value = parsed(bytes);
  const { id } = fieldsOf(value.ok ? value.value : undefined);
  return typeof id === 'string' && /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id) ? id : null;
}

function parsed(bytes: Uint8Array): Result<unknown, WireProblem> {
  if (bytes.length > LARGEST_RECORD) return fail('too_large');
  try {
    const value = parseJson(decoder.decode(bytes));
    return value === undefined ? fail('json') : ok(value);
  } catch {
    // Not UTF-8.
    return fail('json');
  }
}

function decode<T extends z.ZodMiniType>(schema: T, bytes: Uint8Array): Result<z.infer<T>, WireProblem> {
  const value = parsed(bytes);
  if (!value.ok) return value;
  const { v } = fieldsOf(value.value);
  if (typeof v === 'number' && v > WIRE_VERSION) return fail('version');
  const read = z.safeParse(schema, value.value);
  return read.success ? ok(read.data) : fail('schema');
}
