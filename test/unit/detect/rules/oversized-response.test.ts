import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/detect/session/options';
import { cutMark } from '../../../../src/base/util/cut';
import { realIncidents } from '../support/real';
import { type Script, script } from '../support/script';

const large = (run: Script, size = 250_000): Script =>
  run.call('bash', { command: 'cat big.txt' }, { output: 'the head of it', size });

describe('oversized_response', () => {
  it('warns about a result of more than 200,000 characters, by the size that the record reports', () => {
    const [alert] = large(script().user('Read it.')).incidentsOf('oversized_response');
    expect(alert?.first).toMatchObject({ level: 'warn', reason: 'oversized_response', count: 250_000, limit: 200_000 });
    expect(alert?.first.why).toBe('`cat big.txt` returned 250,000 characters. The agent may not see all of it.');
    expect(alert?.first.evidence.map((row) => [row.source.line, row.end?.line])).toEqual([[2, 3]]);
  });

  it('knows the size of a text that was cut when it was read', () => {
    const output = `${'head '.repeat(100)}${cutMark(300_000, 'abc')}tail`;
    const run = script().user('Go.').call('bash', { command: 'cat big.txt' }, { output });
    expect(run.incidentsOf('oversized_response')[0]?.first.count).toBeGreaterThan(300_000);
  });

  it('shows the first 1,000 characters', () => {
    const run = script()
      .user('Go.')
      .call('bash', { command: 'cat big.txt' }, { output: 'x'.repeat(250_000) });
    expect(run.incidentsOf('oversized_response')[0]?.first.lastSample?.text).toHaveLength(1001);
  });

  it('reports nothing for an ordinary result, but how near it came', () => {
    const run = large(script().user('Read it.'), 150_000).run();
    expect(run.incidents).toEqual([]);
    expect(run.nearMisses.get('oversized_response/')).toMatchObject({ reached: 150_000, limit: 200_000 });
  });

  it('is over when no large result comes within 12 steps, and stays one incident when another one does', () => {
    const quiet = large(script().user('Read it.')).times(12, (run, index) => run.bash(`cat ${index}`));
    expect(quiet.incidentsOf('oversized_response')[0]?.cleared?.reason).toBe('not_back');
    const again = large(
      large(script().user('Read it.')).times(5, (run, index) => run.bash(`cat ${index}`)),
      900_000,
    );
    expect(again.incidentsOf('oversized_response').map((one) => [one.last.count, one.cleared])).toEqual([
      [900_000, null],
    ]);
  });

  it('fires at its threshold', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 600_000 }), (size) => {
        expect(large(script().user('Go.'), size).incidentsOf('oversized_response').length).toBe(
          size >= 200_000 ? 1 : 0,
        );
      }),
      { numRuns: 40 },
    );
    const run = large(script().user('Go.'), 150_000);
    expect(run.incidentsOf('oversized_response', resolveOptions({ preset: 'eager', detectors: {} }))).toHaveLength(1);
    expect(
      run.incidentsOf(
        'oversized_response',
        resolveOptions({ preset: 'eager', detectors: { oversized_response: 'off' } }),
      ),
    ).toEqual([]);
  });

  it.each([
    // the harness kept the text in a file and gave the model its head
    ['claude-code/e-huge-output.jsonl', []],
    ['codex/h_big.jsonl', [13]],
  ])('in a real run: %s', (name, lines) => {
    const told = realIncidents(name, 'oversized_response');
    if (told) expect(told.map((one) => one.warnLine)).toEqual(lines);
  });
});
