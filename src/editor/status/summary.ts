import type { AgentView } from '../../core/model';
import { plain, withCode } from '../../core/words';
import { signsInLine } from '../../base/util/showable';
import { sentenceOf } from '../trees/row-words';

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
