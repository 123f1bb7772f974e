import { describe, expect, it } from 'vitest';
import type { GateReport, GateResult } from '../../../../src/core/model';
import {
  gateAria,
  gateSign,
  gateWords,
  gatesInShort,
  gatesLabel,
  gatesOutcome,
  gatesSentence,
  gatesDelivery,
} from '../../../../src/core/words';
import { gateResult } from '../support/gates';

const report = (verdict: GateReport['verdict'], ...results: GateResult[]): Pick<GateReport, 'verdict' | 'results'> => ({
  verdict,
  results,
});

describe('a gate in words', () => {
  it.each([
    [gateResult({}), '[x] passed in 12 s', 'tests, passed in 12 s'],
    [gateResult({ summary: '214 passed' }), '[x] 214 passed in 12 s', 'tests, 214 passed in 12 s'],
    [
      gateResult({ status: 'failed', summary: '1 failed, 46 passed' }),
      '[ ] 1 failed, 46 passed',
      'tests, failed: 1 failed, 46 passed',
    ],
    [
      gateResult({ status: 'skipped', reason: 'needs tests' }),
      '[~] skipped, needs tests',
      'tests, skipped, needs tests',
    ],
    [gateResult({ status: 'running', ms: 0 }), '[>] running 8 s', 'tests, running 8 s'],
    [gateResult({ status: 'not_run' }), '[-] not run', 'tests, not run'],
  ])('%#', (gate, line, aria) => {
    expect(`${gateSign(gate.status)} ${gateWords(gate, 9_000)}`).toBe(line);
    expect(gateAria(gate, 9_000)).toBe(aria);
  });

  it('several gates are summed up in a few words', () => {
    const failed = gateResult({ status: 'failed' });
    expect(gatesInShort(report('failed', failed, gateResult({ status: 'skipped' })))).toBe('1 failed, 1 skipped');
    expect(gatesInShort(report('none', gateResult({}), gateResult({ status: 'not_run' })))).toBe('1 not run');
    expect(gatesInShort(report('passed', gateResult({})))).toBe('all passed');
    expect(gatesInShort(report('running', gateResult({})))).toBe('running');
    expect(gatesInShort(report('cancelled', failed))).toBe('cancelled');
    expect(gatesSentence(report('passed', gateResult({})))).toBe('All gates passed.');
    expect(gatesSentence(report('failed', failed, failed))).toBe('2 gates failed.');
    expect(gatesSentence(report('none'))).toBe('');
  });
});

describe('a run in words', () => {
  const failed = gateResult({ status: 'failed' });
  const run = (verdict: GateReport['verdict'], claim: string, attempt: number, ...results: GateResult[]) =>
    gatesOutcome({ ...report(verdict, ...results), claim, attempt });

  it('says when it was', () => {
    const at = Date.UTC(2026, 10, 20, 16, 58);
    const clock = /^at \d\d:58$/;
    expect(gatesLabel({ startedAt: at - 9000, endedAt: at }, at + 60_000)).toMatch(clock);
    expect(gatesLabel({ startedAt: at, endedAt: null }, at + 60_000)).toMatch(/^since \d\d:58$/);
  });

  it('says how it ended, and what it followed', () => {
    expect(run('failed', '', 0, failed)).toBe('1 gate failed.');
    expect(run('failed', 'TASK_COMPLETE', 1, failed)).toBe('1 gate failed after TASK_COMPLETE.');
    expect(run('failed', 'the end of the turn', 3, failed, failed)).toBe(
      '2 gates failed after the end of the turn. 3 failed claims in a row.',
    );
    expect(run('passed', '', 0, gateResult({}))).toBe('All gates passed.');
    expect(run('running', '', 0)).toBe('');
    expect(run('none', '', 0, gateResult({ status: 'not_run' }))).toBe('No gate failed, but not all could run.');
    expect(run('none', '', 0)).toBe('No gate is set up for this folder.');
    expect(run('cancelled', '', 0, gateResult({}))).toBe('The run was cancelled.');
  });

  it('says whether the agent was told', () => {
    expect(gatesDelivery('it has ended', undefined)).toBe('Not sent: it has ended.');
    expect(gatesDelivery('The folder is not open.', undefined)).toBe('Not sent: The folder is not open.');
    expect(gatesDelivery('', undefined)).toBe('');
    expect(gatesDelivery(undefined, 0)).toMatch(/^Sent to the agent at \d\d:\d\d\.$/);
  });
});
