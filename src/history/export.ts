import type { Evidence, Incident, RecoveryAttempt } from '../core/model';
import { inFence } from '../base/util/fences';
import { codeSpan, escaped, valueTable } from '../base/util/markdown';
import { presentable, redactDeep } from '../base/util/redact';
import { endingWords } from '../core/words';
import type { Learning, StoreEvent } from './types';

export interface ExportedIncident {
  readonly incident: Incident;
  readonly learning: Learning | undefined;
  readonly events: readonly StoreEvent[];
}

/** Returns one JSON object: `{ v: 1, kind: "incident", incident, learning, events }`, without secrets. */
export function exportJson(exported: ExportedIncident): string {
  const { incident, learning, events } = exported;
  return `${JSON.stringify(redactDeep({ v: 1, kind: 'incident', incident, learning: learning ?? null, events }), null, 2)}\n`;
}

/** Returns a report that can be read on its own and renders anywhere. Transcript text is in code, so that it stays text. */
export function exportMarkdown({ incident, learning, events }: ExportedIncident): string {
  const ending = endingWords({ ...incident, attempts: incident.attempts.length });
  const lines = [
    `# ${escaped(`${incident.detector} in ${incident.title === '' ? incident.session : incident.title}`)}`,
    '',
    escaped(incident.why),
    '',
    ...valueTable([
      [
        'Agent',
        `${incident.agentName}${incident.model ? `, ${incident.model}` : ''}${incident.role ? `, ${incident.role}` : ''}`,
      ],
      ['Session', incident.session],
      ['Rule', `${incident.detector}${incident.rule ? ` (${incident.rule})` : ''}, ${incident.certainty}`],
      [
        'State',
        `${incident.level}, ${ending || incident.state}${incident.cleared ? `, cleared by ${incident.cleared}` : ''}`,
      ],
      ['First result', `${time(incident.firstAt)}, line ${incident.firstLine}`],
      ['Opened', `${time(incident.openedAt)}, line ${incident.alertLine}`],
      ['Stuck', incident.stuckAt === null ? 'no' : `${time(incident.stuckAt)}, line ${incident.stuckLine ?? 0}`],
      [
        'Over',
        incident.resolvedAt === null ? 'no' : `${time(incident.resolvedAt)}, line ${incident.resolvedLine ?? 0}`,
      ],
      ['Count', String(incident.count)],
      ...(incident.tokensSinceFirst === undefined
        ? []
        : [['Tokens since the first', String(incident.tokensSinceFirst)] as const]),
      ['Transcript', incident.file],
    ]),
    '',
    '## Evidence',
    '',
    ...incident.evidence.map(evidenceLine),
    '',
  ];
  if (incident.lastSample) lines.push('## Last result', '', inFence(presentable(incident.lastSample.text)), '');
  if (incident.attempts.length > 0) lines.push('## Recovery', '', ...incident.attempts.map(attemptLine), '');
  if (learning)
    lines.push(
      '## Learned',
      '',
      escaped(learning.content),
      '',
      `Confidence ${learning.confidence}. Tags: ${escaped(learning.tags.join(', '))}.`,
      '',
    );
  if (events.length > 0)
    lines.push(
      '## Events',
      '',
      ...events.map((event) => `- ${time(event.t)} ${event.type} ${codeSpan(JSON.stringify(event.data))}`),
      '',
    );
  return presentable(lines.join('\n'));
}

function evidenceLine(one: Evidence): string {
  const place = `${time(one.at)}, line ${one.source.line}${one.end ? ` to ${one.end.line}` : ''}`;
  const letter = one.letter ? `${one.letter}: ` : '';
  return `- ${place}, ${one.role}: ${letter}${codeSpan(one.subject)}${one.text === '' ? '' : ` gave ${codeSpan(one.text)}`}`;
}

function attemptLine(attempt: RecoveryAttempt): string {
  const how = attempt.automated ? 'automatic' : 'by hand';
  const taken = attempt.takenAt === undefined ? '' : `, taken ${time(attempt.takenAt)}`;
  return `${attempt.attempt}. ${time(attempt.at)} ${attempt.kind}, ${how}: ${attempt.state}${taken}${attempt.outcome ? `, ${attempt.outcome}` : ''}`;
}

function time(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? 'unknown' : date.toISOString();
}
