import type { DecoderContext, LineDecoder } from '../decoder';
import {
  asArray,
  asNumber,
  asRecord,
  asString,
  asText,
  at,
  isBlank,
  type JsonRecord,
  parseRecord,
  timeOf,
  unknownType,
  eachRecord,
} from '../shared/decode';
import { Conversation, sourceOf } from '../shared/conversation';
import { writtenCall } from './calls';
import { isOwnTurn, originsOf } from './copied';
import { permissionModeOf } from './permission-mode';
import { errorKind, retryIn } from './errors';
import { ranItem } from './items';
import { isKnownEvent, isKnownItem, isKnownRecord } from './known';
import { isAskedByCodex, isSubAgent, parentOf, threadOfFile } from './locate';
import { createMessages, promptOf } from './messages';
import { quietRecord } from './quiet';
import { createSteps } from './steps';
import { childOf } from './sub-agents';
import { Usage } from './usage';

/** Decodes the rollout file of a Codex thread, in all versions since 2025. */
export function createCodexDecoder({ file }: DecoderContext): LineDecoder {
  const conversation = new Conversation({ agent: 'codex', file, session: threadOfFile(file) });
  const usage = new Usage(conversation);
  let ownMeta: JsonRecord | undefined;
  const messages = createMessages(
    conversation,
    () => usage.summing(),
    () => ownMeta !== undefined && isAskedByCodex(ownMeta),
    (thread, said) => steps.childEnded(thread, said),
  );
  const steps = createSteps(conversation);
  /** The lines being read belong to the thread that this one was forked from; they were copied to its beginning. */
  let copied = false;
  let modelChanged = false;

  const learn = (settings: JsonRecord | undefined): void => {
    const before = conversation.facts.model;
    const cwd = asText(settings?.['cwd']);
    if (!conversation.learn({ cwd, model: asText(settings?.['model']), permissionMode: permissionModeOf(settings) }))
      return conversation.emit({ type: 'other', name: 'settings' });
    if (before !== undefined && conversation.facts.model !== before) modelChanged = true;
  };

  const sessionMeta = (meta: JsonRecord): void => {
    const id = asText(meta['id']) ?? asText(meta['session_id']);
    if (ownMeta) {
      if (id === undefined || id === conversation.session)
        return conversation.emit({ type: 'other', name: 'session_meta' });
      if (originsOf(ownMeta).includes(id)) {
        copied = true;
        return conversation.emit({ type: 'other', name: 'copied history' });
      }
      // The file holds two threads.
      steps.turnEnded();
    }
    ownMeta = meta;
    copied = false;
    modelChanged = false;
    if (id !== undefined) conversation.session = id;
    const cwd = asText(meta['cwd']);
    conversation.facts.cwd = cwd;
    const branch = asText(at(meta, 'git', 'branch'));
    const version = asText(meta['cli_version']);
    const parent = parentOf(meta);
    const forkedFrom = asText(meta['forked_from_id']);
    const role = asText(meta['agent_role']) ?? asText(meta['agent_nickname']);
    conversation.emit({
      type: 'session_info',
      ...(cwd !== undefined && { cwd }),
      ...(branch !== undefined && { branch }),
      ...(version !== undefined && { version }),
      ...(parent !== undefined && { parent }),
      ...(forkedFrom !== undefined && { forkedFrom }),
      ...(role !== undefined && { role }),
      mode: meta['source'] === 'exec' ? 'print' : 'interactive',
    });
  };

  const turnStarted = (payload: JsonRecord): void => {
    if (copied) {
      if (!isOwnTurn(asText(payload['turn_id']), conversation.session))
        return conversation.emit({ type: 'other', name: 'copied history' });
      copied = false;
    }
    const contextWindow = asNumber(payload['model_context_window']);
    if (contextWindow !== undefined && contextWindow > 0) conversation.emit({ type: 'session_info', contextWindow });
    messages.moved();
    conversation.emit({ type: 'turn_start' });
  };

  /** Ends a turn. A sub-agent ends with its turn: no person has the next move. */
  const ended = (reason: 'done' | 'error' | 'interrupted'): void => {
    conversation.emit({ type: 'turn_end', reason });
    if (ownMeta && isSubAgent(ownMeta))
      conversation.emit({ type: 'session_end', reason: reason === 'done' ? 'clean' : reason });
  };

  const turnEnded = (payload: JsonRecord): void => {
    steps.turnEnded();
    messages.moved();
    const error = asRecord(payload['error']);
    const plan = messages.planned();
    if (!error) {
      ended('done');
      // The turn is over, and the plan waits for approval.
      if (plan !== undefined)
        conversation.emit({
          type: 'waiting',
          for: 'plan',
          question: plan.replace(/<\/proposed_plan>[\s\S]*$/, '').trim(),
        });
      return;
    }
    const message = asText(error['message']) ?? 'The turn failed.';
    conversation.emit({ type: 'error', kind: errorKind(error['codex_error_info'], message), message });
    ended('error');
  };

  const compacted = (payload: JsonRecord): void => {
    const summary = asText(payload['message']);
    const tokensBefore = usage.contextTokens;
    // Another model cannot read the old one's context, so the old one summarises it first. This is no sign of a full window.
    const trigger = modelChanged ? 'model_change' : 'auto';
    modelChanged = false;
    conversation.emit({
      type: 'compaction',
      trigger,
      ...(summary !== undefined && { summary }),
      ...(tokensBefore !== undefined && { tokensBefore }),
    });
  };

  const quiet = (payload: JsonRecord, what: string, isKnown: (type: string) => boolean): void => {
    const type = nameOf(payload);
    if (isKnown(type)) conversation.emit({ type: 'other', name: type });
    else conversation.unread(unknownType(what, payload['type'], payload));
  };

  const responseItem = (payload: JsonRecord, metadata: JsonRecord | undefined): void => {
    switch (payload['type']) {
      case 'message':
        return messages.message(payload, metadata);
      case 'function_call_output':
      case 'custom_tool_call_output':
        messages.moved();
        return steps.output(asText(payload['call_id']), payload['output']);
      case 'tool_search_output':
        return steps.output(asText(payload['call_id']), payload['tools']);
      case 'tool_result':
      case 'function_result':
        return steps.output(asText(payload['call_id']), resultOf(payload['result']));
    }
    const call = writtenCall(payload);
    if (!call) return quiet(payload, 'item', isKnownItem);
    messages.moved();
    modelChanged = false;
    steps.call(call);
    const asked = askedBy(call.name, call.args);
    if (asked) conversation.emit({ type: 'waiting', ...asked });
    const reason = conversation.facts.permissionMode === 'nothing' ? undefined : approvalOf(call.args);
    if (reason !== undefined)
      conversation.emit({ type: 'waiting', for: 'permission', ...(reason && { question: reason }) });
  };

  const item = (payload: JsonRecord): void => {
    if (payload['type'] === 'UserMessage') return messages.prompted(promptOf(payload));
    const ran = ranItem(payload);
    if (ran) return steps.item(ran);
    const child = childOf(payload);
    if (child === undefined) return conversation.emit({ type: 'other', name: nameOf(payload) });
    if (child.call === undefined) steps.childEnded(child.thread, undefined);
    else steps.spawned(child.call, child.thread);
  };

  const eventMessage = (payload: JsonRecord): void => {
    switch (payload['type']) {
      case 'task_started':
      case 'turn_started':
        return turnStarted(payload);
      case 'task_complete':
      case 'turn_complete':
        return turnEnded(payload);
      case 'turn_aborted':
        steps.turnEnded();
        messages.moved();
        return ended('interrupted');
      case 'user_message':
        return messages.prompted(asText(payload['message']) ?? '');
      case 'token_count':
        return usage.counted(payload);
      case 'item_completed': {
        const record = asRecord(payload['item']);
        return record ? item(record) : conversation.problem('item_completed without an item');
      }
      case 'thread_settings_applied':
        return learn(asRecord(payload['thread_settings']));
      case 'thread_name_updated': {
        const title = asText(payload['thread_name']);
        return title === undefined ? undefined : conversation.emit({ type: 'session_info', title });
      }
      case 'error':
      case 'stream_error': {
        const message = asText(payload['message']) ?? 'error';
        const retryInMs = retryIn(message);
        const kind = errorKind(payload['codex_error_info'], message);
        return conversation.emit({ type: 'error', kind, message, ...(retryInMs !== undefined && { retryInMs }) });
      }
      case 'exec_approval_request':
      case 'apply_patch_approval_request':
      case 'request_permissions': {
        const question = asText(payload['reason']);
        return conversation.emit({ type: 'waiting', for: 'permission', ...(question !== undefined && { question }) });
      }
      case 'elicitation_request':
        return conversation.emit({ type: 'waiting', for: 'input', question: asText(payload['message']) ?? '' });
    }
    const ran = ranItem(payload);
    if (ran) steps.item(ran);
    else quiet(payload, 'event', isKnownEvent);
  };

  return eachRecord({
    unit: 'line',
    decode(line, sink) {
      conversation.begin(sourceOf(file, line), sink);
      const silent = quietRecord(line.text);
      if (silent) {
        conversation.timed(timeOf(silent.time));
        return conversation.emit({ type: 'other', name: copied ? 'copied history' : silent.name });
      }
      const record = parseRecord(line.text);
      if (!record) return isBlank(line.text) ? undefined : conversation.problem('not a JSON record');
      conversation.timed(timeOf(record['timestamp']) ?? timeOf(record['created_at']));
      const payload = asRecord(record['payload']);
      if (!payload) return bareRecord(record);
      const type = record['type'];
      if (copied && !(type === 'event_msg' && /^t(?:ask|urn)_started$/.test(asText(payload['type']) ?? ''))) {
        return conversation.emit({ type: 'other', name: 'copied history' });
      }
      switch (type) {
        case 'session_meta':
          return sessionMeta(payload);
        case 'response_item':
          return responseItem(payload, asRecord(record['metadata']));
        case 'event_msg':
          return eventMessage(payload);
        case 'turn_context':
          return learn(payload);
        case 'compacted':
          return compacted(payload);
        default:
          return quiet({ ...payload, type }, 'type', isKnownRecord);
      }
    },
  });

  /** Reads a record of the first version, which wrote items without an envelope; its first line is a session without a type. */
  function bareRecord(record: JsonRecord): void {
    if (asText(record['type']) !== undefined) return responseItem(record, undefined);
    if (asText(record['role']) !== undefined) {
      return messages.message({ ...record, content: record['content'] ?? record['message'] }, undefined);
    }
    if (record['record_type'] !== undefined) return conversation.emit({ type: 'other', name: 'state' });
    if (asText(record['id']) !== undefined && !ownMeta) return sessionMeta(record);
    conversation.problem('a record without a type');
  }
}

