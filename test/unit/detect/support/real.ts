import { createDecoder } from '../../../../src/agents/decoders';
import { readFileSync } from 'node:fs';
import { registry } from '../../../../src/agents/registry';
import type { AgentEvent, DetectorId } from '../../../../src/core/model';
import { shared } from '../../support/shared';
import { type ReportedIncident, run } from './run';

/** Events of a real transcript of the collection, undefined if the collection is absent. Only for transcripts that are read by lines. */
function realEvents(name: string): AgentEvent[] | undefined {
  const file = shared('transcripts', ...name.split('/'));
  if (file === undefined) return undefined;
  const text = readFileSync(file, 'utf8');
  const head = text.slice(0, 65_536);
  const adapter = registry.find((one) => one.recognises(head, file) === 'yes');
  const decoder = adapter && createDecoder(adapter, { file, readSmall: () => undefined });
  if (decoder?.unit !== 'line') throw new Error(`${name} is not read by lines`);
  const events: AgentEvent[] = [];
  let offset = 0;
  text.split('\n').forEach((line, index) => {
    const at = offset;
    offset += Buffer.byteLength(line) + 1;
    if (line === '') return;
    decoder.decode(
      { text: line, line: index + 1, offset: at },
      { event: (event) => void events.push(event), problem: () => {} },
    );
  });
  return events;
}

/** Returns the reports of one detector for a real transcript, undefined if the collection is absent. */
export function realIncidents(name: string, detector: DetectorId): ReportedIncident[] | undefined {
  const events = realEvents(name);
  return events && run(events).incidents.filter((one) => one.first.detector === detector);
}
