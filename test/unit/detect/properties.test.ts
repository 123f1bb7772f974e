import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DETECTORS } from '../../../src/detect/rules';
import { cardOf } from '../../../src/core/rules';
import { reportsOf } from '../../stories/story';
import { draw } from '../../stories/drawing';
import type { AgentEvent } from '../../../src/core/model';
import { runFamily } from './support/run';

/** The reports, with their lines but without times. */
function said(events: readonly AgentEvent[]): string[] {
  return runFamily(events).findings.map(
    ({ detector, rule, level, count, source }) => `${detector}/${rule} ${level} ${count} at ${source.line}`,
  );
}

/** A step of a run that makes progress: each brings something new, and never more than three fail in a row. */
const progressing = fc.array(
  fc.constantFrom(
    'R file%n.ts',
    'E src.ts',
    'G word%n ok:found_%n',
    'B "npm test" fail:%n_of_900_failed',
    'B "tool%n --flag" ok:output_%n',
    'P',
    'M delegate:Task {"prompt":"part %n"} ok:found_%n',
    'A "thinking %n"',
    'W part_%n_of_many',
  ),
  { minLength: 5, maxLength: 120 },
);

/** Any run at all, repeats and failures included. */
const anything = fc.array(
  fc.constantFrom(
    'R a',
    'R b',
    'R file%n',
    'E a',
    'E a =same',
    'B "make" fail:boom',
    'B "make" fail:boom_%n',
    'B "make" ok:built',
    'M look:fetch {"url":"x","depth":2} fail:500',
    'P',
    'N',
    'C',
    'W still',
    'X odd',
    'G x ok:y',
  ),
  { minLength: 1, maxLength: 80 },
);

