import { describe, expect, it } from 'vitest';
import { begin, isStuck, levels, sh } from './telling';

const FAILED = 'FAILED tests/test_sum.py::test_total - boom\n1 failed in 0.3s';

describe('one command, typed differently each time', () => {
  it.each([
    ['cuts of its output', ['pytest -q', 'pytest -q | tail -20', 'pytest -q 2>&1 | tail -40', 'pytest -q | head -50']],
    ['wrappers', ['pytest -q', 'timeout 120 pytest -q', 'env CI=1 pytest -q', 'bash -lc "pytest -q"']],
    ['signs', ['pytest -q', 'pytest -q;', '"pytest" -q', "pytest '-q'"]],
    ['a sleep before it', ['pytest -q', 'sleep 1; pytest -q', 'sleep 2 && pytest -q', 'time pytest -q']],
    ['a grep behind a check', ['pytest -q', 'pytest -q | grep FAILED', 'pytest -q | grep -v passed', 'pytest -q']],
  ])('by %s, is one call', (_, commands) => {
    const run = begin();
    for (const command of commands) {
      const isPiped = command.includes('|');
      sh(run, command, FAILED, isPiped ? 0 : 1);
    }
    expect(isStuck(run)).toBe(true);
  });

  it('twin: filters that let nothing through say nothing about the check', () => {
    const tried = (...filters: string[]) => {
      const run = begin();
      for (const filter of filters) sh(run, `npm test 2>&1 | grep ${filter} | head -20`, '', 0);
      return levels(run);
    };
    expect(tried('FAIL', '✗', '-E "^fail"', '"not ok"')).toEqual([]);
    expect(tried('FAIL', 'FAIL', 'FAIL', 'FAIL')).toEqual(['stuck']);
  });

  it('even if it is not a check', () => {
    const run = begin();
    for (const command of ['./load.sh', './load.sh;', 'timeout 60 ./load.sh', 'bash -lc "./load.sh"'])
      sh(run, command, '完成了一半', 0);
    expect(isStuck(run)).toBe(true);
  });

  it('twin: other files are other calls', () => {
    const run = begin();
    for (const name of ['a', 'b', 'c', 'd']) sh(run, `./load.sh ${name}.csv`, 'loaded', 0);
    expect(levels(run)).toEqual([]);
  });

  it('twin: other pages of one file say something else', () => {
    const run = begin();
    for (const page of [20, 40, 60, 80])
      sh(run, `cat notes.md | head -${page} | tail -20`, `lines before ${page} of it`);
    expect(levels(run)).toEqual([]);
  });
});
