import { describe, expect, it } from 'vitest';
import type { AgentRecord, StuckContext } from '../../../../docs/library.mjs';
import { StuckDetector } from '../../../../src/cli/library';
import { STUCK_AT, WARN_AT } from '../../support/limits';

const MINUTE = 60_000;

/** A detector on a clock of its own, with everything its listener receives. */
function watching(options: ConstructorParameters<typeof StuckDetector>[0] = {}) {
  let now = Date.UTC(2026, 10, 20);
  const detector = new StuckDetector({ preset: 'eager', ...options, now: () => now });
  const heard: [string, string, StuckContext][] = [];
  const end = detector.onStuck((...told) => heard.push(told));
  let calls = 0;
  const push = (agent: string, record: AgentRecord) => {
    now += 1000;
    return detector.push(agent, record);
  };
  const step = (agent: string, name: string, args: object, output: unknown, isError = false) => {
    const id = `${++calls}`;
    push(agent, { type: 'tool_call', id, name, args });
    push(agent, { type: 'tool_result', id, output, isError });
  };
  return { detector, heard, end, push, step, pass: (ms: number) => void (now += ms) };
}

describe('an agent that repeats itself', () => {
  it('is stuck at the third equal call, which is reported once', () => {
    const { detector, heard, step } = watching();
    detector.monitor('a');
    for (let run = 1; run <= 2; run++) step('a', 'bash', { command: 'make' }, 'Error 2', true);
    expect(detector.isStuck('a')).toMatchObject({ stuck: false, level: 'warn', heuristic: 'repeating_action' });
    expect(heard).toEqual([]);
    for (let run = 3; run <= 5; run++) step('a', 'bash', { command: 'make' }, 'Error 2', true);
    const status = detector.isStuck('a');
    expect(status).toMatchObject({ stuck: true, level: 'stuck', heuristic: 'repeating_action' });
    expect(status.evidence[0]).toBe('record 1: make → Error 2');
    expect(status.suggestion).not.toBe('');
    expect(heard).toHaveLength(1);
    expect(heard[0]).toMatchObject(['a', 'repeating_action', { reason: 'repetition_loop', count: 3 }]);
  });

  it.each(['other', 'timeout', 'api', undefined] as const)(
    'is stuck if each call is followed by an error of kind %s instead of a result',
    (kind) => {
      const { detector, push } = watching({ preset: 'balanced' });
      detector.monitor('a');
      const levels = Array.from({ length: STUCK_AT }, (_, run) => {
        push('a', { type: 'tool_call', id: `${run}`, name: 'bash', args: { command: 'make' } });
        push('a', { type: 'error', message: 'connection reset', ...(kind && { kind }) });
        return detector.isStuck('a').level;
      });
      const before = Array.from({ length: WARN_AT - 1 }, () => null);
      const warned = Array.from({ length: STUCK_AT - WARN_AT }, () => 'warn');
      expect(levels).toEqual([...before, ...warned, 'stuck']);
      expect(detector.isStuck('a')).toMatchObject({ stuck: true, heuristic: 'repeating_action' });
    },
  );

  it('is distinguished from other agents', () => {
    const { detector, heard, step } = watching();
    for (const agent of ['a', 'b']) detector.monitor(agent);
    for (let run = 1; run <= 4; run++) {
      step('a', 'bash', { command: 'make' }, 'Error 2', true);
      step('b', 'bash', { command: `cat ${run}.txt` }, `text ${run}`);
    }
    expect([detector.isStuck('a').stuck, detector.isStuck('b').stuck]).toEqual([true, false]);
    expect(heard.map(([agent]) => agent)).toEqual(['a']);
  });

  it('is no longer stuck once its turn is over', () => {
    const { detector, push, step } = watching();
    detector.monitor('a');
    push('a', { type: 'user', text: 'Build it.' });
    for (let run = 1; run <= 3; run++) step('a', 'bash', { command: 'make' }, 'Error 2', true);
    expect(detector.isStuck('a').stuck).toBe(true);
    push('a', { type: 'turn_end' });
    expect(detector.isStuck('a').stuck).toBe(false);
  });

  it('has evidence without secrets', () => {
    const { detector, step } = watching();
    detector.monitor('a');
    const command = 'curl -H "Authorization: Bearer ghp_0123456789abcdefghijABCDEFGHIJ012345"';
    for (let run = 1; run <= 3; run++) step('a', 'bash', { command }, '401', true);
    const said = JSON.stringify(detector.isStuck('a'));
    expect(said).toContain('401');
    expect(said).not.toContain('ghp_');
  });
});

