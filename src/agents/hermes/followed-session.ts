import { ok } from '../../base/util/result';
import { argumentsIn, asArray, asRecord, asText, at, headOf, parseJson, Recent, timeOf } from '../shared/decode';
import { planItems } from '../shared/decode/plan-items';
import { Conversation } from '../shared/conversation';
import type { FollowedSession } from '../sqlite/sessions-decoder';
import { resultOf } from './result';
import { MESSAGES_AT_ONCE, type HermesRows, type MessageRow, type SessionRow } from './rows';

/** The vendor's call marker, in the JSON text of the calls: inside the arguments its quotes are escaped. */
const CALL_MARKER = /"arguments"\s?:/g;
/** Messages that Hermes itself inserts in the person's name. */
const OWN = /^\[(?:ASYNC DELEGATION|IMPORTANT: Background process)/;
/** Number of rows whose copies are recognised. */
const KNOWN = 20_000;

export function followSession(file: string, session: string): FollowedSession<SessionRow, HermesRows> {
  const conversation = new Conversation({
    agent: 'hermes',
    file,
    session,
    callOpensTurn: true,
    plan: ({ name, args }) => (name === 'todo' ? planItems(at(args, 'todos')) : null),
  });
  const known = new Recent<string, true>(KNOWN);
  let introduced = '';
  let ended = '';
  let behind = 0;
  let index = 0;

  const introduce = (row: SessionRow): void => {
    conversation.learn({ cwd: row.cwd || undefined, model: row.model || undefined });
    // A session that continues another one, whose context became too long, also has a parent.
    const parent = row.source === 'subagent' ? row.parent : undefined;
    const now = [row.title, parent].join('\n');
    if (now === introduced) return;
    introduced = now;
    conversation.emit({
      type: 'session_info',
      mode: 'interactive',
      ...(row.title !== '' && { title: row.title }),
      ...(parent !== undefined && { parent, role: 'agent' }),
    });
  };

  const assistant = (row: MessageRow, calls: readonly unknown[]): void => {
    if (row.content.trim() !== '') conversation.emit({ type: 'assistant', text: row.content, chunk: false });
    for (const [place, value] of calls.entries()) {
      const call = asRecord(value);
      const id = asText(call?.['id']) ?? `${row.row}/${place}`;
      const name = asText(at(call, 'function', 'name')) ?? 'unknown';
      const batch = String(row.row);
      conversation.call({ id, name, batch, ...argumentsIn(asText(at(call, 'function', 'arguments')) ?? '') });
    }
    if (calls.length > 0) return;
    if (row.finish === 'stop' && conversation.endTurn('done')) return;
    if (row.content.trim() === '') conversation.emit({ type: 'other', name: 'empty message' });
  };

  const message = (row: MessageRow): void => {
    if (row.isSummary) return conversation.emit({ type: 'compaction', trigger: 'auto', summary: row.content });
    switch (row.role) {
      case 'user':
        return conversation.prompt(row.content, row.display !== '' || OWN.test(row.content));
      case 'assistant': {
        const calls = row.calls === '' ? [] : asArray(parseJson(row.calls));
        if (calls) return assistant(row, calls);
        return conversation.unread({ why: 'calls that are not a JSON list', call: true });
      }
      case 'tool':
        conversation.result(row.answers, resultOf(row.content));
        return;
      default:
        return conversation.emit({ type: 'other', name: headOf(row.role, 60) || 'message' });
    }
  };

  return {
    async read(row, rows, sink, breathe) {
      const place = () => conversation.begin({ file, line: index, offset: Math.max(0, index - 1) }, sink);
      place();
      introduce(row);
      for (;;) {
        const page = await rows.messages(session, behind);
        if (!page.ok) return page;
        for (const one of page.value) {
          behind = one.row;
          index++;
          place();
          conversation.timed(timeOf(one.at));
          // A compaction writes what it keeps a second time, with the original times.
          const key = `${one.role} ${one.at} ${one.answers}`;
          const copy = known.get(key) !== undefined;
          known.set(key, true);
          sink.read(session, 1, copy ? 0 : (one.calls.match(CALL_MARKER)?.length ?? 0));
          if (copy) conversation.emit({ type: 'other', name: 'copy' });
          else message(one);
          await breathe();
        }
        if (page.value.length < MESSAGES_AT_ONCE) break;
      }
      if (row.endReason !== ended && row.endReason !== '') conversation.emit({ type: 'session_end', reason: 'clean' });
      ended = row.endReason;
      return ok(undefined);
    },
  };
}
