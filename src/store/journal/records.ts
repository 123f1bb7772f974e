import { type Incident, isAgentId } from '../../model';
import type { Learning, SessionSeen, StoreEvent } from '../types';

/** A person's word on whether an incident is muted, and when it was given. It outlives what the detectors say. */
export interface Mute {
  readonly on: boolean;
  readonly at: number;
}

/** An incident as one window sees it, with the times by which the views of several windows are joined. */
export interface KeptIncident {
  readonly incident: Incident;
  /** When it came into its state, milliseconds since the epoch. */
  readonly stateAt: number;
  readonly mute: Mute | null;
}

/** Whose journal it is; the first line of each. */
interface JournalHead {
  readonly k: 'journal';
  /** Version of the records. A journal of a higher one is left alone. */
  readonly v: number;
  readonly window: string;
  readonly at: number;
}

/** One line of a journal. Applying a record twice, or two records in either order, comes to the same. */
export type StoreRecord =
  | JournalHead
  | ({ readonly k: 'incident' } & KeptIncident)
  | { readonly k: 'event'; readonly event: StoreEvent }
  | { readonly k: 'learning'; readonly learning: Learning }
  | { readonly k: 'session'; readonly session: SessionSeen }
  /** Deleted by a person. */
  | { readonly k: 'remove'; readonly id: string; readonly at: number; readonly reopened: number };

export const RECORD_VERSION = 1;

type Unknown = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isNumberOrNull = (value: unknown): boolean => value === null || isNumber(value);

/** The record in a parsed line, or undefined where it is none of this version. Files on a disk are input like any other. */
export function asRecord(value: unknown): StoreRecord | undefined {
  if (!isObject(value)) return undefined;
  switch (value['k']) {
    case 'journal':
      return isNumber(value['v']) ? (value as unknown as JournalHead) : undefined;
    case 'incident':
      return asKept(value) ? (value as unknown as StoreRecord) : undefined;
    case 'event':
      return asEvent(value['event']) ? (value as unknown as StoreRecord) : undefined;
    case 'learning':
      return asLearning(value['learning']) ? (value as unknown as StoreRecord) : undefined;
    case 'session':
      return asSession(value['session']) ? (value as unknown as StoreRecord) : undefined;
    case 'remove':
      return isText(value['id']) && isNumber(value['at']) && isNumber(value['reopened'])
        ? (value as unknown as StoreRecord)
        : undefined;
    default:
      return undefined;
  }
}

export function asKept(value: unknown): KeptIncident | undefined {
  if (!isObject(value) || !isNumber(value['stateAt'])) return undefined;
  const mute = value['mute'];
  if (mute !== null && !(isObject(mute) && typeof mute['on'] === 'boolean' && isNumber(mute['at']))) return undefined;
  return isIncident(value['incident']) ? (value as unknown as KeptIncident) : undefined;
}

function isIncident(value: unknown): boolean {
  return (
    isObject(value) &&
    isText(value['id']) &&
    isText(value['key']) &&
    isAgentId(value['agent']) &&
    [
      'agentName',
      'session',
      'title',
      'file',
      'detector',
      'reason',
      'level',
      'state',
      'subject',
      'why',
      'suggestion',
    ].every((name) => isText(value[name])) &&
    ['count', 'confidence', 'firstAt', 'openedAt', 'updatedAt', 'firstLine', 'alertLine', 'reopened'].every((name) =>
      isNumber(value[name]),
    ) &&
    ['stuckAt', 'resolvedAt', 'stuckLine', 'resolvedLine'].every((name) => isNumberOrNull(value[name])) &&
    Array.isArray(value['evidence']) &&
    value['evidence'].every(
      (one) => isObject(one) && isObject(one['source']) && isText(one['subject']) && isText(one['text']),
    ) &&
    Array.isArray(value['attempts']) &&
    value['attempts'].every(
      (one) => isObject(one) && isText(one['message']) && isText(one['kind']) && isNumber(one['at']),
    ) &&
    Array.isArray(value['clears'])
  );
}

function asEvent(value: unknown): StoreEvent | undefined {
  const good =
    isObject(value) &&
    isText(value['id']) &&
    isNumber(value['t']) &&
    isText(value['type']) &&
    isText(value['session']) &&
    isText(value['agent']) &&
    isObject(value['data']);
  return good ? (value as unknown as StoreEvent) : undefined;
}

function asLearning(value: unknown): Learning | undefined {
  const good =
    isObject(value) &&
    isText(value['id']) &&
    isNumber(value['at']) &&
    ['title', 'content', 'confidence', 'sourceTask', 'session', 'agent', 'state', 'tried'].every((name) =>
      isText(value[name]),
    ) &&
    Array.isArray(value['tags']) &&
    value['tags'].every(isText);
  return good ? (value as unknown as Learning) : undefined;
}

function asSession(value: unknown): SessionSeen | undefined {
  const good =
    isObject(value) &&
    isText(value['agent']) &&
    isText(value['session']) &&
    isNumber(value['firstAt']) &&
    isNumber(value['lastAt']);
  return good ? (value as unknown as SessionSeen) : undefined;
}
