import type { MessageKind } from '../../model';
import { capitalised } from '../format';

/** What an attempt did. */
const DID: Readonly<Record<MessageKind, string>> = {
  nudge: 'nudged',
  gate: 'nudged',
  checkpoint: 'checkpointed',
  reassign: 'reassigned',
  restart: 'restarted',
  escalate: 'escalated',
  block: 'blocked',
  stop: 'stopped',
};

/** Outcome of an attempt, by the names of docs/recovery.md. */
const CAME: Readonly<Record<string, string>> = {
  recovered: 'the agent recovered',
  failed: 'the problem came back',
  unknown: 'the session ended',
  not_delivered: 'it did not reach the agent',
  withdrawn: 'it was withdrawn',
};

/** Returns what an attempt did, and its outcome in one sentence: `Restarted: the agent recovered.` */
export function recoveryResult(kind: MessageKind, result: string): { readonly did: string; readonly summary: string } {
  const did = DID[kind];
  const came = CAME[result] ?? result;
  return { did, summary: `${capitalised(did)}: ${came}.` };
}
