import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/detect/session/options';
import { failedApproaches } from '../../../../src/detect/sayings/retry-notes';
import { type Script, script } from '../support/script';

const NOTES = `PREVIOUS ATTEMPTS (all failed):
Attempt 1: \`npm install --force\`
  Error: ERESOLVE
- yarn install
Fix the issues identified above. Take a different approach if needed.`;

const begin = (): Script => script().user('Install it.').user(NOTES, true);

describe('the approaches that retry notes list as failed', () => {
  it.each([
    [NOTES, ['npm install --force', 'yarn install']],
    ['Avoid: `make all` and `make -j`.', ['make all', 'make -j']],
    ['Do not run `pytest -q` again.', ['pytest -q']],
    ['What did not work:\n1. ran: docker build .\n2. tried: podman build .', ['docker build .', 'podman build .']],
    ['Already tried `a b`, `a  b` and ` a b `.', ['a b']],
    ['Run `pytest -q` and fix what fails.', []],
    ['', []],
  ])('%j', (text, approaches) => expect(failedApproaches(text)).toEqual(approaches));

  it('is bounded for any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000 }), (text) => {
        const found = failedApproaches(`previous attempts: ${text}`);
        expect(found.length).toBeLessThanOrEqual(32);
        expect(found.every((one) => one.length >= 3 && one.length <= 200)).toBe(true);
      }),
    );
  });
});

describe('context_pollution', () => {
  it('warns when it fails again with something that the notes list, and is stuck at the second time', () => {
    const run = begin().bash('npm install --force', 'ERESOLVE').bash('ls').bash('yarn install', 'ENOENT');
    const [alert] = run.incidentsOf('context_pollution');
    expect([alert?.warnLine, alert?.stuckLine]).toEqual([4, 8]);
    expect(alert?.last).toMatchObject({ reason: 'retry_pollution', certainty: 'counted', count: 2 });
    expect(alert?.first.why).toBe(
      'After the restart it ran `npm install --force`, which the retry notes list as failed. It failed again: ERESOLVE',
    );
    expect(alert?.last.evidence.map((row) => row.source.line)).toEqual([2, 3, 7]);
  });

  it('reads the summary of a compaction too', () => {
    const run = script()
      .user('Go.')
      .line('compaction', { summary: 'Already tried: `make all`.' })
      .bash('make all', 'no rule');
    expect(run.incidentsOf('context_pollution')).toHaveLength(1);
  });

  it.each([
    ['another approach', (run: Script) => run.bash('npm ci', 'ERESOLVE')],
    ['the same one with success', (run: Script) => run.bash('npm install --force')],
    [
      'a test of something new',
      (run: Script) =>
        run
          .call('edit', { path: 'package.json', content: '{}' }, { output: 'edited' })
          .bash('npm install --force', 'ERESOLVE'),
    ],
  ])('reports nothing for %s', (_, what) => {
    expect(what(begin()).incidentsOf('context_pollution')).toEqual([]);
  });

  it('reports nothing for a repeat that no notes mention', () => {
    const run = script()
      .user('Install it.')
      .times(3, (one) => one.bash('npm install --force', 'ERESOLVE'));
    expect(run.incidentsOf('context_pollution')).toEqual([]);
  });

  it.each([
    ['another result', 'different_result', (run: Script) => run.bash('npm install --force')],
    ['other approaches', 'not_back', (run: Script) => run.times(13, (one, index) => one.bash(`cat ${index}`))],
    ['progress', 'progress', (run: Script) => run.call('edit', { path: 'a', content: 'b' }, { output: 'edited' })],
    ['a person', 'user_message', (run: Script) => run.user('Use npm 10.')],
    ['the end', 'session_end', (run: Script) => run.line('session_end')],
  ] as const)('is over with %s', (_, reason, what) => {
    const run = what(begin().bash('npm install --force', 'ERESOLVE'));
    expect(run.incidentsOf('context_pollution')[0]?.cleared?.reason).toBe(reason);
  });

  it('follows its thresholds', () => {
    const run = begin().bash('npm install --force', 'ERESOLVE').bash('npm install --force', 'ERESOLVE');
    expect(
      run.incidentsOf('context_pollution', resolveOptions({ preset: 'patient', detectors: {} }))[0]?.stuckLine,
    ).toBeNull();
    expect(
      run.incidentsOf(
        'context_pollution',
        resolveOptions({ preset: 'eager', detectors: { context_pollution: 'off' } }),
      ),
    ).toEqual([]);
  });
});
