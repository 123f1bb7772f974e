import { type AgentView, type Incident, hasFailed, heightOf, wasSeen } from '../../core/model';
import { presentable } from '../../base/util/redact';
import { signsInLine } from '../../base/util/showable';
import { counted, whole } from '../../base/util/counts';
import { plain, reliefOf, reliefSentence, withCode } from '../../core/words';
import { sentenceOf } from '../trees/row-words';

/** Number of newest steps that the card shows; they fit on a line of a chat. */
const STEPS = 60;

/** Maximum number of newest incidents that it names. */
const INCIDENTS = 5;

/** Steps for a card: their number, and the flags of each, 0-based. */
export interface CardSteps {
  readonly length: number;
  flag(step: number): number;
}

/** Sums up an agent as lines for the clipboard. */
export function summaryOf(view: AgentView, now: number): string {
  const lines = [`${signsInLine(view.title)} (${view.agentName})`, sentenceOf(view, now, undefined)];
  for (const incident of view.incidents) {
    lines.push(
      `- ${plain(withCode(signsInLine(incident.why)))} Lines ${incident.firstLine} to ${incident.evidence.at(-1)?.source.line ?? incident.alertLine}.`,
    );
  }
  lines.push(view.machine ? `on ${view.machine.name}` : view.file);
  return lines.join('\n');
}

/**
 * Returns an agent as Markdown for a chat or an issue: its task, its state, what was found and what freed it, and its newest steps as one line of
 * text.
 *
 * @param incidents all of the session, oldest first
 */
export function statusCardOf(
  view: AgentView,
  incidents: readonly Incident[],
  steps: CardSteps | undefined,
  now: number,
): string {
  const lines = [`**${shown(view.title)}** (${view.agentName})`, '', shown(sentenceOf(view, now, undefined))];
  for (const incident of incidents.slice(-INCIDENTS)) {
    const relief = reliefOf(incident);
    lines.push('', `- ${shown(plain(withCode(incident.why)))}`);
    if (relief) lines.push(`  ${shown(plain(reliefSentence(relief)))}`);
  }
  if (steps && steps.length > 0) lines.push('', '```text', ...timelineOf(steps), '```');
  return `${lines.join('\n')}\n`;
}

function timelineOf(steps: CardSteps): readonly string[] {
  const from = Math.max(0, steps.length - STEPS);
  const signs = Array.from({ length: steps.length - from }, (_, index) => signOf(steps.flag(from + index)));
  const which = from === 0 ? counted(steps.length, 'step') : `the last ${STEPS} of ${whole(steps.length)} steps`;
  return [signs.join(''), `${which}: # changed something, o ran, . looked, x failed; = same result as before`];
}

/** Returns the most telling sign of a step: a repeat, a failure, otherwise what it did. */
function signOf(flags: number): string {
  if (wasSeen(flags)) return '=';
  if (hasFailed(flags)) return 'x';
  return { changed: '#', ran: 'o', looked: '.' }[heightOf(flags)];
}

/** Returns text of a transcript in one line, without secrets, that Markdown leaves as it is: no link, no image, no heading, no HTML, no mention. */
function shown(text: string): string {
  return presentable(signsInLine(text)).replaceAll(/[\\`*_{}[\]()<>#+!|~@&]/g, String.raw`\$&`);
}