it('warns about a call without a result once its time has passed, when it is queried', () => {
  const { detector, push, pass } = watching();
  detector.monitor('a');
  push('a', { type: 'user', text: 'Build it.' });
  push('a', { type: 'tool_call', id: '1', name: 'fetch', args: { url: 'x' } });
  expect(detector.isStuck('a').level).toBeNull();
  pass(60 * MINUTE);
  expect(detector.isStuck('a')).toMatchObject({ stuck: false, level: 'warn', heuristic: 'stall' });
});

describe('the watched agents', () => {
  it('do not include one whose record is reported as not counting', () => {
    const { detector, push } = watching();
    expect(push('a', { type: 'turn_start' })).toBe('agent "a" is not monitored');
    detector.monitor('a');
    expect(push('a', { type: 'turn_start' })).toBeNull();
    expect(detector.isStuck('b')).toEqual({ stuck: false, level: null, confidence: 0, evidence: [], suggestion: '' });
  });

  it('no longer include an agent that is unwatched, but keep one that is watched twice', () => {
    const { detector, heard, step } = watching();
    const make = () => step('a', 'bash', { command: 'make' }, 'Error 2', true);
    detector.monitor('a');
    make();
    make();
    detector.stopMonitoring('a');
    detector.monitor('a');
    make();
    make();
    expect(heard).toEqual([]);
    detector.monitor('a');
    make();
    expect(heard).toHaveLength(1);
  });

  it('include none after the end that the listener received', () => {
    const { detector, heard, end, step } = watching();
    detector.monitor('a');
    end();
    for (let run = 1; run <= 3; run++) step('a', 'bash', { command: 'make' }, 'Error 2', true);
    expect(heard).toEqual([]);
  });

  it('are still watched after a listener throws: the next record counts', () => {
    const { detector, step } = watching();
    detector.monitor('a');
    detector.onStuck(() => {
      throw new Error('the caller');
    });
    const make = () => step('a', 'bash', { command: 'make' }, 'Error 2', true);
    make();
    make();
    expect(make).toThrow('the caller');
    expect(detector.isStuck('a').stuck).toBe(true);
  });
});

describe('mistakes', () => {
  it.each<[string, object, string]>([
    ['no type', {}, 'no type'],
    ['an unknown type', { type: 'tool_calls' }, 'unknown type "tool_calls"'],
    ['a missing field', { type: 'tool_call', id: '1', args: {} }, 'tool_call without "name"'],
    ['a time that is none', { type: 'clock', t: 'soon' }, '"t" is not a time'],
  ])('in %s are reported', (_case, record, problem) => {
    const { detector, push } = watching();
    detector.monitor('a');
    expect(push('a', record as AgentRecord)).toBe(problem);
  });

  it('do not include results that are no JSON', () => {
    const { detector, push } = watching();
    detector.monitor('a');
    const circle: Record<string, unknown> = { size: 3n };
    circle.self = circle;
    push('a', { type: 'tool_call', id: '1', name: 'read', args: {} });
    expect(push('a', { type: 'tool_result', id: '1', output: circle })).toBeNull();
  });

  it('include unknown limits', () => {
    expect(() => new StuckDetector({ detectors: { cycel: 'off' } })).toThrow(
      new TypeError('StuckDetector: detectors.cycel: no detector has this id.'),
    );
  });

  it('do not include known limits', () => {
    const { detector, heard, step } = watching({ detectors: { repeating_action: { warn: 6, stuck: 7 } } });
    detector.monitor('a');
    for (let run = 1; run <= 6; run++) step('a', 'bash', { command: 'ls' }, 'a.ts');
    expect(heard).toEqual([]);
    step('a', 'bash', { command: 'ls' }, 'a.ts');
    expect(heard).toHaveLength(1);
  });
});