describe('properties', () => {
  test('nothing fires on a run that makes progress', () => {
    fc.assert(
      fc.property(progressing, (signs) => {
        // a success after every second step prevents three failures in a row
        const drawing = signs.flatMap((sign, index) => (index % 2 === 1 ? [sign, 'R new%n.ts'] : [sign])).join(' · ');
        expect(reportsOf(drawing)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  /** Steps between two equal ones: whatever they say, and whatever they change. */
  const between = fc.array(
    fc.constantFrom('R file%n.ts', 'E src.ts', 'E src.ts =same', 'G word%n ok:here_%n', 'P', 'N', 'A "on %n"'),
    {
      maxLength: 2,
    },
  );

  test('no exemption hides forty equal results of a look or a plain step', () => {
    const equal = fc.constantFrom(
      'R notes.md',
      'B "git status" ok:clean',
      'B "cat notes.txt" ok:"SUCCESS: all is well"',
      'B "python deploy.py" ok:"SUCCESS: deployed 0 of 3 services"',
      'B "npm test" fail:"FAIL src/a.test.js%lTests: 1 failed, 3 passed, 4 total"',
      'M look:fetch {"url":"x"} ok:accepted',
      'M look:fetch {"url":"x"} fail:500',
      'G word ok:found_it',
    );
    fc.assert(
      fc.property(equal, between, (step, others) => {
        // a read of the edited file would say something else each time
        const drawing = Array.from({ length: 42 }, () => [step, ...others].join(' · ')).join(' · ');
        expect(reportsOf(drawing).length).toBeGreaterThan(0);
      }),
      { numRuns: 100 },
    );
  });

  test('a run that says something new at every step is never stuck', () => {
    const news = fc.array(
      fc.constantFrom(
        'R file%n.ts',
        'E src%n.ts',
        'G word%n ok:found_%n',
        'E other%n.ts · B "npm test" fail:"FAIL src/%n.test.js%l  ● case %n%l    expected a%n%lTests: 1 failed, 1 total"',
        'E other%n.ts · B "npm test" ok:"Tests: %n passed, %n total"',
        'B "try %n" fail:"error: part_%n broke"',
        'B "tool --flag" ok:output_%n',
        'M look:fetch {"url":"x"} ok:page_%n',
        'W part_%n_of_many',
        'A "thinking %n"',
        'P',
        'N',
        'C',
      ),
      { minLength: 5, maxLength: 120 },
    );
    fc.assert(
      fc.property(news, (signs) => {
        // one call that fails four times in a row is stuck, whatever it says: here, something is read after each failure
        const drawing = signs
          .flatMap((sign) => (sign.includes(' fail:') ? [sign, 'R after%n.ts'] : [sign]))
          .join(' · ');
        expect(reportsOf(drawing).filter((line) => line.includes(' stuck '))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test('the order of keys changes nothing', () => {
    const turned = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turned);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, inner]) => [key, turned(inner)]),
      );
    };
    fc.assert(
      fc.property(anything, (signs) => {
        const events = draw(signs.join(' · '));
        let odd = false;
        const other = events.map((event) =>
          event.type === 'tool_call' && (odd = !odd) ? { ...event, args: turned(event.args) } : event,
        );
        expect(said(other)).toEqual(said(events));
      }),
      { numRuns: 100 },
    );
  });

  test('another time of day changes nothing', () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: -1e9, max: 1e9 }), (signs, shift) => {
        const events = draw(signs.join(' · '));
        expect(said(events.map((event) => ({ ...event, at: event.at + shift })))).toEqual(said(events));
      }),
      { numRuns: 100 },
    );
  });

  test('other names for calls and sessions change nothing', () => {
    fc.assert(
      fc.property(anything, (signs) => {
        const events = draw(signs.join(' · '));
        const renamed = events.map((event) =>
          event.type === 'tool_call' || event.type === 'tool_result'
            ? { ...event, id: `toolu_${event.id}_x`, session: 'other' }
            : { ...event, session: 'other' },
        );
        expect(said(renamed)).toEqual(said(events));
      }),
      { numRuns: 100 },
    );
  });

  test('every finding names lines that exist, in order, and is cleared at most once before it comes again', () => {
    fc.assert(
      fc.property(anything, (signs) => {
        const events = draw([...signs, ...signs].join(' · '));
        const { findings, clearings } = runFamily(events);
        for (const finding of findings) {
          expect(finding.evidence.length).toBeGreaterThan(0);
          for (const { source, end } of finding.evidence) {
            expect(source.line).toBeGreaterThan(0);
            expect(end?.line ?? source.line).toBeLessThanOrEqual(finding.source.line);
          }
          expect(finding.first.line).toBeLessThanOrEqual(finding.source.line);
          expect(finding.confidence).toBeGreaterThanOrEqual(0);
          expect(finding.confidence).toBeLessThanOrEqual(1);
          expect(finding.why).not.toMatch(/undefined|NaN/);
        }
        expect(clearings.length).toBeLessThanOrEqual(findings.length);
      }),
      { numRuns: 150 },
    );
  });

  test.each([
    ['repeating_action', '(B "make" fail:boom) x4'],
    ['repeating_outcome', '(E a · B "make" fail:boom) x4'],
    [
      'repeating_outcome/few_distinct',
      '(E a.py · B "python repro.py" ok:wrong_answer_7 · E a.py · B "python repro.py" ok:wrong_answer_9) x4',
    ],
    [
      'repeating_outcome/no_effect',
      Array.from('abcdef', (name) => `B "show table --${name}" ok:${'the_same_long_answer_'.repeat(4)}`).join(' · '),
    ],
    ['action_error_alternation', '(E a =x · B "make" fail:boom) x3'],
    ['cycle', '(R a · R b · R c) x4'],
    ['consecutive_failures', '(B "a %n" fail:x_error · M b fail:y_error · B "c %n" fail:z_error) x2'],
    ['consecutive_failures/same_error', '(B "try %n" fail:Error:_no_such_account_here · R f%n) x4'],
  ])('%s can fire', (name, drawing) => {
    expect(reportsOf(drawing).some((line) => line.endsWith(` ${name}`))).toBe(true);
  });
});

test('every detector of the list has a unique id, and finds something on its own', () => {
  const ids = DETECTORS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(cardOf(id).foundBy).toBeUndefined();
  // what `cycle` calls rounds in which a step fails
  expect(cardOf('action_error_alternation').foundBy).toBe('cycle');
});
