import { counted, whole } from '../../../base/util/counts';
import type { GateReport, GateResult, GateStatus } from '../../model';
import { clock, clockOn, duration } from '../format';

/** The mono sign of a gate, as in the agents' own plan files. */
export function gateSign(status: GateStatus): string {
  switch (status) {
    case 'passed':
      return '[x]';
    case 'failed':
      return '[ ]';
    case 'skipped':
      return '[~]';
    case 'running':
      return '[>]';
    case 'not_run':
      return '[-]';
  }
}

type Said = Pick<GateResult, 'status' | 'reason' | 'summary' | 'startedAt' | 'ms'>;

/** Text after the sign: `passed in 12 s`, `1 failed, 46 passed`, `skipped, needs tests`, `running 8 s`, `not run`. */
export function gateWords(gate: Said, now: number): string {
  const { status, reason, summary, startedAt, ms } = gate;
  const because = reason === '' ? '' : `, ${reason}`;
  switch (status) {
    case 'passed':
      return summary === '' ? `passed in ${duration(ms)}` : `${summary} in ${duration(ms)}`;
    case 'failed':
      return summary === '' ? 'failed' : summary;
    case 'skipped':
      return `skipped${because}`;
    case 'running':
      return `running ${duration(Math.max(0, now - startedAt))}`;
    case 'not_run':
      return `not run${because}`;
  }
}

/** For a screen reader: `tests, failed: 1 failed, 46 passed`. */
export function gateAria(gate: Said & Pick<GateResult, 'name'>, now: number): string {
  const words = gateWords(gate, now);
  return gate.status === 'failed' ? `${gate.name}, failed: ${words}` : `${gate.name}, ${words}`;
}

/** Text of the row below an agent: `1 failed, 1 skipped`, `all passed`, `running`. */
export function gatesInShort(report: Pick<GateReport, 'verdict' | 'results'>): string {
  if (report.verdict === 'running') return 'running';
  if (report.verdict === 'cancelled') return 'cancelled';
  const count = (status: GateStatus) => report.results.filter((gate) => gate.status === status).length;
  const parts = [
    count('failed') > 0 ? `${whole(count('failed'))} failed` : '',
    count('skipped') > 0 ? `${whole(count('skipped'))} skipped` : '',
    count('not_run') > 0 ? `${whole(count('not_run'))} not run` : '',
  ].filter((part) => part !== '');
  if (parts.length > 0) return parts.join(', ');
  return report.results.length === 0 ? 'none' : 'all passed';
}

/** The parts of a run that its sentences need. */
interface Judged extends Pick<GateReport, 'verdict'> {
  readonly results: readonly Pick<GateResult, 'status'>[];
}

/** Returns the sentence after the end of a session: `All gates passed.`, `1 gate failed.` Empty where nothing was judged. */
export function gatesSentence(report: Judged): string {
  const failed = report.results.filter(({ status }) => status === 'failed').length;
  switch (report.verdict) {
    case 'passed':
      return 'All gates passed.';
    case 'failed':
      return `${counted(failed, 'gate')} failed.`;
    case 'running':
    case 'none':
    case 'cancelled':
      return '';
  }
}

/** Returns the label of their heading: `at 16:58`, or `since 16:58` while they run. */
export function gatesLabel(report: Pick<GateReport, 'startedAt' | 'endedAt'>, now: number): string {
  return report.endedAt === null ? `since ${clockOn(report.startedAt, now)}` : `at ${clockOn(report.endedAt, now)}`;
}

/** Describes the outcome of a run in one sentence; empty while it runs. */
export function gatesOutcome(report: Judged & Pick<GateReport, 'claim' | 'attempt'>): string {
  const after = report.claim === '' ? '' : ` after ${report.claim}`;
  const again = report.attempt > 1 ? ` ${whole(report.attempt)} failed claims in a row.` : '';
  switch (report.verdict) {
    case 'running':
      return '';
    case 'passed':
    case 'failed':
      return `${gatesSentence(report).replace(/\.$/, () => `${after}.`)}${again}`;
    case 'none':
      return report.results.length === 0
        ? 'No gate is set up for this folder.'
        : 'No gate failed, but not all could run.';
    case 'cancelled':
      return 'The run was cancelled.';
  }
}

/**
 * Says whether the failure was sent to the agent: `Sent to the agent at 16:58.`, `Not sent: it has ended.` Empty where there is nothing to report.
 */
export function gatesDelivery(notSent: string | undefined, sentAt: number | undefined): string {
  if (sentAt !== undefined) return `Sent to the agent at ${clock(sentAt)}.`;
  return notSent ? `Not sent: ${notSent.replace(/\.$/, '')}.` : '';
}
