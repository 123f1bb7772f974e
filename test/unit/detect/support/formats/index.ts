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

/** Returns the events that a format's own decoder makes from its records. */
export function decoded({ adapter, records }: Format, acts: readonly Act[]): AgentEvent[] {
  const events: AgentEvent[] = [];
  const sink = { event: (event: AgentEvent) => void events.push(event), problem: () => undefined };
  const decoder = createDecoder(adapter, { file: `/t/${SESSION}.jsonl`, readSmall: () => undefined });
  if (decoder.unit === 'line') {
    let offset = 0;
    for (const [index, record] of records(acts).entries()) {
      const text = JSON.stringify(record);
      decoder.decode({ text, line: index + 1, offset }, sink);
      offset += text.length + 1;
    }
  } else if (decoder.unit === 'document') {
    decoder.decode(
      JSON.stringify({
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
