import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/detect/session/options';
import { type Script, script } from '../support/script';

const begin = (): Script => script().line('session_start', { contextWindow: 200_000 }).user('Find the bug.');
/** Reads the same file again and again, by default eleven times over more than ten minutes; only the first time says something new. */
const look = (run: Script, count = 11, seconds = 70): Script =>
  run.times(count, (one) => one.bash('cat src/price.ts').wait(seconds));
const use = (run: Script, percent: number): Script => run.line('usage', { contextTokens: percent * 2000 });
const edit = (run: Script): Script =>
  run.call('edit', { path: 'a.ts', content: `version ${run.lines.length}` }, { output: 'edited a.ts' });

describe('token_exhaustion', () => {
  it('warns at 80 % of the context after 10 steps and 10 minutes with nothing new, and is stuck at 90 %', () => {
    const run = use(use(use(look(begin()), 79), 81), 90);
    const [alert] = run.incidentsOf('token_exhaustion');
    expect([alert?.warnLine, alert?.stuckLine]).toEqual([26, 27]);
    expect(alert?.last).toMatchObject({
      reason: 'token_exhaustion',
      exhaustion: 'tokens',
      count: 90,
      certainty: 'counted',
    });
    expect(alert?.last.why).toBe(
      '90 % of the context is used, with no progress and no new result for 13 min and 10 steps.',
    );
    expect(alert?.last.evidence.map((row) => row.source.line)).toEqual([5, 27]);
  });

  it('reports nothing for a full context while the work continues', () => {
    const run = begin().times(6, (one, index) => use(edit(look(one, 8)).bash(`cat ${index}`), 80 + index));
    expect(run.incidentsOf('token_exhaustion')).toEqual([]);
    expect(run.run().nearMisses.get('token_exhaustion/')).toMatchObject({
      reached: 85,
      limit: 80,
      heldBackBy: 'Progress or something new since',
    });
  });

  it('fires with the tenth step, even if the tokens were reported before', () => {
    const run = look(use(look(begin(), 5), 85), 6);
    expect(run.incidentsOf('token_exhaustion')[0]?.first.count).toBe(85);
    expect(look(use(look(begin(), 5), 85), 5).incidentsOf('token_exhaustion')).toEqual([]);
  });

  it('reports nothing while steps say something new, even without an edit', () => {
    const run = begin().times(30, (one, index) => one.bash(`cat src/${index}.ts`).wait(70));
    expect(use(run, 95).incidentsOf('token_exhaustion')).toEqual([]);
  });

  it('needs ten minutes as well as ten steps', () => {
    expect(use(look(begin(), 30, 10), 95).incidentsOf('token_exhaustion')).toEqual([]);
    expect(use(look(begin(), 30, 25), 95).incidentsOf('token_exhaustion')).toHaveLength(1);
    expect(use(look(begin(), 4, 900), 95).incidentsOf('token_exhaustion')).toEqual([]);
  });

  it('checks a token limit too', () => {
    const run = look(begin()).line('usage', { totalTokens: 950, tokenLimit: 1000 });
    expect(run.incidentsOf('token_exhaustion')[0]?.first.why).toMatch(/^95 % of the token limit is used/);
  });

  it('reports nothing without a known context window', () => {
    const run = look(script().user('Go.'), 20).line('usage', { contextTokens: 1_000_000 });
    expect(run.incidentsOf('token_exhaustion')).toEqual([]);
  });

  it.each([
    ['progress', 'progress', edit],
    ['room again', 'different_result', (run: Script) => use(run.line('compaction'), 20)],
    ['a person', 'user_message', (run: Script) => run.user('Look at price.ts.')],
    ['the end', 'session_end', (run: Script) => run.line('session_end')],
  ] as const)('is ended by %s', (_, reason, what) => {
    const run = what(use(look(begin()), 85));
    expect(run.incidentsOf('token_exhaustion')[0]?.cleared?.reason).toBe(reason);
  });

  it('reports each percent once', () => {
    const run = use(look(begin()), 82)
      .times(20, (one) => use(one, 82))
      .times(3, (one, index) => use(one, 83 + index));
    const counts = run
      .run()
      .findings.filter((one) => one.detector === 'token_exhaustion')
      .map((one) => one.count);
    expect(counts).toEqual([82, 83, 84, 85]);
  });

  it('fires above its thresholds only', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 0, max: 25 }), (percent, steps) => {
        const [alert] = use(look(begin(), steps), percent).incidentsOf('token_exhaustion');
        const level = steps < 11 || percent < 80 ? undefined : percent < 90 ? 'warn' : 'stuck';
        expect(alert?.last.level).toBe(level);
      }),
      { numRuns: 60 },
    );
  });

  it('follows its settings', () => {
    const run = use(look(begin()), 75);
    expect(run.incidentsOf('token_exhaustion', resolveOptions({ preset: 'eager', detectors: {} }))).toHaveLength(1);
    expect(
      run.incidentsOf(
        'token_exhaustion',
        resolveOptions({ preset: 'balanced', detectors: { token_exhaustion: { warn: 70, window: 12 } } }),
      ),
    ).toEqual([]);
    expect(
      run.incidentsOf('token_exhaustion', resolveOptions({ preset: 'eager', detectors: { token_exhaustion: 'off' } })),
    ).toEqual([]);
  });
});
