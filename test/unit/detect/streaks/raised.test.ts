import { describe, expect, test } from 'vitest';
import { createSessionDetectors } from '../../../../src/detect/session/session-detectors';
import { notStuck } from '../../../../src/detect/incident';
import { type Finding, type Incident, type NearMiss, type RaisedLimit } from '../../../../src/core/model';
import { resolveOptions } from '../../../../src/detect/session/options';
import { draw } from '../../../stories/drawing';
import { textDigest } from '../../../../src/base/util/hash';

/** A session in a workspace where a person said that some calls are not stuck. */
function watched(raised: readonly RaisedLimit[] = []) {
  const findings: Finding[] = [];
  const nearMisses: NearMiss[] = [];
  const cleared: string[] = [];
  const session = createSessionDetectors(
    {
      agent: 'generic',
      showsRunningTool: true,
      options: resolveOptions({ preset: 'balanced', detectors: {} }),
      raised,
    },
    {
      finding: (finding) => void findings.push(finding),
      clearing: ({ key }) => void cleared.push(key),
      nearMiss: (nearMiss) => void nearMisses.push(nearMiss),
    },
  );
  let lines = 0;
  return {
    findings,
    nearMisses,
    cleared,
    proceed(drawing: string) {
      const before = lines;
      for (const event of draw(drawing)) {
        const line = before + event.source.line;
        lines = Math.max(lines, line);
        const renamed = 'id' in event && event.id !== undefined ? { id: `${before}-${event.id}` } : {};
        const source = { ...event.source, line, offset: line * 100 };
        session.push({ ...event, ...renamed, at: event.at + before * 1000, source });
      }
    },
    raise: (limits: readonly RaisedLimit[]) => session.setRaised(limits),
    /** The reports with their rules and subjects, in order, without repeats. */
    said: () => [...new Set(findings.map(({ detector, level, subject }) => `${level} ${detector} ${subject}`))],
  };
}

const quiet = (
  subject: string,
  limit: number,
  detector: RaisedLimit['detector'] = 'repeating_action',
): RaisedLimit => ({
  detector,
  rule: null,
  call: textDigest(subject),
  limit,
});
const MAKE = '(B "make" fail:no_rule)';

describe('a person said Not Stuck', () => {
  test('the same alarm does not come back before twice the count', () => {
    const run = watched();
    run.proceed(`${MAKE} x4`);
    const alarm = run.findings.at(-1) as unknown as Incident;
    expect(alarm).toMatchObject({ level: 'stuck', count: 4 });
    const before = run.findings.length;
    run.raise([notStuck(alarm, 'make', 0)]);
    run.proceed(`${MAKE} x3`);
    expect(run.findings).toHaveLength(before);
    run.proceed(`${MAKE} x1`);
    expect(run.findings.slice(before)).toMatchObject([{ detector: 'repeating_action', level: 'stuck', count: 8 }]);
  });

  test('nor in another session, from the first of its calls on', () => {
    const run = watched([quiet('make', 8)]);
    run.proceed(`${MAKE} x7`);
    expect(run.said()).toEqual([]);
    run.proceed(`${MAKE} x1`);
    expect(run.said()).toEqual(['stuck repeating_action make']);
  });

  test('Why not stuck says who held the rule back, and how near it came', () => {
    const run = watched([quiet('make', 8)]);
    run.proceed(`${MAKE} x6`);
    const last = run.nearMisses.findLast(({ detector }) => detector === 'repeating_action');
    expect(last).toMatchObject({ nearest: 'make', reached: 6, limit: 8, heldBackBy: 'You said it is not stuck' });
  });

  test('no other rule reports the same calls instead', () => {
    const run = watched([quiet('make', 40)]);
    // repeating_outcome and consecutive_failures see the same steps
    run.proceed(`${MAKE} x30`);
    expect(run.said()).toEqual([]);
  });

  test('another call is not affected, not even in between', () => {
    const run = watched([quiet('make', 40)]);
    run.proceed(`${MAKE} x6 · (B "cargo build" fail:no_crate) x4`);
    expect(run.said()).toContain('stuck repeating_action cargo build');
    expect(run.said().filter((one) => one.endsWith(' make'))).toEqual([]);
  });

  test('another rule about the same call is not affected', () => {
    const run = watched([quiet('make', 40, 'cycle')]);
    run.proceed(`${MAKE} x4`);
    expect(run.said()).toContain('stuck repeating_action make');
  });

  test('what was held back ends in silence', () => {
    const run = watched([quiet('make', 40)]);
    run.proceed(`${MAKE} x6 · B "make" ok:built`);
    expect(run.cleared).toEqual([]);
  });

  test('after it is undone, the rule reports again, at once if the streak continues', () => {
    const run = watched([quiet('make', 40)]);
    run.proceed(`${MAKE} x5`);
    run.raise([]);
    expect(run.findings).toMatchObject([{ detector: 'repeating_action', level: 'stuck', count: 5 }]);
  });

  test('after it is undone, nothing is reported for a streak that is over', () => {
    const run = watched([quiet('make', 40)]);
    run.proceed(`${MAKE} x5 · B "make" ok:built`);
    run.raise([]);
    expect(run.findings).toEqual([]);
  });

  test('it also applies to rules that do not count steps', () => {
    const say = '(A "I_will_now_look_into_this")';
    const plain = watched();
    plain.proceed(`${say} x12`);
    const alarm = plain.findings[0];
    expect(alarm).toBeDefined();
    const { detector, rule, subject } = alarm as Finding;
    const run = watched([{ detector, rule, call: textDigest(subject), limit: 1000 }]);
    run.proceed(`${say} x12`);
    expect(run.findings.filter((one) => one.detector === detector && one.rule === rule)).toEqual([]);
  });
});
