import { type Scenes, looks } from './scene';

export const prematureAction: Scenes = {
  detectors: ['premature_action'],
  scenes: {
    'edits of files that were not read, until it reads one': {
      run: (to) =>
        to
          .line('session_info', { cwd: '/w' })
          .user('Fix the prices in sum.ts.')
          .edit('/w/src/price.ts')
          .edit('/w/src/sum.ts')
          .edit('/w/src/tax.ts')
          .edit('/w/new.ts', { old_string: '' })
          .edit('/w/README.md')
          .read('/w/src/other.ts')
          .read('/w/src/price.ts')
          .edit('/w/src/rate.ts')
          .show('cat src/rate.ts')
          .edit('/w/src/vat.ts')
          .user('Stop.'),
    },
    'other names for the text that is looked for': {
      run: (to) =>
        ['old_str', 'oldText', 'old_text', 'search', 'find'].reduce(
          (all, name) => all.edit(`src/${name}.ts`, { old_string: 3, [name]: 'a' }),
          to.user('Fix it.'),
        ),
    },
    'whole files that are written over': {
      run: (to) =>
        [
          'Overwrote a.md',
          'overwritten',
          'overwriting it',
          'It has been updated',
          'It has been replaced',
          'updated the existing file',
          'updated file',
          'successfully updated',
          'created',
          `${'x '.repeat(200)} overwritten`,
        ].reduce(
          (all, output, n) =>
            all
              .start('write_file', 'changed', `Write ${n}.txt`, { target: `d/${n}.txt`, args: { content: 'a' } })
              .answer(output),
          to.user('Write it.'),
        ),
    },
    'tools that refuse what was not read': {
      run: (to) =>
        (
          [
            ['Edit', 'file_path'],
            ['MultiEdit', 'file_path'],
            ['Write', 'file_path'],
            ['NotebookEdit', 'notebook_path'],
            ['edit', 'filePath'],
            ['write', 'filePath'],
            ['edit', 'file_path'],
            ['Patch', 'file_path'],
          ] as const
        ).reduce(
          (all, [name, argument], n) =>
            all
              .start(name, 'changed', `Edit ${name} ${n}`, {
                target: `d/${n}.ts`,
                args: { [argument]: `d/${n}.ts`, old_string: 'a', new_string: 'b' },
              })
              .answer('done'),
          to.user('Do it.'),
        ),
    },
    'what was shown, named or written counts as seen': {
      run: (to) =>
        to
          .user('Look at a.ts.')
          .told('changed: b.ts')
          .show('ls', 'c.ts d.ts')
          .start('Grep', 'looked', 'Search x')
          .answer('e.ts:1: x')
          .start('Grep', 'looked', 'Search y')
          .answer('f.ts: y', { isError: true })
          .run('make', 'wrote g.ts')
          .run('touch h.ts')
          .edit('a.ts')
          .edit('b.ts')
          .edit('c.ts')
          .edit('e.ts')
          .edit('h.ts')
          .edit('f.ts')
          .edit('g.ts'),
    },
    'edits by commands; a run is none': {
      run: (to) =>
        to
          .line('session_info', { cwd: '/w' })
          .user('Go on.')
          .run('python scripts/migrate.py')
          .run('git reset --hard')
          .run('sed -i s/1/2/ src/a.ts')
          .run('cat src/b.ts')
          .run('sed -i s/1/2/ src/b.ts')
          .run('bash -lc "perl -pi -e s/1/2/ src/c.ts"'),
    },
    'nothing is known of what came before': {
      run: (to) =>
        to.line('session_info', { forkedFrom: 's0' }).edit('a.ts').line('session_info', { cwd: '/w' }).edit('b.ts'),
    },
    'nor after a compaction': {
      run: (to) => to.edit('a.ts').line('compaction').edit('b.ts').line('session_end', { reason: 'clean' }),
    },
    'a look at a part of a path ends it': {
      run: (to) =>
        to
          .user('Go on.')
          .edit('src/a.ts')
          .show('head -5 src/b.ts')
          .start('Grep', 'looked', 'Search a.ts')
          .answer('nothing')
          .show('grep -n x src/a.ts')
          .edit('src/c.ts')
          .told('Look at src/c.ts.')
          .start('ask', 'other', 'ask', { target: 'src/d.ts', args: null })
          .answer('yes')
          .edit('src/d.ts')
          .start('edit_file', 'changed', 'Edit e.ts', { target: 'e.ts', args: 'patch' })
          .answer('has been updated')
          .start('edit_file', 'changed', 'Edit f.ts', { target: 'f.ts', args: null })
          .answer('has been updated')
          .start('Bash', 'changed', 'tee g.ts', { command: 'tee g.ts', target: 'g.ts', args: { old_string: 'a' } })
          .answer('has been updated'),
    },
    'with a limit of two': {
      settings: { premature_action: { warn: 2 } },
      run: (to) => looks(13)(to.user('Fix.').edit('a.ts').read('x').edit('b.ts').edit('c.ts')),
    },
    'it is over when it does not come back': { run: (to) => looks(13)(to.user('Fix.').edit('a.ts')) },
  },
};
