import type { AgentEvent, Source } from '../../core/model';
import { Hash } from '../../base/util/hash';
import type { DecodeSink, DecoderContext, LineDecoder } from '../decoder';
import type { TranscriptLine } from '../../base/tail';
import {
  asRecord,
  asText,
  at,
  createMarkFinder,
  Recent,
  isBlank,
  type JsonRecord,
  parseJson,
  sessionOfFile,
  textOf,
  timeOf,
  unknownType,
  eachRecord,
} from '../shared/decode';
import { assistantLine } from './assistant-line';
import {
  type Chain,
  type ClaudeRecord,
  createChain,
  endTurn,
  flushHeld,
  continueTurn,
  type ChainEmitter,
} from './chain';
import { keyOfLine } from './line-id';
import { isBookkeeping, isConversation, isTellingAttachment, lineKind, readRequestHead } from './line-kind';
import { isSubAgentFile } from './locate';
import { attachmentLine, costLine, systemLine } from './other-lines';
import { createSideChains } from './side-chains';
import { emitFacts, emitSubAgent, permissionModeOf } from './session-facts';
import { promptText } from './prompt';
import { userLine } from './user-line';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Number of lines whose ids are remembered to recognise repeats, and of calls in a fork's copied lines. */
const KNOWN_LINES = 10_000;
const COPIED_CALLS = 5_000;
/** Characters used to recognise a repeated text, together with its length, its time and its answer. */
const RECOGNISED_BY = 1_000;
const UNANSWERED = 'The service did not answer; Claude Code asks again.';

