import type { ErrorKind } from '../../model';
import type { DecoderContext, LineDecoder } from '../adapter';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  createMarkFinder,
  Recent,
  isOwnMessage,
  type JsonRecord,
  parseRecord,
  textOf,
  timeOf,
} from '../shared/decode';
import { Teller, sourceOf } from '../shared/decode/teller';
import { createCalls } from './calls';
import { sessionOfPath } from './locate';

/** Decodes `events.jsonl` of a Copilot CLI session: one envelope `{type, data, id, timestamp, parentId}` for each event. */
export function createDecoder({ file }: DecoderContext): LineDecoder {
  const teller = new Teller('copilot-cli', file, sessionOfPath(file));
  const calls = createCalls(teller);
  const marks = createMarkFinder();
  const subAgents = new Recent<string, true>(500);
  /** Whose turn it is; a "turn" of Copilot is one round of the model. */
  let turnOpen = false;
  let roundOpen = false;
  let finalAnswer = false;
  let countsByRecord = false;
  let model: string | undefined;

  const findMarks = (text: string): void => {
    for (const message of marks.find(text)) teller.tell({ type: 'message_taken', message });
  };

  const context = (data: JsonRecord): void => {
    const cwd = asText(at(data, 'context', 'cwd'));
    const branch = asText(at(data, 'context', 'branch'));
    const version = asText(data['copilotVersion']);
    const named = asText(data['selectedModel']);
    if (cwd !== undefined) calls.cwd = cwd;
    if (named !== undefined) model = named;
    teller.tell({
      type: 'session_info',
      ...(cwd !== undefined && { cwd }),
      ...(branch !== undefined && { branch }),
      ...(version !== undefined && { version }),
      ...(named !== undefined && { model: named }),
    });
  };

  const user = (data: JsonRecord): void => {
    const text = asText(data['content']) ?? textOf(data['content']);
    if (text.trim() === '') return teller.tell({ type: 'other', name: 'empty message' });
    turnOpen = true;
    finalAnswer = false;
    teller.tell({ type: 'user', text, automated: isOwnMessage(text) });
    findMarks(text);
  };

  const round = (): void => {
    roundOpen = true;
    finalAnswer = false;
    if (!turnOpen) teller.tell({ type: 'turn_start' });
    turnOpen = true;
    teller.tell({ type: 'request' });
  };

  const endTurn = (reason: 'done' | 'interrupted'): void => {
    roundOpen = false;
    if (!turnOpen) return teller.tell({ type: 'other', name: 'end' });
    turnOpen = false;
    teller.tell({ type: 'turn_end', reason });
  };

  const message = (data: JsonRecord, session: string): void => {
    const requests = (asArray(data['toolRequests']) ?? []).map(asRecord);
    const id = asText(data['messageId']);
    for (const request of requests) if (request) calls.requested(request, id);
    const text = textOf(data['content']);
    if (text.trim() !== '') teller.tellOf(session, { type: 'assistant', text, chunk: false });
    else teller.tellOf(session, { type: 'other', name: 'calls' });
    const output = asNumber(data['outputTokens']);
    if (!countsByRecord && output !== undefined && output > 0) {
      teller.tellOf(session, { type: 'usage', outputTokens: output });
    }
    if (session !== teller.session) return;
    const named = asText(data['model']);
    if (named !== undefined && named !== model) {
      model = named;
      teller.tell({ type: 'session_info', model: named });
    }
    finalAnswer = requests.length === 0;
    if (finalAnswer && !roundOpen) endTurn('done');
  };

  const usage = (data: JsonRecord): void => {
    const counts = asRecord(data['usage']) ?? data;
    const input = asNumber(counts['inputTokens']);
    const output = asNumber(counts['outputTokens']);
    if (input === undefined && output === undefined) return teller.tell({ type: 'other', name: 'usage' });
    countsByRecord = true;
    const window = asNumber(counts['maxPromptTokens']);
    // Requests of sub-agents and helpers fill windows of their own.
    const ofConversation = (asText(counts['interactionType']) ?? 'conversation-agent') === 'conversation-agent';
    teller.tell({
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
    if (data['success'] === false || removed <= 0) return teller.tell({ type: 'other', name: 'no compaction' });
    teller.tell({
      type: 'compaction',
      trigger,
      ...(summary !== undefined && { summary }),
      ...(before !== undefined && { tokensBefore: before }),
      ...(after !== undefined && { tokensAfter: after }),
    });
  };

  const shutdown = (data: JsonRecord): void => {
    const failed = data['shutdownType'] === 'error';
    teller.tell({ type: 'session_end', reason: failed ? 'error' : turnOpen ? 'interrupted' : 'clean' });
    turnOpen = false;
    roundOpen = false;
  };

  const subAgent = (data: JsonRecord, session: string, type: string): void => {
    if (session === teller.session) return teller.tell({ type: 'other', name: type });
    if (type === 'subagent.completed' || type === 'subagent.failed') {
      return teller.tellOf(session, { type: 'session_end', reason: type === 'subagent.failed' ? 'error' : 'clean' });
    }
    introduce(session, asText(data['agentDisplayName']) ?? asText(data['agentName']));
  };

  /** Records of a sub-agent name the call that started it: its own session. */
  const introduce = (session: string, role: string | undefined): void => {
    if (session === teller.session || subAgents.has(session)) return;
    subAgents.set(session, true);
    teller.tellOf(session, {
      type: 'session_info',
      parent: teller.session,
      ...(role !== undefined && { role }),
      ...(calls.cwd !== undefined && { cwd: calls.cwd }),
    });
  };

  const decodeEvent = (type: string, data: JsonRecord, session: string): void => {
    switch (type) {
      case 'session.start': {
        const id = asText(data['sessionId']);
        if (id !== undefined) teller.session = id;
        return context(data);
      }
      case 'session.resume':
      case 'session.context_changed':
        return context(type === 'session.resume' ? data : { context: data });
      case 'session.model_change': {
        const named = asText(data['newModel']);
        model = named ?? model;
        return teller.tell({ type: 'session_info', ...(named !== undefined && { model: named }) });
      }
      case 'session.title_changed': {
        const title = asText(data['title']);
        return teller.tell({ type: 'session_info', ...(title !== undefined && { title }) });
      }
      case 'user.message':
        return session === teller.session ? user(data) : teller.tellOf(session, { type: 'other', name: type });
      case 'assistant.turn_start':
        return session === teller.session ? round() : teller.tellOf(session, { type: 'request' });
      case 'assistant.message':
        return message(data, session);
      case 'assistant.turn_end':
        if (session !== teller.session) return teller.tellOf(session, { type: 'other', name: type });
        if (finalAnswer) return endTurn('done');
        roundOpen = false;
        return teller.tell({ type: 'other', name: type });
      case 'session.idle':
        return endTurn('done');
      case 'tool.execution_start':
        return calls.started(session, data);
      case 'tool.execution_complete':
        return findMarks(calls.completed(session, data));
      case 'session.usage_record':
        return usage(data);
      case 'session.compaction_complete':
        return compacted(data, 'auto');
      case 'session.truncation':
        return compacted(data, 'truncation');
      case 'session.error': {
        const text = asText(data['message']) ?? 'error';
        const kind = errorKind(asNumber(data['statusCode']), `${asText(data['errorType']) ?? ''} ${text}`);
        return teller.tell({ type: 'error', kind, message: text });
      }
      case 'abort':
        return endTurn('interrupted');
      case 'session.shutdown':
        return shutdown(data);
      case 'session.task_complete':
        return teller.tell({ type: 'completion', claim: asText(data['summary']) ?? 'task_complete' });
      case 'permission.requested': {
        const question = asText(at(data, 'permissionRequest', 'intention')) ?? asText(data['intention']);
        return teller.tell({ type: 'waiting', for: 'permission', ...(question !== undefined && { question }) });
      }
      case 'user_input.requested':
      case 'elicitation.requested':
      case 'exit_plan_mode.requested': {
        const question = asText(data['question']) ?? asText(data['message']) ?? asText(data['summary']);
        return teller.tell({ type: 'waiting', for: 'input', ...(question !== undefined && { question }) });
      }
      case 'permission.completed':
      case 'user_input.completed':
      case 'elicitation.completed':
      case 'exit_plan_mode.completed':
        return teller.tell({ type: 'request' });
      case 'hook.end':
        teller.tell({ type: 'other', name: type });
        return findMarks(textOf(at(data, 'output', 'additionalContext')));
      case 'subagent.started':
      case 'subagent.completed':
      case 'subagent.failed':
        return subAgent(data, sessionOf(teller.session, data['toolCallId']), type);
      default:
        return teller.tellOf(session, { type: 'other', name: type });
    }
  };

  return {
    unit: 'line',
    decode(line, sink) {
      teller.begin(sourceOf(file, line), sink);
      if (line.text.trim() === '') return;
      const record = parseRecord(line.text);
      const type = asText(record?.['type']);
      if (!record || type === undefined)
        return teller.problem(record ? 'a record without a type' : 'not a JSON record');
      teller.timed(timeOf(record['timestamp']));
      const data = asRecord(record['data']);
      if (!data) return teller.problem(`"${type.slice(0, 60)}" without data`);
      const session = sessionOf(teller.session, data['parentToolCallId']);
      introduce(session, undefined);
      decodeEvent(type, data, session);
    },
  };
}

function sessionOf(main: string, call: unknown): string {
  const id = asText(call);
  return id === undefined ? main : `${main}_${id}`;
}

function errorKind(status: number | undefined, text: string): ErrorKind {
  if (status === 429 || /rate.?limit|quota|too many requests/i.test(text)) return 'rate_limit';
  return /timed? ?out/i.test(text) ? 'timeout' : 'api';
}
