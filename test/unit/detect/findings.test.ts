import { describe, expect, test } from 'vitest';
import { resolveOptions } from '../../../src/detect/session/options';
import { CONFIDENCE } from '../../../src/detect/streaks/confidence';
import { createSessionDetectors } from '../../../src/detect/session/session-detectors';
import type { AgentEvent, Clearing, Finding, NearMiss } from '../../../src/core/model';
import { draw } from '../../stories/drawing';
import { runFamily } from './support/run';
import { script } from './support/script';

const last = (drawing: string): Finding => {
  const finding = runFamily(draw(drawing)).findings.at(-1);
  if (!finding) throw new Error('nothing was found');
  return finding;
};

describe('a test that fails with another value after each edit', () => {
  const why = (values: readonly number[]) => {
    const run = script();
    for (const [index, value] of values.entries()) {
      run.call('Edit', { file_path: 'calc.py', old_string: `${index}`, new_string: `${index + 1}` });
      run.bash(
        'pytest -q',
        `E   assert ${value} == 6\nFAILED t.py::test_total - assert ${value} == 6\n1 failed in 0.1s`,
      );
    }
    return runFamily(run.events()).findings.at(-1)?.why;
  };

  test('is reported as failing, and nothing claims that no edit changed the result', () => {
    expect(why([-6, 3, 4, 5])).toMatch(
      /failed in the same places 4 times .* Only a value in the message moved: -6, 3, 4, 5\.$/,
    );
    expect(why([-6, 3, 4, 5])).not.toContain('No edit');
  });

  test('lists a value once however often it came, and the first one after any number of rounds', () => {
    expect(why([-6, ...Array<number>(15).fill(3)])).toMatch(/Only a value in the message moved: -6, 3 ×15\.$/);
  });

  test('twin: if the value stays the same, no value is named', () => {
    expect(why([3, 3, 3, 3])).toContain('No edit changed the result');
  });
});

describe('two commands that fail alternately, each in its own way', () => {
  test('are reported with one and the same result, whichever came last', () => {
    const drawing = '(B "make a" fail:"Error: no a" · B "make b" fail:"Error: no b") x4';
    const { findings } = runFamily(draw(drawing));
    const said = findings.filter(({ detector }) => detector === 'action_error_alternation').map(({ why }) => why);
    expect(said.length).toBeGreaterThan(2);
    for (const why of said)
      expect(why).toMatch(/^`make a` and `make b` alternate: \d rounds with the same results and errors\. .*no a\.$/);
  });
});

describe('what a finding says', () => {
  const finding = last('R calc.py · (E calc.py · R other%n.py · B "pytest -q" fail:"2 failed in 0.%n1s") x5');

  test('the rule, its numbers, and what they mean', () => {
    expect(finding).toMatchObject({
      detector: 'repeating_outcome',
      rule: null,
      reason: 'repetition_loop',
      exhaustion: null,
      level: 'stuck',
      certainty: 'counted',
      count: 5,
      limit: 4,
      subject: 'pytest -q',
    });
    expect(finding.why).toMatch(
      /^`pytest -q` gave the same result 5 times in the last 13 steps, with 4 different edits of `calc\.py` in between\. No edit changed the result: 2 failed in 0\.\d+s\.$/,
    );
    expect(finding.suggestion).toContain('`pytest -q`');
    expect(finding.clears).toEqual([
      '`pytest -q` gets a different result',
      'it does not come back within 12 messages of the agent',
      'you send a message, or the session ends',
    ]);
  });

  test('every occurrence opens at its lines, with what was done in between', () => {
    const rows = finding.evidence.map(
      ({ role, subject, source, end, step }) => `${role} ${subject} ${source.line}-${end?.line} ${step ?? ''}`,
    );
    expect(rows.slice(0, 3)).toEqual([
      'first pytest -q 7-8 3',
      expect.stringMatching(/^between Edit calc\.py, and Read other\d+\.py 9-12 $/),
      'repeat pytest -q 13-14 6',
    ]);
    expect(finding.evidence.filter(({ role }) => role !== 'between')).toHaveLength(5);
    expect(finding.evidence.every(({ letter }) => letter === undefined)).toBe(true);
  });

  test('time counts from the first of the equal results', () => {
    expect(finding.first.line).toBe(7);
    expect(finding.firstAt).toBe(finding.evidence[0]?.at);
    expect(finding.source.line).toBe(finding.evidence.at(-1)?.end?.line);
  });

  test('first and last result, with what the comparison ignored', () => {
    const shown = (sample: Finding['firstSample']): string[] =>
      sample?.ignored.map(([start, end]) => sample.text.slice(start, end)) ?? [];
    expect(finding.firstSample?.text).toMatch(/^2 failed in/);
    expect(finding.lastSample?.text).not.toBe(finding.firstSample?.text);
    expect(shown(finding.firstSample)).toEqual([expect.stringMatching(/^0\.\d+s$/)]);
    expect(finding.firstSample?.source.line).toBe(8);
    expect(finding.lastSample?.source.line).toBe(finding.source.line);
  });

  test('the steps of the pattern, for the timeline', () => {
    expect(finding.pattern).toEqual([{ letter: 'A', subject: 'pytest -q', steps: [3, 6, 9, 12, 15] }]);
  });
});

