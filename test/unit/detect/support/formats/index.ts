import { createDecoder } from '../../../../../src/agents/decoders';
import type { AgentEvent } from '../../../../../src/core/model';
import { type Act, type Format, SESSION } from './acts';
import { genericFormat } from './generic';
import { claudeFormat } from './claude-code';
import { codexFormat } from './codex';
import { geminiFormat } from './gemini';
import { copilotFormat } from './copilot';
import { qwenFormat } from './qwen';
import { atifFormat } from './atif';

export type { Act } from './acts';

export const FORMATS: readonly Format[] = [
  genericFormat,
  claudeFormat,
  codexFormat,
  geminiFormat,
  copilotFormat,
  qwenFormat,
  atifFormat,
];

/** Ids of calls as the formats write them. */
const CALL_IDS = /"(?:call|bad)_\d+"/g;

/**
 * Returns the events that a format's own decoder makes from its records.
 *
 * @param sameId writes the same id for each call, as some providers do
 */
export function decoded({ adapter, records }: Format, acts: readonly Act[], { sameId = false } = {}): AgentEvent[] {
  const events: AgentEvent[] = [];
  const written = (record: object): string => {
    const text = JSON.stringify(record);
    return sameId ? text.replaceAll(CALL_IDS, '"call_0"') : text;
  };
  const sink = { event: (event: AgentEvent) => void events.push(event), problem: () => undefined };
  const decoder = createDecoder(adapter, { file: `/t/${SESSION}.jsonl`, readSmall: () => undefined });
  if (decoder.unit === 'line') {
    let offset = 0;
    for (const [index, record] of records(acts).entries()) {
      const text = written(record);
      decoder.decode({ text, line: index + 1, offset }, sink);
      offset += text.length + 1;
    }
  } else if (decoder.unit === 'document') {
    decoder.decode(
      written({
        schema_version: 'ATIF-v1.6',
        session_id: SESSION,
        agent: { name: 'an agent', version: '1', model_name: 'm' },
        steps: records(acts),
      }),
      sink,
    );
  }
  return events;
}
