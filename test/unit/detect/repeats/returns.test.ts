import { describe, expect, it } from 'vitest';
import type { Script } from '../support/script';
import { begin, pytest, saidBy } from './telling';

let runs = 0;
/** The tests fail in another way each time. */
const other = (run: Script): Script => pytest(run, `test_${++runs}`);
const write = (run: Script, content: string, path = 'src/a.py'): Script =>
  run.call('write_file', { file_path: path, content }, { output: 'written' });
const swap = (run: Script, from: string, to: string, path = 'src/a.py'): Script =>
  run.call('edit_file', { file_path: path, old_string: from, new_string: to }, { output: 'updated' });
const returns = (run: Script): string[] => saidBy(run, 'cycle', 'returns');

describe('an agent that changes one file back and forth', () => {
  it('with whole writes: two rounds warn, three are stuck', () => {
    const written = (contents: string) => {
      const run = begin();
      for (const content of contents) other(write(run, content));
      return returns(run).at(-1);
    };
    expect(written('ab')).toBeUndefined();
    expect(written('aba')).toBeUndefined();
    expect(written('abab')).toBe('warn 2');
    expect(written('ababa')).toBe('stuck 3');
  });

  it('with edits whose old and new text are swapped', () => {
    const swapped = (count: number) =>
      returns(
        begin().times(count, (run, n) =>
          other(n % 2 === 0 ? swap(run, 'x = 1', 'x = 2') : swap(run, 'x = 2', 'x = 1')),
        ),
      );
    // There and back is a round.
    expect(swapped(3)).toEqual([]);
    expect(swapped(4).at(-1)).toBe('warn 2');
    expect(swapped(6).at(-1)).toBe('stuck 3');
  });

  it('with patches', () => {
    const patch = (minus: string, plus: string) =>
      `*** Begin Patch\n*** Update File: src/a.py\n@@\n-${minus}\n+${plus}\n*** End Patch`;
    const run = begin().times(6, (one, n) =>
      other(
        one.call(
          'apply_patch',
          { input: n % 2 === 0 ? patch('x = 1', 'x = 2') : patch('x = 2', 'x = 1') },
          { output: 'Done!' },
        ),
      ),
    );
    expect(returns(run).at(-1)).toBe('stuck 3');
  });

  it('whatever else is written in between', () => {
    const run = begin().times(6, (one, n) => {
      write(one, n % 2 === 0 ? 'a' : 'b');
      other(write(one, `note ${n}`, `notes/${n}.md`));
      swap(one, `y${n}`, `z${n}`);
    });
    expect(returns(run).at(-1)).toMatch(/^stuck/);
  });

  it('written by the shell', () => {
    const run = begin().times(6, (one, n) =>
      other(one.call('bash', { command: `cat > src/a.py <<'E'\nx = ${n % 2}\nE` }, { output: '', exitCode: 0 })),
    );
    expect(returns(run).at(-1)).toMatch(/^stuck/);
  });

  it('twin: each version is a new one', () => {
    expect(returns(begin().times(12, (run, n) => other(write(run, `version ${n}`))))).toEqual([]);
    expect(returns(begin().times(12, (run, n) => other(swap(run, `x = ${n}`, `x = ${n + 1}`))))).toEqual([]);
  });

  it('twin: one step back is not a round', () => {
    expect(returns(other(write(other(write(other(write(begin(), 'a')), 'b')), 'a')))).toEqual([]);
  });

  it('twin: several passages that are removed once and put back once', () => {
    const run = begin();
    for (const name of ['a', 'b', 'c']) swap(run, `${name} = 1\n`, '');
    other(run);
    for (const name of ['a', 'b', 'c']) swap(run, '', `${name} = 1\n`);
    expect(returns(other(run))).toEqual([]);
  });

  it('twin: changes that another program removed are made once more', () => {
    const run = begin();
    for (const n of [1, 2]) {
      for (const name of ['a', 'b', 'c']) swap(run, `def ${name}`, `def ${name}_`);
      run.call('read_file', { path: 'src/a.py' }, { output: `version ${n} of the file` });
    }
    expect(returns(run)).toEqual([]);
  });

  it('twin: the same content in two files', () => {
    expect(returns(begin().times(8, (run, n) => other(write(run, 'a', `src/${n}.py`))))).toEqual([]);
  });

  it('twin: a write that fails brings nothing back', () => {
    const run = begin().times(6, (one, n) =>
      other(
        one.call(
          'write_file',
          { file_path: 'src/a.py', content: n % 2 ? 'a' : 'b' },
          { output: 'no space left', isError: true },
        ),
      ),
    );
    expect(returns(run)).toEqual([]);
  });

  it('twin: a person who asks for the other version each time', () => {
    const run = begin().times(6, (one, n) => other(write(one, n % 2 ? 'a' : 'b')).user(`now as in draft ${700 + n}`));
    expect(returns(run)).toEqual([]);
  });
});

describe('an agent that writes one file blind', () => {
  const rewrites = (run: Script): string[] => saidBy(run, 'repeating_outcome', 'unread_rewrites');
  const blind = (count: number, between: (run: Script, n: number) => Script = (run) => run) =>
    begin().times(count, (run, n) => between(write(run, `version ${n}`), n));

  it('six whole writes of other content with nothing read or run in between warn, and never more', () => {
    expect(rewrites(blind(5))).toEqual([]);
    expect(rewrites(blind(6))).toEqual(['warn 6']);
    expect(rewrites(blind(16)).every((one) => one.startsWith('warn'))).toBe(true);
  });

  it('even with edits of other files in between', () => {
    expect(rewrites(blind(6, (run, n) => swap(run, `a${n}`, `b${n}`, 'src/b.py')))).not.toEqual([]);
  });

  it.each<[string, (run: Script, n: number) => Script]>([
    ['a run', (run) => other(run)],
    ['a read', (run, n) => run.call('read_file', { path: 'src/a.py' }, { output: `version ${n}` })],
    ['a prompt that adds something', (run, n) => run.user(`and now line ${800 + n}`)],
  ])('twin: %s in between', (_, between) => expect(rewrites(blind(8, between))).toEqual([]));

  it('twin: a prompt that adds something, whose first step is a new plan', () => {
    const planned = (run: Script, n: number) =>
      n === 2
        ? run
            .user('and now line 802')
            .call('update_plan', { plan: [{ step: 'line 802', status: 'pending' }] }, { output: 'Plan updated' })
        : run;
    expect(rewrites(blind(8, planned))).toEqual([]);
    expect(rewrites(blind(9, planned))).toEqual(['warn 6']);
  });

  it('twin: edits of parts of it are not whole writes', () => {
    expect(rewrites(begin().times(8, (run, n) => swap(run, `a${n}`, `b${n}`)))).toEqual([]);
  });

  it('twin: six files', () => {
    expect(rewrites(begin().times(8, (run, n) => write(run, 'text', `src/${n}.py`)))).toEqual([]);
  });
});
