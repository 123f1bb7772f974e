import { asArray, asNumber, asRecord, asText, at, type JsonRecord, requestErrorKind, textOf } from '../shared/decode';
import { type Chain, type ClaudeRecord, endTurn, flushHeld, type ChainEmitter } from './chain';
import { localCommand, queuedPrompt } from './user-line';

/** Beginning of an error of a failed hook, in versions that do not list failed hooks separately. */
const NON_BLOCKING = /^\s*Failed with non-blocking status code/;

/** Subtypes that say nothing about what the agent does. Source: lines of versions 1.0 to 2.1.332. */
const QUIET = new Set([
  'agents_killed',
  'api_refusal',
  'away_summary',
  'bridge_status',
  'init',
  'memory_saved',
  'microcompact_boundary',
  'rewind_stand_in',
  'scheduled_task_fire',
  'session_start',
  'status',
]);
/** The model was changed, no matter who agreed to it. */
const OTHER_MODEL = /^model_(?:consent_|refusal_)?fallback$/;

/** Reads a `system` line: API errors, compactions, ends of turns. */
export function systemLine(emitter: ChainEmitter, chain: Chain, record: ClaudeRecord): void {
  const { row } = record;
  const subtype = asText(row['subtype']) ?? '';
  switch (subtype) {
    case 'api_error':
    case 'error': {
      const error = asRecord(row['error']);
      const message =
        asText(error?.['formatted']) ?? asText(error?.['message']) ?? asText(row['content']) ?? 'API error';
      const retryInMs = asNumber(row['retryInMs']);
      const code = asText(at(error, 'connection', 'code')) ?? '';
      emitter.emit(chain, record, {
        type: 'error',
        kind: requestErrorKind(`${message} ${code}`, asNumber(error?.['status'])),
        message,
        ...(retryInMs !== undefined && { retryInMs: Math.round(retryInMs) }),
      });
      return;
    }
    case 'compact_boundary': {
      flushHeld(emitter, chain);
      const facts = asRecord(row['compactMetadata']);
      const trigger = asText(facts?.['trigger']);
      const before = asNumber(facts?.['preTokens']);
      const after = asNumber(facts?.['postTokens']);
      chain.window.compacted(trigger, before);
      chain.compaction = {
        record,
        body: {
          type: 'compaction',
          ...(trigger !== undefined && { trigger }),
          ...(before !== undefined && { tokensBefore: before }),
          ...(after !== undefined && { tokensAfter: after }),
        },
      };
      return;
    }
    case 'turn_duration':
      endTurn(emitter, chain, record, 'done');
      return;
    case 'stop_hook_summary':
      if (!sendsOn(row)) endTurn(emitter, chain, record, 'done');
      return;
    case 'local_command':
      localCommand(emitter, chain, record);
      emitter.emit(chain, record, { type: 'other', name: subtype });
      return;
    case 'informational':
      if (/overriding and ending turn/.test(asText(row['content']) ?? '')) endTurn(emitter, chain, record, 'done');
      return;
    default:
      if (OTHER_MODEL.test(subtype)) return otherModel(emitter, chain, record);
      if (subtype !== '' && subtype !== 'model_refusal_no_fallback' && !QUIET.has(subtype))
        return emitter.unread(record, row, 'subtype');
      emitter.emit(chain, record, { type: 'other', name: subtype || 'system' });
  }
}

function otherModel(emitter: ChainEmitter, chain: Chain, record: ClaudeRecord): void {
  const changed = chain.facts.update({ model: asText(record.row['fallbackModel']) });
  if (changed) emitter.emit(chain, record, { type: 'session_info', ...changed });
}

/** Reads an `attachment` line that becomes an event: what hooks said, prompts that came while the agent worked, the plan. */
export function attachmentLine(emitter: ChainEmitter, chain: Chain, record: ClaudeRecord): void {
  const attachment = asRecord(record.row['attachment']);
  switch (attachment?.['type']) {
    case 'hook_additional_context':
      emitter.marks(chain, record, textOf(attachment['content']));
      return;
    case 'hook_blocking_error':
      emitter.marks(chain, record, textOf(at(attachment, 'blockingError', 'blockingError')));
      return;
    case 'hook_stopped_continuation':
      emitter.marks(chain, record, textOf(attachment['message']));
      endTurn(emitter, chain, record, 'interrupted');
      return;
    case 'queued_command': {
      const origin = asText(at(attachment, 'origin', 'kind'));
      const typed = attachment['commandMode'] === 'prompt' && (origin === undefined || origin === 'human');
      queuedPrompt(emitter, chain, record, textOf(attachment['prompt']), typed);
      return;
    }
    case 'task_reminder':
    case 'todo_reminder': {
      const items = chain.plan.reminded(attachment['content']);
      if (items) emitter.emit(chain, record, { type: 'plan', items });
      return;
    }
    default:
  }
}

/** Reads `cost-state`, which the process writes as it exits. A turn that was open then was stopped. */
export function costLine(emitter: ChainEmitter, chain: Chain, record: ClaudeRecord): void {
  flushHeld(emitter, chain);
  // Written twice when the CLI is left with /exit.
  if (chain.ended) return;
  const open = chain.turn === 'open';
  const failed = chain.facts.mode === 'print' ? chain.lastEnd : null;
  const reason = open || failed === 'interrupted' ? 'interrupted' : failed === 'error' ? 'error' : 'clean';
  emitter.emit(chain, record, { type: 'session_end', reason });
}

/** True if the agent continues: with a text from a stop hook, or a blocking error. A hook that failed in another way stops nothing. */
function sendsOn(summary: JsonRecord): boolean {
  if (summary['preventedContinuation'] === true) return false;
  if ((asArray(summary['hookAdditionalContext']) ?? []).length > 0) return true;
  const failed = asArray(summary['failedHookErrorIndexes']) ?? [];
  const errors = asArray(summary['hookErrors']) ?? [];
  return errors.some((error, index) => !failed.includes(index) && !NON_BLOCKING.test(asText(error) ?? ''));
}
