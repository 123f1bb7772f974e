import type { GateFailure, GateReport, GateResult } from '../../core/model';
import { HARMLESS } from '../drafts/draft';
import { fenced, fencedLines, plainLine, quotedLine } from '../quote';
import { blockedBy, failureWords } from './verdict';

/** The reason why a claim of completion was not accepted. */
export interface BlockingEvent {
  /** `TASK_COMPLETE`, or the text of another claim. */
  readonly originalRequest: string;
  /** Name of the first gate that failed. */
  readonly blockedBy: string;
  /** `tests failed: 2 of 214`. */
  readonly summary: string;
  /** Single failures of all gates that failed, one line each. */
  readonly details: readonly string[];
  readonly suggestions: readonly string[];
  readonly gates: readonly GateResult[];
}

/** Failures that are sent to the agent; it can run the command for the rest. */
const DETAILS = 12;

/** Returns the event of a report with a failed gate; null if none failed. `advice`: suggestions of the user, by gate id. */
export function blockingEvent(
  report: GateReport,
  advice: ReadonlyMap<string, string> = new Map(),
): BlockingEvent | null {
  const first = blockedBy(report.results);
  if (!first) return null;
  const failed = report.results.filter(({ status }) => status === 'failed');
  const details = failed.flatMap((gate) => gate.failures.map((one) => detail(one, failed.length > 1 ? gate.name : '')));
  const shown = details.slice(0, DETAILS);
  return {
    originalRequest: quotedLine(report.claim) || 'the end of the turn',
    blockedBy: first.name,
    summary: failureWords(first),
    details: details.length > DETAILS ? [...shown, `and ${details.length - DETAILS} more`] : shown,
    suggestions: failed.flatMap((gate) => suggestionsFor(gate, advice.get(gate.id))),
    gates: report.results,
  };
}

/**
 * Formats the event as Markdown for the agent. A command's output is in fences, redacted and capped: names of tests and messages are text of the
 * project, and none of it may be read as a sentence of Unstuck's own. `attempt` of `most`: how often a claim was refused, and after how many times it
 * is no longer refused.
 */
export function blockingMarkdown(event: BlockingEvent, attempt: number, most: number): string {
  const first = event.gates.find(({ status }) => status === 'failed');
  const lines = [
    `## Completion Blocked: ${quotedLine(event.summary)}`,
    '',
    `Your \`${plainLine(event.originalRequest)}\` request was blocked.`,
    '',
  ];
  if (event.details.length > 0) lines.push('### Issues Found', fencedLines(event.details), '');
  const silent = event.gates.filter(({ status, failures }) => status === 'failed' && failures.length === 0);
  for (const gate of silent) {
    if (gate.output !== '') lines.push(`### End of the Output of ${quotedLine(gate.name)}`, fenced(gate.output), '');
  }
  if (event.suggestions.length > 0) {
    lines.push('### Suggested Actions', ...event.suggestions.map((one, index) => `${index + 1}. ${one}`), '');
  }
  lines.push('### Gate Status', ...event.gates.map(statusLine), '');
  if (first)
    lines.push(
      `Unstuck, an automated watcher, ran \`${plainLine(first.command)}\` and wrote this (${attempt} of ${most}).`,
    );
  lines.push(HARMLESS);
  return lines.join('\n');
}

function detail({ file, line, column, message, test }: GateFailure, gate: string): string {
  const place =
    file === undefined ? '' : `${quotedLine(`${file}${line ? `:${line}` : ''}${column ? `:${column}` : ''}`)} `;
  const what = test === undefined || test === '' ? quotedLine(message) : `${quotedLine(test)}: ${quotedLine(message)}`;
  return `${gate === '' ? '' : `${quotedLine(gate)}: `}${place}${what}`;
}

function suggestionsFor(gate: GateResult, own: string | undefined): string[] {
  const again = `Run \`${plainLine(gate.command)}\` yourself before you say again that the work is done.`;
  if (own !== undefined && own.trim() !== '') return [quotedLine(own), again];
  switch (kindOf(gate)) {
    case 'tests':
      return ['Review the failing test assertions.', 'Check if recent changes broke existing behavior.', again];
    case 'lint':
      return ['Fix the reported style and lint issues.', again];
    case 'build':
      return ['Fix the compilation errors before anything else.', 'Check for missing imports or typos.', again];
    case 'other':
      return [`Fix what ${quotedLine(gate.name)} reports.`, again];
  }
}

function kindOf({ id, name }: GateResult): 'tests' | 'lint' | 'build' | 'other' {
  const words = `${id} ${name}`;
  if (/\btests?\b/i.test(words)) return 'tests';
  if (/\blint\b/i.test(words)) return 'lint';
  return /\b(?:build|types|compile)\b/i.test(words) ? 'build' : 'other';
}

function statusLine(gate: GateResult): string {
  const name = quotedLine(gate.name);
  const why = gate.reason === '' ? '' : ` (${quotedLine(gate.reason)})`;
  switch (gate.status) {
    case 'passed':
      return `[x] ${name}: passed`;
    case 'failed':
      return `[ ] ${name}: failed`;
    case 'skipped':
      return `[~] ${name}: skipped${why}`;
    case 'running':
      return `[>] ${name}: running`;
    case 'not_run':
      return `[-] ${name}: not run${why}`;
  }
}