function nameOf(payload: JsonRecord): string {
  return asText(payload['type']) ?? 'record';
}

function resultOf(value: unknown): unknown {
  const exitCode = asNumber(at(value, 'exitCode'));
  if (exitCode === undefined) return value;
  const output = `${asString(at(value, 'stdout')) ?? ''}${asString(at(value, 'stderr')) ?? ''}`;
  return `Exit code: ${exitCode}\nOutput:\n${output}`;
}

/**
 * Returns the reason of an approval request, '' if it has none. No record says that Codex asks for an approval. A call that requests to leave the
 * sandbox is the only hint in the transcript (docs/agents.md, "Codex CLI").
 */
function approvalOf(args: unknown): string | undefined {
  const record = asRecord(args);
  const wanted =
    record?.['sandbox_permissions'] === 'require_escalated' || record?.['with_escalated_permissions'] === true;
  return wanted ? (asText(record?.['justification']) ?? '') : undefined;
}

/** Returns the request to the person if the call is nothing else. */
function askedBy(
  name: string,
  args: unknown,
): { readonly for: 'input' | 'permission'; readonly question?: string } | undefined {
  switch (name) {
    case 'request_user_input':
      return { for: 'input', question: asText(at(asArray(asRecord(args)?.['questions'])?.[0], 'question')) ?? '' };
    case 'request_permissions': {
      const question = asText(asRecord(args)?.['reason']) ?? asText(asRecord(args)?.['justification']);
      return { for: 'permission', ...(question !== undefined && { question }) };
    }
    default:
      return undefined;
  }
}
