import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/detect/session/options';
import type { GateRun } from '../../../../src/detect/session/gate-run';
import { createSessionDetectors } from '../../../../src/detect/session/session-detectors';
import type { Clearing, Finding } from '../../../../src/core/model';
import { type Script, script } from '../support/script';

/** A session whose claims the gates answer: each part of the run, then the result of the gates. */
function gated(parts: readonly (readonly [Script, Omit<GateRun, 'at'> | null])[]) {
  const findings: Finding[] = [];
  const clearings: Clearing[] = [];
  const detectors = createSessionDetectors(
    {
      agent: 'generic',
      showsRunningTool: true,
      options: resolveOptions({ preset: 'balanced', detectors: {} }),
    },
    {
      finding: (finding) => void (finding.detector === 'gate_blocked' && findings.push(finding)),
      clearing: (clearing) => void (clearing.detector === 'gate_blocked' && clearings.push(clearing)),
      nearMiss() {},
    },
  );
  let at = 0;
  for (const [part, run] of parts) {
    for (const event of part.events()) {
      at = event.at;
      detectors.push(event);
    }
    if (run) detectors.gates({ at: at + 500, ...run });
  }
  return { findings, clearings };
}

const failed = { passed: false, blockedBy: 'tests', summary: '2 of 41 tests failed' };
const claim = (): Script => script().line('completion', { claim: 'TASK_COMPLETE' });

describe('gate_blocked', () => {
  it('warns at the first blocked claim and is stuck at the third', () => {
    const { findings } = gated([
      [script().user('Add it.').bash('ls'), null],
      [claim(), failed],
      [claim(), failed],
      [claim(), failed],
    ]);
    expect(findings.map((one) => [one.level, one.count])).toEqual([
      ['warn', 1],
      ['warn', 2],
      ['stuck', 3],
    ]);
    expect(findings[0]).toMatchObject({
      reason: 'gate_blocked',
      exhaustion: 'attempts',
      certainty: 'counted',
      subject: 'tests',
    });
    expect(findings[0]?.why).toBe('It said it was done, and tests failed: 2 of 41 tests failed.');
    expect(findings[2]?.why).toBe('It said it was done 3 times, and tests failed each time: 2 of 41 tests failed.');
    expect(findings[2]?.evidence).toHaveLength(3);
  });

  it('takes the end of a turn as a claim too', () => {
    const { findings } = gated([[script().user('Add it.').bash('ls').say('Done.').turnEnd(), failed]]);
    expect(findings[0]?.source.line).toBe(5);
  });

  it('does not count gates that a person runs, or a second run for one claim', () => {
    expect(gated([[script().user('Add it.').bash('ls'), failed]]).findings).toEqual([]);
    expect(
      gated([
        [claim(), failed],
        [script().bash('ls'), failed],
      ]).findings,
    ).toHaveLength(1);
  });

  it('is over when the gates pass, when a person writes, and when the session ends', () => {
    const reason = (part: Script, run: Omit<GateRun, 'at'> | null) =>
      gated([
        [claim(), failed],
        [part, run],
      ]).clearings[0]?.reason;
    expect(reason(claim(), { passed: true })).toBe('gates_passed');
    expect(reason(script().user('Leave it.'), null)).toBe('user_message');
    expect(reason(script().line('session_end'), null)).toBe('session_end');
  });

  it('reads the feedback of a harness that itself blocks claims', () => {
    const run = script().user('Add it.');
    run.times(3, (one) =>
      one
        .line('completion', { claim: 'TASK_COMPLETE' })
        .user('## Completion Blocked: tests failed\n\nYour `TASK_COMPLETE` request was blocked.', true),
    );
    const [alert] = run.incidentsOf('gate_blocked');
    expect(alert?.last).toMatchObject({ level: 'stuck', count: 3, subject: 'tests' });
    expect(
      run.line('completion', { claim: 'TASK_COMPLETE' }).user('QUALITY_PASSED', true).incidentsOf('gate_blocked')[0]
        ?.cleared?.reason,
    ).toBe('gates_passed');
  });

  it('does not count our own message about a claim that was already counted', () => {
    const { findings } = gated([
      [claim(), failed],
      [script().user('## Completion Blocked: tests failed\n[unstuck 01JDABCDEFGHJKMNPQRSTVWXYZ]'), null],
    ]);
    expect(findings).toHaveLength(1);
  });

  //  TASK_COMPLETE   "Completion Blocked: tests failed"   (end of our own run of the same claim)
  it('counts a claim once that its harness has blocked while our own gates were still running', () => {
    const run = script().user('Add it.').line('completion', { claim: 'TASK_COMPLETE' });
    const claimed = run.events().at(-1);
    run.user('## Completion Blocked: tests failed', true);
    const { findings } = gated([
      [run, { ...failed, ...(claimed && { claim: { ...claimed, text: 'TASK_COMPLETE' } }) }],
    ]);
    expect(findings.map(({ count }) => count)).toEqual([1]);
  });

  it('reports nothing for claims that are not blocked', () => {
    const run = script()
      .user('Add it.')
      .times(6, (one) => one.line('completion', { claim: 'done' }).user('Continue.', true));
    expect(run.incidentsOf('gate_blocked')).toEqual([]);
  });

  it('counts the blocked ones in a row', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 12 }), (passes) => {
        const { findings } = gated(passes.map((passed) => [claim(), passed ? { passed } : failed]));
        let row = 0;
        const expected = passes.flatMap((passed) => ((row = passed ? 0 : row + 1) > 0 ? [row] : []));
        expect(findings.map((one) => one.count)).toEqual(expected);
      }),
    );
  });
});