export function createDecoder(context: DecoderContext): LineDecoder {
  const subAgentFile = isSubAgentFile(context.file);
  const fileSession = sessionOfFile(context.file);
  const side = createSideChains();
  const marks = createMarkFinder();
  const knownLines = new Recent<number, true>(KNOWN_LINES);
  const copiedCalls = new Recent<string, true>(COPIED_CALLS);
  let main: Chain | null = null;
  /** The conversation's last request: nothing has come back yet. */
  let unanswered = false;
  let firstAt = 0;
  let lastAt = 0;
  let sink: DecodeSink;

  const emitter: ChainEmitter = {
    emit(chain, record, body) {
      const event = { agent: 'claude-code', session: chain.session, at: record.at, source: record.source, ...body };
      chain.ended =
        body.type === 'session_end' || (chain.ended && (body.type === 'other' || body.type === 'session_info'));
      sink.event(event as AgentEvent);
    },
    problem(record, why) {
      sink.problem({ line: record.source.line, offset: record.source.offset, why });
    },
    unread(record, part, what = 'block') {
      const type = what === 'block' ? part['type'] : part[what];
      sink.problem({ line: record.source.line, offset: record.source.offset, ...unknownType(what, type, part) });
    },
    marks(chain, record, text) {
      for (const message of marks.find(text)) emitter.emit(chain, record, { type: 'message_taken', message });
    },
    side: {
      started: (id, input) => side.started(id, input),
      ended: (id, record) => side.ended(emitter, id, record),
    },
  };

  function mainChain(named: string | undefined): Chain {
    if (main) return main;
    // An empty name is not a session.
    const session = named === '' ? undefined : named;
    if (subAgentFile) main = createChain(fileSession, session, true, context.plan);
    else
      main = createChain(
        UUID.test(fileSession) ? fileSession : (session ?? fileSession),
        undefined,
        false,
        context.plan,
      );
    return main;
  }

  function timeHere(time: number | undefined): number {
    if (time === undefined) return lastAt;
    if (firstAt === 0) firstAt = time;
    lastAt = time;
    return time;
  }

  function request(line: TranscriptLine, source: Source): void {
    const head = readRequestHead(line.text);
    const record = { row: {}, source, at: timeHere(head.at) };
    if (!isConversation(head.query)) return;
    const chain = mainChain(head.session);
    flushHeld(emitter, chain);
    continueTurn(emitter, chain, record);
    // Since 2.1.332 nothing else shows that a request was refused. Requests of sub-agents run side by side.
    if (!head.query.startsWith('agent:')) {
      if (unanswered) emitter.emit(chain, record, { type: 'error', kind: 'api', message: UNANSWERED });
      unanswered = true;
    }
    emitter.emit(chain, record, { type: 'request' });
  }

  function chainOf(row: JsonRecord): Chain {
    const chain = mainChain(asText(row['sessionId']));
    return row['isSidechain'] === true && !subAgentFile ? side.chainOf(row, chain.session) : chain;
  }

  /** True if the vendor wrote the line again, as some versions do (resume into the same file): the first copy counts. */
  function isRepeated(row: JsonRecord): boolean {
    const uuid = asText(row['uuid']);
    const key = uuid === undefined ? undefined : keyOfLine(uuid);
    return key !== undefined && (isKnown(key) || isRepeatedText(row));
  }

  /** The same for repeats with new ids: a conversation that was rewound repeats its lines with their old times. Calls keep their ids. */
  function isRepeatedText(row: JsonRecord): boolean {
    const time = asText(row['timestamp']);
    const content = at(row, 'message', 'content');
    const first = asRecord(Array.isArray(content) ? content[0] : { text: content });
    // Text that the editor adds to a prompt is not repeated with it.
    const typed = row['type'] === 'user' && asText(first?.['text']) !== undefined ? promptText(content) : undefined;
    const text = typed ?? asText(first?.['text']) ?? asText(first?.['thinking']);
    if (time === undefined || text === undefined || row['isSidechain'] === true) return false;
    const answer = asText(at(row, 'message', 'id')) ?? '';
    const beginning = text.length > RECOGNISED_BY ? text.slice(0, RECOGNISED_BY) : text;
    return isKnown(new Hash().text(time).text(answer).text(beginning).number(text.length).value());
  }

  function isKnown(key: number): boolean {
    if (knownLines.has(key)) return true;
    knownLines.set(key, true);
    return false;
  }

  /**
   * True for the lines at the beginning of a fork that come from the original session, but carry the fork's session id. They were that session's
   * steps: here they become `other`, so that a recovered fork does not begin stuck. Recognised by the session that made the request, by the calls of
   * such lines, and by prompts that are older than the file.
   */
  function isCopied(row: JsonRecord, chain: Chain, time: number | undefined): boolean {
    const origin = asText(row['requestSessionId']);
    const content = at(row, 'message', 'content');
    if (origin !== undefined && origin !== asText(row['sessionId'])) {
      chain.fork ??= { from: origin, emitted: false };
      for (const block of Array.isArray(content) ? content : []) {
        const id = asText(asRecord(block)?.['id']);
        if (id !== undefined) copiedCalls.set(id, true);
      }
      return true;
    }
    if (row['type'] !== 'user') return false;
    if (Array.isArray(content)) {
      const id = asText(asRecord(content[0])?.['tool_use_id']);
      if (id !== undefined) return copiedCalls.has(id);
    }
    return row['isSidechain'] !== true && time !== undefined && firstAt > 0 && time < firstAt - 60_000;
  }

  function copied(chain: Chain, record: ClaudeRecord): void {
    const { row } = record;
    const before = { ...record, at: lastAt };
    if (chain.fork && !chain.fork.emitted) {
      chain.fork.emitted = true;
      emitter.emit(chain, before, { type: 'session_info', forkedFrom: chain.fork.from });
    }
    if (row['type'] === 'user' && !chain.prompted) {
      const text = textOf(at(row, 'message', 'content'));
      if (text.trim() !== '' && !text.startsWith('<')) {
        chain.prompted = true;
        emitter.emit(chain, before, { type: 'session_info', title: text });
      }
    }
    emitter.emit(chain, before, { type: 'other', name: 'copied' });
  }

  function conversation(
    row: JsonRecord,
    source: Source,
    read: (emitter: ChainEmitter, chain: Chain, record: ClaudeRecord) => void,
  ): void {
    const time = timeOf(row['timestamp']);
    const chain = chainOf(row);
    if (!chain.sub || subAgentFile) unanswered = false;
    if (isRepeated(row)) {
      emitter.emit(chain, { row, source, at: lastAt }, { type: 'other', name: 'repeated line' });
      return;
    }
    if (isCopied(row, chain, time)) {
      emitFacts(emitter, chain, { row, source, at: lastAt });
      copied(chain, { row, source, at: lastAt });
      return;
    }
    const record = { row, source, at: timeHere(time) };
    emitFacts(emitter, chain, record);
    if (chain.sub && !chain.naming.done) emitSubAgent(emitter, chain, record, side, context);
    read(emitter, chain, record);
  }

  function parsed(row: JsonRecord, source: Source): void {
    const type = asText(row['type']);
    switch (type) {
      case 'user':
        return conversation(row, source, userLine);
      case 'assistant':
        return conversation(row, source, assistantLine);
      case 'system':
        return conversation(row, source, systemLine);
      case 'attachment':
        if (!isTellingAttachment(asText(at(row, 'attachment', 'type')) ?? '')) return;
        return conversation(row, source, attachmentLine);
      default:
    }
    const record = { row, source, at: timeHere(timeOf(row['timestamp'])) };
    switch (type) {
      case 'cost-state':
        return costLine(emitter, mainChain(asText(row['sessionId'])), record);
      case 'continued-in':
      case 'ended-by-model':
        return closed(record);
      case 'queue-operation':
        // A prompt in the queue has not reached the agent yet; its own line shows when it did.
        mainChain(asText(row['sessionId']));
        return;
      case 'permission-mode':
        return permissionMode(record);
      case 'progress':
        // Versions from 2026-01 to 2026-03 report each second that a command runs: the command is not silent, and waits for no one.
        if (at(row, 'data', 'type') === 'bash_progress')
          emitter.emit(chainOf(row), record, { type: 'other', name: 'command runs' });
        return;
      case 'custom-title':
        return title(record, asText(row['customTitle']));
      case 'ai-title':
        if (!main?.prompted) title(record, asText(row['aiTitle']));
        return;
      case 'relocated':
        return moved(record, asText(row['relocatedCwd']));
      case 'worktree-state':
        return moved(record, asText(at(row, 'worktreeSession', 'worktreePath')));
      case undefined:
        return emitter.problem(record, 'no type');
      default:
        if (!isBookkeeping(type)) emitter.problem(record, `unknown type "${type.slice(0, 60)}"`);
    }
  }

  /** Handles a session that ended, or continues under another name. */
  function closed(record: ClaudeRecord): void {
    const chain = mainChain(asText(record.row['sessionId']));
    flushHeld(emitter, chain);
    if (chain.turn === 'open') endTurn(emitter, chain, record, 'done');
    if (!chain.ended) emitter.emit(chain, record, { type: 'session_end', reason: 'clean' });
  }

  function title(record: ClaudeRecord, text: string | undefined): void {
    if (text !== undefined)
      emitter.emit(mainChain(asText(record.row['sessionId'])), record, { type: 'session_info', title: text });
  }

  /** Reads the permission mode, which also appears before the first line of the conversation, where nothing has a time yet: a prompt repeats it. */
  function permissionMode(record: ClaudeRecord): void {
    if (!main || lastAt === 0) return;
    const changed = main.facts.update({ permissionMode: permissionModeOf(asText(record.row['permissionMode'])) });
    if (changed) emitter.emit(main, record, { type: 'session_info', ...changed });
  }

  function moved(record: ClaudeRecord, cwd: string | undefined): void {
    const chain = mainChain(asText(record.row['sessionId']));
    const changed = chain.facts.update({ cwd });
    if (changed) emitter.emit(chain, record, { type: 'session_info', ...changed });
  }

  return eachRecord({
    unit: 'line',
    decode(line, into) {
      sink = into;
      const kind = lineKind(line.text);
      if (kind === 'skip') return;
      const source: Source = { file: context.file, line: line.line, offset: line.offset };
      if (kind === 'request') return request(line, source);
      const value = parseJson(line.text);
      const row = asRecord(value);
      if (row) return parsed(row, source);
      if (isBlank(line.text)) return;
      sink.problem({
        line: line.line,
        offset: line.offset,
        why: value === undefined ? 'not valid JSON' : 'not a JSON object',
      });
    },
  });
}
