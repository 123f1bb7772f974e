import { describe, expect, test } from 'vitest';
import { createSessionDetectors } from '../../../../src/detect/session/session-detectors';
import type { Clearing, DetectorId, Finding } from '../../../../src/core/model';
import { resolveOptions } from '../../../../src/detect/session/options';
import { draw } from '../../../stories/drawing';

/** A session watched by a person, who switches rules off and on while it runs. */
function watched(...offFromTheBeginning: DetectorId[]) {
  const findings: Finding[] = [];
  const clearings: Clearing[] = [];
  const off = new Set<DetectorId>(offFromTheBeginning);
  const options = () => {
    const table = resolveOptions({ preset: 'balanced', detectors: {} });
    for (const id of off) table[id] = { ...table[id], on: false };
    return table;
  };
  const session = createSessionDetectors(
    { agent: 'generic', showsRunningTool: true, options: options() },
    {
      finding: (finding) => void findings.push(finding),
      clearing: (clearing) => void clearings.push(clearing),
      nearMiss() {},
    },
  );
  let lines = 0;
  return {
    findings,
    clearings,
    /** Continues the run after what was there before. */
    proceed(drawing: string) {
      const before = lines;
      for (const event of draw(drawing)) {
        const line = before + event.source.line;
        lines = Math.max(lines, line);
        const renamed = 'id' in event && event.id !== undefined ? { id: `${before}-${event.id}` } : {};
        session.push({
          ...event,
          ...renamed,
          at: event.at + before * 1000,
          source: { ...event.source, line, offset: line * 100 },
        });
      }
    },
    switchOff(id: DetectorId) {
      off.add(id);
      session.setOptions(options());
    },
    switchOn(id: DetectorId) {
      off.delete(id);
      session.setOptions(options());
    },
    /** The reports with their rules, without repeats. */
    said: () => [...new Set(findings.map(({ detector, level }) => `${level} ${detector}`))],
  };
}

describe('a rule that a person switched off takes its streaks along', () => {
  test('what it had open ends, and no other rule reports the same steps', () => {
    const run = watched();
    run.proceed('(B "make" fail:"error: no rule") x3');
    expect(run.said()).toEqual(['warn repeating_action']);
    run.switchOff('repeating_action');
    expect(run.clearings).toMatchObject([{ detector: 'repeating_action', reason: 'off' }]);
    const before = run.findings.length;
    // repeating_outcome and consecutive_failures see the same steps
    run.proceed('(B "make" fail:"error: no rule") x9');
    expect(run.findings).toHaveLength(before);
    expect(run.clearings).toHaveLength(1);
  });

  test('even if it was off before the streak began', () => {
    const run = watched('repeating_action');
    run.proceed('(B "make" fail:"error: no rule") x9');
    expect(run.findings).toEqual([]);
  });

  test.each<DetectorId>(['repeating_action', 'repeating_outcome', 'cycle', 'consecutive_failures'])(
    'what was never reported is not cleared either: %s',
    (id) => {
      const run = watched(id);
      run.proceed('(B "make" fail:"error: no rule") x6 · U "go on" · (R a · R b) x4');
      const told = new Set(run.findings.map(({ key }) => key));
      expect(run.clearings.filter(({ key }) => !told.has(key))).toEqual([]);
    },
  );

  test('other streaks continue', () => {
    const run = watched('repeating_action');
    run.proceed(
      '(B "make" fail:"error: no rule") x4 · (R a%n) x13 · R a.py · (E a.py · B "pytest -q" fail:"FAILED a.py::b - boom%l1 failed in 1s") x4',
    );
    expect(run.said()).toEqual(['warn repeating_outcome', 'stuck repeating_outcome']);
  });

  test('rounds in which a step fails belong to cycle, whatever their name', () => {
    const run = watched('cycle');
    run.proceed('(M submit ok:sent · X rejected) x6');
    expect(run.findings).toEqual([]);
  });

  test('it reports again when switched on again', () => {
    const run = watched();
    run.proceed('(B "make" fail:"error: no rule") x3');
    run.switchOff('repeating_action');
    run.proceed('(B "make" fail:"error: no rule") x3');
    const before = run.findings.length;
    run.switchOn('repeating_action');
    expect(run.findings).toHaveLength(before);
    run.proceed('B "make" fail:"error: no rule"');
    expect(run.findings.at(-1)).toMatchObject({ detector: 'repeating_action', level: 'stuck', count: 7 });
  });
});

describe('one streak, one reporting rule', () => {
  test('when several rules see it at once, the first in the table reports', () => {
    const run = watched();
    run.proceed('(B "make" fail:"error: no rule") x6');
    expect(run.said()).toEqual(['warn repeating_action', 'stuck repeating_action']);
    expect(new Set(run.findings.map(({ key }) => key)).size).toBe(1);
  });

  test('a graver rule takes over, with its own count, under the same key', () => {
    const run = watched();
    run.proceed('(R a · R b) x2 · (R a) x3');
    const [first, last] = [run.findings[0], run.findings.at(-1)];
    expect(first).toMatchObject({ detector: 'cycle', level: 'warn' });
    expect(last).toMatchObject({ detector: 'repeating_outcome', level: 'stuck' });
    expect(last?.key).toBe(first?.key);
    expect(last?.limit).toBe(4);
    expect(last?.count).toBeGreaterThanOrEqual(4);
  });

  test('an equally grave one does not take over', () => {
    const run = watched();
    // the cycle is stuck at three rounds; at four rounds repeating_outcome has four equal results too
    run.proceed('(R a · R b) x6');
    expect(run.said()).toEqual(['warn cycle', 'stuck cycle']);
  });

  test('a warning after stuck withdraws nothing', () => {
    const run = watched();
    run.proceed('(B "make" fail:"error: no rule") x4 · R a · (B "make" fail:"error: no rule") x3');
    const levels = run.findings.map(({ level }) => level);
    expect(levels.slice(levels.indexOf('stuck'))).not.toContain('warn');
  });
});
