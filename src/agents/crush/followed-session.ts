import { ok } from '../../base/util/result';
import type { DatabaseSink } from '../decoder';
import {
  argumentsIn,
  asArray,
  asRecord,
  asText,
  headOf,
  type JsonRecord,
  parseJson,
  requestErrorKind,
  timeOf,
  type ToolTable,
} from '../shared/decode';
import { Conversation } from '../shared/conversation';
import type { FollowedSession } from '../sqlite/sessions-decoder';
import { resultOf } from './result';
import { MESSAGES_AT_ONCE, type MessageRow, type CrushRows, type SessionRow } from './rows';

/** Roles of Crush's tools for which the common one does not fit. */
const TOOLS: ToolTable = { sourcegraph: 'search', download: 'other' };
/** The vendor's call marker, in the JSON text of the parts: inside a text its quotes would be escaped. */
const CALL_MARKER = '"type":"tool_call"';
/** Rows that changed less than this many seconds before the newest one are read again: several programs write. */
const OVERLAP = 5;

interface KnownMessage {
  /** 1-based position within the session. */
  readonly index: number;
  /** Number of call markers in its raw text. */
  calls: number;
  /** Parts that were reported: `text`, `finish`, or the id of a call or of its result. */
  readonly reported: Set<string>;
}

export function followSession(file: string, session: string, cwd: string): FollowedSession<SessionRow, CrushRows> {
  const conversation = new Conversation({
    agent: 'crush',
    file,
    session,
    tools: TOOLS,
    callOpensTurn: true,
    isReadOnce: true,
  });
  const known = new Map<string, KnownMessage>();
  const broken = new Set<string>();
  let introduced = '';
  let changedAt = 0;
  /** The newest row. It is read again whatever its time, and so are later ones: the clock may have been set back. */
  let newest = 0;
  let cost = 0;
  let filled = 0;
  let isChild = false;
  let summary = '';

  const introduce = (row: SessionRow): void => {
    isChild = row.parent !== undefined;
    summary = row.summary;
    conversation.timed(timeOf(row.created));
    const now = [row.parent, row.title].join('\n');
    if (now === introduced) return;
    introduced = now;
    conversation.facts.update({ cwd: cwd || undefined, mode: 'interactive' });
    conversation.emit({
      type: 'session_info',
      ...(cwd !== '' && { cwd }),
      ...(row.title !== '' && { title: row.title }),
      ...(row.parent !== undefined && { parent: row.parent, role: 'agent' }),
      mode: 'interactive',
    });
  };

  const ended = (reason: 'done' | 'interrupted' | 'error'): void => {
    if (!conversation.endTurn(reason)) conversation.emit({ type: 'other', name: 'end of a turn' });
    else if (isChild) conversation.emit({ type: 'session_end', reason: reason === 'done' ? 'clean' : reason });
  };

  const finished = (data: JsonRecord): void => {
    switch (data['reason']) {
      case 'end_turn':
        return ended('done');
      case 'canceled':
        return ended('interrupted');
      case 'error': {
        const message = [asText(data['message']), asText(data['details'])]
          .filter((words) => words !== undefined)
          .join(': ');
        conversation.emit({ type: 'error', kind: requestErrorKind(message), message: message || 'error' });
        return ended('error');
      }
      case 'max_tokens':
        return conversation.emit({
          type: 'error',
          kind: 'validation',
          message: 'The answer was cut off at the output limit.',
        });
      default:
        return conversation.emit({ type: 'other', name: 'end of an answer' });
    }
  };

  const assistant = (row: MessageRow, parts: readonly JsonRecord[], once: (part: string) => boolean): void => {
    if (once('request')) {
      conversation.timed(timeOf(row.created));
      conversation.learn({ model: row.model || undefined });
      conversation.startTurn();
      conversation.emit({ type: 'request' });
    }
    const finish = parts.find(({ type }) => type === 'finish');
    conversation.timed(timeOf(row.updated));
    // A streamed call may be stored twice, first with only part of its arguments.
    const last = new Map<unknown, JsonRecord>();
    for (const part of parts) if (part['type'] === 'tool_call') last.set(asRecord(part['data'])?.['id'], part);
    for (const part of parts) {
      const data = asRecord(part['data']) ?? {};
      if (part['type'] === 'tool_call') {
        const id = asText(data['id']);
        if (id === undefined) {
          if (once('bad call')) conversation.unread({ why: 'a call without an id', call: true });
        } else if (last.get(id) === part && (data['finished'] === true || finish) && once(`call ${id}`))
          conversation.call({
            id,
            name: asText(data['name']) ?? 'unknown',
            batch: row.id,
            ...argumentsIn(asText(data['input']) ?? ''),
          });
      } else if (part['type'] === 'text' && finish && once('text')) {
        const text = asText(data['text']) ?? '';
        if (row.id === summary) conversation.emit({ type: 'compaction', trigger: 'auto', summary: text });
        else if (text.trim() !== '') conversation.emit({ type: 'assistant', text, chunk: false });
      }
    }
    if (finish && once('finish')) finished(asRecord(finish['data']) ?? {});
  };

  const message = (row: MessageRow, parts: readonly JsonRecord[], once: (part: string) => boolean): void => {
    switch (row.role) {
      case 'assistant':
        return assistant(row, parts, once);
      case 'user': {
        conversation.timed(timeOf(row.created));
        const texts = parts.map(({ type, data }) => (type === 'text' ? asText(asRecord(data)?.['text']) : undefined));
        if (once('text')) conversation.prompt(texts.filter((text) => text !== undefined).join('\n'));
        return;
      }
      case 'tool':
        conversation.timed(timeOf(row.created));
        for (const { type, data } of parts) {
          const result = asRecord(data);
          const id = asText(result?.['tool_call_id']);
          if (type !== 'tool_result' || !result || id === undefined || !once(id)) continue;
          const given = resultOf(result);
          conversation.result(id, given);
          // A call that the user refuses ends the turn.
          if (given.denied) ended('interrupted');
        }
        return;
      default:
        if (once('message')) conversation.emit({ type: 'other', name: headOf(row.role, 60) || 'message' });
    }
  };

  const count = (row: SessionRow): void => {
    const tokens = row.promptTokens + row.completionTokens;
    const spent = row.cost - cost;
    if (tokens === 0 || (tokens === filled && spent <= 0)) return;
    filled = tokens;
    cost = Math.max(cost, row.cost);
    conversation.usage({ input: row.promptTokens, output: row.completionTokens, cost: spent });
  };

  return {
    async read(row, rows, sink, breathe) {
      const place = (index: number) => conversation.begin({ file, line: index, offset: Math.max(0, index - 1) }, sink);
      place(known.size);
      introduce(row);
      const unit = changedAt > 1e11 ? 1000 : 1;
      const since = changedAt - OVERLAP * unit;
      const from = newest;
      for (let behind = 0; ; ) {
        const page = await rows.messages(session, since, behind, from);
        if (!page.ok) return page;
        for (const one of page.value) {
          behind = one.row;
          newest = Math.max(newest, one.row);
          changedAt = Math.max(changedAt, one.updated);
          const before = known.get(one.id);
          const at = before ?? { index: known.size + 1, calls: 0, reported: new Set<string>() };
          if (!before) known.set(one.id, at);
          const calls = one.parts.split(CALL_MARKER).length - 1;
          if (!before || calls > at.calls) sink.read(session, before ? 0 : 1, Math.max(0, calls - at.calls));
          at.calls = Math.max(at.calls, calls);
          place(at.index);
          const parts = asArray(parseJson(one.parts));
          if (parts)
            message(
              one,
              parts.map((part) => asRecord(part) ?? {}),
              (part) => !at.reported.has(part) && at.reported.add(part) !== undefined,
            );
          else complain(sink, one.id, at.index);
          await breathe();
        }
        if (page.value.length < MESSAGES_AT_ONCE) break;
      }
      count(row);
      return ok(undefined);
    },
  };

  function complain(sink: DatabaseSink, id: string, index: number): void {
    if (broken.has(id)) return;
    broken.add(id);
    sink.problem({ line: index, offset: index - 1, why: 'a message whose parts are no JSON list' }, session);
  }
}
