import { createDecoder } from '../../../../src/agents/decoders';
import { generic } from '../../../../src/agents/generic/adapter';
import type { AgentEvent } from '../../../../src/core/model';

/** Decodes a generic transcript (version 1) into events. */
export function genericEvents(text: string, file = 'test.agent.jsonl'): AgentEvent[] {
  const events: AgentEvent[] = [];
  const decoder = createDecoder(generic, { file, readSmall: () => undefined });
  if (decoder.unit !== 'line') throw new Error('the generic format is decoded line by line');
  let offset = 0;
  text.split('\n').forEach((line, index) => {
    decoder.decode(
      { text: line, line: index + 1, offset },
      { event: (event) => void events.push(event), problem() {} },
    );
    offset += Buffer.byteLength(line) + 1;
  });
  return events;
}
