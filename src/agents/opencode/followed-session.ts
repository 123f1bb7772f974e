import type { AgentId, Source } from '../../core/model';
import { ok } from '../../base/util/result';
import type { DatabaseSink } from '../decoder';
import { asRecord, asText, type JsonRecord, parseJson, parseRecord } from '../shared/decode';
import { createFold } from './fold';
import { PARTS_AT_ONCE, type PartRow, type OpencodeRows, type SessionRow } from './rows';
import type { FollowedSession } from '../sqlite/sessions-decoder';
import { createOrderedEvents } from './ordered-events';

/** Rows that changed less than this many milliseconds before the newest one are read again. */
const OVERLAP_MS = 5_000;

export function followSession(
  file: string,
  session: string,
  agent: AgentId,
): FollowedSession<SessionRow, OpencodeRows> {
  const timeline = createOrderedEvents();
  const fold = createFold(timeline.say, timeline.sayWithRequest);
  /** Place of each part within the session, in the order in which the parts were created. */
  const places = new Map<string, number>();
  /** Places of the first and the newest part of each message. */
  const first = new Map<string, number>();
  const newest = new Map<string, number>();
  const broken = new Set<string>();
  let introduced = '';
  let changedAt = 0;
  /** The newest rows. They are read again whatever their time, and so are later ones: the clock may have been set back. */
  let lastMessage = 0;
  let lastPart = 0;
  let counted = 0;
  let last = 1;

  const sourceOf = (index: number): Source => ({ file, line: index, offset: index - 1 });

  const introduce = (row: SessionRow): void => {
    // OpenCode's placeholder title, used until the model has found one, means nothing.
    const title = /^(?:New|Child) session - \d/.test(row.title) ? '' : row.title;
    const now = [row.directory, row.parent, title, row.version, row.agent, row.permission].join('\n');
    if (now === introduced) return;
    introduced = now;
    fold.cwd = row.directory || undefined;
    timeline.isChild = row.parent !== undefined;
    timeline.say(changedAt === 0 ? row.created : row.updated, last, {
      type: 'session_info',
      ...(row.directory !== '' && { cwd: row.directory }),
      ...(title !== '' && { title }),
      ...(row.version !== '' && { version: row.version }),
      ...(row.parent !== undefined && { parent: row.parent, ...(row.agent !== '' && { role: row.agent }) }),
      mode: isPrint(row) ? 'print' : 'interactive',
    });
  };

  const placeOf = (part: PartRow): number => {
    const known = places.get(part.id);
    if (known !== undefined) return known;
    const index = places.size + 1;
    places.set(part.id, index);
    if (!first.has(part.message)) first.set(part.message, index);
    newest.set(part.message, index);
    last = index;
    return index;
  };

  return {
    get changedAt() {
      return changedAt;
    },
    async read(row, rows, sink, breathe) {
      introduce(row);
      const count = await rows.count(session, counted);
      if (!count.ok) return count;
      counted = count.value.last;
      if (count.value.parts > 0) sink.read(session, count.value.parts, count.value.calls);

      // Several programs write: the row that one of them began first can appear last.
      const since = changedAt - OVERLAP_MS;
      const messages = await rows.messages(session, since, lastMessage);
      if (!messages.ok) return messages;
      const parts: [row: PartRow, data: JsonRecord, index: number][] = [];
      const from = lastPart;
      for (let behind = 0; ; ) {
        const page = await rows.parts(session, since, behind, from);
        if (!page.ok) return page;
        for (const part of page.value) {
          behind = part.row;
          lastPart = Math.max(lastPart, part.row);
          const index = placeOf(part);
          const data = parseRecord(part.data);
          if (data) {
            fold.foresee(data, part.message);
            parts.push([part, { ...data, id: part.id }, index]);
          } else complain(sink, part.id, index, 'a part that is not valid JSON');
          await breathe();
        }
        if (page.value.length < PARTS_AT_ONCE) break;
      }
      const infos: JsonRecord[] = [];
      for (const message of messages.value) {
        lastMessage = Math.max(lastMessage, message.row);
        changedAt = Math.max(changedAt, message.updated);
        const info = parseRecord(message.data);
        const index = first.get(message.id) ?? last;
        if (info) {
          infos.push({ ...info, id: message.id });
          fold.message({ ...info, id: message.id }, index);
        } else complain(sink, message.id, index, 'a message that is not valid JSON');
        await breathe();
      }
      for (const [part, data, index] of parts) {
        changedAt = Math.max(changedAt, part.updated);
        fold.part(data, part.message, index, part.created);
        await breathe();
      }
      for (const info of infos) fold.ended(info, newest.get(asText(info['id']) ?? '') ?? last);
      for (const { at, index, body } of timeline.drain()) {
        sink.event({ agent, session, at, source: sourceOf(index), ...body });
        await breathe();
      }
      return ok(undefined);
    },
  };

  function complain(sink: DatabaseSink, id: string, index: number, why: string): void {
    if (broken.has(id)) return;
    broken.add(id);
    sink.problem({ line: index, offset: index - 1, why }, session);
  }
}

/** Returns whether the session is an `opencode run`, which denies questions, as no one could answer them, and ends with its turn. */
function isPrint(row: SessionRow): boolean {
  const rules = parseJson(row.permission);
  if (row.parent !== undefined || !Array.isArray(rules)) return false;
  return rules.some((value) => {
    const rule = asRecord(value);
    return rule?.['permission'] === 'question' && rule['action'] === 'deny';
  });
}