test('the first 3 and the last 8 of a long streak are shown', () => {
  const finding = last('(B "make" fail:no_rule) x40');
  expect(finding.count).toBe(40);
  expect(finding.evidence.map(({ step }) => step)).toEqual([0, 1, 2, 32, 33, 34, 35, 36, 37, 38, 39]);
  expect(finding.pattern?.[0]?.steps).toHaveLength(40);
});

test('different things in one pattern have letters in order of first appearance', () => {
  const finding = last('(R a · R b · G word ok:here) x4');
  expect(finding).toMatchObject({
    detector: 'cycle',
    count: 4,
    why: expect.stringMatching(/^3 steps repeat in turn, 4 rounds/) as string,
  });
  expect(finding.evidence.slice(0, 4).map(({ letter, role }) => `${letter} ${role}`)).toEqual([
    'A first',
    'B first',
    'C first',
    'B repeat',
  ]);
  expect(finding.pattern?.map(({ letter, subject }) => `${letter} ${subject}`)).toEqual([
    'A Read a',
    'B Read b',
    'C Search word',
  ]);
});

test('exhaustion of attempts is distinguished from a loop', () => {
  const finding = last('(B "one %n" fail:alpha_error · M two fail:beta_error · B "three %n" fail:gamma_error) x2');
  expect(finding).toMatchObject({
    detector: 'consecutive_failures',
    reason: 'consecutive_failures',
    exhaustion: 'attempts',
  });
  expect(finding.why).toBe('6 calls in a row failed, of 2 different tools. The result: gamma error.');
});

test('tokens since the first of the equal results', () => {
  const events = draw('(B "make" fail:no_rule) x4');
  let used = 1000;
  const withUsage = events.flatMap((event): AgentEvent[] =>
    event.type === 'tool_call' ? [{ ...event, type: 'usage' as const, totalTokens: (used += 100) }, event] : [event],
  );
  expect(runFamily(withUsage).findings.at(-1)?.tokensSinceFirst).toBe(300);
});

describe('confidence', () => {
  test('has two values: the share of right alerts at warn, and at stuck', () => {
    const of = (drawing: string): number => last(drawing).confidence;
    expect(of('(B "make" fail:no) x3')).toBe(CONFIDENCE.warn);
    expect(of('(E a · R b%n · B "make" fail:no) x3')).toBe(CONFIDENCE.warn);
    expect(of('(B "make" fail:no) x4')).toBe(CONFIDENCE.stuck);
    expect(of('(R a · R b) x3')).toBe(CONFIDENCE.stuck);
    expect(CONFIDENCE.stuck).toBeGreaterThan(CONFIDENCE.warn);
  });

  test('does not grow with the length of the run before', () => {
    const long = Array.from({ length: 200 }, () => 'R file%n').join(' · ');
    expect(last(`${long} · (B "make" fail:no) x3`).confidence).toBe(last('(B "make" fail:no) x3').confidence);
  });

  test('does not grow with the length of the streak', () => {
    const { findings } = runFamily(draw('(B "make" fail:no_rule) x60'));
    expect(findings.length).toBeGreaterThan(50);
    for (const { level, confidence } of findings) expect(confidence).toBe(CONFIDENCE[level]);
  });
});

describe('the key of a streak', () => {
  test('is the same wherever reading began', () => {
    const events = draw('R x · R y · G word · (E a.py · B "pytest -q" fail:boom) x4');
    const whole = runFamily(events).findings.at(-1);
    const tail = runFamily(events.slice(4)).findings.at(-1);
    expect(tail?.key).toBe(whole?.key);
  });

  test('differs between streaks of one session', () => {
    const { incidents } = runFamily(
      draw('(B "make" fail:no_rule) x3 · (R f%n) x70 · (B "make" fail:no_rule) x3 · (R g%n) x14 · (B "ls" ok:x) x3'),
    );
    expect(incidents).toHaveLength(3);
    expect(new Set(incidents.map(({ key }) => key)).size).toBe(3);
  });

  test('is kept when another rule reports the streak', () => {
    const { incidents } = runFamily(draw('(R a · R b) x2 · (R a) x3'));
    expect(incidents).toHaveLength(1);
    expect(incidents[0]?.first.detector).toBe('cycle');
    expect(incidents[0]?.name).toBe('repeating_outcome');
  });
});

