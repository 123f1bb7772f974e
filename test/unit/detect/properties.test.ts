import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DETECTORS } from '../../../src/detect/rules';
import { ACTION_FAMILY, told } from '../../stories/story';
import { draw } from '../../stories/drawing';
import type { AgentEvent } from '../../../src/model';
import { runFamily } from './support/run';

/** What was said, without places and times. */
function said(events: readonly AgentEvent[]): string[] {
  return runFamily(events).findings.map(
    ({ detector, rule, level, count, source }) => `${detector}/${rule} ${level} ${count} at ${source.line}`,
  );
}

/** A step of a run that gets on: each brings something new, and never more than three fail in a row. */
const progressing = fc.array(
  fc.constantFrom(
    'R file%n.ts',
    'E src.ts',
    'G word%n ok:found_%n',
    'B "npm test" fail:%n_of_900_failed',
    'B "tool%n --flag" ok:output_%n',
    'P',
    'T',
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
    'M fetch {"url":"x","depth":2} fail:500',
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
  test('nothing fires on a run that gets on', () => {
    fc.assert(
      fc.property(progressing, (signs) => {
        // a success after every second step keeps three failures from standing in a row
        const drawing = signs.flatMap((sign, index) => (index % 2 === 1 ? [sign, 'R new%n.ts'] : [sign])).join(' · ');
        expect(told(drawing)).toEqual([]);
      }),
      { numRuns: 200 },
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
    ['repeating_outcome/known_outcomes', 'R a · R b · R c · R d · R e · R f · R c · R a · R f · R b · R e · R d'],
    ['repeating_outcome/few_distinct', '(E a · B "make" fail:one · E a · B "make" fail:two) x3'],
    [
      'repeating_outcome/argument_churn',
      Array.from('abcdef', (name) => `B "show table --${name}" ok:${'the_same_long_answer_'.repeat(4)}`).join(' · '),
    ],
    ['action_error_alternation', '(E a =x · B "make" fail:boom) x3'],
    ['cycle', '(R a · R b · R c) x4'],
    ['consecutive_failures', 'B "a" fail:x_error · M b fail:y_error · B "c" fail:z_error · M d fail:w_error'],
    ['consecutive_failures/same_error', '(B "try %n" fail:Error:_no_such_account_here · R f%n) x4'],
  ])('%s can fire', (name, drawing) => {
    expect(told(drawing).some((line) => line.endsWith(` ${name}`))).toBe(true);
  });
});

test('every detector of the list has an id of its own', () => {
  const ids = DETECTORS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ACTION_FAMILY) expect(ids).toContain(id);
});
