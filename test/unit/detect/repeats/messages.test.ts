import { describe, expect, it } from 'vitest';
import { runFamily } from '../support/run';
import type { Script } from '../support/script';
import { begin, isStuck, levels } from './telling';

const FAILED = { output: 'FAILED tests/test_sum.py::test_total - boom\n1 failed in 0.3s', exitCode: 1, isError: true };
let files = 0;

/** A message with eight calls: the failing tests, and seven reads of files not read before. */
const batchOfEight = (run: Script, n: number): Script => {
  const batch = `m${n}`;
  run.call('bash', { command: 'pytest -q' }, { ...FAILED, batch });
  return run.times(7, (one) =>
    one.call('read_file', { path: `src/f${++files}.ts` }, { output: `text ${files} of a file`, batch }),
  );
};

describe('an agent that works in messages of eight calls', () => {
  it('is stuck at the fourth message in which the same test fails', () => {
    expect(levels(begin().times(3, batchOfEight))).toEqual(['warn']);
    expect(levels(begin().times(4, batchOfEight))).toEqual(['stuck']);
  });

  it('is stuck if the message comes back between others, as far as the window reaches', () => {
    const others = (run: Script, n: number): Script =>
      run.times(8, (one) =>
        one.call('read_file', { path: `src/g${++files}.ts` }, { output: `text ${files} of a file`, batch: `o${n}` }),
      );
    const spread = (between: number) =>
      begin().times(4, (run, n) => batchOfEight(run, n).times(between, (one, at) => others(one, n * 100 + at)));
    // Four runs with five messages in between are within twenty messages; with seven in between they are not.
    expect(isStuck(spread(5))).toBe(true);
    expect(levels(spread(7))).not.toContain('stuck');
  });

  it('eight equal calls of one message are one piece of evidence', () => {
    const once = begin().times(8, (run) => run.call('bash', { command: 'pytest -q' }, { ...FAILED, batch: 'm' }));
    expect(levels(once)).toEqual([]);
  });

  it('four messages of eight equal calls are four', () => {
    const [alert] = runFamily(
      begin()
        .times(4, (run, n) =>
          run.times(8, (one) => one.call('bash', { command: 'pytest -q' }, { ...FAILED, batch: `m${n}` })),
        )
        .events(),
    ).incidents;
    expect(alert?.last).toMatchObject({ level: 'stuck', count: 4 });
  });

  it('calls issued before the first of their results are one message if the format has no messages', () => {
    const parallel = (run: Script, n: number): Script => {
      const ids = Array.from({ length: 8 }, (_, at) => `p${n}-${at}`);
      for (const id of ids) run.line('tool_call', { id, name: 'bash', args: { command: 'pytest -q' } });
      for (const id of ids) run.line('tool_result', { id, ...FAILED });
      return run;
    };
    expect(levels(begin().times(1, parallel))).toEqual([]);
    const [alert] = runFamily(begin().times(4, parallel).events()).incidents;
    expect(alert?.last).toMatchObject({ level: 'stuck', count: 4 });
  });

  it('failures in one message are one failure', () => {
    const wave = (run: Script, n: number): Script =>
      run.times(8, (one, at) =>
        one.call(
          'bash',
          { command: `./part.sh ${n}${'abcdefgh'[at]}` },
          { output: 'error: no access to the registry', exitCode: 1, isError: true, batch: `m${n}` },
        ),
      );
    expect(levels(begin().times(2, wave))).toEqual([]);
    expect(levels(begin().times(5, wave))).toEqual(['stuck']);
  });

  it('a wait is remembered over 128 messages, and over 512 steps', () => {
    const polled = (reads: number) =>
      begin().times(20, (run, n) => {
        const batch = `m${n}`;
        run.call(
          'bash',
          { command: 'gh pr checks 12' },
          { output: 'build pending', exitCode: 8, isError: true, batch },
        );
        run.times(reads, (one, at) =>
          one.call('read_file', { path: `src/h${at}.ts` }, { output: `text ${at}`, batch }),
        );
        return run.wait(60);
      });
    expect(levels(polled(3))).toContain('stuck');
  });
});
