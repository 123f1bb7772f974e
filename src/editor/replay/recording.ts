import { type JsonRecord, parseRecord } from '../../base/util/json';

/** One recorded record of a transcript, as its agent wrote it. */
export type RecordedLine = JsonRecord;

/** One call of a recorded batch, as it is named in a hook's payload. */
export interface RecordedCall {
  readonly tool_name: string;
  readonly tool_input: unknown;
  readonly tool_use_id: string;
  readonly tool_response: string;
}

/** Records that are written together: up to and including the results of one batch of calls, after which the agent would call its hooks. */
export interface Beat {
  readonly lines: readonly RecordedLine[];
  /** Empty for the records after the last batch. */
  readonly batch: readonly RecordedCall[];
}

interface Block {
  readonly type?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: unknown;
}

/** Cuts a recorded Claude Code run into beats. Lines that are not JSON objects are left out. */
export function beatsOf(recording: string): Beat[] {
  const beats: Beat[] = [];
  let lines: RecordedLine[] = [];
  let open = new Map<string, Block>();
  let answered: RecordedCall[] = [];
  for (const text of recording.split('\n')) {
    const line = parseRecord(text);
    if (!line) continue;
    lines.push(line);
    for (const block of blocksOf(line)) {
      if (block.type === 'tool_use' && block.id) open.set(block.id, block);
      if (block.type !== 'tool_result' || !block.tool_use_id) continue;
      const call = open.get(block.tool_use_id);
      answered.push({
        tool_name: call?.name ?? '',
        tool_input: call?.input ?? {},
        tool_use_id: block.tool_use_id,
        tool_response: typeof block.content === 'string' ? block.content : JSON.stringify(block.content ?? ''),
      });
      open.delete(block.tool_use_id);
    }
    if (answered.length > 0 && open.size === 0) {
      beats.push({ lines, batch: answered });
      lines = [];
      answered = [];
      open = new Map();
    }
  }
  if (lines.length > 0) beats.push({ lines, batch: [] });
  return beats;
}

function blocksOf(line: RecordedLine): readonly Block[] {
  if (line['type'] !== 'assistant' && line['type'] !== 'user') return [];
  const message = line['message'] as { content?: unknown } | undefined;
  return Array.isArray(message?.content) ? (message.content as Block[]) : [];
}
