import { describe, expect, it } from 'vitest';
import type { Script } from '../support/script';
import { begin, edit, pytest, saidBy, sh } from './telling';

/** An edit, and a run in which this many tests fail, different ones each time. */
let names = 0;
const failing = (run: Script, count: number): Script =>
  pytest(run, ...Array.from({ length: count }, () => `test_${++names}`));
const noBetter = (counts: readonly number[], between = edit): string[] => {
  const run = begin();
  for (const count of counts) failing(between(run), count);
  return saidBy(run, 'repeating_outcome', 'no_better');
};

describe('a check that gets no better', () => {
  it('six runs without fewer failures, with changes in between, warn', () => {
    expect(noBetter([4, 5, 4, 6, 5, 4])).toEqual([]);
    expect(noBetter([4, 5, 4, 6, 5, 4, 7])).toEqual(['warn 6']);
  });

  //  edit  jest ✗20  pytest ✗4 │ edit  jest ✗19  pytest ✗5 │ edit  jest ✗18  pytest ✗4 │ …
  it('even if another check that fails runs first after each change', () => {
    let left = 20;
    const tested = (run: Script): Script =>
      sh(edit(run), 'npx jest', `Tests:       ${--left} failed, 40 passed, ${left + 40} total`, 1);
    expect(noBetter([4, 5, 4, 6, 5, 4, 7], tested)).toEqual(['warn 6']);
  });

  it('never report stuck', () => {
    const said = noBetter(Array.from({ length: 30 }, (_, n) => 4 + (n % 5)));
    expect(said.length).toBeGreaterThan(0);
    expect(said.every((one) => one.startsWith('warn'))).toBe(true);
  });

  it('twin: fewer failures now and then', () => {
    expect(noBetter([9, 10, 9, 11, 8, 9, 10, 8, 7, 9, 8, 7, 6])).toEqual([]);
  });

  it('twin: it passes in between', () => {
    expect(noBetter([2, 3, 2, 4, 0, 2, 3, 2, 4])).toEqual([]);
  });

  it('twin: nothing is changed between the runs', () => {
    const looked = (run: Script) => run.call('read_file', { path: 'src/a.py' }, { output: `text ${++names}` });
    expect(noBetter([4, 5, 4, 6, 5, 4, 7, 5, 6], looked)).toEqual([]);
  });

  it('twin: another commit under the work tree each time', () => {
    const moved = (run: Script) =>
      run.call(
        'bash',
        { command: `git checkout HEAD~${++names}` },
        { output: `HEAD is now at commit ${names}`, exitCode: 0 },
      );
    expect(noBetter([4, 5, 4, 6, 5, 4, 7, 5, 6], (run) => edit(moved(run)))).toEqual([]);
  });

  it('twin: a prompt that adds something starts the count again', () => {
    const run = begin();
    for (const count of [4, 5, 4, 6, 5, 4, 7]) failing(edit(run), count).user(`look at case ${600 + ++names}`);
    expect(saidBy(run, 'repeating_outcome', 'no_better')).toEqual([]);
  });

  it('ends with fewer failures', () => {
    const run = begin();
    for (const count of [4, 5, 4, 6, 5, 4, 7, 3]) failing(edit(run), count);
    const [alert] = run.run().incidents.filter(({ name }) => name.endsWith('no_better'));
    expect(alert?.cleared?.reason).toBe('different_result');
  });
});