describe('why an agent is not stuck', () => {
  const nearest = (drawing: string, rule: string): NearMiss | undefined =>
    runFamily(draw(drawing)).nearMisses.get(rule);

  test('how near a rule came', () => {
    expect(nearest('(B "make" fail:no_rule) x2', 'repeating_action/')).toMatchObject({
      nearest: 'make',
      reached: 2,
      limit: 4,
    });
    expect(nearest('R a · R b', 'repeating_action/')).toBeUndefined();
  });

  test('and what held it back', () => {
    expect(
      nearest('(E a · B "pytest" fail:2_failed) x2 · E a · B "pytest" fail:1_failed', 'repeating_outcome/')?.heldBackBy,
    ).toBe('Its result then changed: 1 failed');
    expect(nearest('(E a · B "npm run build" ok:built) x4', 'repeating_outcome/')?.heldBackBy).toBe(
      'It passed after each new edit',
    );
    expect(nearest('B "a" fail:x_error · B "b" fail:y_error · R c', 'consecutive_failures/')?.heldBackBy).toBe(
      'Read c succeeded after that',
    );
    expect(
      nearest('(E a · B "pytest" fail:%n_failed) x3 · E a · B "pytest" ok:all_passed', 'repeating_outcome/'),
    ).toMatchObject({
      reached: 4,
      limit: 4,
      heldBackBy: 'Four different results: 2 failed, 5 failed, 8 failed, all passed',
    });
    expect(nearest('U "List them." · B "ls" ok:a · U again · B "ls" ok:a', 'repeating_action/')?.heldBackBy).toBe(
      'You asked for the repeat',
    );
    expect(nearest('[ · R a · R a · ]', 'repeating_action/')?.heldBackBy).toBe('Calls in one message');
    expect(nearest('(W still) x8', 'repeating_action/')).toMatchObject({
      limit: 20,
      heldBackBy: 'The limit for waits is 20',
    });
    expect(nearest('(B "try %n" fail:"error: part %n broke") x5', 'consecutive_failures/')).toMatchObject({
      reached: 5,
      limit: 8,
      heldBackBy: 'Most of them have a new error',
    });
  });
});

describe('settings that change while it runs', () => {
  const start = () => {
    const findings: Finding[] = [];
    const clearings: Clearing[] = [];
    const session = createSessionDetectors(
      {
        agent: 'generic',
        showsRunningTool: true,
        options: resolveOptions({ preset: 'balanced', detectors: {} }),
      },
      {
        finding: (finding) => void findings.push(finding),
        clearing: (clearing) => void clearings.push(clearing),
        nearMiss() {},
      },
    );
    return {
      findings,
      clearings,
      session,
      push: (drawing: string) => draw(drawing).forEach((event) => session.push(event)),
    };
  };

  test('new thresholds apply from then on, counts stay', () => {
    const { findings, session, push } = start();
    push('(B "make" fail:no_rule) x2');
    expect(findings).toHaveLength(0);
    session.setOptions(resolveOptions({ preset: 'eager', detectors: {} }));
    push('B "make" fail:no_rule');
    expect(findings.at(-1)).toMatchObject({ level: 'stuck', count: 3, limit: 3 });
  });

  test('new thresholds apply to another variant of a rule, too', () => {
    const { findings, session, push } = start();
    push('(V · R a%n) x3');
    expect(findings).toHaveLength(0);
    session.setOptions(resolveOptions({ preset: 'eager', detectors: {} }));
    push('V');
    expect(findings.at(-1)).toMatchObject({ detector: 'validation_failure', level: 'stuck', count: 4, limit: 4 });
  });

  test('what is switched off is cleared, and reports nothing more', () => {
    const { findings, clearings, session, push } = start();
    push('(B "make" fail:no_rule) x3');
    const off = resolveOptions({ preset: 'balanced', detectors: {} });
    session.setOptions({
      ...off,
      repeating_action: { ...off.repeating_action, on: false },
      repeating_outcome: { ...off.repeating_outcome, on: false },
      consecutive_failures: { ...off.consecutive_failures, on: false },
    });
    expect(clearings).toMatchObject([{ detector: 'repeating_action', reason: 'off' }]);
    const before = findings.length;
    push('(B "make" fail:no_rule) x8');
    expect(findings).toHaveLength(before);
  });
});
