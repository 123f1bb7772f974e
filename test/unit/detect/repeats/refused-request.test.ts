import { describe, expect, it } from 'vitest';
import type { Script } from '../support/script';
import { begin, saidBy } from './telling';

const refused = (run: Script): string[] => saidBy(run, 'consecutive_failures', 'refused_request');
const error = (run: Script, message: string, kind = 'api'): Script => run.line('error', { kind, message });
const times = (count: number, message: string): Script => begin().times(count, (run) => error(run, message));

describe('a service that refuses the same request because the request itself is faulty', () => {
  it.each([
    ['400 prompt is too long: 210000 tokens > 200000 maximum', /compact/i],
    ['404 model not found: claude-nope', /model/i],
    ['403 permission denied for this model', /model|key/i],
    ['401 Unauthorized: your login has expired', /log .*in|key/i],
  ])('%s: three times warn, five are stuck', (message, wayOut) => {
    expect(refused(times(2, message))).toEqual([]);
    expect(refused(times(5, message))).toEqual(['warn 3', 'warn 4', 'stuck 5']);
    const last = times(5, message)
      .run()
      .findings.findLast(({ rule }) => rule === 'refused_request');
    expect(last?.suggestion).toMatch(wayOut);
  });

  it('numbers in its words do not matter: the prompt grows', () => {
    const grown = begin().times(5, (run, n) =>
      error(run, `400 prompt is too long: ${210_000 + n * 17} tokens > 200000`),
    );
    expect(refused(grown).at(-1)).toBe('stuck 5');
  });

  it.each([
    ['it is overloaded', 'api', '529 Overloaded'],
    ['it is down', 'api', '503 Service Unavailable'],
    ['it limits the rate', 'rate_limit', '429 too many requests'],
  ])('twin: %s: that is an outage', (_, kind, message) => {
    expect(refused(begin().times(8, (run) => error(run, message, kind)))).toEqual([]);
  });

  it('twin: another fault each time', () => {
    const others = begin().times(6, (run, n) => error(run, `400 field ${'abcdef'[n]} is invalid here`));
    expect(refused(others)).toEqual([]);
  });

  it('twin: an answer in between', () => {
    const answered = begin().times(6, (run) => error(run, '404 model not found').say('Now it works.'));
    expect(refused(answered)).toEqual([]);
  });

  it('ends with an answer, or with a prompt that adds something', () => {
    const ended = (run: Script) =>
      run.run().incidents.find(({ last }) => last.rule === 'refused_request')?.cleared?.reason;
    expect(ended(times(4, '404 model not found').say('Here.'))).toBe('success');
    expect(ended(times(4, '404 model not found').user('Use the model mock-small-2.'))).toBe('user_message');
    expect(ended(times(4, '404 model not found').user('continue'))).toBeUndefined();
  });
});
