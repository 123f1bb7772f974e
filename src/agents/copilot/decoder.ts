import type { DecoderContext, LineDecoder } from '../decoder';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  eachRecord,
  type JsonRecord,
  Recent,
  requestErrorKind,
  textOf,
  timeOf,
  unknownType,
} from '../shared/decode';
import { isKnownEvent } from './known-events';
import { createCalls, createConversation } from './calls';

/** Decodes `events.jsonl` of a Copilot CLI session: one envelope `{type, data, id, timestamp, parentId}` per event. */
export function createDecoder({ file }: DecoderContext): LineDecoder {
  const conversation = createConversation(file);
  const calls = createCalls(conversation);
  const subAgents = new Recent<string, true>(500);
  /** A "turn" of Copilot is one round of the model. */
  let roundOpen = false;
  let finalAnswer = false;
  let countsByRecord = false;

  const context = (data: JsonRecord): void => {
    const cwd = asText(at(data, 'context', 'cwd'));
    const branch = asText(at(data, 'context', 'branch'));
    const version = asText(data['copilotVersion']);
    const named = asText(data['selectedModel']);
    // VS Code runs Copilot's agent as a separate process, which writes into the same store. Read in VS Code 1.139; not tried.
    const isInEditor = data['clientName'] === 'vscode-agent-host';
    conversation.facts.update({ cwd, model: named });
    conversation.emit({
      type: 'session_info',
      ...(cwd !== undefined && { cwd }),
      ...(branch !== undefined && { branch }),
      ...(version !== undefined && { version }),
      ...(isInEditor && { agentName: 'Copilot in VS Code' }),
      ...(named !== undefined && { model: named }),
    });
  };

  const user = (data: JsonRecord): void => {
    const text = textOf(data['content']);
    if (text.trim() !== '') finalAnswer = false;
    conversation.prompt(text);
  };

  const round = (): void => {
    roundOpen = true;
    finalAnswer = false;
    conversation.startTurn();
    conversation.emit({ type: 'request' });
  };

  const endTurn = (reason: 'done' | 'interrupted' | 'error'): void => {
    roundOpen = false;
    if (!conversation.endTurn(reason)) conversation.emit({ type: 'other', name: 'end' });
  };

  const message = (data: JsonRecord, session: string): void => {
    const requests = (asArray(data['toolRequests']) ?? []).map(asRecord);
    const id = asText(data['messageId']);
    for (const request of requests) if (request) calls.requested(request, id);
    const text = textOf(data['content']);
    if (text.trim() !== '') conversation.emitFor(session, { type: 'assistant', text, chunk: false });
    else conversation.emitFor(session, { type: 'other', name: 'calls' });
    const output = asNumber(data['outputTokens']);
    if (!countsByRecord && output !== undefined && output > 0) {
      conversation.emitFor(session, { type: 'usage', outputTokens: output });
    }
    if (session !== conversation.session) return;
    conversation.learn({ model: asText(data['model']) });
    finalAnswer = requests.length === 0;
    if (finalAnswer && !roundOpen) endTurn('done');
  };

  const usage = (data: JsonRecord): void => {
    const counts = asRecord(data['usage']) ?? data;
    const input = asNumber(counts['inputTokens']);
    const output = asNumber(counts['outputTokens']);
    if (input === undefined && output === undefined) return conversation.emit({ type: 'other', name: 'usage' });
    countsByRecord = true;
    const window = asNumber(counts['maxPromptTokens']);
    // Requests of sub-agents and helpers fill their own windows.
    const ofConversation = (asText(counts['interactionType']) ?? 'conversation-agent') === 'conversation-agent';
    conversation.emit({
      type: 'usage',
      ...(ofConversation && input !== undefined && { contextTokens: input + (output ?? 0) }),
      ...(ofConversation && window !== undefined && window > 0 && { contextWindow: window }),
      ...(input !== undefined && { inputTokens: input }),
      ...(output !== undefined && { outputTokens: output }),
    });
  };

  const compacted = (data: JsonRecord, trigger: string): void => {
    const summary = asText(data['summaryContent']);
    const before = asNumber(data['preCompactionTokens']) ?? asNumber(data['preTruncationTokensInMessages']);
    const after = asNumber(data['postCompactionTokens']) ?? asNumber(data['postTruncationTokensInMessages']);
    const removed = asNumber(data['tokensRemovedDuringTruncation']) ?? asNumber(data['droppedTokens']) ?? 1;
    if (data['success'] === false || removed <= 0) return conversation.emit({ type: 'other', name: 'no compaction' });
    conversation.emit({
      type: 'compaction',
      trigger,
      ...(summary !== undefined && { summary }),
      ...(before !== undefined && { tokensBefore: before }),
      ...(after !== undefined && { tokensAfter: after }),
    });
  };

  const shutdown = (data: JsonRecord): void => {
    const failed = data['shutdownType'] === 'error';
    conversation.emit({
      type: 'session_end',
      reason: failed ? 'error' : conversation.turnOpen ? 'interrupted' : 'clean',
    });
    conversation.turnOpen = false;
    roundOpen = false;
  };

  const subAgent = (data: JsonRecord, session: string, type: string): void => {
    if (session === conversation.session) return conversation.emit({ type: 'other', name: type });
    if (type === 'subagent.completed' || type === 'subagent.failed') {
      return conversation.emitFor(session, {
        type: 'session_end',
        reason: type === 'subagent.failed' ? 'error' : 'clean',
      });
    }
    introduce(session, asText(data['agentDisplayName']) ?? asText(data['agentName']));
  };

  /** Introduces a sub-agent's session: its records name the call that started it. */
  const introduce = (session: string, role: string | undefined): void => {
    if (session === conversation.session || subAgents.has(session)) return;
    subAgents.set(session, true);
    conversation.emitFor(session, {
      type: 'session_info',
      parent: conversation.session,
      ...(role !== undefined && { role }),
      ...(conversation.facts.cwd !== undefined && { cwd: conversation.facts.cwd }),
    });
  };

  const decodeEvent = (type: string, data: JsonRecord, session: string): void => {
    switch (type) {
      case 'session.start': {
        const id = asText(data['sessionId']);
        if (id !== undefined) conversation.session = id;
        return context(data);
      }
      case 'session.resume':
      case 'session.context_changed':
        return context(type === 'session.resume' ? data : { context: data });
      case 'session.model_change': {
        const named = asText(data['newModel']);
        conversation.facts.update({ model: named });
        return conversation.emit({ type: 'session_info', ...(named !== undefined && { model: named }) });
      }
      case 'session.title_changed': {
        const title = asText(data['title']);
        return conversation.emit({ type: 'session_info', ...(title !== undefined && { title }) });
      }
      case 'user.message':
        return session === conversation.session
          ? user(data)
          : conversation.emitFor(session, { type: 'other', name: type });
      case 'assistant.turn_start':
        return session === conversation.session ? round() : conversation.emitFor(session, { type: 'request' });
      case 'assistant.message':
        return message(data, session);
      case 'assistant.turn_end':
        if (session !== conversation.session) return conversation.emitFor(session, { type: 'other', name: type });
        if (finalAnswer) return endTurn('done');
        roundOpen = false;
        return conversation.emit({ type: 'other', name: type });
      case 'session.idle':
        return endTurn('done');
      case 'tool.execution_start':
        return calls.started(session, data);
      case 'tool.execution_complete':
        return calls.completed(session, data);
      case 'session.usage_record':
        return usage(data);
      case 'session.compaction_complete':
        return compacted(data, 'auto');
      case 'session.truncation':
        return compacted(data, 'truncation');
      case 'session.error': {
        const text = asText(data['message']) ?? 'error';
        const kind = requestErrorKind(`${asText(data['errorType']) ?? ''} ${text}`, asNumber(data['statusCode']));
        conversation.emit({ type: 'error', kind, message: text });
        // It has retried before it reports this: the turn is over.
        return endTurn('error');
      }
      case 'abort':
        return endTurn('interrupted');
      case 'session.shutdown':
        return shutdown(data);
      case 'session.task_complete':
        // The autopilot's last round has a call, and no answer after it.
        finalAnswer = data['success'] !== false;
        return conversation.emit({ type: 'completion', claim: asText(data['summary']) ?? 'task_complete' });
      case 'permission.requested': {
        const question = asText(at(data, 'permissionRequest', 'intention')) ?? asText(data['intention']);
        return conversation.emit({ type: 'waiting', for: 'permission', ...(question !== undefined && { question }) });
      }
      case 'user_input.requested':
      case 'elicitation.requested':
      case 'exit_plan_mode.requested': {
        const question = asText(data['question']) ?? asText(data['message']) ?? asText(data['summary']);
        const what = type === 'exit_plan_mode.requested' ? 'plan' : 'input';
        return conversation.emit({ type: 'waiting', for: what, ...(question !== undefined && { question }) });
      }
      case 'permission.completed':
      case 'user_input.completed':
      case 'elicitation.completed':
      case 'exit_plan_mode.completed':
        return conversation.emit({ type: 'request' });
      case 'hook.end':
        conversation.emit({ type: 'other', name: type });
        return conversation.marks(textOf(at(data, 'output', 'additionalContext')));
      case 'subagent.started':
      case 'subagent.completed':
      case 'subagent.failed':
        return subAgent(data, sessionOf(conversation.session, data['toolCallId']), type);
      default:
        if (isKnownEvent(type)) return conversation.emitFor(session, { type: 'other', name: type });
        return conversation.unread(unknownType('type', type, data));
    }
  };

  return eachRecord({
    unit: 'line',
    decode(line, sink) {
      const record = conversation.record(file, line, sink);
      if (!record) return;
      const type = asText(record['type']);
      if (type === undefined) return conversation.problem('a record without a type');
      conversation.timed(timeOf(record['timestamp']));
      const data = asRecord(record['data']);
      if (!data) return conversation.problem(`"${type.slice(0, 60)}" without data`);
      const session = sessionOf(conversation.session, data['parentToolCallId']);
      introduce(session, undefined);
      decodeEvent(type, data, session);
    },
  });
}

function sessionOf(main: string, call: unknown): string {
  const id = asText(call);
  return id === undefined ? main : `${main}_${id}`;
}
