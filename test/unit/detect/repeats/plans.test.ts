import { describe, expect, it } from 'vitest';
import { runFamily } from '../support/run';
import type { Script } from '../support/script';
import { begin, edit, levels, pytest } from './telling';

const item = (content: string, status: string) => ({ content, status });
const update = (run: Script, n: number, output = 'Todos have been modified'): Script =>
  run.call(
    'TodoWrite',
    { todos: [0, 1, 2, 3, 4, 5, 6, 7].map((at) => item(`part ${at}`, at < n ? 'completed' : 'pending')) },
    { output },
  );
const read = (run: Script): Script =>
  run.call('TodoRead', {}, { output: '1. [pending] part one\n2. [pending] part two' });

describe('the plan of an agent', () => {
  it('updates that change something are no repeats', () => {
    expect(levels(begin().times(8, (run, n) => update(run, n)))).toEqual([]);
  });

  it('an update that changes nothing is a repeat, and so is one that fails', () => {
    expect(levels(begin().times(8, (run) => update(run, 3)))).toEqual(['stuck']);
    const failed = begin().times(5, (run) =>
      run.call('TodoWrite', { todos: [] }, { output: 'Error: no such item', isError: true }),
    );
    expect(levels(failed)).toEqual(['stuck']);
  });

  it('polled 45 times in a row is stuck', () => {
    expect(levels(begin().times(45, read))).toEqual(['stuck']);
  });

  it('read between edits is a look', () => {
    expect(levels(begin().times(12, (run) => read(edit(run))))).toEqual([]);
  });

  it('read 45 times between edits warns at the fortieth', () => {
    const { incidents } = runFamily(
      begin()
        .times(45, (run) => read(edit(run)))
        .events(),
    );
    expect(incidents.map(({ last }) => last.level)).toEqual(['warn']);
    expect(incidents[0]?.first.count).toBe(40);
  });

  it('an update in between neither ends nor adds to a streak', () => {
    const worked = begin().times(4, (run, n) => update(pytest(edit(run), 'test_total'), n));
    const [alert] = runFamily(worked.events()).incidents;
    expect(alert?.last).toMatchObject({ level: 'stuck', count: 4 });
  });
});
