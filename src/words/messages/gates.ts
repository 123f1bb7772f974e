import { t } from '../../util/l10n';
import type { GateReport, GateResult, GateStatus } from '../../model';
import { clock, clockOn, duration } from '../format';
import { translated } from '../translated';

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

/** What stands after the sign: `passed in 12 s`, `1 failed, 46 passed`, `skipped, needs tests`, `running 8 s`, `not run`. */
export function gateWords(gate: Said, now: number): string {
  const { status, reason, summary, startedAt, ms } = gate;
  const because = reason === '' ? '' : `, ${translated(reason)}`;
  switch (status) {
    case 'passed':
      return summary === '' ? t`passed in ${duration(ms)}` : t`${translated(summary)} in ${duration(ms)}`;
    case 'failed':
      return summary === '' ? t`failed` : translated(summary);
    case 'skipped':
      return `${t`skipped`}${because}`;
    case 'running':
      return t`running ${duration(Math.max(0, now - startedAt))}`;
    case 'not_run':
      return `${t`not run`}${because}`;
  }
}

/** For a screen reader: `tests, failed: 1 failed, 46 passed`. */
export function gateAria(gate: Said & Pick<GateResult, 'name'>, now: number): string {
  const words = gateWords(gate, now);
  return gate.status === 'failed' ? t`${gate.name}, failed: ${words}` : `${gate.name}, ${words}`;
}

/** The row below an agent: `1 failed, 1 skipped`, `all passed`, `running`. */
export function gatesInShort(report: Pick<GateReport, 'verdict' | 'results'>): string {
  if (report.verdict === 'running') return t`running`;
  if (report.verdict === 'cancelled') return t`cancelled`;
  const count = (status: GateStatus) => report.results.filter((gate) => gate.status === status).length;
  const parts = [
    count('failed') > 0 ? t`${count('failed')} failed` : '',
    count('skipped') > 0 ? t`${count('skipped')} skipped` : '',
    count('not_run') > 0 ? t`${count('not_run')} not run` : '',
  ].filter((part) => part !== '');
  if (parts.length > 0) return parts.join(', ');
  return report.results.length === 0 ? t`none` : t`all passed`;
}

/** A run as far as its sentences need it. */
interface Judged extends Pick<GateReport, 'verdict'> {
  readonly results: readonly Pick<GateResult, 'status'>[];
}

/** The sentence behind the end of a session: `All gates passed.`, `1 gate failed.` Empty where nothing was judged. */
export function gatesSentence(report: Judged): string {
  const failed = report.results.filter(({ status }) => status === 'failed').length;
  switch (report.verdict) {
    case 'passed':
      return t`All gates passed.`;
    case 'failed':
      return t`${failed} {0:gate|gates} failed.`;
    case 'running':
    case 'none':
    case 'cancelled':
      return '';
  }
}

/** The label of their heading: `at 16:58`, or `since 16:58` while they run. */
export function gatesLabel(report: Pick<GateReport, 'startedAt' | 'endedAt'>, now: number): string {
  return report.endedAt === null ? t`since ${clockOn(report.startedAt, now)}` : t`at ${clockOn(report.endedAt, now)}`;
}

/** What came of a run in one sentence; empty while it runs. */
export function gatesOutcome(report: Judged & Pick<GateReport, 'claim' | 'attempt'>): string {
  const after = report.claim === '' ? '' : t` after ${translated(report.claim)}`;
  const again = report.attempt > 1 ? ` ${t`${report.attempt} failed claims in a row.`}` : '';
  switch (report.verdict) {
    case 'running':
      return '';
    case 'passed':
    case 'failed':
      return `${gatesSentence(report).replace(/\.$/, () => `${after}.`)}${again}`;
    case 'none':
      return report.results.length === 0
        ? t`No gate is set up for this folder.`
        : t`No gate failed, but not all could run.`;
    case 'cancelled':
      return t`The run was cancelled.`;
  }
}

/** Whether the agent was told of the failure: `Sent to the agent at 16:58.`, `Not sent: it has ended.` Empty where there is nothing to say. */
export function gatesTold(notSent: string | undefined, sentAt: number | undefined): string {
  if (sentAt !== undefined) return t`Sent to the agent at ${clock(sentAt)}.`;
  return notSent ? t`Not sent: ${translated(notSent).replace(/\.$/, '')}.` : '';
}
