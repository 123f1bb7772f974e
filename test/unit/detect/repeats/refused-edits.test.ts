import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/detect/session/options';
import type { Script } from '../support/script';
import { begin, saidBy, sh } from './telling';

const MISSED = 'String to replace not found in file.';
let texts = 0;

/** An edit of a file that is refused, with another text each time. */
const missed = (run: Script, path = 'src/a.ts', output = `${MISSED} ${++texts}`): Script =>
  run.call('edit_file', { file_path: path, old_string: `x${++texts}`, new_string: 'y' }, { output, isError: true });
const fitted = (run: Script, path = 'src/a.ts'): Script =>
  run.call('edit_file', { file_path: path, old_string: `x${++texts}`, new_string: `y${texts}` }, { output: 'updated' });
const read = (run: Script): Script =>
  run.call('read_file', { path: `src/f${++texts}.ts` }, { output: `text ${texts} of a file` });
const refused = (run: Script): string[] => saidBy(run, 'consecutive_failures', 'refused_edits');

describe('edits of one file that are refused', () => {
  it('with looks in between: four warn, five are stuck', () => {
    expect(refused(begin().times(3, (run) => read(missed(run))))).toEqual([]);
    expect(refused(begin().times(4, (run) => read(missed(run)))).at(-1)).toBe('warn 4');
    expect(refused(begin().times(5, (run) => read(missed(run)))).at(-1)).toBe('stuck 5');
  });

  it('whatever the tool and its words', () => {
    const tried = begin();
    tried.call(
      'edit_file',
      { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' },
      { output: MISSED, isError: true },
    );
    read(tried);
    tried.call(
      'str_replace',
      { path: 'src/a.ts', old_str: 'c', new_str: 'd' },
      { output: 'No replacement was performed.' },
    );
    read(tried);
    tried.call(
      'multi_edit',
      { file_path: './src/a.ts', edits: [] },
      { output: 'Edit 2 failed: no match', isError: true },
    );
    read(tried);
    tried.call('replace', { file_path: 'src/a.ts' }, { output: 'Failed to edit, 0 occurrences found', isError: true });
    expect(refused(tried).at(-1)).toBe('warn 4');
  });

  it('an edit that goes through subtracts one', () => {
    const tried = (...what: ((run: Script) => Script)[]) => {
      const run = begin();
      for (const one of what) read(one(run));
      return refused(run).at(-1);
    };
    expect(tried(missed, missed, missed, fitted, missed)).toBeUndefined();
    expect(tried(missed, missed, missed, fitted, missed, missed)).toBe('warn 4');
    expect(tried(missed, fitted, missed, fitted, missed, fitted, missed)).toBeUndefined();
  });

  it('so does a command that changes the file, and a script that writes it', () => {
    const by = (command: string) => {
      const run = begin();
      read(missed(read(missed(read(missed(run))))));
      read(sh(run, command, `Done ${++texts}`));
      return refused(read(missed(run))).at(-1);
    };
    expect(by("sed -i 's/a/b/' src/a.ts")).toBeUndefined();
    expect(by("python3 -c \"p = 'src/a.ts'; t = open(p).read(); open(p, 'w').write(t)\"")).toBeUndefined();
    expect(by("sed -i 's/a/b/' src/other.ts")).toBe('warn 4');
    expect(by('python3 -c "print(repr(open(\'src/a.ts\').read()))"')).toBe('warn 4');
  });

  it('twin: three files, each refused twice, are three files', () => {
    const tried = begin().times(2, (run) => {
      for (const path of ['src/a.ts', 'src/b.ts', 'src/c.ts']) read(missed(run, path));
    });
    expect(refused(tried)).toEqual([]);
  });

  it('twin: a prompt that adds something starts the count again, one that adds nothing does not', () => {
    const added = begin().times(4, (run, n) => read(missed(run)).user(`look at line ${900 + n}`));
    expect(refused(added)).toEqual([]);
    expect(refused(begin().times(6, (run) => read(missed(run)).user('still not working')))).not.toEqual([]);
  });

  it('follows the presets', () => {
    const at = (preset: 'eager' | 'patient', count: number) =>
      begin()
        .times(count, (run) => read(missed(run)))
        .run(resolveOptions({ preset, detectors: {} }))
        .findings.findLast(({ rule }) => rule === 'refused_edits')?.level;
    expect([1, 2, 3, 4].map((count) => at('eager', count))).toEqual([undefined, 'warn', 'warn', 'stuck']);
    expect([4, 5, 6, 7].map((count) => at('patient', count))).toEqual([undefined, 'warn', 'warn', 'stuck']);
  });

  it('the report names the file and how to continue', () => {
    const last = begin()
      .times(5, (run) => read(missed(run)))
      .run()
      .findings.at(-1);
    expect(last?.why).toContain('5 of the last edits of one file were refused');
    expect(last?.subject).toContain('src/a.ts');
  });
});

it('a refused write by the shell is a failing command, not an edit of a followed file', () => {
  const failed = begin().times(5, (run) => sh(run, `sed -i s/a${++texts}/b/ src/a.ts`, 'sed: no input files', 1));
  expect(refused(failed)).toEqual([]);
});
