import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/detect/session/options';
import { realIncidents } from '../support/real';
import { type Script, script } from '../support/script';

const refused = (run: Script, message = '529 Overloaded', kind = 'rate_limit'): Script =>
  run.line('error', { kind, message });

describe('rate_limited', () => {
  it('warns at the third refused request in a row, whatever the service says', () => {
    const run = script().user('Go.');
    refused(refused(refused(run), '500 Internal server error', 'api'), 'Connection dropped (ECONNRESET)', 'api');
    const [alert] = run.incidentsOf('rate_limited');
    expect(alert?.first).toMatchObject({ level: 'warn', reason: 'outage', certainty: 'counted', count: 3, limit: 3 });
    expect(alert?.first.why).toBe('3 requests in a row were refused: Connection dropped (ECONNRESET).');
    expect(alert?.stuckLine).toBeNull();
  });

  it('counts tools that a service refuses', () => {
    const run = script()
      .user('Get them.')
      .times(3, (one, index) =>
        one.bash(`curl https://api.example.org/${index}`, 'curl: (22) HTTP error: 429 Too Many Requests'),
      );
    expect(run.incidentsOf('rate_limited')[0]?.first.evidence.map((row) => row.source.line)).toEqual([2, 4, 6]);
  });

  it('counts a missing program once for each message: calls in one message do not know about each other', () => {
    const missing = { output: 'zsh:1: command not found: vercel', isError: true };
    const calls = (run: Script, batch: string) =>
      run.times(3, (one, index) => one.call('bash', { command: `vercel ${batch} ${index}` }, { ...missing, batch }));
    const once = calls(script().user('Deploy.'), 'a');
    expect(once.incidentsOf('rate_limited')).toEqual([]);
    expect(calls(calls(once, 'b'), 'c').incidentsOf('rate_limited')[0]?.first.count).toBe(3);
  });

  it('reports nothing for errors that the request itself causes', () => {
    const run = script().user('Go.');
    for (const message of ['401 invalid x-api-key', 'Prompt is too long', '400 invalid_request_error'])
      refused(run, message, 'api');
    expect(run.incidentsOf('rate_limited')).toEqual([]);
  });

  it('reports nothing for failing calls that have another cause, or for text about such errors', () => {
    const run = script()
      .user('Handle rate limits.')
      .times(5, (one, index) => one.bash(`npm test ${index}`, `expected ${index} to be 3`))
      .times(5, (one, index) =>
        one.call('bash', { command: `grep -rn 429 src${index}` }, { output: 'if (status === 429) rate limit' }),
      );
    expect(run.incidentsOf('rate_limited')).toEqual([]);
  });

  it.each([
    ['an answer', 'success', (run: Script) => run.say('Here it is.')],
    ['a call of the model', 'success', (run: Script) => run.bash('ls')],
    ['a person', 'user_message', (run: Script) => run.user('Try again.')],
    ['the end', 'session_end', (run: Script) => run.line('session_end')],
  ] as const)('is ended by %s', (_, reason, what) => {
    const run = script()
      .user('Go.')
      .times(3, (one) => refused(one));
    what(run);
    expect(run.incidentsOf('rate_limited')[0]?.cleared?.reason).toBe(reason);
  });

  it('needs them in a row', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 20 }), (runs) => {
        const run = script().user('Go.');
        for (const count of runs) run.times(count, (one) => refused(one)).say('Answered.');
        expect(run.incidentsOf('rate_limited').length > 0).toBe(runs.some((count) => count >= 3));
      }),
      { numRuns: 60 },
    );
  });

  it('follows its thresholds', () => {
    const run = script()
      .user('Go.')
      .times(3, (one) => refused(one));
    expect(run.incidentsOf('rate_limited', resolveOptions({ preset: 'patient', detectors: {} }))).toEqual([]);
    expect(
      run.incidentsOf('rate_limited', resolveOptions({ preset: 'eager', detectors: { rate_limited: 'off' } })),
    ).toEqual([]);
  });

  it.each([
    ['claude-code/k-api-error-529-final.jsonl', [32]],
    ['claude-code/k-api-errors-retry.jsonl', [32]],
    ['claude-code/k-api-error-401.jsonl', []],
    ['claude-code/k-api-error-prompt-too-long.jsonl', []],
  ])('in a real run: %s', (name, lines) => {
    const told = realIncidents(name, 'rate_limited');
    if (told) expect(told.map((one) => one.warnLine)).toEqual(lines);
  });
});
