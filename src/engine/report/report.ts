import { type Incident, repeatsIn } from '../../core/model';
import { inFence } from '../../base/util/fences';
import { codeSpan, escaped, valueTable } from '../../base/util/markdown';
import { presentable } from '../../base/util/redact';
import { duration, endingWords, ruleName, whole } from '../../core/words';
import { neutral } from './neutral';

/** Parts from which the report is written. */
export interface ReportVersions {
  /** Version of Unstuck. */
  readonly unstuck: string;
  /** For example `VS Code 1.139.0`, `Node 22.4.0`. */
  readonly host: string;
  /** For example `linux x64`. */
  readonly system: string;
}

/** Number of the first lines of evidence that are quoted; the newest come after them. */
const FIRST_LINES = 2;
const LAST_LINES = 4;
/** Characters of the last result that are quoted. */
const RESULT_LENGTH = 1_500;

/**
 * Describes an incident in a text that a person can pass on: what happened, by which rule, its figures, a few lines of evidence, and the versions.
 * Markdown without secrets, and without the names of people and folders in paths. The title of the session is left out, because it is what a person
 * asked for.
 */
export function reportOf(original: Incident, versions: ReportVersions, now: number): string {
  const incident = neutral(original, original.folder === undefined ? [] : [original.folder]) as Incident;
  const { agentName, model, detector, rule, level, certainty, why, evidence, lastSample, situations } = incident;
  const parts = [
    `# ${escaped(`${ruleName(detector, rule)}: ${incident.subject}`)}`,
    '',
    escaped(why),
    '',
    ...valueTable([
      ['Rule', `${detector}${rule ? ` (${rule})` : ''}, ${level}, ${certainty}`],
      ['Count', numbers(incident)],
      ['Lasted', lasted(incident, now)],
      ['Ended', endingWords({ ...incident, attempts: incident.attempts.length }) || 'still open'],
      [
        'Alert',
        `at line ${incident.alertLine}${incident.stuckLine === null ? '' : `, stuck at line ${incident.stuckLine}`}`,
      ],
      [
        'Tried',
        incident.attempts
          .map((one) => `${one.kind} (${one.state}${one.outcome ? `, ${one.outcome}` : ''})`)
          .join('; ') || 'nothing',
      ],
      ['Situation', situations?.join(', ') ?? '–'],
      ['Agent', `${agentName}${model ? `, ${model}` : ''}`],
      ['Versions', `Unstuck ${versions.unstuck}, ${versions.host}, ${versions.system}`],
    ]),
    '',
    '## Evidence',
    '',
    ...quoted(evidence),
    '',
  ];
  if (lastSample) {
    const { text } = lastSample;
    const cut = text.length > RESULT_LENGTH ? `${text.slice(0, RESULT_LENGTH)}\n…` : text;
    parts.push('## Last result', '', inFence(presentable(cut)), '');
  }
  parts.push(
    '## What was expected',
    '',
    'Say here what is wrong with this alarm, or what you had expected. A fixture that raises it again helps most: *Share…* opens one beside this report, and `unstuck fixture` prints it.',
    '',
  );
  return presentable(parts.join('\n'));
}

function numbers({ count, pattern, tokensSinceFirst }: Incident): string {
  const steps = pattern?.length ?? 0;
  return [
    whole(count),
    ...(steps > 1 ? [`${steps} steps in a round`] : []),
    ...(tokensSinceFirst === undefined ? [] : [`${whole(tokensSinceFirst)} tokens since the first`]),
  ].join(', ');
}

function lasted({ firstAt, resolvedAt }: Incident, now: number): string {
  return duration(Math.max(0, (resolvedAt ?? now) - firstAt));
}

function quoted(evidence: Incident['evidence']): string[] {
  const repeats = repeatsIn(evidence);
  const first = repeats.slice(0, FIRST_LINES);
  const last = repeats.slice(FIRST_LINES).slice(-LAST_LINES);
  const left = repeats.length - first.length - last.length;
  const line = ({ source, subject, text }: (typeof repeats)[number]) =>
    `- line ${source.line}: ${codeSpan(subject)}${text === '' ? '' : ` gave ${codeSpan(text)}`}`;
  return [...first.map(line), ...(left > 0 ? [`- … ${left} more …`] : []), ...last.map(line)];
}
